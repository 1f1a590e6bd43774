// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Strongly typed indices. Default-constructed ids are invalid.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace fxs {

template <class Tag>
struct StrongId {
  static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value = kInvalid;

  constexpr bool valid() const { return value != kInvalid; }
  constexpr std::size_t index() const { return value; }
  static constexpr StrongId of(std::size_t index) { return {static_cast<std::uint32_t>(index)}; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

}  // namespace fxs

template <class Tag>
struct std::hash<fxs::StrongId<Tag>> {
  std::size_t operator()(fxs::StrongId<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};
