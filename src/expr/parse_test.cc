#include "expr/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "expr/inline_operators.h"
#include "expr/operators.h"
#include "expr/print.h"
#include "expr/test_formulas.h"

namespace vieta {
namespace {

const ParseOptions kColumns = {.variables = {"x", "y", "z", "a", "b", "c"}, .parameters = {"k"}};

std::string canonical(std::string_view text, const ParseOptions& options = kColumns) {
  const Result<Expr> e = parse(text, options);
  return e ? print(*e) : "error: " + e.error().message;
}

Error error_of(std::string_view text, const ParseOptions& options = kColumns) {
  const Result<Expr> e = parse(text, options);
  EXPECT_FALSE(e.has_value()) << text << " was read as " << (e ? print(*e) : "");
  return e ? Error{} : e.error();
}

bool same_formula(std::string_view one, std::string_view other) {
  return parse(one, kColumns).value() == parse(other, kColumns).value();
}

double constant_of(std::string_view text) {
  const Expr e = parse(text, {}).value();
  EXPECT_EQ(e.size(), 1U) << text;
  return e.root().value;
}

TEST(Parse, BindsAsMathematicsDoes) {
  EXPECT_TRUE(same_formula("-x^2", "-(x^2)"));
  EXPECT_TRUE(same_formula("2^-3^2", "2^(-(3^2))"));
  EXPECT_TRUE(same_formula("a^b^c", "a^(b^c)"));
  EXPECT_TRUE(same_formula("-a^-b", "-(a^(-b))"));
  EXPECT_TRUE(same_formula("-3^2", "-(3^2)"));
  EXPECT_TRUE(same_formula("a - b - c", "(a - b) - c"));
  EXPECT_TRUE(same_formula("a/b*c", "(a/b)*c"));
  EXPECT_TRUE(same_formula("a + b*c", "a + (b*c)"));
  EXPECT_TRUE(same_formula("-a*b", "(-a)*b"));
  EXPECT_TRUE(same_formula("2^-a*b", "(2^(-a))*b"));
  EXPECT_TRUE(
      same_formula("a < b + 1 && b < c || !c == 0", "((a < (b + 1)) && (b < c)) || ((!c) == 0)"));
  EXPECT_TRUE(same_formula("a**b**c", "a^(b^c)"));
  EXPECT_TRUE(same_formula("(x > 4) - x", "(x > 4) - x"));
}

TEST(Parse, ReadsTheChoiceFromTheRight) {
  EXPECT_TRUE(same_formula("a ? b : c", "if(a, b, c)"));
  EXPECT_TRUE(same_formula("a ? b : c ? x : y", "if(a, b, if(c, x, y))"));
  EXPECT_TRUE(same_formula("a ? b ? x : y : z", "if(a, if(b, x, y), z)"));
  EXPECT_TRUE(same_formula("a || b ? x + 1 : y", "if(a || b, x + 1, y)"));
  EXPECT_TRUE(same_formula("1 + (a ? b : c)", "1 + where(a, b, c)"));
  EXPECT_TRUE(same_formula("min(a ? b : c, x)", "min(if(a, b, c), x)"));
}

TEST(Parse, GivesASignToTheNumberBehindIt) {
  EXPECT_EQ(constant_of("-2"), -2.0);
  EXPECT_EQ(constant_of("(-2)"), -2.0);
  EXPECT_EQ(parse("-(2)", {})->size(), 2U);
  EXPECT_EQ(parse("-2^2", {})->size(), 4U);
  EXPECT_EQ(parse("(-1)^0", {})->size(), 3U);
  EXPECT_EQ(parse("2^-1", {})->size(), 3U);
  EXPECT_TRUE(std::signbit(constant_of("-0.0")));
  EXPECT_EQ(canonical("1 -2"), "1 - 2");
  EXPECT_EQ(canonical("1 - -2"), "1 - -2");
  EXPECT_EQ(canonical("1--2"), "1 - -2");
  EXPECT_EQ(canonical("+x - +2"), "x - 2");
}

TEST(Parse, ReadsNumbersAsTheyAreWritten) {
  EXPECT_EQ(constant_of(".5"), 0.5);
  EXPECT_EQ(constant_of("5."), 5.0);
  EXPECT_EQ(constant_of("1E+300"), 1e300);
  EXPECT_EQ(constant_of("1e-5"), 1e-5);
  EXPECT_EQ(constant_of("5e-324"), 5e-324);
  EXPECT_EQ(constant_of("1e-999"), 0.0);
  EXPECT_EQ(constant_of("pi"), std::acos(-1.0));
  EXPECT_EQ(constant_of("-pi"), -std::acos(-1.0));
  EXPECT_EQ(constant_of("e"), std::exp(1.0));
  EXPECT_EQ(constant_of("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(constant_of("nan")));
}

TEST(Parse, TakesBlanksLineEndsAndAByteOrderMark) {
  for (const char* text : {"x+1", " x + 1 ", "x + 1\r\n", "x +\t1\n\n", "\xEF\xBB\xBFx + 1"}) {
    EXPECT_EQ(canonical(text), "x + 1") << text;
  }
}

TEST(Parse, FindsEveryAlias) {
  for (const Alias& alias : all_aliases()) {
    if (!is_identifier(alias.alias)) continue;
    std::string call = std::string(alias.alias) + "(x";
    for (int k = 1; k < info(alias.op).arity; ++k) call += ", y";
    const Result<Expr> e = parse(call + ")", kColumns);
    ASSERT_TRUE(e.has_value()) << call;
    EXPECT_TRUE(e->root().is_call(alias.op)) << call;
  }
}

TEST(Parse, LetsAColumnWinOverEveryOtherMeaning) {
  const ParseOptions odd = {
      .variables = {"e", "pi", "sin", "N", "lambda", "air temp", "load_%", "a`b", ""},
      .parameters = {"nan"}};
  const std::string text =
      "e + pi + sin(sin) + N*lambda + `air temp` + `load_%`^2 + `a``b` + nan + ``";
  const Expr e = parse(text, odd).value();
  EXPECT_EQ(e.count_constants(), 1U);
  for (std::size_t i = 0; i < odd.variables.size(); ++i) EXPECT_TRUE(e.uses_variable(i)) << i;
  EXPECT_TRUE(parse(print(e), odd).value() == e) << print(e);
}

TEST(Parse, TakesNamesOfAllScripts) {
  const std::string longest(300, 'n');
  const ParseOptions names = {.variables = {"температура", "π₁", "μ", "温度", longest}};
  for (const std::string& name : names.variables) {
    EXPECT_EQ(canonical(name + "*2", names), name + "*2");
  }
}

TEST(Parse, MakesParametersOfUnknownNamesWhenAsked) {
  const Expr e =
      parse("a*exp(-b*x) + a + `odd name`", {.variables = {"x"}, .new_parameters = true}).value();
  EXPECT_EQ(e.symbols().parameters, (std::vector<std::string>{"a", "b", "odd name"}));
  EXPECT_EQ(e.count_constants(), 0U);
  EXPECT_EQ(parse("`pi`*pi", {.new_parameters = true})->symbols().parameters,
            std::vector<std::string>{"pi"});
}

struct Mistake {
  std::string_view text;
  std::size_t column;
  std::string_view says;
};

TEST(Parse, PointsAtTheMistakeAndSaysWhatToDo) {
  const Mistake mistakes[] = {
      {"", 1, "empty"},
      {"  \n", 4, "empty"},
      {"2(x)", 2, "operator is missing between '2' and '('"},
      {"x y", 3, "operator is missing between 'x' and 'y'"},
      {"2x", 2, "operator is missing"},
      {"(x)(y)", 4, "operator is missing"},
      {"`x`(y)", 4, "operator is missing"},
      {"x and y", 3, "write &&"},
      {"1..2", 3, "second decimal point"},
      {"1.2.3", 4, "second decimal point"},
      {"1e", 2, "exponent"},
      {"1e+", 2, "exponent"},
      {"1e400", 1, "too large for a double"},
      {"x +", 4, "ends after '+'"},
      {"x -", 4, "ends after '-'"},
      {"* x", 1, "missing before '*'"},
      {"x + * y", 5, "missing before '*'"},
      {"x +) y", 4, "missing before ')'"},
      {"()", 2, "missing before ')'"},
      {"(x", 1, "never closed"},
      {"2*(x + (y)", 3, "never closed"},
      {"sin(x", 4, "never closed"},
      {"x)", 2, "closes nothing"},
      {"a < b < c", 7, "do not chain"},
      {"a == b == c", 8, "do not chain"},
      {"x = 2", 3, "write =="},
      {"= x", 1, "write =="},
      {"`air temp", 1, "never closed"},
      {"x − y", 3, "write -"},
      {"x × y", 3, "write *"},
      {"x ÷ y", 3, "write /"},
      {"x²", 2, "write ^2"},
      {"x ≤ y", 3, "write <="},
      {"x\xC2\xA0+ y", 2, "ordinary blank"},
      {"x % y", 3, "mod(a, b)"},
      {"x & y", 3, "&&"},
      {"x | y", 3, "||"},
      {"x @ y", 3, "'@'"},
      {"x # y", 3, "'#'"},
      {"x[1]", 2, "round brackets"},
      {"'x'", 1, "backquotes"},
      {"\xFF", 1, "UTF-8"},
      {"x + \xE2\x88", 5, "UTF-8"},
      {".", 1, "point without digits"},
      {"x!", 2, "in front of what it negates"},
      {"x, y", 2, "','"},
      {"(x, y)", 3, "','"},
      {"max(x, y", 4, "never closed"},
      {"a ? b", 3, "without its ':'"},
      {"(a ? b) + 1", 4, "without its ':'"},
      {"a : b", 3, "without a '?'"},
      {"a ? : b", 5, "missing before ':'"},
      {"sin()", 1, "takes 1 argument, but is given 0"},
      {"sin(x, y)", 1, "takes 1 argument, but is given 2"},
      {"max(x)", 1, "takes 2 arguments, but is given 1"},
      {"x + if(a, b)", 5, "takes 3 arguments"},
      {"max(x,)", 7, "missing before ')'"},
      {"max(,x)", 5, "missing before ','"},
      {"sin x", 1, "is a function"},
      {"x(2)", 1, "no function"},
      {"pi(2)", 1, "no function"},
      {"sine(x)", 1, "did you mean 'sin'?"},
      {"Sqrt(x)", 1, "did you mean 'sqrt'?"},
      {"nosuchfunction(x)", 1, "no function is called"},
      {"x + temp", 5, "nothing is called 'temp'"},
      {"x + @ + (", 5, "'@'"},
      {"x y @", 3, "operator is missing"},
  };
  for (const Mistake& mistake : mistakes) {
    const Error error = error_of(mistake.text);
    EXPECT_EQ(error.code, ErrorCode::usage);
    EXPECT_EQ(error.place.source, "formula");
    EXPECT_EQ(error.place.text, mistake.text);
    EXPECT_EQ(error.place.column, mistake.column) << mistake.text << ": " << error.message;
    EXPECT_NE(error.message.find(mistake.says), std::string::npos)
        << mistake.text << ": " << error.message;
  }
}

TEST(Parse, RefusesANulByte) {
  const Error error = error_of(std::string_view("x + \0y", 6));
  EXPECT_EQ(error.place.column, 5U);
  EXPECT_NE(error.message.find("U+0000"), std::string::npos) << error.message;
}

TEST(Parse, ProposesTheNearestName) {
  const ParseOptions options = {.variables = {"time", "pressure"}, .parameters = {"rate"}};
  EXPECT_NE(error_of("2*tiem", options).message.find("'time'"), std::string::npos);
  EXPECT_NE(error_of("presure", options).message.find("'pressure'"), std::string::npos);
  EXPECT_NE(error_of("Rate", options).message.find("'rate'"), std::string::npos);
  EXPECT_NE(error_of("q", options).message.find("there are 'time', 'pressure', 'rate'"),
            std::string::npos);
}

std::string repeated(std::string_view part, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

TEST(Parse, ReadsLongChains) {
  constexpr std::size_t n = 100'000;
  EXPECT_EQ(parse(repeated("x+", n) + "x", kColumns)->size(), 2 * n + 1);
  EXPECT_EQ(parse(repeated("-", n) + "x", kColumns)->depth(), n + 1);
  EXPECT_EQ(parse(repeated("!", n) + "x", kColumns)->depth(), n + 1);
  EXPECT_EQ(parse(repeated("2^", n) + "x", kColumns)->depth(), n + 1);
  EXPECT_EQ(parse(repeated("x ? y : ", n) + "x", kColumns)->depth(), n + 1);
}

TEST(Parse, RefusesTooManyOpenBracketsAndNodes) {
  constexpr std::size_t n = 100'000;
  for (const char* opening : {"(", "sin(", "-(", "x+(", "max(x, "}) {
    const Error error = error_of(repeated(opening, n) + "x" + repeated(")", n));
    EXPECT_NE(error.message.find("open brackets"), std::string::npos) << error.message;
  }
  EXPECT_TRUE(parse(repeated("(", 2000) + "x" + repeated(")", 2000), kColumns).has_value());
  EXPECT_NE(error_of(repeated("x*", kMaxNodes / 2) + "x").message.find("nodes"), std::string::npos);
}

// Whatever the text: an error inside it, or a formula that prints and reads back.
TEST(Parse, AnswersEveryTextWithAFormulaOrAnError) {
  const std::string_view pieces[] = {"x",
                                     "y",
                                     "2",
                                     "-1.5",
                                     "1e3",
                                     "1e",
                                     "(",
                                     ")",
                                     "(",
                                     ")",
                                     ",",
                                     "?",
                                     ":",
                                     "+",
                                     "-",
                                     "*",
                                     "/",
                                     "^",
                                     "**",
                                     "<",
                                     "<=",
                                     "==",
                                     "!=",
                                     "&&",
                                     "||",
                                     "!",
                                     "=",
                                     " ",
                                     "\n",
                                     "sin(",
                                     "max(",
                                     "if(",
                                     "pi",
                                     "inf",
                                     "nan",
                                     "`",
                                     "`x`",
                                     ".",
                                     "%",
                                     "\xC3",
                                     "µ",
                                     "−",
                                     std::string_view("\0", 1)};
  Rng rng(5, 0, 0);
  std::size_t formulas = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::size_t n = 1 + rng.below(9); n > 0; --n) text += pieces[rng.below(std::size(pieces))];
    const Result<Expr> e = parse(text, kColumns);
    if (!e) {
      EXPECT_GE(e.error().place.column, 1U);
      EXPECT_LE(e.error().place.column, text.size() + 1) << text;
      continue;
    }
    ++formulas;
    EXPECT_TRUE(parse(print(*e), kColumns).value() == *e) << text << " printed as " << print(*e);
  }
  EXPECT_GT(formulas, 1'000U);
}

TEST(FreeNames, AreThoseThatStandBare) {
  EXPECT_EQ(free_names("a*sin(b) + pi + `c d` - a + e").value(),
            (std::vector<std::string>{"a", "b", "c d"}));
  const std::vector<std::string> columns = {"e"};
  EXPECT_EQ(free_names("log(e) + `pi` + pi", columns).value(),
            (std::vector<std::string>{"e", "pi"}));
  EXPECT_FALSE(free_names("a @ b").has_value());
}

// What the user's operators in a formula stand for.
std::string written_out(std::string_view text, const ParseOptions& options) {
  return print(inline_operators(parse(text, options).value()).value());
}

TEST(Operators, StandForTheirFormulas) {
  Operators defined;
  ASSERT_TRUE(defined.define("soft(a, b) = a > b ? a*b : exp(a - b)"));
  ASSERT_TRUE(defined.define("twice(v) = soft(v, 2*pi) + soft(v, v)"));
  const ParseOptions options = {.variables = {"x", "y"}, .operators = &defined};
  EXPECT_EQ(canonical("1+soft(y, x + 1)", options), "1 + soft(y, x + 1)");
  EXPECT_EQ(written_out("1 + soft(y, x + 1)", options),
            "1 + if(y > x + 1, y*(x + 1), exp(y - (x + 1)))");
  EXPECT_EQ(written_out("twice(x)", options),
            "if(x > 2*3.141592653589793, x*(2*3.141592653589793), exp(x - 2*3.141592653589793)) + "
            "if(x > x, x*x, exp(x - x))");
  EXPECT_EQ(defined.all().size(), 2U);
  EXPECT_EQ(error_of("soft(x)", options).message, "'soft' takes 2 arguments, but is given 1");
}

TEST(Operators, MayNameTheirParts) {
  Operators defined;
  ASSERT_TRUE(defined.define("f(x) = t = x^2; t + 1"));
  ASSERT_TRUE(defined.define("g(a, b) = s = a + b; d = s - 2*b; `s d` = s*d; `s d` + f(s) - a"));
  ASSERT_TRUE(defined.define("scaled(a) = e = 3; e*a"));
  const ParseOptions options = {.variables = {"x", "t"}, .operators = &defined};
  EXPECT_EQ(written_out("f(t)", options), "t^2 + 1");
  EXPECT_EQ(written_out("f(f(x)) + t", options), "(x^2 + 1)^2 + 1 + t");
  EXPECT_EQ(written_out("g(x, t)", options), "(x + t)*(x + t - 2*t) + ((x + t)^2 + 1) - x");
  EXPECT_EQ(written_out("scaled(x)", options), "3*x");
}

TEST(Operators, LocalNamesAreRefusedWithTheReason) {
  Operators defined;
  const Mistake mistakes[] = {
      {"g(a) = a = 2; a", 8, "is taken by an argument"},
      {"g(a) = t = 2; t = 3; t", 15, "is taken by an argument or a local name before"},
      {"g(a) = t = a; u = t", 20, "a formula of the result is wanted"},
      {"g(a) = a + 1; a", 13, "that no local name takes"},
      {"g(a) = t = a;", 14, "empty"},
      {"g(a) = t = ; t", 12, "empty"},
      {"g(a) = t = t + 1; t", 12, "nothing is called 't'"},
      {"g(a) = t = u; u = a; t", 12, "nothing is called 'u'"},
      {"g(a) = t = g(a); t", 12, "calls itself"},
      {"g(a) = (t = a; t)", 14, "';' follows a formula"},
  };
  for (const Mistake& mistake : mistakes) {
    const Result<void> added = defined.define(mistake.text);
    ASSERT_FALSE(added.has_value()) << mistake.text;
    EXPECT_EQ(added.error().place.column, mistake.column)
        << mistake.text << ": " << added.error().message;
    EXPECT_NE(added.error().message.find(mistake.says), std::string::npos)
        << mistake.text << ": " << added.error().message;
  }
  EXPECT_TRUE(defined.all().empty());
  const Error outside = error_of("x; x", {.variables = {"x"}});
  EXPECT_EQ(outside.place.column, 2U);
  EXPECT_NE(outside.message.find("';' belongs to definitions"), std::string::npos);
}

// Each name doubles the one before: 2^64 nodes if they were all written out.
TEST(Operators, LocalNamesCannotGrowWithoutLimit) {
  std::string text = "g(a) = t0 = a + 1; ";
  for (int i = 1; i <= 64; ++i) {
    const std::string before = "t" + std::to_string(i - 1);
    text.append("t" + std::to_string(i) + " = " + before + "*" + before + "; ");
  }
  Operators defined;
  ASSERT_TRUE(defined.define(text + "t64"));
  // 64 products to compute; written out they are refused.
  EXPECT_EQ(user_op(*defined.find("g")->op).body.steps.size(), 65U);
  const Expr call = parse("g(x)", {.variables = {"x"}, .operators = &defined}).value();
  const Result<Expr> inlined = inline_operators(call);
  ASSERT_FALSE(inlined.has_value());
  EXPECT_NE(inlined.error().message.find("nodes"), std::string::npos) << inlined.error().message;
  // So are they where only the formula can stand for a call.
  text.replace(0, 4, "h(a, b, c, d, e2, f, g, h2, i)");
  EXPECT_FALSE(defined.define(text + "t64").has_value());
}

TEST(Operators, AreRefusedWithTheReason) {
  Operators defined;
  ASSERT_TRUE(defined.define("f(a) = a + 1"));
  const Mistake mistakes[] = {
      {"f(b) = b", 1, "defined twice"},
      {"sin(b) = b", 1, "built-in"},
      {"ln(b) = b", 1, "built-in"},
      {"g(a, a) = a", 6, "named twice"},
      {"g(a) = a + q", 12, "nothing is called 'q'"},
      {"g(a) = h(a)", 8, "no function is called 'h'"},
      {"g(a) = a*g(a - 1)", 10, "calls itself"},
      {"g = 3", 3, "'(' is wanted"},
      {"g() = 3", 3, "an argument's name is wanted"},
      {"g(a = 3", 5, "',' or ')' is wanted"},
      {"g(a) a", 6, "'=' is wanted"},
      {"g(a) =", 7, "empty"},
      {"g(1) = 2", 3, "an argument's name is wanted"},
      {"", 1, "a plain name is wanted"},
      {"g(a) = a @", 10, "'@'"},
  };
  for (const Mistake& mistake : mistakes) {
    const Result<void> added = defined.define(mistake.text);
    ASSERT_FALSE(added.has_value()) << mistake.text;
    EXPECT_EQ(added.error().place.column, mistake.column)
        << mistake.text << ": " << added.error().message;
    EXPECT_NE(added.error().message.find(mistake.says), std::string::npos)
        << mistake.text << ": " << added.error().message;
  }
  EXPECT_EQ(defined.all().size(), 1U);
}

TEST(Operators, CannotGrowWithoutLimit) {
  Operators defined;
  ASSERT_TRUE(defined.define("f0(a) = a*a"));
  for (int i = 1; i < 64; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    const Result<void> added =
        defined.define("f" + std::to_string(i) + "(a) = " + before + "(" + before + "(a))");
    if (added) continue;
    EXPECT_NE(added.error().message.find("nodes"), std::string::npos) << added.error().message;
    return;
  }
  FAIL() << "no limit was met";
}

}  // namespace
}  // namespace vieta
