// vieta search: the front of formulas of a table.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "data/csv.h"
#include "expr/print.h"
#include "report/files.h"
#include "report/front_table.h"
#include "report/model.h"
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

// One line on a terminal, rewritten in place.
class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress() {
    if (written_) fmt::print(stderr, "\r\033[K");
  }
  void show(const SearchProgress& progress) {
    if (!shown_ || progress.seconds - last_ < 0.2) return;
    last_ = progress.seconds;
    written_ = true;
    std::string best =
        progress.front->empty() ? "" : print(progress.front->back().expr, {.digits = 4});
    if (best.size() > 50) best = best.substr(0, 47) + "...";
    fmt::print(stderr, "\r\033[K{:6.1f} s  {:>11} evaluations  {:>9.0f}/s  loss {:<11.5g} {}",
               progress.seconds, progress.n_evaluations,
               static_cast<double>(progress.n_evaluations) / std::max(progress.seconds, 1e-9),
               progress.best_loss, best);
    std::fflush(stderr);
  }

 private:
  bool shown_;
  bool written_ = false;
  double last_ = -1;
};

/// Where --out puts things.
class Folder {
 public:
  Folder(const Options& options, const Inputs& inputs) : options_(options), inputs_(inputs) {}

  Result<void> create() const {
    if (options_.out.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(options_.out, error);
    if (error)
      return fail(ErrorCode::data, "cannot be made: " + error.message(), {.source = options_.out});
    return {};
  }
  // While the search runs; the front is not polished yet.
  void save_progress(const SearchProgress& progress) {
    constexpr double kSeconds = 1;
    if (options_.out.empty() || progress.seconds - last_ < kSeconds) return;
    last_ = progress.seconds;
    SearchReport report;
    report.front = *progress.front;
    if (const auto written = write_file(options_.out + "/front.csv", front_csv(report)); !written)
      write_note(describe(written.error()));
  }
  Result<void> save(const SearchReport& report) const {
    if (options_.out.empty()) return {};
    if (auto written = write_file(options_.out + "/front.csv", front_csv(report)); !written)
      return written;
    return write_model(options_.out + "/model.json",
                       {inputs_.names, options_.target, options_.common.definitions, report},
                       options_.search);
  }

 private:
  const Options& options_;
  const Inputs& inputs_;
  double last_ = 0;
};

Budget budget_of(const Options& options) {
  Budget budget;
  if (options.evaluations > 0) budget.evaluations = static_cast<std::uint64_t>(options.evaluations);
  if (options.seconds > 0) budget.seconds = options.seconds;
  budget.interrupt = &interrupted;
  return budget;
}

Result<int> run(const Options& options) {
  if (options.loss != "l2") {
    return fail(
        ErrorCode::usage,
        fmt::format("loss '{}' is not available: this version searches by l2, the mean square",
                    options.loss),
        {.source = "--loss"});
  }
  if (!options.common.definitions.empty()) {
    return fail(
        ErrorCode::usage,
        "the search cannot use operators of --define yet: eval, grad, diff, fit and export can",
        {.source = "--define"});
  }
  const auto table = read_csv(options.data, {});
  if (!table) return std::unexpected(table.error());
  const auto target = read_target(*table, options.target, {});
  if (!target) return std::unexpected(target.error());
  const auto inputs = choose_inputs(options, *table, *target);
  if (!inputs) return std::unexpected(inputs.error());
  std::span<const double> weights;
  if (!options.weights.empty()) {
    const auto column = find_column(*table, options.weights, "--weights");
    if (!column) return std::unexpected(column.error());
    weights = table->column(*column);
  }
  const auto columns = view(*table, inputs->columns);
  if (!columns) return std::unexpected(columns.error());
  ColumnsView<double> x = *columns;
  x.rows = table->rows();  // a table may have no input at all
  x.readable = std::max(x.readable, x.rows);

  Folder folder(options, *inputs);
  if (auto created = folder.create(); !created) return std::unexpected(created.error());
  TaskPool pool(options.common.threads);
  std::signal(SIGINT, on_interrupt);
  Result<SearchReport> report = fail(ErrorCode::usage, "not run");
  {
    Progress progress(isatty(STDERR_FILENO) != 0);
    report = run_search({x, target->values, weights}, inputs->names, options.search,
                        budget_of(options), pool, [&](const SearchProgress& state) {
                          progress.show(state);
                          folder.save_progress(state);
                        });
  }
  if (!report) return std::unexpected(report.error());
  if (options.common.format == "json") {
    write_out(front_json(*report).dump(1) + "\n");
  } else if (options.common.format == "csv") {
    write_out(front_csv(*report));
  } else {
    write_out(front_table(*report));
  }
  write_note(fmt::format("{} evaluations in {:.1f} s: {}", report->n_evaluations, report->seconds,
                         to_text(report->stop_reason)));
  if (auto saved = folder.save(*report); !saved) return std::unexpected(saved.error());
  return report->stop_reason == StopReason::interrupted ? kInterruptedExit : 0;
}

void add_search_options(CLI::App& verb, SearchOptions& search) {
#define VIETA_OPTION(type, name, default_value, flag, help) \
  verb.add_option(flag, search.name, help)->capture_default_str();
#include "search/options.def"
#undef VIETA_OPTION
}

}  // namespace

void add_search(CLI::App& app, Action& action) {
  CLI::App* verb =
      app.add_subcommand("search", "find the formulas of a table, simplest to most accurate");
  verb->footer(
      "Example:\n  vieta search examples/kepler/planets.csv --target period\n"
      "  vieta search data.csv --target 'log(P)' --ops '+ - * / exp' --time 60 --out run1");
  auto options = std::make_shared<Options>();
  verb->add_option("DATA", options->data,
                   "CSV file with a header (also .gz), or - for standard input")
      ->required();
  verb->add_option("--target", options->target,
                   "column to explain, or a formula of columns; they are then no inputs")
      ->required();
  verb->add_option("--inputs", options->inputs,
                   "columns to explain it by, as in a,b (default: all other numeric ones)");
  verb->add_option("--weights", options->weights, "column of weights");
  verb->add_option("--loss", options->loss, "l2: mean squared residual")->capture_default_str();
  verb->add_option("--time", options->seconds, "stop after so many seconds")
      ->check(CLI::PositiveNumber);
  verb->add_option("--evals", options->evaluations,
                   fmt::format("stop after so many evaluations (default: {}, or none with --time)",
                               kDefaultEvaluations))
      ->check(CLI::PositiveNumber);
  verb->add_option("--out", options->out, "folder for model.json and front.csv");
  add_search_options(*verb, options->search);
  options->common.add_to(*verb, "text", {"text", "json", "csv"});
  verb->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vieta::cli
