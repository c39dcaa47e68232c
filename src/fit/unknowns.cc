#include "fit/unknowns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/number_text.h"
#include "eval/evaluate.h"
#include "expr/parse.h"
#include "expr/walk.h"

namespace vieta {
namespace {

std::unexpected<Error> refuse(const std::string& message, const char* option) {
  return fail(ErrorCode::usage, message, {.source = option});
}

// Every name in the map is an unknown of the fit, or it is a mistake.
template <class Map>
Result<void> check_names(const Map& map, const std::vector<std::string>& names, const char* what,
                         const char* option) {
  for (const auto& entry : map) {
    if (std::ranges::find(names, entry.first) != names.end()) continue;
    return refuse(fmt::format("'{}' is not fitted, so it {}: fitted are {}", entry.first, what,
                              fmt::join(names, ", ")),
                  option);
  }
  return {};
}

Result<void> set_bounds(const FitOptions& options, Unknowns& unknowns) {
  if (options.bounds.empty()) return {};
  unknowns.lower.assign(unknowns.size(), Bounds{}.lower);
  unknowns.upper.assign(unknowns.size(), Bounds{}.upper);
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const auto found = options.bounds.find(unknowns.names[i]);
    if (found == options.bounds.end()) continue;
    const Bounds& bounds = found->second;
    if (!(bounds.lower <= bounds.upper)) {
      return refuse(fmt::format("the bounds of '{}' are {} to {}: the lower one comes first",
                                found->first, number_text(bounds.lower), number_text(bounds.upper)),
                    "--bounds");
    }
    unknowns.lower[i] = bounds.lower;
    unknowns.upper[i] = bounds.upper;
    const double given = unknowns.start[i];
    if (!unknowns.free_start[i] && options.start.contains(found->first) &&
        !(bounds.lower <= given && given <= bounds.upper)) {
      return refuse(
          fmt::format("the start of '{}' is {}, outside its bounds {} to {}", found->first,
                      number_text(given), number_text(bounds.lower), number_text(bounds.upper)),
          "--start");
    }
  }
  return {};
}

}  // namespace

Result<Unknowns> choose_unknowns(const Expr& expr, const Program& program,
                                 const FitOptions& options, std::vector<double>& uniforms) {
  bool parameters = options.tune == Tune::parameters || options.tune == Tune::all;
  bool constants = options.tune == Tune::constants || options.tune == Tune::all;
  if (options.tune == Tune::automatic) {
    parameters = program.parameters > 0;
    constants = !parameters;
  }
  uniforms.assign(program.parameters, 1.0);
  while (uniforms.size() < program.uniforms())
    uniforms.push_back(program.default_of(uniforms.size()));
  Unknowns unknowns;
  std::vector<std::string> fixed;
  std::optional<std::string> unset;
  const auto add = [&](const Leaf& leaf, bool tuned) {
    const std::string name = leaf_name(expr, leaf);
    const std::uint32_t uniform = operand_of(program, leaf).index;
    if (const auto found = options.fixed.find(name); found != options.fixed.end()) {
      fixed.push_back(name);
      uniforms[uniform] = found->second;
      return;
    }
    const bool parameter = leaf.kind == Leaf::Kind::parameter;
    if (!tuned && parameter && !unset) unset = name;
    if (!tuned) return;
    const auto given = options.start.find(name);
    const bool has_start = given != options.start.end();
    if (has_start) uniforms[uniform] = given->second;
    unknowns.leaves.push_back(leaf);
    unknowns.names.push_back(name);
    unknowns.uniforms.push_back(uniform);
    unknowns.start.push_back(uniforms[uniform]);
    unknowns.free_start.push_back(parameter && !has_start);
  };
  for (std::size_t p = 0; p < program.parameters; ++p) add({Leaf::Kind::parameter, p}, parameters);
  for (std::size_t c = 0; c < program.constants.size(); ++c)
    add({Leaf::Kind::constant, c}, constants);

  std::vector<std::string> known = unknowns.names;
  known.insert(known.end(), fixed.begin(), fixed.end());
  if (const auto named = check_names(options.fixed, known, "cannot be fixed", "--fix"); !named)
    return std::unexpected(named.error());
  if (unknowns.leaves.empty()) {
    return fail(ErrorCode::usage,
                fixed.empty() ? "nothing to fit: the formula has no parameter and no number; name "
                                "the unknowns in it, as in a*x + b"
                              : "nothing to fit: everything is fixed");
  }
  if (unset) {
    return fail(ErrorCode::usage,
                fmt::format("parameter '{}' has no value: tune it, or fix it", *unset));
  }
  if (const auto named = check_names(options.start, unknowns.names, "needs no start", "--start");
      !named)
    return std::unexpected(named.error());
  if (const auto named = check_names(options.bounds, unknowns.names, "needs no bounds", "--bounds");
      !named)
    return std::unexpected(named.error());
  if (const auto bounded = set_bounds(options, unknowns); !bounded)
    return std::unexpected(bounded.error());
  return unknowns;
}

