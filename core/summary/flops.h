// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Floating-point operations of a call: two for each multiply-add of matrix products, convolutions
// and attention, as torch.utils.flop_counter counts them. All else (biases, elementwise operators,
// reductions, what only moves elements) is not counted. Which operator has which rule is in
// resources/ops/operators.txt ("flops=").
#include <cstdint>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::summary {

enum class FlopStanding : std::uint8_t {
  NotCounted,  ///< it has no products of the kinds above
  Counted,
  NoRule,       ///< it may have such products, which no rule counts
  UnknownSize,  ///< a size is known only at run time, or not recorded
  UnknownRuns,  ///< in a branch or a loop
};
/// "no rule", "sizes known only at run time", "in a branch or loop"; "" of the first two.
std::string_view name(FlopStanding);

struct Flops {
  FlopStanding standing = FlopStanding::NotCounted;
  std::uint64_t count = 0;  ///< saturates; 0 unless Counted
};

/// Of one run of the call.
Flops flopsOf(const fx::Program&, const fx::Node&);
/// By node, of one run of the program.
std::vector<Flops> flopsOf(const fx::Program&);

/// Whether a row of operators.txt may say "flops=RULE".
bool isFlopsRule(std::string_view rule);

}  // namespace fxs::summary
