// vieta search: the front of formulas of a table.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "cli/columns.h"
#include "cli/input.h"
#include "cli/loss.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_folder.h"
#include "cli/verbs.h"
#include "report/front_table.h"
#include "search/search.h"

namespace vieta::cli {
namespace {

constexpr int kInterruptedExit = 130;

// The first Ctrl-C asks politely, the second one ends the program.
std::atomic<bool> interrupted = false;
void on_interrupt(int signal) {
  interrupted.store(true);
  std::signal(signal, SIG_DFL);
}

struct Options {
  std::string data;
  std::string target;
  std::string inputs;
  std::string weights;
  std::string loss = "l2";
  std::string out;
  double seconds = 0;
  double evaluations = 0;
  bool progress = false;
  SearchOptions search;
  CommonOptions common;
};

struct Inputs {
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
};

// All numeric columns that are neither target nor weights, or those named.
Result<Inputs> choose_inputs(const Options& options, const Table& table, const Target& target) {
  Inputs inputs;
  const auto add = [&](std::size_t column) {
    inputs.columns.push_back(column);
    inputs.names.push_back(table.name(column));
  };
  for (const std::string& name : split_names(options.inputs)) {
    const auto column = find_column(table, name, "--inputs");
    if (!column) return std::unexpected(column.error());
    if (std::ranges::find(inputs.columns, *column) != inputs.columns.end()) {
      return fail(ErrorCode::usage, fmt::format("'{}' is named twice: name each once", name),
                  {.source = "--inputs"});
    }
    add(*column);
  }
  if (!options.inputs.empty()) return inputs;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    if (target.uses[c] || table.name(c) == options.weights) continue;
    if (const auto column = table.numeric_column(c); !column) {
      write_note(fmt::format("column '{}' is left out: not a number in row {}", table.name(c),
                             column.error().place.row));
      continue;
    }
    add(c);
  }
  return inputs;
}

Budget budget_of(const Options& options) {
  Budget budget;
  // Beyond that there is no limit in practice, nor a 64-bit number.
  constexpr double kMost = 1e18;
  if (options.evaluations > 0 && options.evaluations < kMost) {
    budget.evaluations = static_cast<std::uint64_t>(std::ceil(options.evaluations));
  }
  if (options.seconds > 0) budget.seconds = options.seconds;
  budget.interrupt = &interrupted;
  return budget;
}

void print_front(const SearchReport& report, const std::string& format) {
  if (format == "json") {
    write_out(front_json(report).dump(1) + "\n");
  } else {
    write_out(format == "csv" ? front_csv(report)
                              : front_table(report, terminal_columns(STDOUT_FILENO)));
  }
}

Result<std::span<const double>> read_weights(const Options& options, const Table& table) {
  if (options.weights.empty()) return std::span<const double>{};
  const auto column = find_column(table, options.weights, "--weights");
  if (!column) return std::unexpected(column.error());
  return table.column(*column);
}

Result<ColumnsView<double>> input_columns(const Table& table, const Inputs& inputs) {
  auto columns = view(table, inputs.columns);
  if (!columns) return columns;
  columns->rows = table.rows();  // there may be no input at all
  columns->readable = std::max(columns->readable, columns->rows);
  return columns;
}

Result<int> run(const Options& options) {
  if (options.common.single()) write_note("note: --dtype f32: searches are computed in f64");
  auto defined = read_definitions(options.common.definitions);
  if (!defined) return std::unexpected(defined.error());
  SearchOptions search = options.search;
  search.defined = *std::move(defined);
  const auto loss = read_loss(options.loss, options.common);
  if (!loss) return std::unexpected(loss.error());
  const auto table = read_table(options.data);
  if (!table) return std::unexpected(table.error());
  const auto target =
      read_target(*table, options.target, options.common.definitions, options.common.parameters);
  if (!target) return std::unexpected(target.error());
  const auto inputs = choose_inputs(options, *table, *target);
  if (!inputs) return std::unexpected(inputs.error());
  const auto weights = read_weights(options, *table);
  if (!weights) return std::unexpected(weights.error());
  const auto columns = input_columns(*table, *inputs);
  if (!columns) return std::unexpected(columns.error());
  RunFolder folder(options.out);
  if (auto created = folder.create(); !created) return std::unexpected(created.error());

  TaskPool pool(options.common.threads);
  std::signal(SIGINT, on_interrupt);
  const auto report = [&] {
    Progress progress(options.progress);
    return run_search({*columns, target->values, *weights, *loss}, inputs->names, search,
                      budget_of(options), pool, [&](const SearchProgress& state) {
                        progress.show(state);
                        folder.save_progress(state);
                      });
  }();
  if (!report) return in_table(report.error(), options.data);
  // Saved first: nobody may be reading any more.
  const auto saved = folder.save(*report, options.search, inputs->names, options.target,
                                 options.common.definitions);
  print_front(*report, options.common.format);
  write_note(fmt::format("{} evaluations in {:.1f} s: {}", report->n_evaluations, report->seconds,
                         to_text(report->stop_reason)));
  if (!saved) return std::unexpected(saved.error());
  return report->stop_reason == StopReason::interrupted ? kInterruptedExit : 0;
}

template <class T>
void add_checked(Verb& verb, const char* flag, T& value, const char* help) {
  Option option = verb.option(flag, value, help).show_default();
  if constexpr (std::is_arithmetic_v<T>) option.not_negative();
}

void add_search_options(Verb& verb, SearchOptions& search) {
#define VIETA_OPTION(type, name, default_value, flag, help) \
  add_checked(verb, flag, search.name, help);
#include "search/options.def"
#undef VIETA_OPTION
}

}  // namespace

void add_search(CommandLine& line) {
  Verb verb = line.add_verb("search", "find the formulas of a table, simplest to most accurate");
  verb.footer(
      "Example:\n  vieta search examples/kepler/planets.csv --target period\n"
      "  vieta search data.csv --target 'log(P)' --ops '+ - * / exp' --time 60 --out run1\n");
  auto options = std::make_shared<Options>();
  verb.option("DATA", options->data, "CSV file with a header (also .gz), or - for standard input")
      .required();
  verb.option("--target", options->target,
              "column to explain, or a formula of columns; they are then no inputs")
      .required();
  verb.option("--inputs", options->inputs,
              "columns to explain it by, as in a,b (default: all other numeric ones)");
  verb.option("--weights", options->weights, "column of weights");
  verb.option("--loss", options->loss, kLossHelp).show_default();
  verb.option("--time", options->seconds, "stop after so many seconds").positive();
  verb.option("--evals", options->evaluations,
              fmt::format("stop after so many evaluations (default: {}, or none with --time)",
                          kDefaultEvaluations))
      .positive();
  verb.option("--out", options->out, "folder for model.json and front.csv");
  verb.flag("--progress", options->progress,
            "tell where it is though standard error is no terminal");
  add_search_options(verb, options->search);
  options->common.add_to(verb, "text");
  verb.does([options] { return run(*options); });
}

}  // namespace vieta::cli
