#include "expr/machine_code.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/check.h"

namespace vieta {
namespace {

using Kind = MachineStep::Kind;

constexpr std::array kLoopNames = {std::string_view("sum"), std::string_view("prod"),
                                   std::string_view("iterate")};

bool is_loop(Op op) {
  return op == loop_op(Loop::sum) || op == loop_op(Loop::product) || op == loop_op(Loop::iterate);
}

// Writes steps for one statement after another. Definitions are of bounded depth, so the walk may
// recurse.
class Writer {
 public:
  Writer(const MachineBody& body, Op self) : body_(body), self_(self) {
    code_.arity = static_cast<std::uint32_t>(body.arity);
    code_.locals.resize(body.statements.size() - 1);
  }

  MachineCode run() {
    statement(body_.statements.size() - 1);
    emit(Kind::finish);
    for (std::size_t j = 0; j < code_.locals.size(); ++j) {
      code_.locals[j] = here();
      statement(j);
      emit(Kind::keep, j);
    }
    return std::move(code_);
  }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.steps.size()); }

  std::uint32_t emit(Kind kind, std::size_t index = 0, Op op = Op::add) {
    code_.steps.push_back({kind, op, static_cast<std::uint32_t>(index)});
    return here() - 1;
  }
  void patch(std::uint32_t step) { code_.steps[step].index = here(); }

  std::uint32_t number(double value) {
    code_.numbers.push_back(value);
    return static_cast<std::uint32_t>(code_.numbers.size() - 1);
  }

  void statement(std::size_t index) {
    nodes_ = body_.statements[index].nodes();
    first_loop_variable_ = static_cast<std::size_t>(body_.arity) + index;
    const std::size_t variables = body_.statements[index].symbols().variables.size();
    // The names after the arguments and locals are its loops'; all slots are one frame's.
    loop_base_ = code_.loop_slots;
    code_.loop_slots += static_cast<std::uint32_t>(variables - first_loop_variable_);
    formula(nodes_.size() - 1);
  }

  void formula(std::size_t root) {
    const Node& node = nodes_[root];
    switch (node.kind) {
      case NodeKind::constant:
        emit(Kind::number, number(node.value));
        return;
      case NodeKind::variable:
        return variable(node.index);
      case NodeKind::parameter:
        internal_error("a parameter in a definition", __FILE__, __LINE__);
      case NodeKind::call:
        break;
    }
    const auto args = arguments(nodes_, root);
    if (node.op == Op::if_) return choice(args[0], args[1], args[2]);
    if (node.op == Op::both || node.op == Op::either) return logical(node.op, args[0], args[1]);
    if (is_loop(node.op)) return loop(node, args[0], args[1], args[2]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) formula(args[k]);
    emit(node.op == self_ ? Kind::call_itself : Kind::call, 0, node.op);
  }

  void variable(std::size_t index) {
    const auto arity = static_cast<std::size_t>(body_.arity);
    if (index < arity) {
      emit(Kind::argument, index);
    } else if (index < first_loop_variable_) {
      emit(Kind::local, index - arity);
    } else {
      emit(Kind::load, slot(index));
    }
  }
  std::size_t slot(std::size_t variable) const {
    return loop_base_ + variable - first_loop_variable_;
  }

  void choice(std::size_t condition, std::size_t then, std::size_t otherwise) {
    formula(condition);
    const auto if_not = emit(Kind::jump_if_zero);
    formula(then);
    const auto out = emit(Kind::jump);
    patch(if_not);
    formula(otherwise);
    patch(out);
  }

  // a && b: 0 without b if a is 0; a || b: 1 without b if it is not.
  void logical(Op op, std::size_t a, std::size_t b) {
    formula(a);
    if (op == Op::either) emit(Kind::call, 0, Op::not_);
    const auto decided = emit(Kind::jump_if_zero);
    formula(b);
    emit(Kind::number, number(0));
    emit(Kind::call, 0, Op::ne);
    const auto out = emit(Kind::jump);
    patch(decided);
    emit(Kind::number, number(op == Op::either ? 1 : 0));
    patch(out);
  }

  // A bound is a number: it carries no derivative. Goes to a NaN if it is one.
  std::uint32_t bound(std::size_t root, std::size_t slot) {
    formula(root);
    emit(Kind::plain);
    emit(Kind::store, slot);
    emit(Kind::load, slot);
    emit(Kind::load, slot);
    emit(Kind::call, 0, Op::eq);
    return emit(Kind::jump_if_zero);
  }

