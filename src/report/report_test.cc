#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/evaluate.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "report/export.h"
#include "report/files.h"
#include "report/fit_text.h"
#include "report/front_table.h"
#include "report/model.h"

namespace vieta {
namespace {

Expr over(const char* text, std::vector<std::string> variables = {"x", "y", "z"}) {
  return parse(text, {.variables = std::move(variables), .new_parameters = true}).value();
}

std::string latex(const char* text) { return export_expression(over(text), ExportLanguage::latex); }
std::string numpy(const char* text) { return export_expression(over(text), ExportLanguage::numpy); }

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

TEST(Export, ChangesNamesVisiblyAndNeverLetsThemMeet) {
  const Expr e = parse("`air temp` + air_temp + `load_%` + `lambda` + `1st`",
                       {.variables = {"air temp", "air_temp", "load_%", "lambda", "1st"}})
                     .value();
  EXPECT_EQ(export_expression(e, ExportLanguage::numpy),
            "air_temp_2 + air_temp + load__ + lambda_ + _1st");
  EXPECT_EQ(
      export_expression(e, ExportLanguage::latex),
      "\\text{air temp} + \\text{air\\_temp} + \\text{load\\_\\%} + \\text{lambda} + \\text{1st}");
  EXPECT_NE(export_c_function(e).find("/* load__ is load_% */"), std::string::npos);
}

// Every operator in C: compiled by the system's compiler and run, against the engine. The functions
// of the C library and SLEEF are each within 2 ULP; 1e-13 relative is hundreds of units.
// Polygamma's short series is good to 1e-11.
TEST(Export, CFunctionsComputeWhatTheEngineComputes) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler here";
  const std::vector<double> x{0.3, 0.7, 2.0, 3.5};
  const std::vector<double> y{0.9, 0.2, 1.0, 2.5};
  const std::vector<double> z{1.5, 0.4, 3.0, 2.0};
  const ColumnsView<double> view{{x.data(), y.data(), z.data()}, 4, 4};
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x", "y", "z"}, {}});
  const std::string base = (std::filesystem::temp_directory_path() / "vieta_export_test").string() +
                           std::to_string(::getpid());
  std::string program = "#include <stdio.h>\n";
  std::string calls;
  std::vector<double> wanted;
  for (std::size_t o = 0; o < kOpCount; ++o) {
    const OpInfo& row = info(op_at(o));
    std::vector<Node> nodes;
    // The order of polygamma is a whole number.
    if (row.id == "polygamma") nodes.push_back(Node::constant(2));
    while (nodes.size() < static_cast<std::size_t>(row.arity))
      nodes.push_back(Node::variable(nodes.size()));
    append_call(nodes, op_at(o));
    nodes.push_back(Node::constant(-0.5));
    append_call(nodes, Op::mul);
    const Expr e(nodes, symbols);
    std::string source = export_c_function(e);
    // One file a function, so that each brings its own helpers.
    const std::string name = base + std::to_string(o) + ".c";
    source.replace(source.find("vieta_f("), 8, "f" + std::to_string(o) + "(");
    std::ofstream(name) << source;
    program += "double f" + std::to_string(o) + "(double, double, double);\n";
    for (std::size_t r = 0; r < 4; ++r) {
      calls += "  printf(\"%.17g\\n\", f" + std::to_string(o) + "(" + std::to_string(x[r]) + ", " +
               std::to_string(y[r]) + ", " + std::to_string(z[r]) + "));\n";
    }
    const auto values = evaluate<double>(e, view, {}, {}, 0).values;
    wanted.insert(wanted.end(), values.begin(), values.end());
  }
  std::ofstream(base + "_main.c") << program << "int main(void) {\n" << calls << "  return 0;\n}\n";
  const std::string compile = "cc -std=c11 -Wall -Werror -ffp-contract=off " + base + "*.c -o " +
                              base + ".exe -lm 2> " + base + ".log";
  ASSERT_EQ(std::system(compile.c_str()), 0) << read_file(base + ".log").value();
  std::FILE* out = ::popen((base + ".exe").c_str(), "r");
  ASSERT_NE(out, nullptr);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    double value = 0;
    ASSERT_EQ(std::fscanf(out, "%lf", &value), 1);
    const OpInfo& row = info(op_at(i / 4));
    if (std::isnan(wanted[i])) {
      EXPECT_TRUE(std::isnan(value)) << row.name;
      continue;
    }
    const double bound = row.id == "polygamma" || row.id == "digamma" ? 1e-11 : 1e-13;
    EXPECT_LE(std::fabs(value - wanted[i]), bound * std::fabs(wanted[i]))
        << row.name << " row " << i % 4;
  }
  ::pclose(out);
  std::system(("rm -f " + base + "*").c_str());
}

