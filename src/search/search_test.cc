#include "search/search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "expr/callable_operators.h"
#include "expr/print.h"
#include "search/archive.h"
#include "search/arrange.h"
#include "search/grammar.h"
#include "search/tidy.h"
#include "search/variation.h"

namespace vieta {
namespace {

const std::vector<std::string> kNames{"x", "y"};

std::string text(const Tree& tree) {
  return print(Expr(tree, std::make_shared<const Symbols>(Symbols{kNames, {}})));
}

TEST(Grammar, ReadsOperatorsByName) {
  const auto grammar = make_grammar("+ - * neg sin fma", 2, 10);
  ASSERT_TRUE(grammar.has_value());
  EXPECT_EQ(grammar->operators[1].size(), 2U);
  EXPECT_EQ(grammar->operators[2].size(), 3U);
  EXPECT_EQ(grammar->operators[3].size(), 1U);
}

TEST(Grammar, RefusesWhatItDoesNotKnow) {
  for (const char* operators : {"", "  ", "+ nosuch", "+ +", "+ * +"}) {
    const auto grammar = make_grammar(operators, 2, 10);
    ASSERT_FALSE(grammar.has_value()) << operators;
    EXPECT_EQ(grammar.error().code, ErrorCode::usage);
  }
  EXPECT_FALSE(make_grammar("+", 2, 0).has_value());
}

TEST(Grammar, MakesTreesOfTheSizeAskedFor) {
  const auto grammar = make_grammar("+ * sin fma", 2, 30);
  Rng rng(1, 0, 0);
  for (std::size_t size = 1; size < 40; ++size) {
    Tree tree;
    append_random_tree(*grammar, size, rng, tree);
    EXPECT_EQ(tree.size(), size);
    EXPECT_EQ(postfix_fault(tree, 2, 0), "");
  }
}

TEST(Variation, KeepsTreesWellFormed) {
  const auto grammar = make_grammar("+ - * / sqrt exp log clamp", 2, 30);
  Variation variation(*grammar);
  Tidy tidy;
  Rng rng(2, 0, 0);
  Tree tree;
  append_random_tree(*grammar, 9, rng, tree);
  const Tree donor = tree;
  for (int i = 0; i < 20000; ++i) {
    if (rng.chance(0.2)) {
      variation.cross(tree, donor, rng);
    } else {
      variation.mutate(tree, rng);
    }
    ASSERT_EQ(postfix_fault(tree, 2, 0), "");
    tidy.run(tree);
    ASSERT_EQ(postfix_fault(tree, 2, 0), "");
    if (tree.size() > 60) tree = donor;
  }
}

struct TidyCase {
  std::vector<Node> tree;
  const char* wanted;
};

TEST(Tidy, MergesConstantsIntoOne) {
  const Node x = Node::variable(0);
  const auto c = [](double v) { return Node::constant(v); };
  const auto op = [](Op o, std::size_t size) { return Node::call(o, size); };
  const std::vector<TidyCase> cases = {
      {{c(2), c(3), op(Op::add, 3)}, "5"},
      {{x, c(2), op(Op::add, 3), c(3), op(Op::sub, 5)}, "x + -1"},
      {{c(2), x, op(Op::sub, 3), c(3), op(Op::add, 5)}, "5 - x"},
      {{c(1), c(2), x, op(Op::sub, 3), op(Op::sub, 5)}, "x + -1"},
      {{x, c(4), op(Op::div, 3), c(2), op(Op::div, 5)}, "x*0.125"},
      {{c(6), x, c(2), op(Op::mul, 3), op(Op::div, 5)}, "3/x"},
      {{c(6), c(2), x, op(Op::div, 3), op(Op::div, 5)}, "x*3"},
      {{c(0), op(Op::log, 2)}, "log(0)"},
      {{x, c(2), op(Op::add, 3), c(3), op(Op::mul, 5)}, "(x + 2)*3"},
      {{x, x, op(Op::add, 3), c(3), op(Op::add, 5)}, "x + x + 3"},
  };
  Tidy tidy;
  for (const TidyCase& t : cases) {
    Tree tree = t.tree;
    const std::string before = text(tree);
    tidy.run(tree);
    EXPECT_EQ(text(tree), t.wanted) << before;
  }
}

TEST(Arrange, WritesAsAPersonWould) {
  const Node x = Node::variable(0);
  const Node y = Node::variable(1);
  const auto c = [](double v) { return Node::constant(v); };
  const auto op = [](Op o, std::size_t size) { return Node::call(o, size); };
  const std::vector<TidyCase> cases = {
      {{x, c(-2), op(Op::sub, 3)}, "x + 2"},
      {{c(-2), x, op(Op::add, 3)}, "x - 2"},
      {{x, c(4), op(Op::div, 3)}, "0.25*x"},
      {{x, op(Op::sqrt, 2), c(4), op(Op::div, 4), x, op(Op::mul, 6)}, "0.25*x*sqrt(x)"},
      {{x, c(-2), y, op(Op::mul, 3), op(Op::sub, 5)}, "x + 2*y"},
      {{c(-2), y, op(Op::mul, 3), x, op(Op::add, 5)}, "x - 2*y"},
      {{c(3), x, op(Op::div, 3), y, op(Op::div, 5)}, "3/(x*y)"},
      {{c(1), x, op(Op::mul, 3)}, "x"},
      {{c(1), x, op(Op::div, 3)}, "1/x"},
      {{x, op(Op::neg, 2)}, "-x"},
      {{x, y, op(Op::add, 3), op(Op::neg, 4), c(5), op(Op::add, 6)}, "5 - x - y"},
      {{x, y, x, y, op(Op::sub, 3), op(Op::sub, 5), op(Op::sub, 7)}, "x + x - y - y"},
  };
  for (const TidyCase& t : cases) {
    const Tree tree = arrange(t.tree);
    EXPECT_EQ(text(tree), t.wanted) << text(t.tree);
    EXPECT_LE(tree.size(), t.tree.size());
    EXPECT_EQ(postfix_fault(tree, 2, 0), "");
  }
}

TEST(Archive, KeepsTheBestOfEverySize) {
  Archive archive(5);
  const Tree one{Node::constant(1)};
  const Tree two{Node::variable(0), Node::call(Op::sin, 2)};
  EXPECT_TRUE(archive.offer({one, 3.0}));
  EXPECT_FALSE(archive.offer({one, 3.0}));
  EXPECT_FALSE(archive.offer({one, std::nan("")}));
  EXPECT_FALSE(archive.offer({one, HUGE_VAL}));
  EXPECT_TRUE(archive.offer({one, 2.0}));
  EXPECT_TRUE(archive.offer({two, 2.0}));
  EXPECT_EQ(archive.front(), (std::vector<std::size_t>{1})) << "a larger formula must be better";
  EXPECT_TRUE(archive.offer({two, 1.0}));
  EXPECT_EQ(archive.front(), (std::vector<std::size_t>{1, 2}));
}

// y = 3 x^2 - 2 with a little noise from a fixed stream.
struct Sample {
  std::vector<double> x, z, y;
  explicit Sample(double noise, std::size_t rows = 40) {
    Rng rng(77, 0, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      x.push_back(-2 + 4 * rng.uniform());
      z.push_back(rng.normal());
      y.push_back(3 * x.back() * x.back() - 2 + noise * rng.normal());
    }
  }
  FitData data() const { return {{{x.data(), z.data()}, x.size(), x.size()}, y, {}}; }
};

SearchReport search(const Sample& sample, const SearchOptions& options, std::uint64_t evaluations,
                    std::size_t threads) {
  TaskPool pool(threads);
  return run_search(sample.data(), kNames, options, {.evaluations = evaluations}, pool).value();
}

TEST(Search, FindsAPolynomialAndStopsWhenItIsExact) {
  const Sample sample(0);
  const SearchReport report = search(sample, {}, 300'000, 2);
  ASSERT_FALSE(report.front.empty());
  EXPECT_LT(report.front.back().loss, 1e-25);
  EXPECT_LE(report.front.back().complexity, 7U);
  EXPECT_NE(report.stop_reason, StopReason::not_run);
}

TEST(Search, FrontFallsStrictly) {
  const SearchReport report = search(Sample(0.1), {}, 60'000, 2);
  for (std::size_t i = 1; i < report.front.size(); ++i) {
    EXPECT_GT(report.front[i].complexity, report.front[i - 1].complexity);
    EXPECT_LT(report.front[i].loss, report.front[i - 1].loss);
    EXPECT_GT(report.front[i].score, 0);
  }
  EXPECT_LT(report.selected, report.front.size());
}

TEST(Search, SameSeedGivesTheSameBitsAtAnyThreadCount) {
  const Sample sample(0.1);
  const SearchReport one = search(sample, {}, 50'000, 1);
  const SearchReport three = search(sample, {}, 50'000, 3);
  ASSERT_EQ(one.front.size(), three.front.size());
  EXPECT_EQ(one.n_evaluations, three.n_evaluations);
  for (std::size_t i = 0; i < one.front.size(); ++i) {
    EXPECT_EQ(print(one.front[i].expr), print(three.front[i].expr));
    EXPECT_EQ(one.front[i].loss, three.front[i].loss);
  }
  SearchOptions other;
  other.seed = 2;
  EXPECT_NE(search(sample, other, 50'000, 1).n_evaluations, 0U);
}

TEST(Search, LossOfTheFrontIsThatOfItsFormulas) {
  const Sample sample(0.3);
  const SearchReport report = search(sample, {}, 30'000, 1);
  const FitData data = sample.data();
  ConstantFitter fitter(data, kernels::best_target());
  for (const FrontEntry& entry : report.front) {
    EXPECT_EQ(fitter.loss(entry.expr.nodes()), entry.loss) << print(entry.expr);
    EXPECT_LE(entry.complexity, SearchOptions{}.max_size);
  }
}

TEST(Search, CopesWithTinyAndConstantTables) {
  TaskPool pool(1);
  const std::vector<double> x{1, 2, 3};
  for (const std::size_t rows : {1U, 2U, 3U}) {
    const std::vector<double> y(rows, 3.14159265);
    const FitData data{{{x.data()}, rows, rows}, y, {}};
    const auto report = run_search(data, {"x"}, {}, {.evaluations = 5000}, pool).value();
    ASSERT_FALSE(report.front.empty());
    EXPECT_EQ(report.front.front().complexity, 1U);
    EXPECT_LT(report.front.front().loss, 1e-28);
    EXPECT_TRUE(std::isnan(report.front.front().r2))
        << "a constant target has no variance to explain";
  }
}

TEST(Search, SmallSpacesEnd) {
  TaskPool pool(2);
  SearchOptions options;
  options.operators = "neg";
  options.max_size = 2;
  const auto report =
      run_search(Sample(0.1).data(), kNames, options, {.evaluations = 3000}, pool).value();
  EXPECT_FALSE(report.front.empty());
}

TEST(Search, IgnoresRowsOfWeightZero) {
  std::vector<double> x, y, w;
  for (int i = 0; i < 10; ++i) {
    x.push_back(i);
    y.push_back(i == 9 ? 1000 : 2 * i);
    w.push_back(i == 9 ? 0 : 1);
  }
  TaskPool pool(1);
  const FitData data{{{x.data()}, x.size(), x.size()}, y, w};
  const auto report = run_search(data, {"x"}, {}, {.evaluations = 20'000}, pool).value();
  EXPECT_LT(report.front.back().loss, 1e-20);
}

TEST(Search, RefusesBadDataWithTheRow) {
  TaskPool pool(1);
  const std::vector<double> x{1, std::nan(""), 3};
  const std::vector<double> y{1, 2, 3};
  const auto bad_x = run_search({{{x.data()}, 3, 3}, y, {}}, {"x"}, {}, {.evaluations = 100}, pool);
  ASSERT_FALSE(bad_x.has_value());
  EXPECT_EQ(bad_x.error().code, ErrorCode::data);
  EXPECT_EQ(bad_x.error().place.row, 2U);
  const auto bad_y = run_search({{{y.data()}, 3, 3}, x, {}}, {"x"}, {}, {.evaluations = 100}, pool);
  ASSERT_FALSE(bad_y.has_value());
  EXPECT_EQ(bad_y.error().code, ErrorCode::data);
}

TEST(Search, StopsWhenAsked) {
  TaskPool pool(2);
  const std::atomic<bool> stop = true;
  const Sample sample(0.1);
  const auto report = run_search(sample.data(), kNames, {}, {.interrupt = &stop}, pool).value();
  EXPECT_EQ(report.stop_reason, StopReason::interrupted);
}

TEST(Search, MayUseTheUsersOperators) {
  Rng rng(5, 0, 0);
  std::vector<double> x(80);
  std::vector<double> y(80);
  std::vector<double> z(80);
  for (std::size_t r = 0; r < x.size(); ++r) {
    x[r] = 4 * rng.uniform() - 2;
    y[r] = 4 * rng.uniform() - 2;
    z[r] = 1.7 * (x[r] > y[r] ? x[r] * y[r] : std::exp(x[r] - y[r])) + 0.3;
  }
  const auto search_with = [&](const Operators& defined, std::size_t threads) {
    SearchOptions options;
    options.operators = "+ * soft steps";
    options.defined = defined;
    ColumnsView<double> columns{.pointers = {x.data(), y.data()}, .rows = 80, .readable = 80};
    TaskPool pool(threads);
    return run_search({columns, z, {}, {}}, {"x", "y"}, options, {.evaluations = 60000}, pool)
        .value();
  };
  Operators text;
  ASSERT_TRUE(text.define("soft(a, b) = a > b ? a*b : exp(a - b)"));
  ASSERT_TRUE(text.define("steps(n) = n <= 1 ? 1 : n*steps(n - 1)"));
  Operators cpp;
  ASSERT_TRUE(cpp.add("soft", [](auto a, auto b) { return a > b ? a * b : exp(a - b); }));
  ASSERT_TRUE(cpp.define("steps(n) = n <= 1 ? 1 : n*steps(n - 1)"));
  const SearchReport found = search_with(text, 1);
  EXPECT_LT(found.front[found.selected].loss, 1e-20);
  EXPECT_EQ(found.front[found.selected].complexity, 7U);
  EXPECT_NE(print(found.front[found.selected].expr).find("soft(x, y)"), std::string::npos);
  const SearchReport again = search_with(cpp, 2);
  ASSERT_EQ(again.front.size(), found.front.size());
  for (std::size_t i = 0; i < found.front.size(); ++i) {
    EXPECT_EQ(print(again.front[i].expr), print(found.front[i].expr));
    EXPECT_EQ(again.front[i].loss, found.front[i].loss);
  }
}

}  // namespace
}  // namespace vieta
