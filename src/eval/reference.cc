#include "eval/reference.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "eval/reference_math.h"
#include "ops/user_op.h"

namespace vieta::reference {
namespace {

using Args = std::span<const Real>;

#define VIETA_UNARY(id, name, value_, da, daa, ...)                \
  case Op::id: {                                                   \
    const Real a = x[0];                                           \
    [[maybe_unused]] const Real v = value_;                        \
    return {v, {static_cast<Real>(da)}, {static_cast<Real>(daa)}}; \
  }
#define VIETA_BINARY(id, name, value_, da, db, daa, dab, dbb, ...)                     \
  case Op::id: {                                                                       \
    const Real a = x[0], b = x[1];                                                     \
    [[maybe_unused]] const Real v = value_;                                            \
    return {v,                                                                         \
            {static_cast<Real>(da), static_cast<Real>(db)},                            \
            {static_cast<Real>(daa), static_cast<Real>(dab), static_cast<Real>(dbb)}}; \
  }
#define VIETA_TERNARY(id, name, value_, da, db, dc, daa, dab, dac, dbb, dbc, dcc, ...) \
  case Op::id: {                                                                       \
    const Real a = x[0], b = x[1], c = x[2];                                           \
    [[maybe_unused]] const Real v = value_;                                            \
    return {v,                                                                         \
            {static_cast<Real>(da), static_cast<Real>(db), static_cast<Real>(dc)},     \
            {static_cast<Real>(daa), static_cast<Real>(dab), static_cast<Real>(dac),   \
             static_cast<Real>(dbb), static_cast<Real>(dbc), static_cast<Real>(dcc)}}; \
  }

// A function is its own judge, in double.
Partials partials_of_function(const OpFunction& function, Args x) {
  std::array<double, kMaxArity> values{};
  std::array<const double*, kMaxArity> args{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    values[k] = static_cast<double>(x[k]);
    args[k] = &values[k];
  }
  const auto arity = static_cast<int>(x.size());
  Partials p;
  double result = 0;
  function.value(args.data(), &result, 1);
  p.value = result;
  for (int k = 0; k < arity; ++k) {
    function.partial(args.data(), k, &result, 1);
    p.d[k] = result;
    for (int l = k; l < arity; ++l) {
      function.second_partial(args.data(), k, l, &result, 1);
      p.d2[packed_index(arity, k, l)] = result;
    }
  }
  return p;
}

Partials partials_at(Op op, Args x) {
  switch (op) {
#include "ops/ops.def"
  }
  return partials_of_function(*user_op(op).function, x);
}

#undef VIETA_UNARY
#undef VIETA_BINARY
#undef VIETA_TERNARY

// A value on the stack. Empty vectors: it depends on no leaf.
struct Entry {
  Real value = 0;
  std::vector<Real> gradient;
  std::vector<Real> hessian;
  std::vector<bool> depends;  // per leaf: false is a structural zero, which meets no infinity
};

std::size_t packed(std::size_t n, std::size_t i, std::size_t j) {
  return i * n - i * (i - 1) / 2 + (j - i);
}

Entry leaf_entry(Real value, const Leaf& leaf, std::span<const Leaf> leaves) {
  Entry entry{value, {}, {}, {}};
  const auto at = std::ranges::find(leaves, leaf);
  if (at != leaves.end()) {
    entry.gradient.assign(leaves.size(), 0);
    entry.gradient[static_cast<std::size_t>(at - leaves.begin())] = 1;
    entry.hessian.assign(leaves.size() * (leaves.size() + 1) / 2, 0);
    entry.depends.assign(leaves.size(), false);
    entry.depends[static_cast<std::size_t>(at - leaves.begin())] = true;
  }
  return entry;
}

// A selecting operator takes nothing from an argument it did not select, be it infinite or NaN.
bool counts(const OpInfo& row, const Partials& p, std::size_t k, const Entry& argument) {
  if (argument.gradient.empty() || row.zero_partial(static_cast<int>(k))) return false;
  return !row.selects || p.d[k] != 0;
}

Entry call_entry(Op op, std::span<const Entry> arguments, std::size_t n, int order) {
  const OpInfo& row = info(op);
  std::array<Real, kMaxArity> x{};
  for (std::size_t k = 0; k < arguments.size(); ++k) x[k] = arguments[k].value;
  const Partials p = partials_at(op, {x.data(), arguments.size()});
  Entry entry{p.value, {}, {}, {}};
  const bool depends =
      std::ranges::any_of(arguments, [](const Entry& a) { return !a.gradient.empty(); });
  if (!depends || order == 0) return entry;
  entry.gradient.assign(n, 0);
  entry.hessian.assign(n * (n + 1) / 2, 0);
  entry.depends.assign(n, false);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!counts(row, p, k, arguments[k])) continue;
    for (std::size_t i = 0; i < n; ++i) {
      if (!arguments[k].depends[i]) continue;
      entry.gradient[i] += p.d[k] * arguments[k].gradient[i];
      entry.depends[i] = true;
    }
    if (order < 2) continue;
    for (std::size_t i = 0; i < entry.hessian.size(); ++i) {
      if (arguments[k].hessian[i] != 0) entry.hessian[i] += p.d[k] * arguments[k].hessian[i];
    }
    for (std::size_t l = 0; l < arguments.size(); ++l) {
      const int low = static_cast<int>(std::min(k, l));
      const int high = static_cast<int>(std::max(k, l));
      if (row.zero_second_partial(low, high) || !counts(row, p, l, arguments[l])) continue;
      const Real second = p.d2[packed_index(row.arity, low, high)];
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          if (!arguments[k].depends[i] || !arguments[l].depends[j]) continue;
          entry.hessian[packed(n, i, j)] +=
              second * arguments[k].gradient[i] * arguments[l].gradient[j];
        }
      }
    }
  }
  return entry;
}

