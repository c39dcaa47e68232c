// order_facts: what the answers given so far say about the order of symbols, so that no answer
// contradicts them: a callable that sorts or searches would otherwise run off its own memory.
#pragma once

#include <optional>
#include <vector>

#include "ops/user_op.h"

namespace vieta {

class OrderFacts {
 public:
  using Operand = OpBody::Operand;

  /// How much the facts say about a comparison.
  enum class Answer { open, yes, no, only_without_nan };

  /// `op` is lt, le, eq or ne; gt and ge are asked for with a and b exchanged. A symbol compared
  /// with itself is the question whether it is NaN: open.
  Answer ask(Op op, const Operand& a, const Operand& b) const;
  /// The answer that was chosen.
  void add(Op op, const Operand& a, const Operand& b, bool answer);
  /// The value of an operand that is a number, or made of numbers alone.
  void set_value(const Operand& o, double value) { values_.push_back({o, value}); }
  std::optional<double> value(const Operand& o) const;
  void clear() { facts_.clear(); }

 private:
  // a < b or a <= b. One that follows from a "no" holds only if neither is NaN.
  struct Fact {
    Operand a;
    Operand b;
    bool strict;
    bool certain;
  };
  struct Value {
    Operand operand;
    double value;
  };

  bool leads(const Operand& a, const Operand& b, bool strict, bool certain) const;
  std::vector<Fact> all_facts() const;

  std::vector<Fact> facts_;
  std::vector<Value> values_;
};

}  // namespace vieta
