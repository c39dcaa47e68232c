// user_op: operators that are no row of the table. One that can be written as a formula has a body,
// which lowering puts in its place; any other is a function that is called on tiles.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ops/op.h"

namespace vieta {

/// A formula in an operator's arguments as straight-line code: a step reads what is in front of it.
struct OpBody {
  struct Operand {
    enum class Kind : std::uint8_t { argument, number, step };
    Kind kind = Kind::argument;
    std::uint32_t index = 0;
    friend auto operator<=>(const Operand&, const Operand&) = default;
  };
  struct Step {
    Op op = Op::add;
    std::array<Operand, kMaxArity> args{};  ///< the first info(op).arity of them
  };
  std::vector<double> numbers;
  std::vector<Step> steps;
  Operand root;
};

/// The same body with the steps that its result needs, arguments before their operator from left to
/// right. In which order C++ computed the two sides of a sum, or a definition named its parts, is
/// their own affair; adjoints are added in the order of steps.
OpBody in_reading_order(const OpBody& body);

/// What an operator without a body computes: value and partials on `rows` rows, argument k of row r
/// at args[k][r]. Nothing beyond `rows` is read or written. `out` may be one of the arguments: a
/// row is read before it is written. Called from several threads at once.
///
/// Where an argument is not finite the result is NaN and the partials are too, without asking: such
/// a row is bad whatever the operator makes of it, and a recursion may never end there.
class OpFunction {
 protected:
  /// Whether the arguments of a row are all finite.
  template <class E>
  static bool finite_row(const E* const* args, std::size_t arity, std::size_t row) {
    for (std::size_t k = 0; k < arity; ++k) {
      if (!std::isfinite(args[k][row])) return false;
    }
    return true;
  }

 public:
  OpFunction() = default;
  OpFunction(const OpFunction&) = delete;
  OpFunction& operator=(const OpFunction&) = delete;
  virtual ~OpFunction() = default;

  virtual void value(const double* const* args, double* out, std::size_t rows) const = 0;
  virtual void value(const float* const* args, float* out, std::size_t rows) const = 0;
  /// d / d argument k
  virtual void partial(const double* const* args, int k, double* out, std::size_t rows) const = 0;
  virtual void partial(const float* const* args, int k, float* out, std::size_t rows) const = 0;
  /// d2 / d argument k d argument l
  virtual void second_partial(const double* const* args, int k, int l, double* out,
                              std::size_t rows) const = 0;
  virtual void second_partial(const float* const* args, int k, int l, float* out,
                              std::size_t rows) const = 0;
  /// Calls that ended without a result, because a limit on their steps was met; each gave NaN.
  virtual std::uint64_t calls_without_result() const { return 0; }
};

/// What is said of an operator besides what it computes.
struct OpTraits {
  bool commutative = false;    ///< the first two arguments may be exchanged
  std::string domain = "all";  ///< where it is meant to be used, for people
  std::string meaning = "";    ///< one line, for people
  /// In LaTeX, with @a, @b, ... for the arguments; empty: its name in front of brackets.
  std::string latex = "";
};

struct UserOp {
  std::string name;
  OpTraits traits;
  OpInfo info;  ///< its texts point into this object
  OpBody body;  ///< without steps and numbers where there is a function
  std::unique_ptr<const OpFunction> function;

  bool has_body() const { return function == nullptr; }
};

/// Makes an operator known for as long as the process runs; it is never changed afterwards, so its
/// number may be kept anywhere and read by any thread. Names need not differ: which operator a name
/// calls is up to the parser's Operators. 1 <= arity <= kMaxArity. InternalError beyond some
/// 65,000.
Op add_user_op(std::string name, int arity, OpTraits traits, OpBody body);
Op add_user_op(std::string name, int arity, OpTraits traits,
               std::unique_ptr<const OpFunction> function);

/// An operator whose function calls the operator itself: first its number, then, before anything
/// evaluates it, the function.
Op reserve_user_op(std::string name, int arity, OpTraits traits);
void complete_user_op(Op op, std::unique_ptr<const OpFunction> function);

/// InternalError if there is none.
const UserOp& user_op(Op op);
/// Whether there is such an operator, built in or a user's.
bool is_known(Op op);

}  // namespace vieta
