// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What operators do to the rows of a tensor: which leave them apart, which reduce them to one, and
// what a row has to be to change nothing there.
#include <cstdint>
#include <string_view>

namespace fxs::diagnose {

/// A value of elements that changes nothing where they are reduced.
enum class Neutral : std::uint8_t { Zero, One, Lowest, Highest };

/// By the target of a call.
enum class RowEffect : std::uint8_t {
  Other,      ///< has a rule of its own, or is not known
  Pointwise,  ///< elements of the result are computed one by one, after broadcasting
  Moved,      ///< dimensions are moved, each as it is
  Reshaped,
  Filled,   ///< all elements are the same
  OnSizes,  ///< computes or asserts nothing of elements
};
RowEffect rowEffectOf(std::string_view target);

struct RowReduction {
  std::string_view packet;
  Neutral neutral = Neutral::Zero;
  bool findsPositions = false;  ///< also, with a dimension
};
/// Null if it is none.
const RowReduction* rowReductionOf(std::string_view packet);

/// The names of the two operands of a matrix product.
struct RowProduct {
  std::string_view packet, a, b;
};
const RowProduct* rowProductOf(std::string_view packet);

}  // namespace fxs::diagnose
