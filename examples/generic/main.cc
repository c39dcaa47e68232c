// Formulas over values that are no doubles: complex numbers, strings, exact integers.
#include <vieta/vieta.h>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using Complex = std::complex<double>;

// The rows of the operator table that compile for the type, and one operator more.
void complex_numbers() {
  auto ops = vieta::GenericOperators<Complex>::arithmetic();
  ops.add("conj", [](const Complex& z) { return std::conj(z); }).value();
  const auto expr =
      vieta::parse("exp(i*phi)*conj(z)",
                   {.variables = {"phi", "z"}, .parameters = {"i"}, .operators = &ops.names()})
          .value();
  const std::vector<Complex> phi{0, 1, 2}, z{{1, 1}, {0, 2}, 3}, i{{0, 1}};
  const auto found = vieta::evaluate_generic_rows(expr, {{phi.data(), z.data()}, 3, 3}, i, ops);
  for (const Complex& v : found.value().values) std::printf("%8.4f %+8.4fi\n", v.real(), v.imag());
}

// Nothing but what is set; numbers in a formula mean what `constant` says.
void strings() {
  vieta::GenericOperators<std::string> ops;
  ops.set("+", [](std::string a, const std::string& b) { return a += b; }).value();
  ops.add("quote", [](const std::string& a) { return '"' + a + '"'; }).value();
  ops.define("both(a, b) = quote(a + b) + quote(b + a)").value();
  const auto expr =
      vieta::parse("both(a, b) + 1", {.variables = {"a", "b"}, .operators = &ops.names()}).value();
  const std::vector<std::string> ab{"left", "right"};
  const vieta::GenericOptions<std::string> options{
      .constant = [](double number) { return std::to_string(int(number)); }};
  std::puts(vieta::evaluate_generic(expr, ab, {}, ops, options).value().c_str());
}

// Integers are exact, or refused.
void integers() {
  const auto ops = vieta::GenericOperators<std::int64_t>::arithmetic();
  const auto expr = vieta::parse("n*n + 1", {.variables = {"n"}}).value();
  for (const std::int64_t n : {94906267LL, 4000000000LL}) {
    const auto value = vieta::evaluate_generic(expr, {&n, 1}, {}, ops);
    std::puts(value ? std::to_string(*value).c_str() : vieta::describe(value.error()).c_str());
  }
}

int main() {
  complex_numbers();
  strings();
  integers();
}
