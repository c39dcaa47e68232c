// The list of IEEE and C Annex F conventions of the shared reference values, on every target and
// type.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/aligned.h"
#include "base/number_text.h"
#include "kernels/kernel_table.h"
#include "ops/op.h"

namespace vieta::oracle {
namespace {

std::string shared_data() {
  const char* set = std::getenv("VIETA_SHARED_DATA");
  return set != nullptr ? set : std::string(VIETA_SOURCE_DIR) + "/../shared/data";
}

std::optional<Op> op_called(const std::string& name, int arity) {
  static const std::map<std::string, std::string> own = {
      {"add", "+"}, {"mul", "*"}, {"div", "/"}, {"pow", "^"}, {"sigmoid", "logistic"}};
  const auto at = own.find(name);
  return find_op(at == own.end() ? name : at->second, arity);
}

// "nan", "2 or 3", "0 or -0", "5.6e-393 -> 0", "either": what may come out.
bool agrees(double value, const std::string& expected) {
  if (expected == "either") return true;
  std::string rest = expected;
  if (const auto arrow = rest.find("->"); arrow != std::string::npos) rest = rest.substr(arrow + 2);
  std::istringstream words(rest);
  std::string word;
  while (words >> word) {
    if (word == "or") continue;
    const auto wanted = read_number(word);
    if (!wanted) return false;
    if (std::isnan(*wanted) && std::isnan(value)) return true;
    // The list's finite values are rounded in their last digit: 1e-15 is four units in the last
    // place.
    const bool same_sign = std::signbit(value) == std::signbit(*wanted);
    if (same_sign && (value == *wanted || std::fabs(value - *wanted) <= 1e-15 * std::fabs(*wanted)))
      return true;
  }
  return false;
}

TEST(IeeeList, HoldsOnEveryTarget) {
  std::ifstream file(shared_data() + "/reference/ieee_special_values.csv");
  if (!file) GTEST_SKIP() << "no shared reference values here";
  std::string line;
  std::getline(file, line);
  std::size_t tested = 0;
  std::vector<std::string> unknown;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::string cell;
    std::istringstream row(line);
    while (std::getline(row, cell, ',')) cells.push_back(cell);
    ASSERT_GE(cells.size(), 4U) << line;
    const int arity = cells[2].empty() ? 1 : 2;
    const auto op = op_called(cells[0], arity);
    if (!op) {
      unknown.push_back(cells[0]);
      continue;
    }
    for (const kernels::Target target : kernels::kTargets) {
      if (!kernels::has_target(target)) continue;
      std::array<AlignedVector<double>, 2> x;
      for (std::size_t k = 0; k < 2; ++k) {
        x[k].assign(kernels::kMaxLanes,
                    read_number(cells[1 + k].empty() ? "0" : cells[1 + k]).value());
      }
      const std::array<const double*, kMaxArity> args{x[0].data(), x[1].data(), nullptr};
      AlignedVector<double> out(kernels::kMaxLanes);
      kernels::kernel_table<double>(target).ops[static_cast<std::size_t>(*op)].value(args.data(),
                                                                                     out.data(), 1);
      EXPECT_TRUE(agrees(out[0], cells[3]))
          << line << " gives " << out[0] << " on " << to_text(target);
      ++tested;
    }
  }
  EXPECT_GE(tested, 70U);
  for (const std::string& name : unknown)
    EXPECT_EQ(name, "sinc") << "an operator of the list is missing";
}

}  // namespace
}  // namespace vieta::oracle
