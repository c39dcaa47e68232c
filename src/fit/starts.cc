#include "fit/starts.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "eval/evaluate.h"

namespace vieta {
namespace {

constexpr std::size_t kPlaces = 64;  // values of a summand that are remembered

// The values of what stands beside an unknown, other unknowns left out.
class Neighbours {
 public:
  Neighbours(const Expr& expr, const FitData& data, const Unknowns& unknowns,
             std::span<const double> uniforms, kernels::Target target)
      : expr_(expr), data_(data), unknowns_(unknowns), uniforms_(uniforms), target_(target) {
    constants_before_.reserve(expr.size());
    std::size_t constants = 0;
    for (const Node& node : expr.nodes()) {
      constants_before_.push_back(constants);
      if (node.is_constant()) ++constants;
    }
  }

  // The unknown a node is, or none.
  std::size_t unknown_at(std::size_t at) const {
    const Node& node = expr_.nodes()[at];
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const Leaf& leaf = unknowns_.leaves[i];
      if (node.kind == NodeKind::parameter && leaf.kind == Leaf::Kind::parameter &&
          leaf.index == node.index)
        return i;
      if (node.is_constant() && leaf.kind == Leaf::Kind::constant &&
          leaf.index == constants_before_[at])
        return i;
    }
    return unknowns_.size();
  }

  // Finite values of the subtree at `root` on the rows that count, with unknowns in it at `filler`;
  // empty if it has no variable.
  std::vector<double> values(std::size_t root, double filler) const {
    std::vector<Node> nodes;
    bool variable = false;
    for (std::size_t at = root + 1 - expr_.nodes()[root].size; at <= root; ++at) {
      Node node = expr_.nodes()[at];
      if (unknown_at(at) < unknowns_.size()) {
        node = Node::constant(filler);
      } else if (node.kind == NodeKind::parameter) {
        node = Node::constant(uniforms_[node.index]);
      } else if (node.is_constant()) {
        node = Node::constant(uniforms_[expr_.symbols().parameters.size() + constants_before_[at]]);
      }
      variable = variable || node.kind == NodeKind::variable;
      nodes.push_back(node);
    }
    std::vector<double> result;
    if (!variable) return result;
    const Expr part(std::move(nodes),
                    std::make_shared<const Symbols>(Symbols{expr_.symbols().variables, {}}));
    const auto all = evaluate<double>(part, data_.x, {}, {}, 0, {.target = target_});
    for (std::size_t r = 0; r < all.values.size(); ++r) {
      const bool counts = data_.weights.empty() || data_.weights[r] != 0;
      if (counts && std::isfinite(all.values[r])) result.push_back(all.values[r]);
    }
    return result;
  }

 private:
  const Expr& expr_;
  const FitData& data_;
  const Unknowns& unknowns_;
  std::span<const double> uniforms_;
  kernels::Target target_;
  std::vector<std::size_t> constants_before_;
};

// Root mean square; 0 if there is none.
double size_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  if (!(largest > 0)) return 0;
  double sum = 0;
  for (const double v : values) sum += (v / largest) * (v / largest);
  return largest * std::sqrt(sum / static_cast<double>(values.size()));
}

// What `values` beside an unknown under `op` say of it.
void take_hint(Op op, const std::vector<double>& values, bool negated, StartHint& hint) {
  const double size = size_of(values);
  if (!(size > 0)) return;
  switch (op) {
    case Op::mul:
      hint.size = 1 / size;
      break;
    case Op::div:
      hint.size = size;
      break;
    case Op::add:
    case Op::sub: {
      hint.size = size;
      const std::size_t stride = (values.size() + kPlaces - 1) / kPlaces;
      for (std::size_t r = 0; r < values.size(); r += stride)
        hint.places.push_back((op == Op::add) != negated ? -values[r] : values[r]);
      break;
    }
    default:
      break;
  }
}

}  // namespace

Starts::Starts(const Expr& expr, const FitData& data, const Unknowns& unknowns,
               std::span<const double> uniforms, kernels::Target target, std::uint64_t seed)
    : unknowns_(unknowns), hints_(unknowns.size()), seed_(seed) {
  const Neighbours neighbours(expr, data, unknowns, uniforms, target);
  for (std::size_t at = 0; at < expr.size(); ++at) {
    const Node& node = expr.nodes()[at];
    if (node.arity() != 2) continue;
    const auto args = arguments(expr.nodes(), at);
    for (std::size_t k = 0; k < 2; ++k) {
      // A sign in between changes no size; where a summand may start from, it does.
      const bool negated = expr.nodes()[args[k]].is_call(Op::neg);
      const std::size_t unknown = neighbours.unknown_at(negated ? args[k] - 1 : args[k]);
      if (unknown == unknowns.size() || !unknowns.free_start[unknown]) continue;
      const bool sum = node.is_call(Op::add) || node.is_call(Op::sub);
      take_hint(node.op, neighbours.values(args[1 - k], sum ? 0 : 1), negated, hints_[unknown]);
    }
  }
  for (StartHint& hint : hints_) {
    if (!std::isfinite(hint.size) || !(hint.size > 0)) hint.size = 1;
  }
}

std::vector<double> Starts::draw(std::uint32_t number) const {
  std::vector<double> x = unknowns_.start;
  Rng rng(seed_, number, 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (unknowns_.free_start[i]) {
      const StartHint& hint = hints_[i];
      if (number == 0) {
        x[i] = hint.size;
      } else if (number == 1) {
        x[i] = 1;
      } else if (!hint.places.empty() && rng.chance(0.5)) {
        x[i] = hint.places[rng.below(hint.places.size())];
      } else {
        const bool hinted = rng.chance(0.6);
        x[i] = hinted ? hint.size * std::pow(10.0, -1.5 + 3 * rng.uniform())
                      : std::pow(10.0, -3 + 6 * rng.uniform());
        if (rng.chance(0.3)) x[i] = -x[i];
      }
    }
    if (!unknowns_.lower.empty()) x[i] = std::clamp(x[i], unknowns_.lower[i], unknowns_.upper[i]);
  }
  return x;
}

}  // namespace vieta
