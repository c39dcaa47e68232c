#include "expr/rewrite.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "expr/fold.h"
#include "expr/inline_stack.h"
#include "expr/print.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

using testing::formula;

std::string exact(std::string_view text) { return print(simplify(formula(text))); }
std::string tunable(std::string_view text) {
  return print(simplify(formula(text), {.tunable_constants = true}));
}

using Cases = std::vector<std::pair<std::string, std::string>>;

TEST(Simplify, FoldsNumbers) {
  for (const auto& [text, wanted] : Cases{{"2*3 + x", "x + 6"},
                                          {"sqrt(16)*x", "4*x"},
                                          {"max(1, 2) < 3", "1"},
                                          {"x^(2 - 1)", "x"},
                                          {"log(-1)*x", "log(-1)*x"},
                                          {"1/0 + x", "1/0 + x"},
                                          {"-(2)", "-2"},
                                          {"if(2, x, y)", "x"},
                                          {"if(0, x, y)", "y"},
                                          {"if(nan, x, y)", "x"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, DropsNeutralElements) {
  for (const char* text : {"x + 0", "0 + x", "x - 0", "x*1", "1*x", "x/1", "x^1", "--x", "x/-1*-1",
                           "x - -0", "0 - -x", "(x + 3) - 3", "2*(x/2)"}) {
    EXPECT_EQ(exact(text), "x") << text;
  }
  EXPECT_EQ(exact("0 - x"), "-x");
  EXPECT_EQ(exact("-1*x"), "-x");
}

TEST(Simplify, MergesConstantsOfSumsAndProducts) {
  for (const auto& [text, wanted] : Cases{{"(x + 1) + 2", "x + 3"},
                                          {"1 + (x - 3)", "x - 2"},
                                          {"(1 - x) - 3", "-2 - x"},
                                          {"1 - (x + 3)", "-2 - x"},
                                          {"1 - (3 - x)", "x - 2"},
                                          {"((x + 1) + y) + 2", "x + 3 + y"},
                                          {"(x + 1) + (y + 2)", "x + 3 + y"},
                                          {"(x + 1) - (y + 1)", "x - y"},
                                          {"2*(3*x)", "6*x"},
                                          {"(x*2)*3", "6*x"},
                                          {"(x/2)*3", "1.5*x"},
                                          {"(2*x)/4", "0.5*x"},
                                          {"(x/2)/4", "x/8"},
                                          {"3*(2/x)", "6/x"},
                                          {"6/(2*x)", "3/x"},
                                          {"(2*x)*(3*y)", "6*x*y"},
                                          {"(4*x)/(2*y)", "2*x/y"},
                                          {"x*(1/y)", "x/y"},
                                          {"(2*x)*(0.5/y)", "x/y"},
                                          {"(x*1e200)*1e200", "1e+200*(1e+200*x)"},
                                          {"(x*1e-200)*1e-200", "1e-200*(1e-200*x)"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, MovesSignsOutwards) {
  for (const auto& [text, wanted] : Cases{{"x + -y", "x - y"},
                                          {"-x + y", "y - x"},
                                          {"x - -y", "x + y"},
                                          {"-(x - y)", "y - x"},
                                          {"-(x + 2)", "-2 - x"},
                                          {"-x*-y", "x*y"},
                                          {"x*-y", "-x*y"},
                                          {"2*-x", "-2*x"},
                                          {"x + y*-z", "x - y*z"},
                                          {"x + -2*y", "x - 2*y"},
                                          {"x + -2", "x - 2"},
                                          {"x - -2", "x + 2"},
                                          {"-(x/2)", "-x/2"},
                                          {"-(x/-2)", "x/2"},
                                          {"-((x - y)*z)", "(y - x)*z"},
                                          {"-(z/(x - y))", "z/(y - x)"},
                                          {"-(x/(2*y))", "-x/(2*y)"},
                                          {"abs(-x)", "abs(x)"},
                                          {"cos(-(x*y))", "cos(x*y)"},
                                          {"(-x)^2", "x^2"},
                                          {"(-x)^3", "(-x)^3"},
                                          {"-(x*y)*z", "-x*y*z"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, UsesThatAValueIsCertainToBeFinite) {
  for (const auto& [text, wanted] : Cases{{"x - x", "0"},
                                          {"sin(x*y) - sin(y*x)", "0"},
                                          {"0*(x + sin(y))", "0"},
                                          {"x^0", "1"},
                                          {"(x^2 + 1)/(1 + x^2)", "1"},
                                          {"0/(x*x + 2)", "0"},
                                          {"x + x", "2*x"},
                                          {"x*x", "x*x"},
                                          {"max(log(x), log(x))", "log(x)"},
                                          // Not defined everywhere: kept.
                                          {"log(x) - log(x)", "log(x) - log(x)"},
                                          {"0*log(x)", "0*log(x)"},
                                          {"exp(x) - exp(x)", "exp(x) - exp(x)"},
                                          {"x/x", "x/x"},
                                          {"0/x", "0/x"},
                                          {"log(x)^0", "log(x)^0"},
                                          {"x*inf - x*inf", "inf*x - inf*x"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, GathersLikeTermsOfAWholeSum) {
  for (const auto& [text, wanted] : Cases{{"2*x + 3*x", "5*x"},
                                          {"x*y + y*x", "2*(x*y)"},
                                          {"2*x + y + 3*x", "5*x + y"},
                                          {"x + y - x", "y"},
                                          {"x - (y + x)", "-y"},
                                          {"x - y + (y - x)", "0"},
                                          {"(x + 1)*y + 2*y*(1 + x)", "3*((x + 1)*y)"},
                                          {"x/y + x/y", "2*(x/y)"},
                                          {"x/3 + x/6", "0.5*x"},
                                          {"3/y - 2/y", "1/y"},
                                          {"x*x + x^2 + square(x)", "3*square(x)"},
                                          {"x*y*x + x^2*y", "2*(x*y*x)"},
                                          {"-(2*x) - 3*x", "-5*x"},
                                          {"x*3*2 + y", "6*x + y"},
                                          {"sin(x + x)/2 - sin(2*x)", "-0.5*sin(2*x)"},
                                          {"2*log(x) + 3*log(x)", "5*log(x)"},
                                          {"exp(x) - 2*exp(x)", "-exp(x)"},
                                          // What goes away must have been finite.
                                          {"2*log(x) - 2*log(x)", "2*log(x) - 2*log(x)"},
                                          {"1e308*x + 1.5e308*x", "1e+308*x + 1.5e+308*x"},
                                          {"0*log(x) + log(x)", "0*log(x) + log(x)"},
                                          {"inf*x + inf*x", "2*(inf*x)"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, GathersPowersOfAWholeProduct) {
  for (const auto& [text, wanted] : Cases{{"x*x^2", "x^3"},
                                          {"x*x*x", "x^3"},
                                          {"x*y*x", "x*y*x"},
                                          {"x*y*x^2", "x^3*y"},
                                          {"x^2*y*x^3*y^2", "x^5*y^3"},
                                          {"2*x^3*(3*x)", "6*x^4"},
                                          {"sin(x)*sin(x)", "sin(x)^2"},
                                          {"square(x)*cube(x)", "x^5"},
                                          {"x/(y*y*y)", "x/y^3"},
                                          {"x/y^2/y^3", "x/y^5"},
                                          {"x*y^-1", "x/y"},
                                          {"x*inv(y)", "x/y"},
                                          {"inv(x)*inv(y)", "inv(x)/y"},
                                          {"(x^2)^3", "x^6"},
                                          {"square(x^3)", "x^6"},
                                          {"(x^-2)^3", "x^-6"},
                                          {"x*(x^2 + 1)/(x^2 + 1)", "x"},
                                          {"(x^2 + 1)/((x^2 + 1)*y)", "1/y"},
                                          {"sqrt(x)*sqrt(x)*sqrt(x)", "sqrt(x)^3"},
                                          // Defined elsewhere, or nowhere else.
                                          {"x^0.5*x^0.5", "(x^0.5)^2"},
                                          {"(x^0.5)^2", "(x^0.5)^2"},
                                          {"(x^2)^0.5", "(x^2)^0.5"},
                                          {"sqrt(x)^2", "sqrt(x)^2"},
                                          {"(x^-1)^-1", "1/(1/x)"},
                                          {"x^2/x", "x^2/x"},
                                          {"x*y/x", "x*y/x"},
                                          {"x/x^-1", "x/(1/x)"},
                                          {"x/(y/z)", "x/(y/z)"},
                                          {"log(exp(x))", "log(exp(x))"},
                                          {"exp(log(x))", "exp(log(x))"},
                                          {"abs(x)^2", "abs(x)^2"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, AssumesNothingOfInputsThatMayBeInfinite) {
  const auto strict = [](std::string_view text) {
    return print(simplify(formula(text), {.finite_inputs = false}));
  };
  for (const char* text :
       {"x - x", "0*x", "x^0", "0*(x + sin(y))", "2*x - 3*x", "x*y*x^2", "(x^2 + 1)/(x^2 + 1)"}) {
    EXPECT_EQ(strict(text), text);
  }
  EXPECT_EQ(strict("2*x + 3*x"), "5*x");
  EXPECT_EQ(strict("x*x^2"), "x^3");
  EXPECT_EQ(strict("x + y - x"), "x + y - x");
  EXPECT_EQ(strict("2*3 - 6 + x*1"), "x");
}

TEST(Simplify, KnowsWhatAnOuterChoiceDecided) {
  for (const auto& [text, wanted] :
       Cases{{"if(x < y, 1, 0)", "x < y"},
             {"if(x, 1, 0)", "if(x, 1, 0)"},
             {"if(x != 0, y, z)", "if(x, y, z)"},
             {"if(!x, y, z)", "if(x, z, y)"},
             {"!(x == y)", "x != y"},
             {"if(x < y, z, z)", "z"},
             {"if(x < y, x, if(if(x < y, 0, 1), y, 0))", "if(x < y, x, y)"},
             {"if(x < y, if(x < y, x, z), y)", "if(x < y, x, y)"},
             {"if(exp(x) == 0, 0, exp(x)*2)", "2*exp(x)"},
             {"if(x == 0, 0, x*log(x))", "if(x == 0, 0, x*log(x))"},
             {"abs(abs(x))", "abs(x)"},
             {"floor(floor(x))", "floor(x)"}}) {
    EXPECT_EQ(exact(text), wanted) << text;
  }
}

TEST(Simplify, LeavesTheValueOfATunableConstantOutOfAccount) {
  for (const auto& [text, wanted] : Cases{{"x*1", "1*x"},
                                          {"x + 0", "x + 0"},
                                          {"0*x", "0*x"},
                                          {"x^1", "x^1"},
                                          {"x + x", "x + x"},
                                          {"x - x", "x - x"},
                                          {"if(1, x, y)", "if(1, x, y)"},
                                          {"2*3", "6"},
                                          {"(x + 1) + 2", "x + 3"},
                                          {"(x + 2) - 2", "x + 0"},
                                          {"(2*x)*(3*y)", "6*x*y"},
                                          {"--x", "x"},
                                          {"x + -2", "x - 2"},
                                          {"(2/x)*(3/y)", "6/x/y"},
                                          {"2*x + 3*x", "5*x"},
                                          {"x + 2*x", "3*x"},
                                          {"2*x - 2*x", "0*x"},
                                          {"2*x + y - 1*x", "1*x + y"},
                                          {"2*log(x) - 2*log(x)", "0*log(x)"},
                                          // Each 3 may come to be another number.
                                          {"2*sin(3*x) + sin(3*x)", "2*sin(3*x) + sin(3*x)"},
                                          {"x*x*x", "x*x*x"},
                                          {"x^2*x^3", "x^2*x^3"},
                                          {"(x^2)^3", "(x^2)^3"},
                                          {"x*inv(y)", "x/y"}}) {
    EXPECT_EQ(tunable(text), wanted) << text;
  }
}

TEST(Simplify, TakesChainsOfAnyLength) {
  constexpr std::size_t n = 100'000;
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x"}, {}});
  const auto chain = [&](Op op, bool deep_right) {
    std::vector<Node> nodes(deep_right ? n : 0, Node::variable(0));
    nodes.push_back(Node::variable(0));
    for (std::size_t i = 0; i < n; ++i) {
      if (!deep_right && info(op).arity == 2) nodes.push_back(Node::variable(0));
      append_call(nodes, op);
    }
    return Expr(nodes, symbols);
  };
  for (const bool tunable_constants : {false, true}) {
    const SimplifyOptions options{tunable_constants};
    for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::pow}) {
      for (const bool deep_right : {false, true}) {
        const Expr e = chain(op, deep_right);
        EXPECT_LE(simplify(e, options).size(), e.size());
      }
    }
    for (const Op op : {Op::neg, Op::not_, Op::sin, Op::abs}) {
      EXPECT_LE(simplify(chain(op, false), options).size(), n + 1);
    }
  }
}

// --- properties

// The values a rewriting may change beyond rounding are left out of the comparison: such a trial
// has gone through an overflow or underflow, or hangs on the last bit of a comparison.
struct Outcome {
  double value = 0;
  bool in_range = true;
};

Outcome evaluate(const Expr& e, std::span<const double> x, Rng* jitter) {
  InlineStack<double> values;
  bool in_range = true;
  for (const Node& node : e.nodes()) {
    if (node.kind != NodeKind::call) {
      values.push(node.is_constant() ? node.value : x[node.index]);
      continue;
    }
    std::array<double, kMaxArity> args{};
    for (int k = node.arity() - 1; k >= 0; --k) args[static_cast<std::size_t>(k)] = values.pop();
    double value = fold(node.op, std::span(args).first(static_cast<std::size_t>(node.arity())));
    if (jitter != nullptr) {
      value *= 1 + 1e-13 * (2 * jitter->uniform() - 1);
      if (value == 0 && jitter->chance(0.5)) value = -value;  // its sign is not kept
    }
    const double size = std::fabs(value);
    if (size > 1e100 || (size != 0 && size < 1e-100)) in_range = false;
    values.push(value);
  }
  return {values.pop(), in_range};
}

// How far the value moves when every operator errs by up to 1e-13, some 450 units in the last
// place: the conditioning of this formula at this point. Rewriting errs by a few units in each of
// at most as many operators, so that a tenth of it is ample. Infinite where the kind of value
// changes.
double spread(const Expr& e, std::span<const double> x, double value, Rng& rng) {
  double most = 0;
  for (int i = 0; i < 12; ++i) {
    const double other = evaluate(e, x, &rng).value;
    if (std::isnan(other) != std::isnan(value)) return HUGE_VAL;
    if (!std::isnan(value)) most = std::fmax(most, std::fabs(other - value));
  }
  return most;
}

bool changes_values(const Expr& e, const SimplifyOptions& options, std::size_t* judged = nullptr) {
  const Expr simple = simplify(e, options);
  Rng rng(structural_hash(e.nodes()), 1, 0);
  for (int point = 0; point < 6; ++point) {
    std::array<double, 3> x{};
    for (double& one : x) one = 4 * rng.uniform() - 2;
    const Outcome before = evaluate(e, x, nullptr);
    if (!before.in_range || std::isinf(before.value)) continue;
    const double allowed = spread(e, x, before.value, rng);
    if (!(allowed < 1e-6 * (1 + std::fabs(before.value)))) continue;
    const double after = evaluate(simple, x, nullptr).value;
    if (judged != nullptr) ++*judged;
    if (std::isnan(before.value) != std::isnan(after)) return true;
    if (!std::isnan(after) && !(std::fabs(after - before.value) <= allowed)) return true;
  }
  return false;
}

testing::Material material(bool all_operators) {
  testing::Material all =
      testing::all_ops_over({{"x", "y", "z"}, {}}, {0, 1, -1, 2, -2, 3, 0.5, -0.25, 10});
  if (!all_operators) {
    all.ops = {Op::add, Op::sub, Op::mul, Op::div, Op::neg,
               Op::pow, Op::exp, Op::log, Op::if_, Op::eq};
  }
  return all;
}

TEST(SimplifyProperty, KeepsValuesNeverGrowsAndIsIdempotent) {
  std::size_t judged = 0;
  for (const bool all_operators : {false, true}) {
    const testing::Material from = material(all_operators);
    Rng rng(11, 0, all_operators ? 1 : 0);
    for (int i = 0; i < 20'000; ++i) {
      const Expr e = testing::random_formula(from, 2 + rng.below(5), rng);
      const SimplifyOptions options{.tunable_constants = rng.chance(0.3)};
      const auto simpler = [&](const Expr& one) { return simplify(one, options); };
      const auto grows = [&](const Expr& one) { return simpler(one).size() > one.size(); };
      const auto goes_on = [&](const Expr& one) {
        return !(simpler(simpler(one)) == simpler(one));
      };
      const auto changes = [&](const Expr& one) { return changes_values(one, options); };
      const auto report = [&](std::string_view what, const auto& fails) {
        const Expr small = testing::shrunk(e, fails);
        return std::string(what) + ": " + print(small) + " gives " + print(simpler(small)) +
               (options.tunable_constants ? " (tunable)" : "");
      };
      if (grows(e)) FAIL() << report("grows", grows);
      if (goes_on(e)) {
        FAIL() << report("changes again", goes_on) << ", then "
               << print(simpler(simpler(testing::shrunk(e, goes_on))));
      }
      if (changes_values(e, options, &judged)) FAIL() << report("changes values", changes);
    }
  }
  EXPECT_GT(judged, 50'000U) << "too few points were comparable";
}

}  // namespace
}  // namespace vieta
