#include "report/export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "eval/evaluate.h"
#include "expr/operators.h"
#include "expr/parse.h"
#include "report/files.h"

namespace vieta {
namespace {

Expr over(const char* text, std::vector<std::string> variables = {"x", "y", "z"}) {
  return parse(text, {.variables = std::move(variables), .new_parameters = true}).value();
}

std::string latex(const char* text) { return export_expression(over(text), ExportLanguage::latex); }
std::string numpy(const char* text) { return export_expression(over(text), ExportLanguage::numpy); }
std::string c(const char* text) { return export_expression(over(text), ExportLanguage::c); }

TEST(Export, WritesBracketsWhereTheyAreNeeded) {
  EXPECT_EQ(latex("(x + y)*z"), "\\left(x + y\\right) \\cdot z");
  EXPECT_EQ(latex("x - (y - z)"), "x - \\left(y - z\\right)");
  EXPECT_EQ(latex("x/(y + 1)"), "\\frac{x}{y + 1}");
  EXPECT_EQ(latex("(-x)^2"), "\\left(-x\\right)^{2}");
  EXPECT_EQ(latex("2.5e-7*x"), "2.5 \\cdot 10^{-7} \\cdot x");
  EXPECT_EQ(latex("sqrt(x) + exp(y)"), "\\sqrt{x} + e^{y}");
  EXPECT_EQ(numpy("-x^2"), "-x**2.0");
  EXPECT_EQ(numpy("(x + y)*2"), "(x + y)*2.0");
  EXPECT_EQ(numpy("x - (-3)"), "x - (-3.0)");
  EXPECT_EQ(numpy("(-3)^x"), "(-3.0)**x");
  EXPECT_EQ(numpy("(x > 4) - x"), "numpy.where(x > 4.0, 1.0, 0.0) - x");
}

TEST(Export, WritesConditionsOnce) {
  const std::array<std::string_view, 5> kNames = {"latex", "sympy", "numpy", "c", "julia"};
  struct Wanted {
    const char* text;
    std::array<const char*, 5> forms;
  };
  const Wanted cases[] = {
      {"if(x > y, x, z)",
       {"\\begin{cases} x & x > y \\\\ z & \\text{else} \\end{cases}",
        "Piecewise((x, x > y), (z, True))", "numpy.where(x > y, x, z)", "v_where(x > y, x, z)",
        "ifelse(x > y, x, z)"}},
      {"if(x, y, z)",
       {"\\begin{cases} y & x \\ne 0 \\\\ z & \\text{else} \\end{cases}",
        "Piecewise((y, Ne(x, 0)), (z, True))", "numpy.where(x != 0.0, y, z)",
        "v_where(x != 0.0, y, z)", "ifelse(x != 0.0, y, z)"}},
      {"if(x > y && !(z < 1 || y), x, 2)",
       {"\\begin{cases} x & x > y \\wedge \\neg \\left(z < 1 \\vee y \\ne 0\\right) \\\\ 2 & "
        "\\text{else} \\end{cases}",
        "Piecewise((x, And(x > y, Not(Or(z < 1, Ne(y, 0))))), (2, True))",
        "numpy.where(numpy.logical_and(x > y, numpy.logical_not(numpy.logical_or(z < 1.0, y != "
        "0.0))), x, 2.0)",
        "v_where(x > y && !(z < 1.0 || y != 0.0), x, 2.0)",
        "ifelse((x > y) & (!((z < 1.0) | (y != 0.0))), x, 2.0)"}},
      {"!x + (x > (y > z))",
       {"\\left[x = 0\\right] + \\left[x > \\left[y > z\\right]\\right]",
        "Piecewise((1, Eq(x, 0)), (0, True)) + Piecewise((1, x > Piecewise((1, y > z), (0, "
        "True))), "
        "(0, True))",
        "numpy.where(x == 0.0, 1.0, 0.0) + numpy.where(x > numpy.where(y > z, 1.0, 0.0), 1.0, 0.0)",
        "v_where(x == 0.0, 1, 0) + v_where(x > v_where(y > z, 1, 0), 1, 0)",
        "ifelse(x == 0.0, 1.0, 0.0) + ifelse(x > ifelse(y > z, 1.0, 0.0), 1.0, 0.0)"}}};
  for (const Wanted& one : cases) {
    for (std::size_t l = 0; l < kNames.size(); ++l) {
      EXPECT_EQ(export_expression(over(one.text), *export_language(kNames[l])), one.forms[l]);
    }
  }
  EXPECT_EQ(numpy("x > y"), "numpy.where(x > y, 1.0, 0.0)");
}

TEST(Export, LetsASignLeadAProductAndNothingElse) {
  EXPECT_EQ(latex("exp(-x*y)"), "e^{-x \\cdot y}");
  EXPECT_EQ(latex("-2.5*x"), "-2.5 \\cdot x");
  EXPECT_EQ(latex("x + -2.5*y"), "x + \\left(-2.5 \\cdot y\\right)");
  EXPECT_EQ(numpy("x*(-y)"), "x*(-y)");
  EXPECT_EQ(numpy("x - (-y)"), "x - (-y)");
  EXPECT_EQ(numpy("-(x*y)"), "-(x*y)");
  EXPECT_EQ(c("-(-x)"), "-(-x)");  // "--x" would change x
  EXPECT_EQ(c("-(-3)"), "-(-3.0)");
  EXPECT_EQ(c("-x/y"), "-x/y");
}

TEST(Export, ChangesNamesVisiblyAndNeverLetsThemMeet) {
  const Expr e = parse("`air temp` + air_temp + `load_%` + `lambda` + `1st`",
                       {.variables = {"air temp", "air_temp", "load_%", "lambda", "1st"}})
                     .value();
  EXPECT_EQ(export_expression(e, ExportLanguage::numpy),
            "air_temp_2 + air_temp + load__ + lambda_ + _1st");
  EXPECT_EQ(export_expression(e, ExportLanguage::latex),
            "\\text{air temp} + \\text{air\\_temp} + \\text{load\\_\\%} + \\text{lambda} + "
            "\\text{1st}");
  EXPECT_NE(export_c_function(e).find("/* load__ is load_% */"), std::string::npos);
  EXPECT_EQ(changed_names(e, ExportLanguage::julia),
            (std::vector<std::string>{"air_temp_2 is air temp", "load__ is load_%",
                                      "lambda_ is lambda", "_1st is 1st"}));
  EXPECT_TRUE(changed_names(e, ExportLanguage::sympy).empty());
}

TEST(Export, KeepsNamesFromMeaningSomethingElseInSymPy) {
  const auto sympy = [](const char* text) {
    return export_expression(over(text, {"x1", "E", "degree", "it's"}), ExportLanguage::sympy);
  };
  EXPECT_EQ(sympy("x1 + `E`"), "x1 + Symbol('E')");
  EXPECT_EQ(sympy("degree*`it's`"), "Symbol('degree')*Symbol('it\\'s')");
}

TEST(Export, LetsNoNameEndTheCommentItStandsIn) {
  const std::string source =
      export_c_function(over("`a*/b`*`/*` + `two\nlines`", {"a*/b", "/*", "two\nlines"}));
  EXPECT_NE(source.find("/* a__b is a*_b */"), std::string::npos) << source;
  EXPECT_NE(source.find("/* __ is /_ */"), std::string::npos) << source;
  EXPECT_NE(source.find("is two lines */"), std::string::npos) << source;
}

TEST(Export, WritesJsonThatHoldsTheWholeFormula) {
  const auto json = nlohmann::json::parse(export_json(over("k*x > inf", {"x"})));
  EXPECT_EQ(json["format"], "vieta formula");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["variables"], nlohmann::json({"x"}));
  EXPECT_EQ(json["parameters"], nlohmann::json({"k"}));
  ASSERT_EQ(json["postfix"].size(), 5U);
  EXPECT_EQ(json["postfix"][2], nlohmann::json({{"call", "*"}, {"arity", 2}}));
  EXPECT_EQ(json["postfix"][3]["constant"], "inf");
}

// Values that meet every branch: positive and negative, whole and half, ordered both ways, equal.
constexpr std::array<std::array<double, 3>, 10> kPoints = {{{0.3, 0.9, 1.5},
                                                            {0.7, 0.2, 0.4},
                                                            {2.0, 1.0, 3.0},
                                                            {3.5, 2.5, 2.0},
                                                            {-0.75, -0.5, 0.25},
                                                            {-2.5, 0.5, 1.25},
                                                            {0.0, 0.0, 1.0},
                                                            {1.0, -3.5, 4.0},
                                                            {-40.25, 7.0, 8.0},
                                                            {2.5, 2.5, 2.5}}};
constexpr std::size_t kRows = kPoints.size();

struct Case {
  Expr expr;
  std::string name;
  std::vector<double> values;  ///< the engine's
};

// Every operator, and some conditions, under a product that shows whether its form holds together.
std::vector<Case> every_operator() {
  std::array<std::vector<double>, 3> columns;
  for (const auto& point : kPoints) {
    for (std::size_t v = 0; v < 3; ++v) columns[v].push_back(point[v]);
  }
  const ColumnsView<double> view{
      {columns[0].data(), columns[1].data(), columns[2].data()}, kRows, kRows};
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x", "y", "z"}, {}});
  std::vector<Case> cases;
  for (std::size_t o = 0; o < kOpCount; ++o) {
    const OpInfo& row = info(op_at(o));
    std::vector<Node> nodes;
    // The order of polygamma is a whole number.
    if (row.id == "polygamma") nodes.push_back(Node::constant(2));
    while (nodes.size() < static_cast<std::size_t>(row.arity)) {
      nodes.push_back(Node::variable(nodes.size()));
    }
    append_call(nodes, op_at(o));
    nodes.push_back(Node::constant(-0.5));
    append_call(nodes, Op::mul);
    const Expr e(nodes, symbols);
    cases.push_back({e, std::string(row.name), evaluate<double>(e, view, {}, {}, 0).values});
  }
  for (const char* text : {"if(x > y && !(z < 1 || y == 2.5), x, 2)", "if(x, y, z)*!(x < y)",
                           "!x + (x > (y > z))", "(x < y || y < z && z)*3"}) {
    const Expr e = over(text);
    cases.push_back({e, text, evaluate<double>(e, view, {}, {}, 0).values});
  }
  return cases;
}

// A name for files of this test run.
std::string scratch(const char* name) {
  return (std::filesystem::temp_directory_path() / name).string() + std::to_string(::getpid());
}

// A translation unit per operator, so that each brings its own helpers, and a main that prints all
// values. The command that compiles them.
std::string write_sources(const std::vector<Case>& cases, const std::string& base) {
  std::string program = "#include <stdio.h>\n";
  std::string calls;
  for (std::size_t o = 0; o < cases.size(); ++o) {
    const std::string function = "f" + std::to_string(o);
    std::string source = export_c_function(cases[o].expr);
    source.replace(source.find("vieta_f("), 8, function + "(");
    std::ofstream(base + "_" + function + ".c") << source;
    program += "double " + function + "(double, double, double);\n";
    for (const auto& p : kPoints) {
      calls += "  printf(\"%.17g\\n\", " + function + "(" + number_text(p[0]) + ", " +
               number_text(p[1]) + ", " + number_text(p[2]) + "));\n";
    }
  }
  std::ofstream(base + "_main.c") << program << "int main(void) {\n" << calls << "  return 0;\n}\n";
  return "cc -std=c11 -Wall -Werror -Wno-missing-prototypes -ffp-contract=off " + base +
         "_*.c -o " + base + ".exe -lm 2> " + base + ".log";
}

// The engine is within 1.5 ULP of the truth for all but a few functions (see ops.def), the C
// library within some 4 of it; 1e-14 is 45 of these. gamma and its kin are sums and products of
// many terms in C, of fewer digits; polygamma's helper stops its series after 8 terms.
double tolerance(const std::string& name) {
  if (name == "polygamma" || name == "digamma") return 1e-11;
  if (name == "gamma" || name == "lgamma") return 1e-13;
  return 1e-14;
}

TEST(Export, CFunctionsComputeWhatTheEngineComputes) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler here";
  const std::string base = scratch("vieta_export_test");
  const auto cases = every_operator();
  ASSERT_EQ(std::system(write_sources(cases, base).c_str()), 0) << read_file(base + ".log").value();
  std::FILE* out = ::popen((base + ".exe").c_str(), "r");
  ASSERT_NE(out, nullptr);
  for (const Case& a : cases) {
    for (std::size_t r = 0; r < kRows; ++r) {
      double value = 0;
      ASSERT_EQ(std::fscanf(out, "%lf", &value), 1);
      if (std::isnan(a.values[r])) {
        EXPECT_TRUE(std::isnan(value)) << a.name << " row " << r;
      } else if (std::isinf(a.values[r])) {
        EXPECT_EQ(value, a.values[r]) << a.name << " row " << r;
      } else {
        EXPECT_LE(std::fabs(value - a.values[r]), tolerance(a.name) * std::fabs(a.values[r]))
            << a.name << " row " << r;
      }
    }
  }
  ::pclose(out);
  EXPECT_EQ(std::system(("rm -f " + base + "*").c_str()), 0);
}

