// trace: a callable watched while it runs on symbols, so that what it computes becomes a formula.
//
// Every operation on a Traced is noted instead of done. Where the callable asks which of two values
// is larger, it is run once for each answer, and the two results become one `if`. No answer
// contradicts another one. A callable that asks too often (a loop or a recursion whose end depends
// on its input), wants to see a value, or asks what is settled unless a number is NaN, has no such
// formula: it stays a function.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ops/order_facts.h"
#include "ops/user_op.h"

namespace vieta {

/// Thrown through a callable that cannot be written as a formula.
struct Untraceable {};

class Tracer {
 public:
  using Operand = OpBody::Operand;

  Operand number(double value);
  Operand step(Op op, std::span<const Operand> args);
  /// The answer to "is op(a, b) true?" on the path that is followed; the same question gets the
  /// same answer.
  bool decide(Op op, const Operand& a, const Operand& b);

  /// The one that watches in this thread; Untraceable if none does.
  static Tracer& current();

  /// Calls the callable on the arguments and returns its result. A plain function, as every
  /// callable has one to be compiled.
  using Run = Operand (*)(const void* callable);
  static std::optional<OpBody> trace(Run run, const void* callable);

 private:
  struct Decision {
    Operand condition;
    bool answer;
  };

  bool decide(Op op, const Operand& a, const Operand& b, Op order, const Operand& low,
              const Operand& high);
  void note_value(Op op, const OpBody::Step& step, const Operand& result);

  // The result of all paths that begin with these answers.
  Operand explore(const std::vector<bool>& answers, Run run, const void* callable);

  OpBody body_;
  std::map<std::pair<Op, std::array<Operand, kMaxArity>>, Operand> known_;
  std::vector<bool> wanted_;
  std::vector<Decision> decisions_;
  OrderFacts facts_;
  std::size_t paths_ = 0;
};

}  // namespace vieta
