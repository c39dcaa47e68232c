#include "eval/evaluate.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/check.h"
#include "eval/prepared_formula.h"

namespace vieta {
namespace {

/// What every piece of one run_code shares.
template <class T>
struct Job {
  const TileCode& code;
  const ColumnsView<T>& columns;
  std::span<const double> uniforms;
  std::span<T* const> outputs;
  std::span<Workspace<T>> workspaces;
  const EvalOptions& options;
  std::span<std::uint8_t> ok_rows;
};

// What is not computed is NaN, and not ok.
template <class T>
void leave_out(const Job<T>& job, std::size_t first, std::size_t last) {
  for (T* output : job.outputs) {
    std::fill(output + first, output + last, std::numeric_limits<T>::quiet_NaN());
  }
  if (!job.ok_rows.empty()) std::fill_n(job.ok_rows.data() + first, last - first, std::uint8_t{0});
}

template <class T>
EvalStatus run_rows(const Job<T>& job, std::size_t thread, std::size_t first, std::size_t rows) {
  TileRun<T> run(kernels::kernel_table<T>(job.options.target), job.workspaces[thread]);
  run.bind(job.code, job.columns, first, rows);
  for (std::size_t j = 0; j < job.outputs.size(); ++j) run.direct_output(j, job.outputs[j] + first);
  if (!job.ok_rows.empty()) run.direct_ok_rows(job.ok_rows.data() + first);
  run.start(job.uniforms);
  while (run.next()) {
    if (!job.options.early_exit || run.status().ok) continue;
    leave_out(job, run.first_row() + run.rows(), first + rows);
    break;
  }
  return run.status();
}

// Pieces end on whole tiles, so that every row meets the same tile whatever the number of threads.
template <class T>
std::size_t piece_rows(const TileCode& code, std::size_t rows, std::size_t threads) {
  constexpr std::size_t kPiecesPerThread = 4;
  const std::size_t tile = tile_rows<T>(code.tiles, rows);
  const std::size_t tiles = (rows + tile - 1) / tile;
  const std::size_t per_piece = std::max<std::size_t>(1, tiles / (threads * kPiecesPerThread));
  return per_piece * tile;
}

void lower_to(std::size_t row, std::atomic<std::size_t>& first_bad_row) {
  std::size_t seen = first_bad_row.load();
  while (row < seen && !first_bad_row.compare_exchange_weak(seen, row)) {
  }
}

template <class T>
EvalStatus run_pieces(const Job<T>& job, TaskPool& pool) {
  const std::size_t rows = job.columns.rows;
  struct Shared {
    const Job<T>& job;
    std::size_t piece;
    std::atomic<std::size_t> first_bad_row{EvalStatus::kNone};
  } shared{job, piece_rows<T>(job.code, rows, pool.threads())};
  // All scratch grows now, that of a thread too that gets no piece this time: a later run may give
  // it one, and allocates nothing.
  for (Workspace<T>& workspace : job.workspaces.first(pool.threads())) {
    TileRun<T>(kernels::kernel_table<T>(job.options.target), workspace)
        .bind(job.code, job.columns, 0, std::min(shared.piece, rows));
  }
  // One reference: more would not fit into a std::function without an allocation.
  pool.run((rows + shared.piece - 1) / shared.piece, [&shared](std::size_t p, std::size_t thread) {
    const std::size_t first = p * shared.piece;
    const std::size_t count = std::min(shared.piece, shared.job.columns.rows - first);
    lower_to(run_rows<T>(shared.job, thread, first, count).first_bad_row, shared.first_bad_row);
  });
  const std::size_t first_bad = shared.first_bad_row;
  return {first_bad == EvalStatus::kNone, first_bad};
}

}  // namespace

template <class T>
EvalStatus run_code(const TileCode& code, const ColumnsView<T>& columns,
                    std::span<const double> uniforms, std::span<T* const> outputs,
                    std::span<Workspace<T>> workspaces, const EvalOptions& options,
                    std::span<std::uint8_t> ok_rows) {
  VIETA_CHECK(outputs.size() == code.outputs && !workspaces.empty());
  VIETA_CHECK(ok_rows.empty() || ok_rows.size() == columns.rows);
  const Job<T> job{code, columns, uniforms, outputs, workspaces, options, ok_rows};
  const std::size_t threads =
      options.pool == nullptr || options.early_exit ? 1 : options.pool->threads();
  if (threads == 1) return run_rows<T>(job, 0, 0, columns.rows);
  VIETA_CHECK(workspaces.size() >= threads);
  return run_pieces<T>(job, *options.pool);
}

template <class T>
Evaluation<T> evaluate(const Expr& expr, const ColumnsView<T>& columns,
                       std::span<const double> parameters, std::span<const Leaf> leaves, int order,
                       const EvalOptions& options) {
  PreparedFormula<T> formula;
  formula.prepare(expr, leaves, order, options);
  return formula.evaluate(columns, parameters, options);
}

std::vector<double> uniforms_of(const Program& program, std::span<const double> parameters) {
  VIETA_CHECK(parameters.size() == program.parameters);
  std::vector<double> uniforms(parameters.begin(), parameters.end());
  while (uniforms.size() < program.uniforms())
    uniforms.push_back(program.default_of(uniforms.size()));
  return uniforms;
}

Operand operand_of(const Program& program, const Leaf& leaf) {
  const auto index = static_cast<std::uint32_t>(leaf.index);
  switch (leaf.kind) {
    case Leaf::Kind::variable:
      return {Operand::Kind::variable, index};
    case Leaf::Kind::parameter:
      return {Operand::Kind::uniform, index};
    case Leaf::Kind::constant:
      break;
  }
  VIETA_CHECK(program.tunable && leaf.index < program.uniform_of_constant.size());
  return {Operand::Kind::uniform, program.uniform_of_constant[leaf.index]};
}

template EvalStatus run_code<double>(const TileCode&, const ColumnsView<double>&,
                                     std::span<const double>, std::span<double* const>,
                                     std::span<Workspace<double>>, const EvalOptions&,
                                     std::span<std::uint8_t>);
template EvalStatus run_code<float>(const TileCode&, const ColumnsView<float>&,
                                    std::span<const double>, std::span<float* const>,
                                    std::span<Workspace<float>>, const EvalOptions&,
                                    std::span<std::uint8_t>);
template Evaluation<double> evaluate<double>(const Expr&, const ColumnsView<double>&,
                                             std::span<const double>, std::span<const Leaf>, int,
                                             const EvalOptions&);
template Evaluation<float> evaluate<float>(const Expr&, const ColumnsView<float>&,
                                           std::span<const double>, std::span<const Leaf>, int,
                                           const EvalOptions&);

}  // namespace vieta
