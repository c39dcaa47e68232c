// NIST StRD problems that need no file: the tables and certified values are public (NIST
// Statistical Reference Datasets, itl.nist.gov/div898/strd).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "expr/parse.h"
#include "fit/fit.h"

namespace vieta {
namespace {

struct Problem {
  std::string name;
  std::string model;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<std::vector<double>> starts;
  std::vector<double> certified;
};

std::vector<Problem> problems() {
  return {
      {"BoxBOD",
       "b1*(1 - exp(-b2*x))",
       {1, 2, 3, 5, 7, 10},
       {109, 149, 149, 191, 213, 224},
       {{1, 1}, {100, 0.75}},
       {2.1380940889E+02, 5.4723748542E-01}},
      {"MGH09",
       "b1*(x^2 + x*b2)/(x^2 + x*b3 + b4)",
       {4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625},
       {0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246},
       {{25, 39, 41.5, 39}, {0.25, 0.39, 0.415, 0.39}},
       {1.9280693458E-01, 1.9128232873E-01, 1.2305650693E-01, 1.3606233068E-01}},
      {"MGH10",
       "b1*exp(b2/(x + b3))",
       {50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 120, 125},
       {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820,
        3307, 2872},
       {{2, 400000, 25000}, {0.02, 4000, 250}},
       {5.6096364710E-03, 6.1813463463E+03, 3.4522363462E+02}},
      {"Rat43",
       "b1/(1 + exp(b2 - b3*x))^(1/b4)",
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
       {16.08, 33.83, 65.80, 97.20, 191.55, 326.20, 386.87, 520.53, 590.03, 651.92, 724.93, 699.56,
        689.96, 637.56, 717.41},
       {{100, 10, 1, 1}, {700, 5, 0.75, 1.3}},
       {6.9964151270E+02, 5.2771253025E+00, 7.5962938329E-01, 1.2792483859E+00}},
  };
}

// At most 11, as many as are certified.
double digits(double value, double wanted) {
  const double error = std::fabs(value / wanted - 1);
  return error <= 1 ? -std::log10(error + 1e-11) : 0;  // 0 for NaN: min would pass over it
}

// Digits of the worst parameter; `start` null: none is given.
double digits(const Problem& problem, const std::vector<double>* start) {
  const Expr expr = parse(problem.model, {.variables = {"x"}, .new_parameters = true}).value();
  FitOptions options;
  for (std::size_t i = 0; start != nullptr && i < start->size(); ++i)
    options.start["b" + std::to_string(i + 1)] = (*start)[i];
  const auto report =
      fit(expr, {{{problem.x.data()}, problem.x.size(), problem.x.size()}, problem.y, {}}, options);
  if (!report) return 0;
  double worst = 11;
  for (const Estimate& e : report->estimates) {
    const auto b = static_cast<std::size_t>(std::stoi(e.name.substr(1)));
    worst = std::min(worst, digits(e.value, problem.certified[b - 1]));
  }
  return worst;
}

TEST(NistByHeart, WhatIsNoNumberHasNoDigits) {
  EXPECT_EQ(digits(std::nan(""), 2), 0);
  EXPECT_EQ(digits(INFINITY, 2), 0);
  EXPECT_NEAR(digits(2.002, 2), 3, 1e-6);
}

TEST(NistByHeart, ReachesTheCertifiedDigitsFromBothStarts) {
  for (const Problem& problem : problems()) {
    for (const auto& start : problem.starts) EXPECT_GE(digits(problem, &start), 7) << problem.name;
  }
}

TEST(NistByHeart, ReachesThemWithoutAStart) {
  int solved = 0;
  for (const Problem& problem : problems()) {
    const double reached = digits(problem, nullptr);
    RecordProperty(problem.name, std::to_string(reached));
    solved += reached >= 6 ? 1 : 0;
  }
  EXPECT_GE(solved, 3) << "of 4";
}

}  // namespace
}  // namespace vieta
