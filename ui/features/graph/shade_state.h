// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The colours that a query, or another property of a node, gives to its box.
#include <cstddef>
#include <cstdint>

namespace fxs::ui {

/// The colour of a node beside its status; a collapsed group has the highest of its nodes. Level1
/// to Level5 are a scale, low to high.
enum class Shade : std::uint8_t {
  None,
  Dimmed,
  Level1,
  Level2,
  Level3,
  Level4,
  Level5,
  Suspicious,
  Blocked,
  Match
};
inline constexpr std::size_t kLevels = 5;

}  // namespace fxs::ui