namespace {

// Parameters replaced by formulas over the same names, until none of those is left.
class Resolver {
 public:
  Resolver(const FitOptions& options, const std::vector<std::string>& parameters)
      : options_(options), names_(parameters) {}

  Result<void> parse_ties() {
    for (const auto& [name, text] : options_.tied) {
      if (std::ranges::find(names_, name) == names_.end()) {
        return refuse(
            fmt::format("'{}' is no parameter of the formula, so it cannot be tied", name),
            "--tie");
      }
      const auto parsed = parse(text, {.parameters = names_, .new_parameters = true});
      if (!parsed) {
        Error error = parsed.error();
        error.message = fmt::format("tie of '{}': {}", name, error.message);
        return std::unexpected(error);
      }
      names_ = parsed->symbols().parameters;
      ties_.push_back({name, *parsed});
    }
    return {};
  }

  // Each round puts ties into ties once; a circle never ends.
  Result<void> resolve() {
    for (std::size_t round = 0; round <= ties_.size(); ++round) {
      bool again = false;
      for (Tie& tie : ties_) {
        const std::vector<Node> nodes = put_in(tie.formula.nodes(), again);
        if (nodes.size() > kMaxNodes) break;
        tie.formula = Expr(nodes, std::make_shared<const Symbols>(Symbols{{}, names_}));
      }
      if (!again) return {};
    }
    return refuse("the ties run in a circle: a tied parameter may not depend on itself", "--tie");
  }

  std::vector<Node> put_in(std::span<const Node> nodes, bool& any) const {
    std::vector<Node> result;
    for (const Node& node : nodes) {
      const Tie* tie = node.kind == NodeKind::parameter ? find(names_[node.index]) : nullptr;
      any = any || tie != nullptr;
      if (tie == nullptr) {
        result.push_back(node);
      } else {
        result.insert(result.end(), tie->formula.nodes().begin(), tie->formula.nodes().end());
      }
    }
    restore_sizes(result);
    return result;
  }

  // Only the parameters that are not tied, in order.
  Expr compact(std::vector<Node> nodes, const std::vector<std::string>& variables) const {
    std::vector<std::string> left;
    std::vector<std::size_t> number(names_.size());
    for (std::size_t p = 0; p < names_.size(); ++p) {
      number[p] = left.size();
      if (find(names_[p]) == nullptr) left.push_back(names_[p]);
    }
    const Expr all(std::move(nodes), std::make_shared<const Symbols>(Symbols{variables, names_}));
    return renumbered(all, {}, number, std::make_shared<const Symbols>(Symbols{variables, left}));
  }

  const std::vector<Tie>& ties() const { return ties_; }

 private:
  const Tie* find(const std::string& name) const {
    const auto found = std::ranges::find(ties_, name, &Tie::name);
    return found == ties_.end() ? nullptr : &*found;
  }

  const FitOptions& options_;
  std::vector<std::string> names_;
  std::vector<Tie> ties_;
};

}  // namespace

Result<TiedFormula> tie_parameters(const Expr& expr, const FitOptions& options) {
  if (options.tied.empty()) return TiedFormula{expr, {}};
  if (options.tune == Tune::constants || options.tune == Tune::all) {
    return refuse(
        "ties are between parameters: numbers of the formula cannot be fitted beside them",
        "--tie");
  }
  Resolver resolver(options, expr.symbols().parameters);
  if (const auto parsed = resolver.parse_ties(); !parsed) return std::unexpected(parsed.error());
  if (const auto resolved = resolver.resolve(); !resolved) return std::unexpected(resolved.error());
  bool any = false;
  TiedFormula tied;
  std::vector<Node> nodes = resolver.put_in(expr.nodes(), any);
  if (nodes.size() > kMaxNodes)
    return refuse("the formula with its ties put in is too large", "--tie");
  tied.expr = resolver.compact(std::move(nodes), expr.symbols().variables);
  for (const Tie& tie : resolver.ties()) {
    tied.ties.push_back(
        {tie.name, resolver.compact({tie.formula.nodes().begin(), tie.formula.nodes().end()}, {})});
  }
  return tied;
}

}  // namespace vieta
