// Operators of one's own: written as plain C++ or as text, differentiated with no rule written.
#include <vieta/vieta.h>

#include <cstdio>
#include <vector>

// The eccentric anomaly E of an orbit, E - e*sin(E) = M, by Newton's method, as a person would
// write it: a loop whose end depends on the input, an early return.
struct EccentricAnomaly {
  template <class X>
  X operator()(const X& mean, const X& eccentricity) const {
    X anomaly = mean + eccentricity / 2;
    for (int i = 0; i < 50; ++i) {
      const X step =
          (anomaly - eccentricity * sin(anomaly) - mean) / (1 - eccentricity * cos(anomaly));
      anomaly -= step;
      if (step < 1e-12 && -step < 1e-12) return anomaly;
    }
    return anomaly;
  }
};

int main() {
  vieta::Operators ops;
  // Without loops that depend on the input a callable becomes a formula of the engine ...
  ops.add("soft", [](auto x, auto y) { return x > y ? x * y : exp(x - y); }).value();
  // ... any other one is called row by row; its derivatives are as exact.
  ops.add("orbit", EccentricAnomaly()).value();
  // Text, at run time; it may call itself, and operators before it.
  ops.define("horner(x, n) = n <= 0 ? 1 : 1 + x*horner(x, n - 1)/n").value();

  const auto expr = vieta::parse("soft(a, b) + orbit(a, 0.3) + horner(b, 12)",
                                 {.variables = {"a", "b"}, .operators = &ops})
                        .value();
  const std::vector<double> data{1, 2, 3, 0.5, 1, 4};  // columns a, b
  const vieta::Matrix X(data.data(), 3, 2);
  const auto found = vieta::hessian(expr, X, {}, vieta::wrt::variables);

  std::printf("%s\n", vieta::print(expr).c_str());
  std::printf("%8s %8s %12s %10s %10s %12s\n", "a", "b", "value", "d/da", "d/db", "d2/da.db");
  for (std::size_t r = 0; r < 3; ++r) {
    std::printf("%8g %8g %12.6f %10.6f %10.6f %12.6f\n", data[r], data[3 + r], found.values[r],
                found.gradient_column(0)[r], found.gradient_column(1)[r],
                found.hessian_column(0, 1)[r]);
  }
}
