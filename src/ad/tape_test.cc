// Tape, Var and Recording: reuse, nesting, and Vars in the wrong place.
#include "ad/tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include "ad/ad.h"

namespace vieta::ad {
namespace {

TEST(Recording, SweepsAsOftenAsAsked) {
  Recording<double> recording;
  const Var<double> x = recording.variable(3);
  const Var<double> y = recording.variable(4);
  const Var<double> product = x * y;
  const Var<double> quotient = x / y;
  recording.clear_adjoints();
  recording.seed(product, 1);
  recording.sweep();
  EXPECT_EQ(recording.adjoint(x), 4.0);
  EXPECT_EQ(recording.adjoint(y), 3.0);
  recording.clear_adjoints();
  recording.seed(quotient, 2);
  recording.seed(product, 1);
  recording.sweep();
  EXPECT_EQ(recording.adjoint(x), 4.5);
  EXPECT_EQ(recording.adjoint(y), 2.625);
  EXPECT_EQ(recording.adjoint(Var<double>(7)), 0.0);
}

TEST(Recording, ConstantsRecordNothing) {
  Recording<double> recording;
  const std::uint64_t before = recording.next_id();
  Var<double> c = 2.0;
  for (int i = 0; i < 10; ++i) c = exp(c * 0.5) / (1 + c);
  EXPECT_TRUE(c.is_constant());
  EXPECT_EQ(recording.next_id(), before);
}

TEST(Recording, VariablesMayBeMadeBetweenOperations) {
  Recording<double> recording;
  const Var<double> x = recording.variable(2);
  const Var<double> square = x * x;
  const Var<double> y = recording.variable(5);
  const Var<double> z = square * y;
  recording.clear_adjoints();
  recording.seed(z, 1);
  recording.sweep();
  EXPECT_EQ(recording.adjoint(x), 20.0);
  EXPECT_EQ(recording.adjoint(y), 4.0);
}

TEST(Recording, InnerOnesTakeOuterVarsForConstants) {
  Recording<double> outer;
  const Var<double> x = outer.variable(2);
  const Var<double> y = x * x;
  double slope = 0;
  {
    Recording<double> inner;
    const Var<double> z = inner.variable(5);
    const Var<double> w = z * z * y;
    inner.clear_adjoints();
    inner.seed(w, 1);
    inner.sweep();
    slope = inner.adjoint(z);
  }
  EXPECT_EQ(slope, 40.0);
  const Var<double> result = y * slope;
  outer.clear_adjoints();
  outer.seed(result, 1);
  outer.sweep();
  EXPECT_EQ(outer.adjoint(x), 160.0);
}

TEST(Recording, AVarKeptFromAnEarlierOneIsRefused) {
  Var<double> kept;
  {
    Recording<double> recording;
    kept = recording.variable(2) * 3;
  }
  EXPECT_THROW(static_cast<void>(kept * 2), AutodiffError);
  Recording<double> recording;
  const Var<double> x = recording.variable(1);
  EXPECT_THROW(static_cast<void>(kept * x), AutodiffError);
  EXPECT_THROW(static_cast<void>(recording.adjoint(kept)), AutodiffError);
  EXPECT_THROW(static_cast<void>(sin(kept)), AutodiffError);
}

TEST(Recording, ACacheOfVarsBetweenCallsIsRefusedAndNotWrong) {
  std::vector<Var<double>> cache;
  const auto f = [&](const auto& x) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x[0])>, Var<double>>) {
      if (cache.empty()) cache.push_back(x[0] * x[0]);
      return cache[0] * x[1];
    } else {
      return x[0] * x[0] * x[1];
    }
  };
  EXPECT_EQ(gradient(f, std::vector<double>{2, 3}).gradient[0], 12.0);
  EXPECT_THROW(gradient(f, std::vector<double>{5, 3}), AutodiffError);
}

TEST(Recording, AVarOfAnotherThreadIsRefused) {
  Recording<double> recording;
  const Var<double> mine = recording.variable(2);
  bool refused_without = false;
  bool refused_with = false;
  std::thread([&] {
    try {
      static_cast<void>(mine * 2);
    } catch (const AutodiffError&) {
      refused_without = true;
    }
    Recording<double> theirs;
    for (int i = 0; i < 10; ++i) static_cast<void>(theirs.variable(1));
    try {
      static_cast<void>(mine * 2);
    } catch (const AutodiffError&) {
      refused_with = true;
    }
  }).join();
  EXPECT_TRUE(refused_without);
  EXPECT_TRUE(refused_with);
}

