#include "expr/machine.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>

#include "ad/std_names.h"
#include "base/check.h"
#include "expr/machine_code.h"
#include "expr/machine_ops.h"
#include "ops/row_function.h"

namespace vieta {
namespace {

using Kind = MachineStep::Kind;

// d f(x) along every direction that x carries, given f's partials there.
template <class Partial, class Second>
double chain(double value, std::span<const double>, Partial, Second) {
  return value;
}

template <int N, class Partial, class Second>
ad::Jet<double, N> chain(double value, std::span<const ad::Jet<double, N>> x, Partial partial,
                         Second) {
  ad::Jet<double, N> result(value);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double p = partial(k);
    for (int i = 0; i < N; ++i) result.d[i] += ad::chained(p, x[k].d[i]);
  }
  return result;
}

template <int N, class Partial, class Second>
ad::Jet2<double, N> chain(double value, std::span<const ad::Jet2<double, N>> x, Partial partial,
                          Second second) {
  using X = ad::Jet2<double, N>;
  X result(value);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double p = partial(k);
    for (int i = 0; i < N; ++i) result.d[i] += ad::chained(p, x[k].d[i]);
    for (int i = 0; i < X::kSecond; ++i) result.dd[i] += ad::chained(p, x[k].dd[i]);
    for (std::size_t l = 0; l < x.size(); ++l) {
      const double s = second(k, l);
      for (int i = 0; i < N; ++i) {
        for (int j = i; j < N; ++j)
          result.dd[X::packed(i, j)] += ad::chained(s, ad::chained(x[k].d[i], x[l].d[j]));
      }
    }
  }
  return result;
}

// An operator that is a function, called from inside a definition.
template <class X>
X call_function(const OpFunction& function, std::span<const X> x) {
  std::array<double, kMaxArity> values{};
  std::array<const double*, kMaxArity> args{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    values[k] = ad::value(x[k]);
    args[k] = &values[k];
  }
  double result = 0;
  function.value(args.data(), &result, 1);
  const auto partial = [&](std::size_t k) {
    double p = 0;
    function.partial(args.data(), static_cast<int>(k), &p, 1);
    return p;
  };
  const auto second = [&](std::size_t k, std::size_t l) {
    double s = 0;
    function.second_partial(args.data(), static_cast<int>(std::min(k, l)),
                            static_cast<int>(std::max(k, l)), &s, 1);
    return s;
  };
  return chain(result, x, partial, second);
}

template <class X>
X call_op(Op op, std::span<const X> x);

template <class X>
X run_body(const OpBody& body, std::span<const X> x) {
  std::vector<X> steps;
  steps.reserve(body.steps.size());
  const auto read = [&](const OpBody::Operand& o) {
    if (o.kind == OpBody::Operand::Kind::argument) return x[o.index];
    return o.kind == OpBody::Operand::Kind::number ? X(body.numbers[o.index]) : steps[o.index];
  };
  for (const OpBody::Step& step : body.steps) {
    std::array<X, kMaxArity> args{};
    const auto arity = static_cast<std::size_t>(info(step.op).arity);
    for (std::size_t k = 0; k < arity; ++k) args[k] = read(step.args[k]);
    steps.push_back(call_op<X>(step.op, std::span<const X>(args).first(arity)));
  }
  return read(body.root);
}

template <class X>
X call_op(Op op, std::span<const X> x) {
  if (is_builtin(op)) return OpsOn<X>::value(op, x[0], x[x.size() > 1], x[x.size() > 2 ? 2 : 0]);
  const UserOp& row = user_op(op);
  return row.has_body() ? run_body<X>(row.body, x) : call_function<X>(*row.function, x);
}

// What a run needs besides the code; kept between runs.
template <class X>
struct Scratch {
  struct Frame {
    std::size_t base = 0;
    std::uint32_t return_to = 0;
    std::uint64_t known_locals = 0;
  };
  std::vector<X>
      values;  // a frame's arguments, local names, loop slots; then what is computed with
  std::vector<Frame> frames;
  std::vector<std::uint32_t> returns;  // of local names' code
};

template <class X>
class Run {
 public:
  Run(const MachineCode& code, Scratch<X>& scratch) : code_(code), scratch_(scratch) {}

  // nullopt: too many steps.
  std::optional<X> operator()(std::span<const X> arguments) {
    scratch_.values.assign(arguments.begin(), arguments.end());
    scratch_.frames.clear();
    scratch_.returns.clear();
    enter(0);
    std::uint32_t at = 0;
    for (std::size_t count = 0; count < kMaxMachineSteps; ++count) {
      const MachineStep& step = code_.steps[at];
      if (step.kind == Kind::finish && scratch_.frames.size() == 1) return scratch_.values.back();
      at = execute(step, at);
    }
    return std::nullopt;
  }

