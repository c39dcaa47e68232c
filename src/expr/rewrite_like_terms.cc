// Like terms of a whole sum: 2*x + y + 3*x is 5*x + y, x*y - y*x*3 is -2*x*y.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "expr/cluster.h"
#include "expr/monomial.h"

namespace vieta {
namespace {

class LikeTerms {
 public:
  LikeTerms(Rewriter& rewriter, Ref sum)
      : rewriter_(rewriter),
        tree_(rewriter.tree()),
        sum_(sum),
        terms_(tree_, sum, Cluster::Kind::sum) {}

  Ref gathered() {
    const auto& members = terms_.members();
    if (members.size() < 2) return sum_;
    for (const Cluster::Member& member : members) {
      monomials_.emplace_back(tree_, member.at, rewriter_.exact());
      now_.emplace_back(member.at);
    }
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const bool changed = merge_runs(
        std::move(order), [&](std::size_t i) { return monomials_[i].key(); },
        [&](std::span<const std::size_t> run) { return merge(alike(run)); });
    if (!changed) return sum_;
    const Ref other = terms_.rebuilt(rewriter_, now_);
    return tree_.node(other).size <= tree_.node(sum_).size ? other : sum_;
  }

 private:
  using Group = std::vector<std::size_t>;

  // Those that are certain to have the powers of the first, not its key alone.
  Group alike(std::span<const std::size_t> candidates) const {
    Group group;
    for (const std::size_t i : candidates) {
      const Monomial& one = monomials_[i];
      if (!one.is_odd() && one.same_powers(tree_, monomials_[candidates.front()]))
        group.push_back(i);
    }
    return group;
  }

  double signed_coefficient(std::size_t i) const {
    const double coefficient = monomials_[i].coefficient();
    return terms_.members()[i].inverse ? -coefficient : coefficient;
  }

  // The group becomes its first term with the sum of all coefficients.
  bool merge(const Group& group) {
    if (group.size() < 2) return false;
    double total = 0;
    bool one_sign = true;
    for (const std::size_t i : group) {
      total += signed_coefficient(i);
      one_sign = one_sign && (signed_coefficient(i) > 0) == (signed_coefficient(group.front()) > 0);
    }
    if (total != 0 && !std::isnormal(total)) return false;
    if (!may_merge(group, total, one_sign)) return false;
    const std::size_t first = group.front();
    for (const std::size_t i : group) now_[i].reset();
    if (total == 0 && rewriter_.exact()) return true;
    const double coefficient = terms_.members()[first].inverse ? -total : total;
    const Ref number = rewriter_.leaf(Node::constant(coefficient));
    if (monomials_[first].is_number()) {
      now_[first] = number;
    } else {
      now_[first] = rewriter_.make(Op::mul, Tree::Args{number, without_numbers(shortest(group))});
    }
    return true;
  }

  bool may_merge(const Group& group, double total, bool one_sign) const {
    const Ref at = terms_.members()[group.front()].at;
    const bool finite = tree_.always_finite(at);
    if (rewriter_.exact()) return finite || (total != 0 && (one_sign || !rewriter_.strict()));
    // A number that a fit may change stands for itself: two that do are one, but none is made up,
    // and none is lost that does something else as well.
    const auto has_number = [&](std::size_t i) { return monomials_[i].has_number(); };
    return std::ranges::any_of(group, has_number) &&
           !monomials_[group.front()].has_inner_number(tree_);
  }

  std::size_t shortest(const Group& group) const {
    return *std::ranges::min_element(
        group, {}, [&](std::size_t i) { return tree_.node(terms_.members()[i].at).size; });
  }

  Ref without_numbers(std::size_t i) {
    const Cluster factors(tree_, terms_.members()[i].at, Cluster::Kind::product);
    std::vector<std::optional<Ref>> kept;
    for (const Cluster::Member& factor : factors.members()) {
      kept.push_back(tree_.is_constant(factor.at) ? std::nullopt : std::optional(factor.at));
    }
    return factors.rebuilt(rewriter_, kept);
  }

  Rewriter& rewriter_;
  const Tree& tree_;
  Ref sum_;
  Cluster terms_;
  std::vector<Monomial> monomials_;
  std::vector<std::optional<Ref>> now_;
};

}  // namespace

Ref Rewriter::with_like_terms_gathered(Ref sum) { return LikeTerms(*this, sum).gathered(); }

}  // namespace vieta
