// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What one executor found for one set of inputs, before it is weighed against what others say
// (compare::judgeSet).
#include <optional>
#include <string>

#include "compare/comparison.h"

namespace fxs::compare {

struct Finding {
  std::optional<tensor::Verdict>
      verdict;        ///< of the worst result; a crash differs. std::nullopt: nothing was compared
  fx::NodeId node;    ///< of the worst result, or where it crashed; invalid if not known
  std::string title;  ///< "same", "differs at add", "not compared", "not supported", "crashed"
  std::string message;  ///< one line; "" for Same
};
Finding findingOf(const Run&);

}  // namespace fxs::compare