// SymPy and NumPy judge their own forms where they are installed.
TEST(Export, PythonFormsComputeWhatTheEngineComputes) {
  if (std::system("python3 -c 'import sympy, numpy, scipy.special' > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "python3 has no sympy, numpy and scipy here";
  }
  const std::vector<double> x{0.3, 0.7, 2.5, 3.5};
  const std::vector<double> y{0.9, 0.2, 1.0, 2.5};
  const std::vector<double> z{1.5, 0.4, 3.0, 2.0};
  const ColumnsView<double> view{{x.data(), y.data(), z.data()}, 4, 4};
  const auto symbols = std::make_shared<const Symbols>(Symbols{{"x", "y", "z"}, {}});
  nlohmann::json cases = nlohmann::json::array();
  for (std::size_t o = 0; o < kOpCount; ++o) {
    const OpInfo& row = info(op_at(o));
    std::vector<Node> nodes;
    if (row.id == "polygamma") nodes.push_back(Node::constant(2));
    while (nodes.size() < static_cast<std::size_t>(row.arity))
      nodes.push_back(Node::variable(nodes.size()));
    append_call(nodes, op_at(o));
    nodes.push_back(Node::constant(-0.5));
    append_call(nodes, Op::mul);
    const Expr e(nodes, symbols);
    const auto values = evaluate<double>(e, view, {}, {}, 0).values;
    nlohmann::json row_values = nlohmann::json::array();
    for (const double v : values)
      row_values.push_back(std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr));
    cases.push_back({{"name", row.name},
                     {"sympy", export_expression(e, ExportLanguage::sympy)},
                     {"numpy", export_expression(e, ExportLanguage::numpy)},
                     {"values", row_values}});
  }
  const std::string base = (std::filesystem::temp_directory_path() / "vieta_python_test").string() +
                           std::to_string(::getpid());
  std::ofstream(base + ".json") << cases.dump();
  std::ofstream(base + ".py") << R"(
import json, sys
import numpy, scipy.special, sympy
rows = [(0.3, 0.9, 1.5), (0.7, 0.2, 0.4), (2.5, 1.0, 3.0), (3.5, 2.5, 2.0)]
bad = []
def check(name, form, value, wanted):
    if wanted is None:
        return
    if not abs(complex(value) - wanted) <= 1e-10 * abs(wanted):
        bad.append((name, form, complex(value), wanted))
for case in json.load(open(sys.argv[1])):
    formula = sympy.sympify(case["sympy"])
    for (x, y, z), wanted in zip(rows, case["values"]):
        at = {sympy.Symbol(n): sympy.Float(v, 30) for n, v in zip("xyz", (x, y, z))}
        if wanted is not None:
            check(case["name"], case["sympy"], formula.subs(at).evalf(20), wanted)
        with numpy.errstate(all="ignore"):
            check(case["name"], case["numpy"], eval(case["numpy"], {"numpy": numpy, "scipy": scipy, "x": x, "y": y, "z": z}), wanted)
for b in bad:
    print(*b)
sys.exit(len(bad) > 0)
)";
  EXPECT_EQ(std::system(("python3 " + base + ".py " + base + ".json").c_str()), 0);
  std::system(("rm -f " + base + "*").c_str());
}