TEST(Recording, ThreadsDoNotDisturbEachOther) {
  std::vector<double> slopes(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < slopes.size(); ++t) {
    threads.emplace_back([&slopes, t] {
      for (int i = 0; i < 200; ++i) {
        slopes[t] = gradient([](const auto& x) { return x[0] * x[0] * x[1]; },
                             std::vector<double>{static_cast<double>(t), 3})
                        .gradient[0];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < slopes.size(); ++t)
    EXPECT_EQ(slopes[t], 6.0 * static_cast<double>(t));
}

TEST(Recording, MillionsOfOperationsGrowTheTapeOnce) {
  const auto f = [](const auto& x) {
    auto y = x[0];
    for (int i = 0; i < 1000000; ++i) y = y * x[1];
    return y;
  };
  // (1 + 1e-9)^1e6 = e^(1e-3); dy/dx1 = n y / x1.
  const auto r = gradient(f, std::vector<double>{1.0, 1.0 + 1e-9});
  EXPECT_NEAR(r.value, std::exp(1e-3), 1e-9);  // a million roundings, and (1e-9)^2 n / 2
  EXPECT_NEAR(r.gradient[1] / 1e6, std::exp(1e-3), 1e-8);
  thread_tape<double>().release();
  EXPECT_EQ(gradient(f, std::vector<double>{2.0, 1.0}).gradient[0], 1.0);
}

TEST(Recording, GivesTheSameBitsWhateverTheTapeHeldBefore) {
  const auto f = [](const auto& x) {
    return sin(x[0] * x[1]) / (1 + sqrt(x[2])) + log(x[3] * x[0]);
  };
  const std::vector<double> x{0.3, 1.7, 2.9, 4.1};
  const auto first = gradient(f, x).gradient;
  for (int i = 0; i < 50; ++i) {
    // NaN and infinite partials, left behind in the tape's memory.
    static_cast<void>(gradient(
        [&](const auto& z) {
          auto y = log(z[0]);
          for (int k = 0; k < i; ++k) y = y * sqrt(z[0]);
          return y;
        },
        std::vector<double>{-1.0}));
    const auto again = gradient(f, x).gradient;
    EXPECT_EQ(std::memcmp(first.data(), again.data(), sizeof(double) * x.size()), 0);
  }
}

TEST(Jacobian, IsTheSameByRowsAndByColumns) {
  // More results than variables, and fewer.
  const auto tall = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return std::vector<T>{x[0], x[0] * x[1], sin(x[1]), T(3), x[1] - x[0]};
  };
  const auto j = jacobian(tall, std::vector<double>{2, 0});
  EXPECT_EQ(j.rows, 5U);
  EXPECT_EQ(j.columns, 2U);
  EXPECT_EQ(j.jacobian, (std::vector<double>{1, 0, 0, 2, 0, 1, 0, 0, -1, 1}));
  const auto wide = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return std::vector<T>{x[0] * x[1] * x[2], x[2]};
  };
  const auto k = jacobian(wide, std::vector<double>{2, 3, 4});
  EXPECT_EQ(k.value, (std::vector<double>{24, 4}));
  EXPECT_EQ(k.jacobian, (std::vector<double>{12, 8, 6, 0, 0, 1}));
  const auto scalar =
      jacobian([](const auto& x) { return x[0] * x[1]; }, std::vector<double>{2, 3});
  EXPECT_EQ(scalar.jacobian, (std::vector<double>{3, 2}));
}

TEST(Hessian, OfManyVariablesComesInSeveralPasses) {
  const auto f = [](const auto& x) {
    auto s = x[0] * 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = i; j < x.size(); ++j) {
        s += static_cast<double>(10 * i + j) * x[i] * x[j];
      }
    }
    return s;
  };
  constexpr std::size_t n = 11;
  const auto h = hessian(f, std::vector<double>(n, 0.5));
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      EXPECT_EQ(h.hessian[k++], static_cast<double>(10 * i + j) * (i == j ? 2 : 1));
    }
  }
}

}  // namespace
}  // namespace vieta::ad
