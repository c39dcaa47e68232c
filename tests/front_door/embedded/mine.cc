#include <vieta/vieta.h>

#include <vector>

// What the README shows.
double first_value() {
  const std::vector<double> data = {1, 2, 3, 0.1, 0.2, 0.3};
  const std::vector<double> params = {2.0};
  auto expr =
      vieta::parse("x1 + k*cos(x2)", {.variables = {"x1", "x2"}, .parameters = {"k"}}).value();
  const vieta::Matrix X(data.data(), 3, 2);
  auto y = vieta::evaluate(expr, X, params);
  auto g = vieta::gradient(expr, X, params, vieta::wrt::variables);
  auto H = vieta::hessian(expr, X, params, vieta::wrt::all);
  vieta::Operators ops;
  ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }).value();
  auto own = vieta::parse("soft(x1, 2)", {.variables = {"x1", "x2"}, .operators = &ops}).value();
  return y.values[0] + g.values[0] + H.values[0] + static_cast<double>(own.size());
}
