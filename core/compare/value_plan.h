// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What to draw for each input of a program, told by the operators that its elements reach: values
// that separate right from wrong there, and those that no operator on the way forbids.
#include <array>
#include <vector>

#include "base/run_context.h"
#include "compare/operator_values.h"
#include "fx/program.h"

namespace fxs::compare {

struct ValuePlan {
  fx::NodeId node;  ///< of the input
  Values wanted;    ///< separate right from wrong at an operator that the elements reach one by one
  Values borne = Values::all();  ///< defined in PyTorch and kept by every operator that follows
  std::array<fx::NodeId, kValues>
      forbids;  ///< by value that is not borne: the first node that does not bear it
  /// Inner products of its elements are exponents: those of whole numbers are exact and can be
  /// steep.
  bool isSteepAsProduct = false;
  bool isExponentAsProduct =
      false;  ///< they are exponents whose power is not bounded: large ones must be exact
  bool reachesLoop = false;     ///< the number of trips may depend on it
  std::vector<double> targets;  ///< elements that are ties of rounding, or limits, where an
                                ///< operator gets them through a * x + b
  bool wants(Value value) const { return wanted.has(value) && borne.has(value); }
};

/// One for each of givenInputs(), in order.
std::vector<ValuePlan> valuePlans(const fx::Program&, const RunContext&);

}  // namespace fxs::compare
