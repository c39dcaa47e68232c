#include "ops/order_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace vieta {
namespace {

using Answer = OrderFacts::Answer;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Answer sure(bool answer) { return answer ? Answer::yes : Answer::no; }

bool holds(Op op, double a, double b) {
  switch (op) {
    case Op::lt:
      return a < b;
    case Op::le:
      return a <= b;
    case Op::eq:
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace

std::optional<double> OrderFacts::value(const Operand& o) const {
  const auto found = std::ranges::find(values_, o, &Value::operand);
  return found == values_.end() ? std::nullopt : std::optional(found->value);
}

// The facts, and those that numbers among their operands bring along.
std::vector<OrderFacts::Fact> OrderFacts::all_facts() const {
  std::vector<Fact> all = facts_;
  for (const Value& a : values_) {
    for (const Value& b : values_) {
      if (a.value < b.value) all.push_back({a.operand, b.operand, true, true});
      if (a.value == b.value && a.operand != b.operand)
        all.push_back({a.operand, b.operand, false, true});
    }
  }
  return all;
}

// Whether a chain of facts leads from a to b, over a strict one if `strict`, over certain ones
// alone if `certain`.
bool OrderFacts::leads(const Operand& a, const Operand& b, bool strict, bool certain) const {
  const std::vector<Fact> all = all_facts();
  using State = std::pair<Operand, bool>;
  std::vector<State> seen{{a, false}};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto [at, was_strict] = seen[i];
    if (at == b && (was_strict || !strict) && (i > 0 || a != b)) return true;
    for (const Fact& fact : all) {
      if (fact.a != at || (certain && !fact.certain)) continue;
      const State next{fact.b, was_strict || fact.strict};
      if (std::ranges::find(seen, next) == seen.end()) seen.push_back(next);
    }
  }
  return false;
}

Answer OrderFacts::ask(Op op, const Operand& a, const Operand& b) const {
  const std::optional<double> va = value(a);
  const std::optional<double> vb = value(b);
  if (va && vb) return sure(holds(op, *va, *vb));
  if (a == b) return Answer::open;
  if (op == Op::lt && ((va && *va == kInfinity) || (vb && *vb == -kInfinity))) return Answer::no;
  if (op == Op::ne) {
    const Answer equal = ask(Op::eq, a, b);
    if (equal == Answer::yes) return Answer::no;
    return equal == Answer::no ? Answer::yes : equal;
  }
  for (const bool certain : {true, false}) {
    const auto told = [&](bool answer) {
      return certain ? sure(answer) : Answer::only_without_nan;
    };
    if (op == Op::lt && leads(a, b, true, certain)) return told(true);
    if (op == Op::lt && leads(b, a, false, certain)) return told(false);
    if (op == Op::le && leads(a, b, false, certain)) return told(true);
    if (op == Op::le && leads(b, a, true, certain)) return told(false);
    if (op != Op::eq) continue;
    if (leads(a, b, true, certain) || leads(b, a, true, certain)) return told(false);
    if (leads(a, b, false, certain) && leads(b, a, false, certain)) return told(true);
  }
  return Answer::open;
}

void OrderFacts::add(Op op, const Operand& a, const Operand& b, bool answer) {
  if (a == b) return;
  switch (op) {
    case Op::lt:
      facts_.push_back(answer ? Fact{a, b, true, true} : Fact{b, a, false, false});
      break;
    case Op::le:
      facts_.push_back(answer ? Fact{a, b, false, true} : Fact{b, a, true, false});
      break;
    case Op::eq:
    case Op::ne:
      // That two differ puts them in no order.
      if (answer != (op == Op::eq)) break;
      facts_.push_back({a, b, false, true});
      facts_.push_back({b, a, false, true});
      break;
    default:
      internal_error("no comparison", __FILE__, __LINE__);
  }
}

}  // namespace vieta
