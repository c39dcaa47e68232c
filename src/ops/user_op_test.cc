#include "ops/user_op.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "ops/callable_op.h"

namespace vieta {
namespace {

// A body as text: every step written out where it is used.
std::string text_of(const OpBody& body, const OpBody::Operand& o) {
  using Kind = OpBody::Operand::Kind;
  if (o.kind == Kind::argument) return std::string(1, static_cast<char>('a' + o.index));
  if (o.kind == Kind::number) {
    std::string text = std::to_string(body.numbers[o.index]);
    return text.substr(0, text.find_last_not_of('0') + 1);
  }
  const OpBody::Step& step = body.steps[o.index];
  std::string text = std::string(info(step.op).id) + "(";
  for (int k = 0; k < info(step.op).arity; ++k)
    text += (k > 0 ? ", " : "") + text_of(body, step.args[static_cast<std::size_t>(k)]);
  return text + ")";
}

template <int N, class F>
std::string traced(F f) {
  const auto body = trace<N>(f);
  return body ? text_of(*body, body->root) : "a function";
}

TEST(Trace, WritesDownWhatACallableDoes) {
  EXPECT_EQ(traced<2>([](auto x, auto y) { return x * y + exp(-x); }),
            "add(mul(a, b), exp(neg(a)))");
  EXPECT_EQ(traced<1>([](auto x) { return 2 * x - x / 3; }), "sub(mul(2., a), div(a, 3.))");
  EXPECT_EQ(traced<1>([](auto x) { return std::sqrt(std::abs(x)) + std::pow(x, 3); }),
            "add(sqrt(abs(a)), pow(a, 3.))");
  EXPECT_EQ(traced<1>([](auto x) {
              auto sum = x;
              for (int i = 0; i < 2; ++i) sum += sum * x;
              return sum;
            }),
            "add(add(a, mul(a, a)), mul(add(a, mul(a, a)), a))");
  EXPECT_EQ(traced<1>([](auto) { return 7.0; }), "7.");
  EXPECT_EQ(traced<1>([](auto x) { return x; }), "a");
}

TEST(Trace, TakesBothSidesOfABranch) {
  EXPECT_EQ(traced<2>([](auto x, auto y) { return x > y ? x * y : exp(x - y); }),
            "if_(gt(a, b), mul(a, b), exp(sub(a, b)))");
  EXPECT_EQ(traced<1>([](auto x) {
              if (x < 0) return -x;
              if (x < 1) return x * x;
              return x;
            }),
            "if_(lt(a, 0.), neg(a), if_(lt(a, 1.), mul(a, a), a))");
  EXPECT_EQ(traced<2>([](auto x, auto y) { return x > 0 && y > 0 ? x : y; }),
            "if_(gt(a, 0.), if_(gt(b, 0.), a, b), b)");
  EXPECT_EQ(traced<2>([](auto x, auto y) { return std::max(x, y); }), "if_(lt(a, b), b, a)");
}

TEST(Trace, AsksEveryQuestionOnce) {
  EXPECT_EQ(traced<1>([](auto x) {
              auto y = x > 0 ? x : -x;
              return x > 0 ? y : y * y;
            }),
            "if_(gt(a, 0.), a, mul(neg(a), neg(a)))");
  EXPECT_EQ(traced<1>([](auto x) { return x > 0 ? x : x; }), "a");
}

struct Factorial {
  template <class X>
  X operator()(X n) const {
    return n <= 1 ? X(1) : n * (*this)(n - 1);
  }
};

TEST(Trace, UnrollsLoopsOverNumbers) {
  EXPECT_EQ(traced<1>([](auto x) {
              auto product = x;
              for (decltype(x) k = 1; k <= 2; k = k + 1) product = product * x;
              return product;
            }),
            "mul(mul(a, a), a)");
}

// Answers that contradict each other would make a sort write in front of its memory.
TEST(Trace, GivesNoAnswerThatContradictsAnother) {
  const auto median = [](auto x, auto y, auto z) {
    std::vector<decltype(x)> all{x, y, z};
    std::sort(all.begin(), all.end());
    return all[1];
  };
  const Op op = add_callable_op<3>("median", median, {});
  (void)op;  // as a formula or as a function; the sanitizers watch
  EXPECT_EQ(traced<2>([](auto x, auto y) {
              if (x < y) return y < x ? x * x : x <= y ? y : x;
              return x;
            }),
            "if_(lt(a, b), b, a)");
  // Neither smaller nor larger nor equal: that is so for a NaN alone, which the facts cannot tell.
  EXPECT_EQ(traced<2>([](auto x, auto y) { return x < y ? x : x >= y ? y : x + y; }), "a function");
  // A sentinel.
  EXPECT_EQ(traced<1>([](auto x) {
              const double table[] = {0, 1, INFINITY};
              int i = 0;
              while (table[i] < x) ++i;
              return x + i;
            }),
            "if_(lt(0., a), if_(lt(1., a), add(a, 2.), add(a, 1.)), add(a, 0.))");
  EXPECT_EQ(traced<1>([](auto x) {
              const auto y = log(x);
              return isnan(y) ? decltype(x)(0) : y;
            }),
            "if_(ne(log(a), log(a)), 0., log(a))");
}

TEST(Trace, GivesUpWhereNoFormulaExists) {
  EXPECT_EQ(traced<1>(Factorial{}), "a function");
  EXPECT_EQ(traced<1>([](auto x) {
              while (x > 1) x = x / 2;
              return x;
            }),
            "a function");
  EXPECT_EQ(traced<1>([](auto x) { return x * static_cast<int>(x); }), "a function");
  EXPECT_EQ(traced<1>([](auto x) { return x * ad::value(x); }), "a function");
  EXPECT_EQ(traced<1>([](auto x) {
              auto sum = x;
              for (int i = 0; i < 100000; ++i) sum = sum * x + i;
              return sum;
            }),
            "a function");
  EXPECT_EQ(traced<1>([](auto x) { return std::round(x); }), "a function");
  // An exception could not pass.
  EXPECT_EQ(traced<1>([](auto x) noexcept {
              while (x > 1) x = x / 2;
              return x;
            }),
            "a function");
  // What asks different questions every time is no function of its arguments.
  int calls = 0;
  EXPECT_EQ(traced<1>([&calls](auto x) { return ++calls > 1 ? x : (x > 0 ? x : -x); }),
            "a function");
}

TEST(Trace, BelongsToTheThreadThatRunsIt) { EXPECT_THROW(ad::Traced(1.0), Untraceable); }

TEST(Callables, TellTheirNumberOfArguments) {
  const auto one = [](auto x) { return x; };
  const auto five = [](auto a, auto b, auto c, auto d, auto e) { return a + b + c + d + e; };
  const auto any = [](auto... x) { return (x + ...); };
  EXPECT_EQ(callable::arity<decltype(one)>(), 1);
  EXPECT_EQ(callable::arity<decltype(five)>(), 5);
  EXPECT_EQ(callable::arity<decltype(any)>(), 0);
}

TEST(Callables, GiveValuesAndBothOrdersOfPartials) {
  const Op op =
      add_callable_op<2>("f", as_function([](auto x, auto y) { return x * x * y + sin(y); }), {});
  ASSERT_FALSE(user_op(op).has_body());
  const OpFunction& f = *user_op(op).function;
  const double x = 1.5;
  const double y = 0.5;
  const double* const args[] = {&x, &y};
  double out = 0;
  f.value(args, &out, 1);
  EXPECT_EQ(out, x * x * y + std::sin(y));
  f.partial(args, 0, &out, 1);
  EXPECT_EQ(out, 2 * x * y);
  f.partial(args, 1, &out, 1);
  EXPECT_EQ(out, x * x + std::cos(y));
  f.second_partial(args, 0, 0, &out, 1);
  EXPECT_EQ(out, 2 * y);
  f.second_partial(args, 0, 1, &out, 1);
  EXPECT_EQ(out, 2 * x);
  f.second_partial(args, 1, 1, &out, 1);
  EXPECT_EQ(out, -std::sin(y));
}

TEST(UserOps, AreKnownByTheirNumber) {
  const auto add = [](auto a, auto b) { return a + b; };
  const Op op = add_callable_op<2>("plus", add, {.commutative = true, .meaning = "sum"});
  EXPECT_FALSE(is_builtin(op));
  EXPECT_EQ(info(op).name, "plus");
  EXPECT_EQ(info(op).arity, 2);
  EXPECT_TRUE(info(op).commutative);
  EXPECT_EQ(info(op).meaning, "sum");
  EXPECT_NE(add_callable_op<2>("plus", add, {}), op);
  EXPECT_TRUE(is_known(op));
  EXPECT_FALSE(is_known(op_at(0xFFFF)));
  EXPECT_THROW(info(op_at(0xFFFF)), InternalError);
}

}  // namespace
}  // namespace vieta
