#include "fit/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fit/constant_fitter.h"

namespace vieta {
namespace {

// A piece of work is some formulas: one would cost more to hand out than to fit.
constexpr std::size_t kPiece = 16;

Result<void> check_formulas(std::span<const Expr> formulas, const FitData& data) {
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Symbols& symbols = formulas[i].symbols();
    if (symbols.variables.size() != data.x.pointers.size()) {
      return fail(ErrorCode::usage,
                  fmt::format("formula {} of the batch is over {} columns, the data have {}", i + 1,
                              symbols.variables.size(), data.x.pointers.size()));
    }
    const auto is_parameter = [](const Node& node) { return node.kind == NodeKind::parameter; };
    const auto first = std::ranges::find_if(formulas[i].nodes(), is_parameter);
    if (first != formulas[i].nodes().end()) {
      return fail(ErrorCode::usage,
                  fmt::format("formula {} of the batch has the parameter '{}': a batch fits "
                              "numbers, put one in its place",
                              i + 1, symbols.parameters[first->index]));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<BatchFit>> fit_batch(std::span<const Expr> formulas, const FitData& data,
                                        TaskPool& pool, const BatchOptions& options) {
  if (const auto fine = check_formulas(formulas, data); !fine) return std::unexpected(fine.error());
  std::vector<BatchFit> fits(formulas.size());
  std::vector<std::unique_ptr<ConstantFitter>> fitters(pool.threads());
  std::vector<std::vector<Node>> scratch(pool.threads());
  pool.run((formulas.size() + kPiece - 1) / kPiece, [&](std::size_t piece, std::size_t thread) {
    auto& fitter = fitters[thread];
    if (!fitter) {
      fitter = std::make_unique<ConstantFitter>(data, options.target);
      fitter->set_projection(true);
    }
    std::vector<Node>& nodes = scratch[thread];
    const std::size_t end = std::min(formulas.size(), (piece + 1) * kPiece);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      nodes.assign(formulas[i].nodes().begin(), formulas[i].nodes().end());
      const auto outcome = fitter->fit(nodes, options.max_iterations);
      fits[i].loss = outcome.loss;
      fits[i].n_evaluations = outcome.evaluations;
      fits[i].stop_reason = outcome.stop;
      fits[i].constants.reserve(formulas[i].count_constants());
      for (const Node& node : nodes) {
        if (node.is_constant()) fits[i].constants.push_back(node.value);
      }
    }
  });
  return fits;
}

}  // namespace vieta
