#include "fit/summed_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "eval/evaluate.h"

namespace vieta {
namespace {

// Of variables prediction, target and, if weighted, weight.
std::vector<Node> weighted_loss(const Loss& loss, bool weighted) {
  std::vector<Node> nodes(loss.formula.nodes().begin(), loss.formula.nodes().end());
  if (loss.squares()) {
    nodes = {Node::variable(0), Node::variable(1), Node::call(Op::sub, 3),
             Node::call(Op::square, 4)};
  }
  if (weighted) {
    nodes.push_back(Node::variable(2));
    nodes.push_back(Node::call(Op::mul, nodes.size() + 1));
  }
  return nodes;
}

}  // namespace

bool SummedLoss::takes(const RowLoss& loss, const FitData& data) {
  return !data.loss.function && !loss.kinked() && !loss.has_zero_weight();
}

SummedLoss::SummedLoss(const Expr& expr, const FitData& data, const RowLoss& loss,
                       std::span<const double> parameters, std::span<const Leaf> leaves,
                       kernels::Target target)
    : table_(kernels::kernel_table<double>(target)) {
  const bool weighted = !data.weights.empty();
  const std::vector<Node> outer = weighted_loss(data.loss, weighted);
  const Symbols& symbols = expr.symbols();
  Lowering().run(expr.nodes(), symbols.variables.size(), symbols.parameters.size(),
                 {.tunable = true, .reciprocals = kernels::is_fast(target)}, program_,
                 {outer, weighted ? 2U : 1U});
  std::vector<Operand> operands;
  for (const Leaf& leaf : leaves) {
    VIETA_CHECK(leaf.kind != Leaf::Kind::variable);
    operands.push_back(operand_of(program_, leaf));
    unknowns_.push_back(operands.back().index);
  }
  TileCoder().summed_gradient(program_, operands, code_);
  uniforms_ = uniforms_of(program_, parameters);
  add_columns(data, loss);
  run_.emplace(table_, workspace_);
  run_->bind(code_, columns_);
}

// Whole vectors of them may be read.
void SummedLoss::add_columns(const FitData& data, const RowLoss& loss) {
  columns_ = data.x;
  const std::size_t rows = data.x.rows;
  const std::size_t room = std::max(rows + kernels::kMaxLanes, data.x.readable);
  memory_.emplace_back(room);
  std::ranges::copy(data.target, memory_.back().begin());
  if (!data.weights.empty()) {
    memory_.emplace_back(room);
    for (std::size_t r = 0; r < rows; ++r) memory_.back()[r] = loss.weight(r);
  }
  for (const auto& column : memory_) columns_.pointers.push_back(column.data());
}

double SummedLoss::operator()(std::span<const double> point, std::span<double> gradient) {
  VIETA_CHECK(point.size() == unknowns_.size() && gradient.size() == unknowns_.size());
  for (std::size_t j = 0; j < point.size(); ++j) uniforms_[unknowns_[j]] = point[j];
  run_->start(uniforms_);
  while (run_->next()) {
    if (!run_->status().ok) return std::numeric_limits<double>::infinity();
  }
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] = run_->sum(1 + j);
  const double value = run_->sum(0);
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

}  // namespace vieta
