// tidy: takes out what constants that will be fitted anyway make redundant.
#pragma once

#include "search/grammar.h"

namespace vieta {

/// Keeps one copy of the scratch it needs.
class Tidy {
 public:
  /// A call of constants alone becomes a constant; a constant added to (or multiplied with) what
  /// already has one is merged into it: (u + 2) - 3, 6/(u*2), ...; a factor is taken out of a root,
  /// power or logarithm: sqrt(4*u) is 2*sqrt(u). The value is the same up to rounding; nothing
  /// grows. O(size).
  void run(Tree& tree);

 private:
  bool fold(Op op, std::size_t arity);
  bool merge(Op op);
  void take_out();

  Tree out_;
  Tree piece_;
};

}  // namespace vieta
