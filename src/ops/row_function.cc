#include "ops/row_function.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace vieta {
namespace {

constexpr std::size_t kBlock = 16;  // rows a call

// Room for n numbers, none of which is made before it is needed.
template <class X, std::size_t n>
class Room {
 public:
  X* make(std::size_t i, const X& value) { return std::construct_at(at(i), value); }
  X* data() { return at(0); }

 private:
  X* at(std::size_t i) { return reinterpret_cast<X*>(bytes_.data()) + i; }
  alignas(X) std::array<std::byte, sizeof(X) * n> bytes_;
};

}  // namespace

// out = result(f(argument(x_0, 0), argument(x_1, 1), ...)) on every row.
template <class X, class E, class Argument, class R>
void RowFunction::on_rows(const E* const* args, E* out, std::size_t rows, Argument argument,
                          R result) const {
  Room<X, kBlock * kMaxArity> x;
  Room<X, kBlock> found;
  std::array<std::size_t, kBlock> row_of;
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    std::size_t count = 0;  // rows of the block whose arguments are finite
    for (std::size_t r = begin; r < std::min(rows, begin + kBlock); ++r) {
      if (!finite_row(args, arity_, r)) {
        out[r] = std::numeric_limits<E>::quiet_NaN();
        continue;
      }
      for (std::size_t k = 0; k < arity_; ++k)
        x.make(count * arity_ + k, argument(static_cast<double>(args[k][r]), static_cast<int>(k)));
      found.make(count, X());
      row_of[count++] = r;
    }
    if (count == 0) continue;
    call(x.data(), found.data(), count);
    for (std::size_t i = 0; i < count; ++i)
      out[row_of[i]] = static_cast<E>(result(found.data()[i]));
  }
}

template <class E>
void RowFunction::values(const E* const* args, E* out, std::size_t rows) const {
  on_rows<double>(args, out, rows, [](double x, int) { return x; }, [](double v) { return v; });
}

template <class E>
void RowFunction::first_partials(const E* const* args, int k, E* out, std::size_t rows) const {
  const auto argument = [k](double x, int i) { return i == k ? First::variable(x, 0) : First(x); };
  on_rows<First>(args, out, rows, argument, [](const First& v) { return v.d[0]; });
}

template <class E>
void RowFunction::second_partials(const E* const* args, int k, int l, E* out,
                                  std::size_t rows) const {
  const auto argument = [k, l](double x, int i) {
    if (i == k) return Second::variable(x, 0);
    return i == l ? Second::variable(x, 1) : Second(x);
  };
  const int place = k == l ? Second::packed(0, 0) : Second::packed(0, 1);
  on_rows<Second>(args, out, rows, argument, [place](const Second& v) { return v.dd[place]; });
}

void RowFunction::value(const double* const* args, double* out, std::size_t rows) const {
  values(args, out, rows);
}
void RowFunction::value(const float* const* args, float* out, std::size_t rows) const {
  values(args, out, rows);
}
void RowFunction::partial(const double* const* args, int k, double* out, std::size_t rows) const {
  first_partials(args, k, out, rows);
}
void RowFunction::partial(const float* const* args, int k, float* out, std::size_t rows) const {
  first_partials(args, k, out, rows);
}
void RowFunction::second_partial(const double* const* args, int k, int l, double* out,
                                 std::size_t rows) const {
  second_partials(args, k, l, out, rows);
}
void RowFunction::second_partial(const float* const* args, int k, int l, float* out,
                                 std::size_t rows) const {
  second_partials(args, k, l, out, rows);
}

}  // namespace vieta
