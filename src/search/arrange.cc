#include "search/arrange.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vieta {
namespace {

struct Term {
  Tree tree;
  bool negative = false;  ///< subtracted
};

void append(Tree& to, const Tree& from) { to.insert(to.end(), from.begin(), from.end()); }

Tree arrange_at(const Tree& tree, std::size_t root);

bool is_sum(const Node& node) {
  return node.is_call(Op::add) || node.is_call(Op::sub) || node.is_call(Op::neg);
}
bool is_product(const Node& node) { return node.is_call(Op::mul) || node.is_call(Op::div); }

// The constant that a product, rebuilt by write_product, starts with.
Node* leading_constant(Tree& tree) {
  if (tree.front().is_constant() && (tree.size() == 1 || is_product(tree.back())))
    return &tree.front();
  return nullptr;
}

void collect_terms(const Tree& tree, std::size_t root, bool negative, std::vector<Term>& terms,
                   double& constant, bool& has_constant) {
  const Node& node = tree[root];
  if (is_sum(node)) {
    const auto args = arguments(tree, root);
    const bool second = node.is_call(Op::sub) != negative;
    if (node.is_call(Op::neg))
      return collect_terms(tree, args[0], !negative, terms, constant, has_constant);
    collect_terms(tree, args[0], negative, terms, constant, has_constant);
    collect_terms(tree, args[1], second, terms, constant, has_constant);
    return;
  }
  if (node.is_constant()) {
    constant += negative ? -node.value : node.value;
    has_constant = true;
    return;
  }
  Term term{arrange_at(tree, root), negative};
  if (Node* c = leading_constant(term.tree); c != nullptr && c->value < 0) {
    c->value = -c->value;
    term.negative = !term.negative;
  }
  terms.push_back(std::move(term));
}

Tree write_sum(std::vector<Term> terms, double constant, bool has_constant) {
  std::ranges::stable_partition(terms, [](const Term& t) { return !t.negative; });
  Tree out;
  const bool constant_first = terms.empty() || (terms.front().negative && has_constant);
  if (constant_first) out.push_back(Node::constant(constant));
  for (Term& term : terms) {
    const bool first = out.empty();
    Node* c = first && term.negative ? leading_constant(term.tree) : nullptr;
    if (c != nullptr) c->value = -c->value;
    append(out, term.tree);
    if (first) {
      if (term.negative && c == nullptr) append_call(out, Op::neg);
    } else {
      append_call(out, term.negative ? Op::sub : Op::add);
    }
  }
  if (has_constant && !constant_first) {
    out.push_back(Node::constant(std::fabs(constant)));
    append_call(out, std::signbit(constant) ? Op::sub : Op::add);
  }
  return out;
}

void collect_factors(const Tree& tree, std::size_t root, bool divisor, std::vector<Term>& factors,
                     double& constant, bool& has_constant) {
  const Node& node = tree[root];
  if (is_product(node)) {
    const auto args = arguments(tree, root);
    collect_factors(tree, args[0], divisor, factors, constant, has_constant);
    collect_factors(tree, args[1], node.is_call(Op::div) != divisor, factors, constant,
                    has_constant);
  } else if (node.is_constant()) {
    constant = divisor ? constant / node.value : constant * node.value;
    has_constant = true;
  } else {
    factors.push_back({arrange_at(tree, root), divisor});
  }
}

Tree write_product(std::vector<Term> factors, double constant, bool has_constant) {
  std::ranges::stable_partition(factors, [](const Term& f) { return f.tree.size() == 1; });
  const bool has_numerator =
      std::ranges::any_of(factors, [](const Term& f) { return !f.negative; });
  Tree out;
  if (!has_numerator || (has_constant && constant != 1)) out.push_back(Node::constant(constant));
  for (const Term& factor : factors) {
    if (factor.negative) continue;
    const bool first = out.empty();
    append(out, factor.tree);
    if (!first) append_call(out, Op::mul);
  }
  Tree divisors;
  for (const Term& factor : factors) {
    if (!factor.negative) continue;
    const bool first = divisors.empty();
    append(divisors, factor.tree);
    if (!first) append_call(divisors, Op::mul);
  }
  if (divisors.empty()) return out;
  append(out, divisors);
  append_call(out, Op::div);
  return out;
}

Tree arrange_at(const Tree& tree, std::size_t root) {
  const Node& node = tree[root];
  double constant = 0;
  bool has_constant = false;
  std::vector<Term> parts;
  if (is_sum(node)) {
    collect_terms(tree, root, false, parts, constant, has_constant);
    return write_sum(std::move(parts), constant, has_constant);
  }
  if (is_product(node)) {
    constant = 1;
    collect_factors(tree, root, false, parts, constant, has_constant);
    return write_product(std::move(parts), constant, has_constant);
  }
  if (node.kind != NodeKind::call) return {node};
  Tree out;
  const auto args = arguments(tree, root);
  for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k)
    append(out, arrange_at(tree, args[k]));
  append_call(out, node.op);
  return out;
}

}  // namespace

Tree arrange(const Tree& tree) {
  Tree out = arrange_at(tree, tree.size() - 1);
  const bool finite = std::ranges::all_of(
      out, [](const Node& n) { return !n.is_constant() || std::isfinite(n.value); });
  return finite && out.size() <= tree.size() ? out : tree;
}

}  // namespace vieta
