#include "expr/print.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "expr/characters.h"
#include "expr/names.h"

namespace vieta {
namespace {

// Names that mean something of their own where they stand bare or before a bracket.
bool is_claimed(std::string_view name) {
  static const std::unordered_set<std::string_view> functions = [] {
    std::unordered_set<std::string_view> all;
    for (const std::string& function : function_names()) all.insert(function);
    return all;
  }();
  return functions.contains(name) || named_constant(name).has_value();
}

// How tightly a node's text holds together: above every operator for what needs no brackets ever.
constexpr int kAtom = 100;

int strength(const Node& node) {
  if (node.is_constant()) {
    // "-2" is a sign and a number: (-2)^x needs brackets, -2*x does not.
    const bool sign = std::signbit(node.value) && !std::isnan(node.value);
    return sign ? info(Op::neg).precedence : kAtom;
  }
  if (node.kind != NodeKind::call || info(node.op).precedence == 0) return kAtom;
  return info(node.op).precedence;
}

bool needs_brackets_on_the_left(Op op, const Node& argument) {
  const int own = info(op).precedence;
  // Comparisons do not chain and a power's base never is a power or a sign.
  const bool at_equal = own == info(Op::lt).precedence || op == Op::pow;
  return strength(argument) < own || (at_equal && strength(argument) == own);
}

bool needs_brackets_on_the_right(Op op, const Node& argument) {
  // The right side of ^ may be a power or start with a sign; a sign holds its whole operand.
  if (op == Op::pow) return strength(argument) < info(Op::neg).precedence;
  const int needed = info(op).precedence;
  return strength(argument) <= needed;
}

bool needs_brackets_after_sign(Op op, const Node& argument) {
  // -(2) is a negation; -2 would be a number.
  if (op == Op::neg && argument.is_constant() && strength(argument) == kAtom) return true;
  return strength(argument) < info(op).precedence;
}

class Printer {
 public:
  Printer(const Expr& expr, const PrintOptions& options)
      : nodes_(expr.nodes()), symbols_(expr.symbols()), options_(options) {}

  std::string run() {
    work_.push_back({nodes_.size() - 1, {}});
    while (!work_.empty()) {
      const Work item = work_.back();
      work_.pop_back();
      if (!item.text.empty()) {
        out_ += item.text;
      } else if (nodes_[item.root].kind == NodeKind::call) {
        open_call(item.root);
      } else {
        leaf(nodes_[item.root]);
      }
    }
    return std::move(out_);
  }

 private:
  // A literal text, or the formula that ends at `root`.
  struct Work {
    std::size_t root = 0;
    std::string_view text;
  };

  void later(std::string_view text) { work_.push_back({0, text}); }

  void later(std::size_t root, bool brackets) {
    if (brackets) later(")");
    work_.push_back({root, {}});
    if (brackets) later("(");
  }

  // What comes first is pushed last.
  void open_call(std::size_t root) {
    const Op op = nodes_[root].op;
    const OpInfo& row = info(op);
    const auto args = arguments(nodes_, root);
    if (row.is_infix()) {
      later(args[1], needs_brackets_on_the_right(op, nodes_[args[1]]));
      const bool tight = row.precedence >= info(Op::mul).precedence;
      if (!tight) later(" ");
      later(row.name);
      if (!tight) later(" ");
      later(args[0], needs_brackets_on_the_left(op, nodes_[args[0]]));
    } else if (row.is_prefix()) {
      later(args[0], needs_brackets_after_sign(op, nodes_[args[0]]));
      later(row.name);
    } else {
      later(")");
      for (int k = row.arity - 1; k >= 0; --k) {
        later(args[static_cast<std::size_t>(k)], false);
        later(k == 0 ? "(" : ", ");
      }
      later(row.name);
    }
  }

  void leaf(const Node& node) {
    switch (node.kind) {
      case NodeKind::variable:
        out_ += quoted_name(symbols_.variables[node.index]);
        break;
      case NodeKind::parameter:
        out_ += quoted_name(symbols_.parameters[node.index]);
        break;
      default:
        number(node.value);
    }
  }

  void number(double value) {
    if (!std::isfinite(value)) {
      if (value < 0) out_ += '-';
      out_ += not_finite(value);
    } else if (options_.digits > 0) {
      out_ += number_text_rounded(value, options_.digits);
    } else {
      out_ += number_text(value);
    }
  }

  std::string_view not_finite(double value) const {
    const auto taken = [this](std::string_view name) {
      return std::ranges::find(symbols_.variables, name) != symbols_.variables.end() ||
             std::ranges::find(symbols_.parameters, name) != symbols_.parameters.end();
    };
    for (const std::string_view name : spellings(value)) {
      if (!taken(name)) return name;
    }
    return spellings(value).front();
  }

  std::span<const Node> nodes_;
  const Symbols& symbols_;
  const PrintOptions& options_;
  std::vector<Work> work_;
  std::string out_;
};

}  // namespace

std::string print(const Expr& expr, const PrintOptions& options) {
  return Printer(expr, options).run();
}

bool is_identifier(std::string_view name) {
  for (std::size_t i = 0; i < name.size();) {
    const Character c = character_at(name, i);
    const bool fits = i == 0 ? starts_name(c.code) : continues_name(c.code);
    if (c.bytes == 0 || !fits) return false;
    i += c.bytes;
  }
  return !name.empty();
}

std::string quoted_name(std::string_view name) {
  if (is_identifier(name) && !is_claimed(name)) return std::string(name);
  std::string quoted = "`";
  for (const char c : name) {
    quoted += c;
    if (c == '`') quoted += c;
  }
  return quoted + '`';
}

}  // namespace vieta
