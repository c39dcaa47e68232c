// cluster: a whole sum or product as a flat list, whatever its brackets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "expr/rewriter.h"

namespace vieta {

/// Sorts `order` by key(index), equal ones as they stand, and calls merge(span of indices) for each
/// run of one key. Whether any call gave true.
template <class Key, class Merge>
bool merge_runs(std::vector<std::size_t> order, Key key, Merge merge) {
  std::ranges::stable_sort(order, {}, key);
  bool merged = false;
  for (auto first = order.begin(); first != order.end();) {
    const auto next =
        std::find_if(first, order.end(), [&](std::size_t i) { return key(i) != key(*first); });
    merged = merge(std::span<const std::size_t>(first, next)) || merged;
    first = next;
  }
  return merged;
}

/// The calls of + - and negation, or of * and /, that hang together below a node, and the members
/// they join, from left to right. O(members).
class Cluster {
 public:
  enum class Kind : unsigned char { sum, product };

  struct Member {
    Ref at = 0;
    bool inverse = false;  ///< subtracted, or below the line
  };

  Cluster(const Tree& tree, Ref root, Kind kind);

  /// Whether calls of `op` belong to it.
  static bool joins(const Node& node, Kind kind);

  const std::vector<Member>& members() const { return members_; }
  /// The same sum or product with these members in the old ones' places; those that are nothing
  /// are left out. One of 0 or 1 if all are.
  Ref rebuilt(Rewriter& rewriter, std::span<const std::optional<Ref>> members) const;

 private:
  struct Part {
    Ref at = 0;
    bool inverse = false;
    bool joins = false;
    std::size_t member = 0;                  // if it joins nothing
    std::array<std::size_t, 2> arguments{};  // behind it in parts_
  };

  static std::optional<Ref> joined(Rewriter& rewriter, Op op, std::optional<Ref> a,
                                   std::optional<Ref> b);

  Kind kind_;
  std::vector<Part> parts_;
  std::vector<Member> members_;
};

}  // namespace vieta
