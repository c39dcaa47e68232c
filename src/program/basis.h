// basis: a formula that is linear in some of its constants, as the functions these multiply.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "program/program.h"

namespace vieta {

/// f = fixed + sum over j of constant[j] * sign[j] * function[j]. None of the functions depends on
/// a constant that is in the sum.
struct Basis {
  static constexpr std::uint32_t kOne = ~std::uint32_t{0};          ///< the function that is 1
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0} - 1;  ///< the one that is 0

  struct Term {
    std::uint32_t function = kNothing;  ///< into `functions`, or one of the above
    int sign = 1;
  };

  Program program;                 ///< of the functions; its root means nothing
  std::vector<Operand> functions;  ///< variables and results of the program, each one once
  std::vector<Term> terms;         ///< one a constant of the sum
  Term fixed;
};

/// Splits one program after another, keeping its scratch. Not shared between threads.
class BasisSplitter {
 public:
  /// `linear`: uniforms of `program`, in all of which together it is linear. False where the split
  /// is not known: a choice or a user's function is between, a function is the same number on every
  /// row, or the program is not linear in them. Results of the functions are not tested for
  /// finiteness by the program: whoever reads them has to. Everything else that the whole program
  /// tests is. O(instructions * linear).
  bool run(const Program& program, std::span<const std::uint32_t> linear, Basis& basis);

 private:
  // sign * operand, or sign where `one`, that stands beside constant `constant` of the sum.
  struct Part {
    std::uint32_t constant = 0;  ///< into `linear`; its size: none
    Operand factor;
    bool one = false;
    int sign = 1;
  };
  // The value of an instruction: the sum of parts_[first .. first + count).
  struct Sum {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  bool add_instruction(const Instruction& instruction, std::span<const Operand> operands);
  Sum sum_of(const Operand& o);
  bool is_linear(const Sum& s) const;
  Operand add(Op op, std::span<const Operand> operands);
  bool combine(const Sum& a, const Sum& b, int sign, Sum& result);
  bool multiply(const Sum& a, const Sum& b, Sum& result);
  bool divide(const Sum& a, const Sum& b, Sum& result);
  bool place(const Part& part, Basis::Term& term);

  Basis* basis_ = nullptr;
  std::vector<std::uint32_t> constant_of_;  ///< per uniform; kNone: not in the sum
  std::uint32_t none_ = 0;                  ///< Part::constant of what stands beside none
  std::vector<Sum> sums_;                   ///< per instruction of the whole program
  std::vector<Part> parts_;
};

}  // namespace vieta