// Reads {"points", "cases": [{name, sympy, numpy, values}]}; prints each form that is wrong.
constexpr const char* kJudge = R"(
import json, sys
import numpy, scipy.special, sympy
data = json.load(open(sys.argv[1]))
bad = 0
def check(name, form, value, wanted):
    global bad
    if not abs(complex(value) - wanted) <= 1e-10 * abs(wanted):
        print(name, form, complex(value), wanted)
        bad += 1
for case in data["cases"]:
    formula = sympy.sympify(case["sympy"])
    for (x, y, z), wanted in zip(data["points"], case["values"]):
        if wanted is None:
            continue
        at = {sympy.Symbol(n): sympy.Float(v, 30) for n, v in zip("xyz", (x, y, z))}
        if (case["name"], x, y) != ("atan2", 0, 0):
            check(case["name"], case["sympy"], formula.subs(at).evalf(20), wanted)
        names = {"numpy": numpy, "scipy": scipy, **dict(zip("xyz", map(numpy.float64, (x, y, z))))}
        with numpy.errstate(all="ignore"):
            check(case["name"], case["numpy"], eval(case["numpy"], names), wanted)
sys.exit(bad > 0)
)";

// Of operators defined by text: those that are written out need nobody, recursions do.
TEST(Export, SaysWhichFunctionsTheReaderSupplies) {
  Operators ops;
  ASSERT_TRUE(ops.define("twice(a) = 2*a"));
  ASSERT_TRUE(ops.define("fact(n) = n <= 1 ? 1 : n*fact(n - 1)"));
  const auto functions = [&](const char* text) {
    return functions_to_supply(parse(text, {.variables = {"x"}, .operators = &ops}).value());
  };
  EXPECT_EQ(functions("twice(twice(x))"), std::vector<std::string>{});
  EXPECT_EQ(functions("twice(fact(x)) + fact(twice(x))"), std::vector<std::string>{"fact"});
}