  // slots: `i`, and two of the loop's own behind all names
  void loop(const Node& node, std::size_t first, std::size_t second, std::size_t body) {
    const std::size_t name = slot(node.index);
    const std::size_t limit = code_.loop_slots++;
    const std::size_t result = code_.loop_slots++;
    std::vector<std::uint32_t> to_nan;
    const bool iterates = node.op == loop_op(Loop::iterate);
    const Op step = node.op == loop_op(Loop::sum) ? Op::add : Op::mul;
    if (iterates) {
      formula(first);
      emit(Kind::store, name);
      to_nan.push_back(bound(second, limit));
    } else {
      to_nan.push_back(bound(first, name));
      to_nan.push_back(bound(second, limit));
      emit(Kind::number, number(step == Op::add ? 0 : 1));
      emit(Kind::store, result);
    }
    const std::uint32_t again = here();
    if (iterates) {
      count(limit, 1, Op::ge);
    } else {
      emit(Kind::load, name);
      emit(Kind::load, limit);
      emit(Kind::call, 0, Op::le);
    }
    const auto out = emit(Kind::jump_if_zero);
    if (iterates) {
      formula(body);
      emit(Kind::store, name);
      count(limit, 1, Op::sub);
      emit(Kind::store, limit);
    } else {
      emit(Kind::load, result);
      formula(body);
      emit(Kind::call, 0, step);
      emit(Kind::store, result);
      count(name, 1, Op::add);
      emit(Kind::store, name);
    }
    emit(Kind::jump, again);
    for (const std::uint32_t jump : to_nan) patch(jump);
    emit(Kind::number, number(std::numeric_limits<double>::quiet_NaN()));
    const auto end = emit(Kind::jump);
    patch(out);
    emit(Kind::load, iterates ? name : result);
    patch(end);
  }

  // op(slot, value)
  void count(std::size_t slot, double value, Op op) {
    emit(Kind::load, slot);
    emit(Kind::number, number(value));
    emit(Kind::call, 0, op);
  }

  const MachineBody& body_;
  Op self_;
  MachineCode code_;
  std::span<const Node> nodes_;
  std::size_t first_loop_variable_ = 0;
  std::size_t loop_base_ = 0;
};

// What must be run to get the value of the formula that ends at `root`, as far as that is certain.
template <class Found>
bool certainly_meets(std::span<const Node> nodes, Found found) {
  // Bottom up: for every node, whether running it is certain to meet what is looked for.
  std::vector<std::uint8_t> meets(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    bool any = found(node);
    const auto args = arguments(nodes, i);
    const auto at = [&](std::size_t k) { return meets[args[k]] != 0; };
    if (node.is_call(Op::if_)) {
      any = at(0) || (at(1) && at(2));
    } else if (node.is_call(Op::both) || node.is_call(Op::either)) {
      any = at(0);
    } else if (node.kind == NodeKind::call && is_loop(node.op)) {
      any = at(0) || at(1);
    } else {
      for (std::size_t k = 0; k < static_cast<std::size_t>(node.arity()); ++k) any = any || at(k);
    }
    meets[i] = any ? 1 : 0;
  }
  return meets.back() != 0;
}

}  // namespace

std::optional<Loop> find_loop(std::string_view name) {
  const auto found = std::ranges::find(kLoopNames, name);
  if (found == kLoopNames.end()) return std::nullopt;
  return static_cast<Loop>(found - kLoopNames.begin());
}

Op loop_op(Loop loop) {
  static const std::array<Op, 3> ops = {reserve_user_op("sum", 3, {}),
                                        reserve_user_op("prod", 3, {}),
                                        reserve_user_op("iterate", 3, {})};
  return ops[static_cast<std::size_t>(loop)];
}

bool needs_machine(const MachineBody& body, Op self) {
  return std::ranges::any_of(body.statements, [self](const Expr& statement) {
    return std::ranges::any_of(statement.nodes(), [self](const Node& node) {
      return node.kind == NodeKind::call && (node.op == self || is_loop(node.op));
    });
  });
}

bool never_ends(const MachineBody& body, Op self) {
  const auto arity = static_cast<std::size_t>(body.arity);
  std::vector<std::uint8_t> local_calls;
  for (const Expr& statement : body.statements) {
    local_calls.push_back(certainly_meets(statement.nodes(), [&](const Node& node) {
      if (node.kind == NodeKind::variable && node.index >= arity &&
          node.index < arity + local_calls.size()) {
        return local_calls[node.index - arity] != 0;
      }
      return node.is_call(self);
    }));
  }
  return local_calls.back() != 0;
}

MachineCode make_machine_code(const MachineBody& body, Op self) {
  VIETA_CHECK(!body.statements.empty() && body.statements.size() <= kMaxMachineLocals + 1);
  return Writer(body, self).run();
}

}  // namespace vieta
