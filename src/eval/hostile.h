// hostile: what checked builds may be asked for by the environment, to flush out faults that common
// sizes hide. VIETA_TILE_ROWS=3: tiles of so many rows. VIETA_POISON=1: fresh workspaces hold
// signalling NaN.
#pragma once

#include <cstddef>

#if defined(VIETA_HOSTILE)
#include <cstdlib>
#endif

namespace vieta {

#if defined(VIETA_HOSTILE)
/// Rows of every tile, or 0: as they fit the cache. Read once.
inline std::size_t hostile_tile_rows() {
  static const std::size_t rows = [] {
    const char* text = std::getenv("VIETA_TILE_ROWS");
    return text == nullptr ? std::size_t{0} : static_cast<std::size_t>(std::atoi(text));
  }();
  return rows;
}

/// Whether fresh memory is filled with signalling NaN. Read once.
inline bool hostile_poison() {
  static const bool poison = std::getenv("VIETA_POISON") != nullptr;
  return poison;
}
#else
constexpr std::size_t hostile_tile_rows() { return 0; }
constexpr bool hostile_poison() { return false; }
#endif

}  // namespace vieta
