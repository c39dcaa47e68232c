#include "eval/shared_run.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/check.h"
#include "base/hash.h"

namespace vieta {
namespace {

// Finding what formulas share takes a microsecond or two a formula: little beside so many
// additions' worth of functions, of which this share is there twice. Arithmetic costs less than
// writing its results down and reading them again.
constexpr double kLeastWork = 50'000;
constexpr double kLeastAlike = 0.4;
// The parts' results over a block of rows stay in the second-level cache or near it.
constexpr std::size_t kBytesOfParts = std::size_t{1} << 20U;
constexpr std::size_t kMostRows = 4096;
constexpr std::size_t kFewestRows = 512;

template <class T>
std::size_t block_rows(std::size_t parts, std::size_t rows) {
  const std::size_t fitting = kBytesOfParts / (sizeof(T) * std::max<std::size_t>(parts, 1));
  const std::size_t most = std::clamp(fitting, kFewestRows, kMostRows);
  return std::max<std::size_t>(1, std::min(rows, most));
}

std::uint64_t hash_of_leaf(const Node& node) {
  const auto kind = static_cast<std::uint64_t>(node.kind);
  return mix(combine(kind, node.is_constant() ? std::bit_cast<std::uint64_t>(node.value)
                                              : static_cast<std::uint64_t>(node.index)));
}

// The cost of the functions, `calls` in all, that stand in a formula with the same arguments as in
// one before it. An estimate: by hashes of the formulas as written.
double cost_of_repeated(std::span<const Expr> exprs, std::size_t calls) {
  struct Seen {
    std::uint64_t hash = 0;
    std::size_t formula = 0;  ///< from 1; 0: empty
  };
  std::vector<Seen> table(std::bit_ceil(2 * calls + 1));
  std::vector<std::uint64_t> stack;
  double cost = 0;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    stack.clear();
    for (const Node& node : exprs[i].nodes()) {
      if (node.kind != NodeKind::call) {
        stack.push_back(hash_of_leaf(node));
        continue;
      }
      std::uint64_t hash = mix(static_cast<std::uint64_t>(node.op));
      const auto arity = static_cast<std::size_t>(node.arity());
      for (std::size_t k = stack.size() - arity; k < stack.size(); ++k)
        hash = combine(hash, stack[k]);
      stack.resize(stack.size() - arity);
      stack.push_back(hash);
      if (is_cheap(node.op)) continue;
      std::size_t at = hash & (table.size() - 1);
      while (table[at].formula != 0 && table[at].hash != hash) at = (at + 1) & (table.size() - 1);
      if (table[at].formula == 0) {
        table[at] = {hash, i + 1};
      } else if (table[at].formula != i + 1) {
        table[at].formula = i + 1;
        cost += info(node.op).cost;
      }
    }
  }
  return cost;
}

bool has_callers_function(const Program& program) {
  return std::ranges::any_of(program.instructions,
                             [](const Instruction& i) { return !is_builtin(i.op); });
}

}  // namespace

template <class T>
bool SharedRun<T>::is_worth_trying(std::span<const Expr> exprs, std::size_t rows,
                                   const EvalOptions& options) {
  if (exprs.size() < 2 || rows < kFewestRows || options.early_exit || options.tunable_constants)
    return false;
  std::size_t calls = 0;
  double cost = 0;
  for (const Expr& expr : exprs) {
    for (const Node& node : expr.nodes()) {
      if (node.kind != NodeKind::call || is_cheap(node.op)) continue;
      ++calls;
      cost += info(node.op).cost;
    }
  }
  if (cost * static_cast<double>(rows) < kLeastWork * static_cast<double>(exprs.size()))
    return false;
  return cost_of_repeated(exprs, calls) >= kLeastAlike * cost;
}

