// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Indices into another value that differ although both are right: of equal elements, a sort may
// take any.
#include <optional>
#include <string_view>

#include "compare/error_scales.h"
#include "fx/program.h"
#include "tensor/tensor.h"

namespace fxs::compare {

/// How an operator chooses: "chooses=any" in resources/ops/operators.txt.
struct Chooser {
  bool isFree;           ///< PyTorch leaves open which of equal elements
  bool isLastDimension;  ///< its dimension is the last one unless it is given; else all elements
  bool isDistinct;       ///< no element twice
};
/// std::nullopt if there is no such way.
std::optional<Chooser> chooserNamed(std::string_view name);

enum class Choice : std::uint8_t {
  Unknown,  ///< not an index of an operator that chooses, or its operand is not known
  Equal,    ///< every index chooses an element that is equal to the expected one but for rounding,
            ///< none twice where all are to differ
  Other,    ///< some index chooses another element, or not the first of equal ones where every text
            ///< has them as they are
};
struct Chosen {
  Choice choice = Choice::Unknown;
  bool isFree = false;  ///< PyTorch leaves open which of equal elements is chosen, as in topk; of
                        ///< others, such as argmax, it is the first
};

/// `node`: whose value `found` and `expected` are. `valueOf`: of the operand that was chosen from.
Chosen chosenElements(const fx::Program&, fx::NodeId node, const tensor::Tensor& found,
                      const tensor::Tensor& expected, const NodeValue& valueOf);

}  // namespace fxs::compare
