// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a program demands of its symbolic sizes: the ranges of symbols, the guards of torch.export,
// assertions on sizes in the graph, and what an operator demands though torch.export does not guard
// it.
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::compare {

/// A condition on the symbols of the inputs; it holds if its value is not 0.
struct SizeCondition {
  fx::SymExprPtr expr;
  std::string text;  ///< as in the program
};
struct SizeConditions {
  std::vector<SizeCondition> known;
  std::vector<std::string> unread;  ///< guards that are not conditions on sizes, or not understood
};
SizeConditions sizeConditions(const fx::Program&, const RunContext&);

/// The user inputs that are given to a run: tensors and symbolic numbers. Constants are part of the
/// program.
std::vector<const fx::Node*> givenInputs(const fx::Program&);
/// The symbols of these inputs, in the order of their first use.
std::vector<std::string> inputSymbols(const fx::Program&);

}  // namespace fxs::compare
