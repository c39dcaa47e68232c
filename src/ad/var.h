// var: a number that records what is computed with it, for reverse mode.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ad/arithmetic.h"
#include "ad/number.h"
#include "ad/tape.h"

namespace vieta::ad {

/// A value and its place on the tape. Constants (id 0) record nothing, so whether a number is
/// active is decided where it is computed, never by analysis: a buffer filled with constants and
/// overwritten with active values is active from then on.
///
/// The cost of a gradient does not depend on the number of variables. Var<Jet<T, K>> gives second
/// derivatives in K directions.
template <class T>
struct Var : Arithmetic<Var<T>> {
  static_assert(Scalar<T>);
  using value_type = T;
  static constexpr int order = 1;

  T value{};
  std::uint64_t id = 0;

  constexpr Var() = default;
  constexpr Var(const T& v) : value(v) {}  // implicit: a constant is a Var
  template <class U>
    requires(ConstantBeside<U, Var> && !std::is_same_v<U, T>)
  constexpr Var(const U& v) : value(static_cast<T>(v)) {}
  constexpr Var(const T& v, std::uint64_t i) : value(v), id(i) {}

  /// As for Jet: integer part and truth only.
  template <class I>
    requires std::is_integral_v<I>
  explicit constexpr operator I() const {
    return static_cast<I>(value);
  }

  constexpr bool is_constant() const { return id == 0; }
  constexpr bool is_zero() const { return id == 0 && ad::is_zero(value); }

  static constexpr Var unary(const Var& x, const T& v, const T& g) {
    if (x.id == 0) return Var(v);
    return Var(v, active_tape<T>->record(x.id, g));
  }
  static constexpr Var binary(const Var& x, const Var& y, const T& v, const T& gx, const T& gy) {
    if ((x.id | y.id) == 0) return Var(v);
    return Var(v, active_tape<T>->record(x.id, gx, y.id, gy));
  }
  static constexpr Var scaled(const Var& x, const T& v, const T& g) { return unary(x, v, g); }
  static constexpr Var shifted(const Var& x, const T& v) { return unary(x, v, T(1)); }
  // Out of line: a loop over rows compiles to calls, in about the time its plain version takes.
  [[gnu::noinline]] static constexpr Var sum(const Var& x, const Var& y) {
    return binary(x, y, x.value + y.value, T(1), T(1));
  }
  [[gnu::noinline]] static constexpr Var difference(const Var& x, const Var& y) {
    return binary(x, y, x.value - y.value, T(1), T(-1));
  }
  [[gnu::noinline]] static constexpr Var product(const Var& x, const Var& y) {
    return Arithmetic<Var>::product(x, y);
  }
  [[gnu::noinline]] static constexpr Var quotient(const Var& x, const Var& y) {
    return Arithmetic<Var>::quotient(x, y);
  }
  static constexpr Var negated(const Var& x) { return unary(x, -x.value, T(-1)); }
};

/// Open from construction to destruction: Vars of this thread record. Recordings nest; an inner
/// one of the same T takes the outer one's Vars for constants.
template <class T>
class Recording {
 public:
  Recording() : outer_(active_tape<T>), tape_(thread_tape<T>()), first_(tape_.open()) {
    active_tape<T> = &tape_;
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    tape_.close();
    active_tape<T> = outer_;
  }

  Var<T> variable(const T& v) { return Var<T>(v, variables(1)); }
  /// The first of `count` consecutive ids: next_id() as it was before.
  std::uint64_t variables(std::uint64_t count) {
    const bool come_first = tape_.size() == first_;
    const std::uint64_t id = tape_.record_variables(count, !come_first || tape_.depth() > 1);
    if (come_first) first_ = tape_.size();
    return id;
  }
  std::uint64_t next_id() const { return tape_.next_id(); }

  /// Reverse mode: clear, seed the results, sweep, read the variables' adjoints. Any number of
  /// times.
  void clear_adjoints() { tape_.clear_adjoints(); }
  void seed(const Var<T>& x, const T& weight) {
    if (x.id != 0) tape_.adjoint(tape_.position(x.id)) += weight;
  }
  void sweep() { tape_.sweep(first_); }
  void sweep_forward() { tape_.sweep_forward(first_); }
  T adjoint(const Var<T>& x) { return x.id == 0 ? T(0) : tape_.adjoint(tape_.position(x.id)); }
  /// Those of the variables from this one on.
  T* adjoints_from(std::uint64_t id) { return &tape_.adjoint(tape_.position(id)); }

 private:
  Tape<T>* outer_;
  Tape<T>& tape_;
  std::uint32_t first_;  ///< the first operation: sweeps end there
};

}  // namespace vieta::ad
