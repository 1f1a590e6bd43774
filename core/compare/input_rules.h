// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How the elements of each input are drawn, as told by what the program does with them.
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "compare/inputs.h"
#include "fx/program.h"

namespace fxs::compare {

struct InputRule {
  enum class Draw : std::uint8_t {
    Normal,
    Uniform,   ///< real numbers from `min` to `max`
    Integers,  ///< integers from `min` to `max`
    Mask,  ///< zeros and ones; the first element of every row of more than one is 1, and another is
           ///< 0
    AdditiveMask,  ///< normal, with elements in every row that are far below the others, but not
                   ///< the first
    Offsets,       ///< increasing from 0 to less than `max`
  };
  fx::NodeId node;
  Draw draw = Draw::Normal;
  double min = 0, max = 0;
  bool isBounded = false;  ///< the program fails, or PyTorch defines nothing, for elements beyond
                           ///< `min` and `max`
  bool isNonzero = false;
  bool isTruth = false;   ///< a mask that only says what is true
  bool isShift = false;   ///< by how many bits others are shifted
  bool isSorted = false;  ///< ascending along the last dimension
  /// Set if equal elements along this dimension, or anywhere for kEverywhere, would leave open
  /// which of several writes is last.
  std::optional<std::size_t> distinctAlong;
  static constexpr std::size_t kEverywhere = SIZE_MAX;
  std::string message;  ///< "" if nothing is special: "0 to 999, as indices at embedding"
};

/// The bounds of elements.
enum class Bounds : std::uint8_t {
  Usual,   ///< small numbers
  Widest,  ///< all that the program allows; negative indices too where PyTorch counts them from the
           ///< end
};

/// One for each of givenInputs() that is a tensor. `unmet` is appended to: demands that no choice
/// of inputs was found for.
std::vector<InputRule> inputRules(const fx::Program&, const Sizes&, Bounds,
                                  std::vector<std::string>& unmet, const RunContext&);

}  // namespace fxs::compare
