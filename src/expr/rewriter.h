// rewriter: the rules of simplify. Every rule gives at most as many nodes as it met, and builds
// what it gives by make() again: what make() returns is in normal form, to which no rule applies
// any more.
//
// Normal form: constants stand last in sums and first in products; a negative constant in a sum has
// become a difference; a sign has left products and quotients, to meet the sum or the sign outside.
#pragma once

#include <optional>

#include "expr/rewrite.h"
#include "expr/tree.h"

namespace vieta {

class Rewriter {
 public:
  Rewriter(std::size_t nodes, const SimplifyOptions& options)
      : exact_(!options.tunable_constants),
        strict_(!options.finite_inputs),
        tree_(nodes + nodes / 2 + 16, options.finite_inputs) {}

  Ref leaf(const Node& node) { return tree_.leaf(node); }
  /// The call in normal form, its arguments being so.
  Ref make(Op op, const Tree::Args& args);
  const Tree& tree() const { return tree_; }
  bool exact() const { return exact_; }
  bool strict() const { return strict_; }

  // Rules of a whole sum or product, for the root of one in normal form.
  Ref with_like_terms_gathered(Ref sum);  // rewrite_like_terms.cc
  Ref with_powers_gathered(Ref product);  // rewrite_powers.cc

 private:
  using Maybe = std::optional<Ref>;

  Ref make(Op op, Ref a) { return make(op, Tree::Args{a}); }
  Ref make(Op op, Ref a, Ref b) { return make(op, Tree::Args{a, b}); }
  Ref make(Op op, Ref a, Ref b, Ref c) { return make(op, Tree::Args{a, b, c}); }

  Maybe folded(Op op, const Tree::Args& args);
  Maybe same_twice(Op op, Ref a, Ref b);
  Ref function(Op op, const Tree::Args& args);
  Ref power(Ref a, Ref b);
  Ref choice(Ref condition, Ref then, Ref otherwise);
  Maybe exact_choice(Ref condition, Ref then, Ref otherwise);
  bool negates(Ref maybe, Ref condition) const;

  // A constant that could be taken out of a sum, or a factor (numerator / denominator, one of them
  // 1) out of a product, and what is left without it.
  struct Term {
    Ref rest;
    double constant;
  };
  struct Factor {
    Ref rest;
    double numerator;
    double denominator;
  };

  // rewrite_powers.cc
  Maybe power_of_power(Ref a, double n);

  // rewrite_sums.cc
  Ref sum(Ref a, Ref b);
  Ref difference(Ref a, Ref b);
  Ref negation(Ref a);
  Ref sum_with_constant(Ref a, Ref constant);
  Maybe constant_minus(Ref constant, Ref b);
  Maybe merged_terms(Op op, Ref a, Ref b);
  Maybe with_negative_factor_flipped(Ref product);
  Maybe add_to_a_constant(Ref at, double amount, int& looks);
  std::optional<Term> take_constant(Ref at, int& looks);

  // rewrite_products.cc
  Ref product(Ref a, Ref b);
  Ref quotient(Ref a, Ref b);
  Ref constant_times(Ref constant, Ref b);
  Ref quotient_by_constant(Ref a, Ref constant);
  Maybe constant_over(Ref constant, Ref b);
  Maybe merged_factors(Op op, Ref a, Ref b);
  Maybe times_quotient_of_constant(Ref a, Ref quotient);
  Maybe negated_factor(Ref at, bool below, int& looks);
  Maybe scale_a_constant(Ref at, double numerator, double denominator, int& looks);
  Maybe scaled_denominator(Ref at, double numerator, double denominator, int& looks);
  std::optional<Factor> take_factor(Ref at, int& looks);

  bool is_negation(Ref at) const { return tree_.is_call(at, Op::neg); }
  Ref operand(Ref at) const { return tree_.argument(at, 0); }
  double value(Ref at) const { return tree_.node(at).value; }

  bool exact_;
  bool strict_;
  Tree tree_;
};

/// How many nodes of a sum or product are looked at to find a constant to merge with. A bound, so
/// that simplify stays linear on chains of any length.
inline constexpr int kLooks = 32;

}  // namespace vieta
