#include "ops/trace.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/check.h"

namespace vieta {
namespace {

// More than any operator with branches has; a loop meets them within microseconds.
constexpr std::size_t kMaxDecisions = 24;
constexpr std::size_t kMaxPaths = 64;
constexpr std::size_t kMaxSteps = 4096;

// The callable calls functions of a Traced alone, so what watches it is found by thread.
thread_local Tracer* watching = nullptr;

class Watch {
 public:
  explicit Watch(Tracer& tracer) : before_(std::exchange(watching, &tracer)) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { watching = before_; }

 private:
  Tracer* before_;
};

}  // namespace

Tracer& Tracer::current() {
  if (watching == nullptr) throw Untraceable{};
  return *watching;
}

Tracer::Operand Tracer::number(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (std::uint32_t i = 0; i < body_.numbers.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(body_.numbers[i]) == bits) return {Operand::Kind::number, i};
  }
  if (body_.numbers.size() == kMaxSteps) throw Untraceable{};
  body_.numbers.push_back(value);
  const Operand made{Operand::Kind::number, static_cast<std::uint32_t>(body_.numbers.size() - 1)};
  facts_.set_value(made, value);
  return made;
}

Tracer::Operand Tracer::step(Op op, std::span<const Operand> args) {
  VIETA_CHECK(args.size() == static_cast<std::size_t>(info(op).arity));
  OpBody::Step step{.op = op};
  std::ranges::copy(args, step.args.begin());
  const Operand next{Operand::Kind::step, static_cast<std::uint32_t>(body_.steps.size())};
  const auto [known, added] = known_.try_emplace({op, step.args}, next);
  if (!added) return known->second;
  if (body_.steps.size() == kMaxSteps) throw Untraceable{};
  body_.steps.push_back(step);
  note_value(op, step, next);
  return next;
}

// What steps on numbers alone give decides how often a loop over them runs.
void Tracer::note_value(Op op, const OpBody::Step& step, const Operand& result) {
  const auto a = facts_.value(step.args[0]);
  const auto b = info(op).arity > 1 ? facts_.value(step.args[1]) : a;
  if (!a || !b) return;
  switch (op) {
    case Op::add:
      return facts_.set_value(result, *a + *b);
    case Op::sub:
      return facts_.set_value(result, *a - *b);
    case Op::mul:
      return facts_.set_value(result, *a * *b);
    case Op::div:
      return facts_.set_value(result, *a / *b);
    case Op::neg:
      return facts_.set_value(result, -*a);
    default:
      return;
  }
}

bool Tracer::decide(Op op, const Operand& a, const Operand& b) {
  if (op == Op::gt || op == Op::ge) {
    // The condition stands as it was asked, the order is the same.
    const Op mirrored = op == Op::gt ? Op::lt : Op::le;
    return decide(op, a, b, mirrored, b, a);
  }
  return decide(op, a, b, op, a, b);
}

bool Tracer::decide(Op op, const Operand& a, const Operand& b, Op order, const Operand& low,
                    const Operand& high) {
  const Operand args[] = {a, b};
  const Operand condition = step(op, args);
  for (const Decision& decision : decisions_) {
    if (decision.condition == condition) return decision.answer;
  }
  const OrderFacts::Answer known = facts_.ask(order, low, high);
  if (known == OrderFacts::Answer::only_without_nan) throw Untraceable{};
  if (known != OrderFacts::Answer::open) return known == OrderFacts::Answer::yes;
  if (decisions_.size() == kMaxDecisions) throw Untraceable{};
  const bool answer = decisions_.size() >= wanted_.size() || wanted_[decisions_.size()];
  decisions_.push_back({condition, answer});
  facts_.add(order, low, high, answer);
  return answer;
}

Tracer::Operand Tracer::explore(const std::vector<bool>& answers, Run run, const void* callable) {
  if (++paths_ > kMaxPaths) throw Untraceable{};
  wanted_ = answers;
  decisions_.clear();
  facts_.clear();
  Operand result = run(callable);
  const std::vector<Decision> met = decisions_;
  // A callable that does not ask the same again is no function of its arguments.
  if (met.size() < answers.size()) throw Untraceable{};
  std::vector<bool> other;
  for (const Decision& decision : met) other.push_back(decision.answer);
  while (other.size() > answers.size()) {
    other.back() = false;
    const Operand otherwise = explore(other, run, callable);
    other.pop_back();
    const Operand choice[] = {met[other.size()].condition, result, otherwise};
    if (otherwise != result) result = step(Op::if_, choice);
  }
  return result;
}

std::optional<OpBody> Tracer::trace(Run run, const void* callable) {
  Tracer tracer;
  const Watch watch(tracer);
  try {
    tracer.body_.root = tracer.explore({}, run, callable);
  } catch (const Untraceable&) {
    return std::nullopt;
  }
  return in_reading_order(tracer.body_);
}

}  // namespace vieta