// SymPy and NumPy judge their own forms where they are installed. SymPy's tests for infinities and
// NaN are its own, so that only finite values are compared, and the angle of the origin is
// undefined there. 1e-10: log(1 + a) and exp(a) - 1 are what these forms have.
TEST(Export, PythonFormsComputeWhatTheEngineComputes) {
  if (std::system("python3 -c 'import sympy, numpy, scipy.special' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 has no sympy, numpy and scipy here";
  }
  nlohmann::json data{{"points", kPoints}, {"cases", nlohmann::json::array()}};
  for (const Case& a : every_operator()) {
    nlohmann::json values = nlohmann::json::array();
    for (const double v : a.values) {
      values.push_back(std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr));
    }
    data["cases"].push_back({{"name", a.name},
                             {"sympy", export_expression(a.expr, ExportLanguage::sympy)},
                             {"numpy", export_expression(a.expr, ExportLanguage::numpy)},
                             {"values", values}});
  }
  const std::string base = scratch("vieta_python_test");
  std::ofstream(base + ".json") << data.dump();
  std::ofstream(base + ".py") << kJudge;
  EXPECT_EQ(std::system(("python3 " + base + ".py " + base + ".json").c_str()), 0);
  EXPECT_EQ(std::system(("rm -f " + base + "*").c_str()), 0);
}

}  // namespace
}  // namespace vieta
