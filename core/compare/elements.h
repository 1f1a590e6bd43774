// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Draws the elements of one input of a set.
#include <cstdint>
#include <vector>

#include "compare/input_rules.h"
#include "compare/inputs.h"
#include "compare/random.h"
#include "compare/value_plan.h"

namespace fxs::compare {

/// Of InputSetKind::Shifted: the first ones are always drawn, the others where predicates are to
/// change: in the last ones, more and more elements are moved up and the others down, so that what
/// counts them takes every small value.
inline constexpr std::size_t kMostShiftedRounds = 20;

/// What an input is drawn for.
struct Turn {
  InputSetKind set = InputSetKind::Ordinary;
  std::size_t round = 0;
  std::size_t input = 0;  ///< which of the inputs
};

/// How often a set of kind `set` is drawn until all that it consists of was given to an input of so
/// many elements.
std::size_t roundsOf(InputSetKind set, const InputRule&, const ValuePlan&, DType,
                     std::uint64_t elements);

/// `rule`: for an ordinary set the usual one, else that with the bounds of what the program allows.
/// Elements of other sets than the ordinary one that the input cannot have are drawn as there.
/// `count` > 0, the number of elements.
tensor::Tensor drawElements(Turn turn, const InputRule& rule, const ValuePlan& plan, DType dtype,
                            const std::vector<std::int64_t>& sizes, std::uint64_t count,
                            Random random);

}  // namespace fxs::compare
