#include "expr/inline_operators.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "expr/splice.h"

namespace vieta {
namespace {

bool has_body(const Node& node) {
  return node.kind == NodeKind::call && !is_builtin(node.op) && user_op(node.op).has_body();
}

// Appends the formula of `root`, a body's operand, over the arguments' formulas; false if there
// would be too many nodes. What a body uses twice is written twice.
bool append_body(std::vector<Node>& out, const OpBody& body, const OpBody::Operand& root,
                 std::span<const std::span<const Node>> arguments_of) {
  using Kind = OpBody::Operand::Kind;
  struct Work {
    OpBody::Operand operand;
    bool close;  // the operator of a step whose arguments are written
  };
  std::vector<Work> work{{root, false}};
  while (!work.empty()) {
    const Work item = work.back();
    work.pop_back();
    if (out.size() > kMaxNodes) return false;
    if (item.close) {
      append_call(out, body.steps[item.operand.index].op);
    } else if (item.operand.kind == Kind::number) {
      out.push_back(Node::constant(body.numbers[item.operand.index]));
    } else if (item.operand.kind == Kind::argument) {
      const std::span<const Node> argument = arguments_of[item.operand.index];
      if (out.size() + argument.size() > kMaxNodes) return false;
      out.insert(out.end(), argument.begin(), argument.end());
    } else {
      const OpBody::Step& step = body.steps[item.operand.index];
      work.push_back({item.operand, true});
      for (int k = info(step.op).arity; k > 0; --k)
        work.push_back({step.args[static_cast<std::size_t>(k - 1)], false});
    }
  }
  return out.size() <= kMaxNodes;
}

// One level: bodies may call operators that have bodies.
bool inline_once(std::vector<Node>& nodes) {
  std::vector<Node> out;
  for (const Node& node : nodes) {
    if (node.kind != NodeKind::call) {
      out.push_back(node);
    } else if (!has_body(node)) {
      append_call(out, node.op);
    } else {
      std::array<std::span<const Node>, kMaxArity> arguments_of{};
      const auto arity = static_cast<std::size_t>(node.arity());
      std::size_t begin = out.size();
      for (std::size_t k = arity; k > 0; --k) begin -= out[begin - 1].size;
      const std::vector<Node> given(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
      std::size_t end = given.size();
      for (std::size_t k = arity; k > 0; --k) {
        arguments_of[k - 1] = subtree(given, end - 1);
        end -= arguments_of[k - 1].size();
      }
      out.resize(begin);
      const OpBody& body = user_op(node.op).body;
      if (!append_body(out, body, body.root, arguments_of)) return false;
    }
    if (out.size() > kMaxNodes) return false;
  }
  nodes.swap(out);
  return true;
}

}  // namespace

Result<Expr> inline_operators(const Expr& expr) {
  if (std::ranges::none_of(expr.nodes(), has_body)) return expr;
  std::vector<Node> nodes(expr.nodes().begin(), expr.nodes().end());
  while (std::ranges::any_of(nodes, has_body)) {
    if (!inline_once(nodes))
      return std::unexpected(too_large("the formula, its operators written out,"));
  }
  return Expr(std::move(nodes), expr.shared_symbols());
}

bool has_functions(const Expr& expr) {
  return std::ranges::any_of(expr.nodes(), [](const Node& node) {
    return node.kind == NodeKind::call && !is_builtin(node.op) && !user_op(node.op).has_body();
  });
}

std::size_t count_steps(const OpBody& body) {
  std::size_t count = 0;
  for (const OpBody::Step& step : body.steps) {
    const bool inner = !is_builtin(step.op) && user_op(step.op).has_body();
    count += inner ? count_steps(user_op(step.op).body) : 1;
    if (count > kMaxBodySteps) return kMaxBodySteps + 1;
  }
  return count;
}

OpBody body_of(std::span<const Expr> statements, std::size_t arity) {
  using Operand = OpBody::Operand;
  OpBody body;
  std::vector<Operand> locals;
  std::vector<Operand> stack;
  const auto variable = [&](std::size_t index) {
    if (index >= arity) return locals[index - arity];
    return Operand{Operand::Kind::argument, static_cast<std::uint32_t>(index)};
  };
  for (const Expr& statement : statements) {
    for (const Node& node : statement.nodes()) {
      VIETA_CHECK(node.kind != NodeKind::parameter);
      if (node.kind == NodeKind::variable) {
        stack.push_back(variable(node.index));
      } else if (node.is_constant()) {
        stack.push_back({Operand::Kind::number, static_cast<std::uint32_t>(body.numbers.size())});
        body.numbers.push_back(node.value);
      } else {
        OpBody::Step step{.op = node.op};
        std::copy(stack.end() - node.arity(), stack.end(), step.args.begin());
        stack.resize(stack.size() - static_cast<std::size_t>(node.arity()));
        stack.push_back({Operand::Kind::step, static_cast<std::uint32_t>(body.steps.size())});
        body.steps.push_back(step);
      }
    }
    locals.push_back(stack.back());
    stack.clear();
  }
  body.root = locals.back();
  return in_reading_order(body);
}

}  // namespace vieta