// A user's operator with a body is what its body is.
Entry operator_entry(Op op, std::span<const Entry> arguments, std::size_t n, int order) {
  using Kind = OpBody::Operand::Kind;
  if (is_builtin(op) || !user_op(op).has_body()) return call_entry(op, arguments, n, order);
  const OpBody& body = user_op(op).body;
  std::vector<Entry> steps;
  const auto read = [&](const OpBody::Operand& o) {
    if (o.kind == Kind::number) return Entry{body.numbers[o.index], {}, {}, {}};
    return o.kind == Kind::argument ? arguments[o.index] : steps[o.index];
  };
  for (const OpBody::Step& step : body.steps) {
    std::vector<Entry> inputs;
    for (int k = 0; k < info(step.op).arity; ++k)
      inputs.push_back(read(step.args[static_cast<std::size_t>(k)]));
    steps.push_back(operator_entry(step.op, inputs, n, order));
  }
  return read(body.root);
}

}  // namespace

Partials partials(Op op, std::span<const long double> arguments) {
  return partials_at(op, arguments);
}

Derivatives evaluate(const Expr& expr, std::span<const double> variables,
                     std::span<const double> parameters, std::span<const Leaf> leaves, int order) {
  std::vector<Entry> stack;
  std::size_t constant = 0;
  bool ok = true;
  for (const Node& node : expr.nodes()) {
    switch (node.kind) {
      case NodeKind::variable:
        stack.push_back(
            leaf_entry(variables[node.index], {Leaf::Kind::variable, node.index}, leaves));
        break;
      case NodeKind::parameter:
        stack.push_back(
            leaf_entry(parameters[node.index], {Leaf::Kind::parameter, node.index}, leaves));
        break;
      case NodeKind::constant:
        stack.push_back(leaf_entry(node.value, {Leaf::Kind::constant, constant++}, leaves));
        break;
      case NodeKind::call: {
        const auto arity = static_cast<std::size_t>(node.arity());
        Entry entry =
            operator_entry(node.op, {stack.end() - node.arity(), arity}, leaves.size(), order);
        stack.resize(stack.size() - arity);
        stack.push_back(std::move(entry));
        break;
      }
    }
    ok = ok && std::isfinite(stack.back().value);
  }
  Entry& top = stack.back();
  top.gradient.resize(leaves.size(), 0);
  top.hessian.resize(leaves.size() * (leaves.size() + 1) / 2, 0);
  return {top.value, std::move(top.gradient), std::move(top.hessian), ok};
}

}  // namespace vieta::reference