template <class T>
bool SharedRun<T>::run(std::span<const Expr> exprs, const ColumnsView<T>& columns,
                       std::span<const double> parameters, const EvalOptions& options,
                       std::span<Evaluation<T>> results) {
  if (!lower_all(exprs, options)) return false;
  sharer_.plan(programs_, columns.rows);
  const std::size_t parts = sharer_.parts();
  const std::size_t rows = block_rows<T>(parts, columns.rows);
  const bool one_block = rows >= columns.rows;
  units_.resize(one_block ? 1 : parts + exprs.size());
  for (std::size_t u = 0; !one_block && u < units_.size(); ++u) prepare(u, parameters);
  const auto unit = [&](std::size_t u) -> const Unit& {
    if (one_block) prepare(u, parameters);
    return units_[one_block ? 0 : u];
  };
  for (Evaluation<T>& result : results) {
    result.rows = columns.rows;
    result.values.resize(columns.rows);
    if (options.row_mask) result.ok_rows.resize(columns.rows);
  }
  for (first_ = 0; first_ < columns.rows; first_ += rows) {
    place(columns, std::min(rows, columns.rows - first_), options.row_mask);
    for (std::size_t p = 0; p < parts; ++p) {
      const auto ok_rows = options.row_mask ? part_ok_rows(p) : std::span<std::uint8_t>{};
      first_bad_row_[p] = run_unit(unit(p), parts_.data() + p * stride_, ok_rows, options);
    }
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      const auto ok_rows = options.row_mask
                               ? std::span(results[i].ok_rows).subspan(first_, view_.rows)
                               : std::span<std::uint8_t>{};
      const std::size_t bad =
          run_unit(unit(parts + i), results[i].values.data() + first_, ok_rows, options);
      if (bad != EvalStatus::kNone && results[i].status.ok)
        results[i].status = {false, first_ + bad};
    }
  }
  return true;
}

template <class T>
bool SharedRun<T>::lower_all(std::span<const Expr> exprs, const EvalOptions& options) {
  programs_.resize(exprs.size());
  const LowerOptions lowering{.stable_composites = options.stable_composites,
                              .reciprocals = kernels::is_fast(options.target)};
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const Symbols& symbols = exprs[i].symbols();
    programs_[i].instructions.reserve(exprs[i].size() / 2);
    programs_[i].operands.reserve(exprs[i].size());
    lowering_.run(exprs[i].nodes(), symbols.variables.size(), symbols.parameters.size(), lowering,
                  programs_[i]);
    if (has_callers_function(programs_[i])) return false;
  }
  return true;
}

template <class T>
void SharedRun<T>::prepare(std::size_t u, std::span<const double> parameters) {
  Unit& unit = units_[units_.size() == 1 ? 0 : u];
  if (u < sharer_.parts()) {
    sharer_.part(u, written_);
  } else {
    sharer_.rest(u - sharer_.parts(), written_);
  }
  const Program& program = written_.program;
  VIETA_CHECK(parameters.size() == program.parameters);
  coder_.value(program, unit.code);
  unit.uses = written_.uses;
  unit.uniforms.assign(parameters.begin(), parameters.end());
  while (unit.uniforms.size() < program.uniforms())
    unit.uniforms.push_back(program.default_of(unit.uniforms.size()));
}

template <class T>
void SharedRun<T>::place(const ColumnsView<T>& columns, std::size_t rows, bool row_mask) {
  const std::size_t parts = sharer_.parts();
  table_columns_ = columns.pointers.size();
  VIETA_CHECK(programs_.front().variable_count == table_columns_);
  if (first_ == 0) {
    stride_ = rows + kernels::kMaxLanes;
    parts_.resize(std::max(parts_.size(), parts * stride_));
    if (row_mask) part_ok_.resize(std::max(part_ok_.size(), parts * stride_));
  }
  first_bad_row_.assign(parts, EvalStatus::kNone);
  view_.rows = rows;
  view_.readable = std::min(columns.readable - first_, stride_);
  view_.pointers.resize(table_columns_);
  for (std::size_t v = 0; v < table_columns_; ++v) view_.pointers[v] = columns.pointers[v] + first_;
}

template <class T>
std::span<std::uint8_t> SharedRun<T>::part_ok_rows(std::size_t part) {
  return {part_ok_.data() + part * stride_, view_.rows};
}

// The first row of the block on which the unit or a part that it reads is not ok.
template <class T>
std::size_t SharedRun<T>::run_unit(const Unit& unit, T* out, std::span<std::uint8_t> ok_rows,
                                   const EvalOptions& options) {
  view_.pointers.resize(table_columns_);
  for (const std::uint32_t p : unit.uses) view_.pointers.push_back(parts_.data() + p * stride_);
  EvalOptions alone = options;
  alone.pool = nullptr;
  std::size_t bad =
      run_code<T>(unit.code, view_, unit.uniforms, {&out, 1}, workspaces_, alone, ok_rows)
          .first_bad_row;
  for (const std::uint32_t p : unit.uses) {
    bad = std::min(bad, first_bad_row_[p]);
    if (ok_rows.empty()) continue;
    std::ranges::transform(ok_rows, part_ok_rows(p), ok_rows.begin(), std::bit_and<>{});
  }
  return bad;
}

template class SharedRun<double>;
template class SharedRun<float>;

}  // namespace vieta