 private:
  std::vector<X>& values() { return scratch_.values; }
  typename Scratch<X>::Frame& frame() { return scratch_.frames.back(); }
  X& local(std::size_t j) { return values()[frame().base + code_.arity + j]; }
  X& slot(std::size_t j) { return local(code_.locals.size() + j); }
  void push(X value) { values().push_back(std::move(value)); }
  X pop() {
    X top = std::move(values().back());
    values().pop_back();
    return top;
  }

  // The arguments are on top.
  void enter(std::uint32_t return_to) {
    scratch_.frames.push_back({values().size() - code_.arity, return_to, 0});
    values().resize(values().size() + code_.locals.size() + code_.loop_slots);
  }

  std::uint32_t leave() {
    const X result = pop();
    const auto left = frame();
    scratch_.frames.pop_back();
    values().resize(left.base);
    push(result);
    return left.return_to;
  }

  // The next step.
  std::uint32_t execute(const MachineStep& step, std::uint32_t at) {
    switch (step.kind) {
      case Kind::argument:
        push(X(values()[frame().base + step.index]));
        break;
      case Kind::number:
        push(X(code_.numbers[step.index]));
        break;
      case Kind::local:
        return read_local(step.index, at);
      case Kind::keep:
        local(step.index) = values().back();
        frame().known_locals |= std::uint64_t{1} << step.index;
        return leave_local();
      case Kind::load:
        push(X(slot(step.index)));
        break;
      case Kind::store: {
        const X top = pop();
        slot(step.index) = top;
        break;
      }
      case Kind::plain:
        values().back() = X(ad::value(values().back()));
        break;
      case Kind::call:
        call(step.op);
        break;
      case Kind::call_itself:
        enter(at + 1);
        return 0;
      case Kind::jump:
        return step.index;
      case Kind::jump_if_zero:
        return pop() == 0 ? step.index : at + 1;
      case Kind::finish:
        return leave();
    }
    return at + 1;
  }

  std::uint32_t read_local(std::uint32_t j, std::uint32_t at) {
    if (((frame().known_locals >> j) & 1U) == 0) {
      scratch_.returns.push_back(at + 1);
      return code_.locals[j];
    }
    push(X(local(j)));
    return at + 1;
  }

  std::uint32_t leave_local() {
    const std::uint32_t back = scratch_.returns.back();
    scratch_.returns.pop_back();
    return back;
  }

  void call(Op op) {
    const auto arity = static_cast<std::size_t>(info(op).arity);
    const X result = call_op<X>(op, std::span<const X>(values()).last(arity));
    values().resize(values().size() - arity);
    push(result);
  }

  const MachineCode& code_;
  Scratch<X>& scratch_;
};

// What a call without a result gives: no number, and no derivative.
template <class X>
X no_result() {
  X none(std::numeric_limits<double>::quiet_NaN());
  if constexpr (requires { none.d; }) std::ranges::fill(none.d, none.value);
  if constexpr (requires { none.dd; }) std::ranges::fill(none.dd, none.value);
  return none;
}

class Machine final : public RowFunction {
 public:
  explicit Machine(MachineCode code) : RowFunction(code.arity), code_(std::move(code)) {}

  std::uint64_t calls_without_result() const override {
    return without_result_.load(std::memory_order_relaxed);
  }

 private:
  void call(const double* x, double* out, std::size_t rows) const override { each(x, out, rows); }
  void call(const First* x, First* out, std::size_t rows) const override { each(x, out, rows); }
  void call(const Second* x, Second* out, std::size_t rows) const override { each(x, out, rows); }

  template <class X>
  void each(const X* x, X* out, std::size_t rows) const {
    // A thread's own, so that only the first rows allocate; a machine that another one calls has to
    // do without.
    thread_local Scratch<X> scratch;
    Scratch<X> inner;
    const bool nested = std::exchange(busy<X>(), true);
    Run<X> run(code_, nested ? inner : scratch);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::optional<X> found = run(std::span<const X>(x + r * arity(), arity()));
      out[r] = found ? *found : no_result<X>();
      if (!found) without_result_.fetch_add(1, std::memory_order_relaxed);
    }
    busy<X>() = nested;
  }

  template <class X>
  static bool& busy() {
    thread_local bool now = false;
    return now;
  }

  MachineCode code_;
  mutable std::atomic<std::uint64_t> without_result_ = 0;
};

}  // namespace

double value_once(Op op, std::span<const double> arguments) {
  return call_op<double>(op, arguments);
}

std::unique_ptr<const OpFunction> make_machine(const MachineBody& body, Op self) {
  return std::make_unique<const Machine>(make_machine_code(body, self));
}

}  // namespace vieta
