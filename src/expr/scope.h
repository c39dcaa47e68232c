// scope: what the bare names of a text stand for while it is parsed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expr/expr.h"

namespace vieta {

class Scope {
 public:
  /// A column wins over a parameter of the same name.
  Scope(const std::vector<std::string>& variables, const std::vector<std::string>& parameters)
      : variables_(variables), parameters_(parameters) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      leaves_.try_emplace(variables[i], Node::variable(i));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      leaves_.try_emplace(parameters[i], Node::parameter(i));
    }
  }

  std::optional<Node> find(const std::string& name) const {
    const auto leaf = leaves_.find(name);
    return leaf == leaves_.end() ? std::nullopt : std::optional(leaf->second);
  }

  Node add_parameter(const std::string& name) {
    const Node leaf = Node::parameter(parameters_.size());
    leaves_.emplace(name, leaf);
    parameters_.push_back(name);
    return leaf;
  }

  /// The name of a loop hides others of the same name until it is released. Every binding is a
  /// variable of its own, behind all columns.
  struct Binding {
    std::string name;
    std::size_t variable = 0;
    std::optional<Node> hidden = std::nullopt;
  };
  Binding bind(const std::string& name) {
    Binding binding{name, variables_.size(), find(name)};
    leaves_[name] = Node::variable(binding.variable);
    variables_.push_back(name);
    return binding;
  }
  void release(const Binding& binding) {
    if (binding.hidden) {
      leaves_[binding.name] = *binding.hidden;
    } else {
      leaves_.erase(binding.name);
    }
  }

  /// Columns (then the names of loops) and parameters.
  std::shared_ptr<const Symbols> symbols() const {
    return std::make_shared<const Symbols>(Symbols{variables_, parameters_});
  }
  const std::vector<std::string>& parameters() const { return parameters_; }

 private:
  std::vector<std::string> variables_;
  std::vector<std::string> parameters_;
  std::unordered_map<std::string, Node> leaves_;
};

}  // namespace vieta
