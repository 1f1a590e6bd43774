// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a program does with the elements of its inputs, which decides how they are drawn: masks,
// divisors, places to write. Operators name their rule in resources/ops/operators.txt: "use=mask".
#include <map>
#include <string_view>
#include <vector>

#include "compare/input_rules.h"

namespace fxs::compare {

bool isUseRule(std::string_view name);

/// Completes the rules of the inputs. Returns the nodes that write to places which are not
/// distinct elements of inputs, as far as can be seen.
std::vector<fx::NodeId> followInputs(const fx::Program&, const Sizes&,
                                     std::map<fx::NodeId, InputRule*> inputs, const RunContext&);

}  // namespace fxs::compare