SearchReport report() {
  SearchReport r;
  r.front.push_back({over("2.5", {"x", "a b"}), 1, 4.0, 0.0, 0.0});
  r.front.push_back(
      {parse("0.1*x + `a b`", {.variables = {"x", "a b"}}).value(), 5, 1e-30, 1.0, 15.0});
  r.selected = 1;
  r.seed = 7;
  r.stop_reason = StopReason::converged;
  return r;
}

TEST(Model, ReadsBackWhatItWrote) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "vieta_model_test.json").string();
  ASSERT_TRUE(write_model(path, {{"x", "a b"}, "y", {}, report()}, {}).has_value());
  const Model model = read_model(path).value();
  EXPECT_EQ(model.variables, (std::vector<std::string>{"x", "a b"}));
  EXPECT_EQ(model.report.selected, 1U);
  ASSERT_EQ(model.report.front.size(), 2U);
  EXPECT_EQ(model.report.front[1].expr, report().front[1].expr);
  EXPECT_EQ(model.report.front[1].loss, 1e-30);
  std::filesystem::remove(path);
}

TEST(Model, RefusesWhatIsNone) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "vieta_bad_model_test.json").string();
  EXPECT_EQ(read_model(path + ".none").error().code, ErrorCode::data);
  for (const char* text : {"", "{", "[]", "{}", "{\"format\": \"vieta model\"}",
                           "{\"format\": \"vieta model\", \"version\": 99}",
                           "{\"format\": \"vieta model\", \"version\": 1, \"variables\": [\"x\"], "
                           "\"target\": \"y\", \"definitions\": [], "
                           "\"front\": [{\"formula\": \"x +\"}], \"selected\": 0, \"seed\": 1}"}) {
    ASSERT_TRUE(write_file(path, text).has_value());
    const auto model = read_model(path);
    ASSERT_FALSE(model.has_value()) << text;
    EXPECT_EQ(model.error().code, ErrorCode::data);
    EXPECT_EQ(model.error().place.source, path);
  }
  std::filesystem::remove(path);
}

TEST(FrontTable, LinesUpAndMarksTheSelected) {
  const std::string table = front_table(report());
  EXPECT_EQ(table,
            "  complexity         loss        R2   score  formula\n"
            "           1            4  0.000000   0.000  2.5\n"
            ">          5        1e-30  1.000000  15.000  0.1*x + `a b`\n");
  EXPECT_EQ(front_csv(report()),
            "complexity,loss,r2,score,formula\n1,4,0,0,\"2.5\"\n5,1e-30,1,15,\"0.1*x + `a b`\"\n");
  EXPECT_EQ(front_json(report())["front"][1]["formula"], "0.1*x + `a b`");
}

TEST(FitText, WritesAValueToThePlaceOfItsError) {
  EXPECT_EQ(value_with_error(238.94212918, 2.7070075241), "238.9 ± 2.7");
  EXPECT_EQ(value_with_error(5.5015643181e-4, 7.2668688436e-6), "0.0005502 ± 0.0000073");
  EXPECT_EQ(value_with_error(1.0, 0.0996), "1.00 ± 0.10");
  EXPECT_EQ(value_with_error(123456789.0, 1234.0), "(1.234568 ± 0.000012)e8");
  EXPECT_EQ(value_with_error(12345.0, 100.0), "(1.234 ± 0.010)e4");
  EXPECT_EQ(value_with_error(2.0, std::nan("")), "2 ± ?");
}

TEST(Files, ReplacesWholeOrNotAtAll) {
  EXPECT_EQ(write_file("/nonexistent-folder/x", "a").error().code, ErrorCode::data);
  const std::string path = (std::filesystem::temp_directory_path() / "vieta_files_test").string();
  ASSERT_TRUE(write_file(path, "one").has_value());
  ASSERT_TRUE(write_file(path, "two").has_value());
  EXPECT_EQ(read_file(path).value(), "two");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace vieta
