// Powers of one base in a whole product: x*y*x^2 is x^3*y; and powers of powers.

#include <algorithm>
#include <cmath>
#include <utility>

#include "expr/cluster.h"
#include "expr/monomial.h"

namespace vieta {
namespace {

class Powers {
 public:
  Powers(Rewriter& rewriter, Ref product)
      : rewriter_(rewriter),
        tree_(rewriter.tree()),
        product_(product),
        factors_(tree_, product, Cluster::Kind::product) {}

  Ref gathered() {
    const auto& members = factors_.members();
    for (const Cluster::Member& member : members) {
      powers_.push_back(as_power(tree_, member.at, member.inverse, true));
      now_.emplace_back(member.at);
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!tree_.is_constant(members[i].at)) order.push_back(i);
    }
    const bool changed = merge_runs(
        std::move(order), [&](std::size_t i) { return tree_.hash(powers_[i].base); },
        [&](std::span<const std::size_t> run) { return merge(alike(run)); });
    if (!changed) return product_;
    // inv(x)/x is shorter than 1/x^2.
    const Ref other = factors_.rebuilt(rewriter_, now_);
    return tree_.node(other).size < tree_.node(product_).size ? other : product_;
  }

 private:
  using Group = std::vector<std::size_t>;

  Group alike(std::span<const std::size_t> candidates) const {
    Group group;
    for (const std::size_t i : candidates) {
      if (tree_.same(powers_[i].base, powers_[candidates.front()].base)) group.push_back(i);
    }
    return group;
  }

  bool merge(const Group& group) {
    if (group.size() < 2) return false;
    const Ref base = powers_[group.front()].base;
    // What x*y*x underflows to differs from what x^2*y does.
    if (rewriter_.strict() && group.size() != factors_.members().size()) return false;
    double above = 0;
    double below = 0;
    for (const std::size_t i : group) {
      above += powers_[i].above;
      below += powers_[i].below;
    }
    // x^2/x is not defined at 0, x is.
    if (above > 0 && below > 0 && tree_.always_finite(base) && tree_.always_positive(base)) {
      return put(group, base, above - below);
    }
    const auto [up, down] = split(group);
    const bool first = up.size() > 1 && put(up, base, above);
    const bool second = down.size() > 1 && put(down, base, -below);
    return first || second;
  }

  std::pair<Group, Group> split(const Group& group) const {
    std::pair<Group, Group> halves;
    for (const std::size_t i : group)
      (powers_[i].above > 0 ? halves.first : halves.second).push_back(i);
    return halves;
  }

  // base^exponent in the place of a member on its side of the line, nothing in the others', if that
  // is shorter.
  bool put(const Group& group, Ref base, double exponent) {
    const auto is_above = [&](std::size_t i) { return !factors_.members()[i].inverse; };
    const auto place = std::ranges::find(group, exponent > 0, is_above);
    const std::size_t at = place == group.end() ? group.front() : *place;
    const double written = is_above(at) ? exponent : -exponent;
    std::size_t before = group.size() - 1;
    for (const std::size_t i : group) before += tree_.node(factors_.members()[i].at).size;
    const std::size_t after = exponent == 0 ? 0 : tree_.node(base).size + (written == 1 ? 0 : 2);
    if (after >= before || (exponent != 0 && !is_exponent(written))) return false;
    for (const std::size_t i : group) now_[i].reset();
    if (exponent != 0) {
      const Ref number = rewriter_.leaf(Node::constant(written));
      now_[at] = rewriter_.make(Op::pow, Tree::Args{base, number});
    }
    return true;
  }

  Rewriter& rewriter_;
  const Tree& tree_;
  Ref product_;
  Cluster factors_;
  std::vector<Power> powers_;
  std::vector<std::optional<Ref>> now_;
};

}  // namespace

Ref Rewriter::with_powers_gathered(Ref product) {
  return exact_ ? Powers(*this, product).gathered() : product;
}

// (u^m)^n is u^(m*n) for whole m and n. Not with both negative: 1/(1/u) is not defined at 0.
Rewriter::Maybe Rewriter::power_of_power(Ref a, double n) {
  if (!exact_ || !is_exponent(n)) return std::nullopt;
  const Power inner = as_power(tree_, a, false, true);
  if (inner.base == a || (inner.below > 0 && n < 0)) return std::nullopt;
  const double exponent = (inner.above - inner.below) * n;
  if (!is_exponent(exponent)) return std::nullopt;
  return make(Op::pow, inner.base, tree_.constant(exponent));
}

}  // namespace vieta
