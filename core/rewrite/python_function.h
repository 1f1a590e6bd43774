// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prints what became of an operator's calls as a Python function for a decomposition table of
// PyTorch. It holds for the calls it was printed from, and those of other sizes where these are
// symbols: for any other it returns NotImplemented, and PyTorch keeps the call.
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::rewrite {

/// A call and its replacement: two programs with the same inputs and outputs, of which the first is
/// fx::singleCall().
struct ReplacedCall {
  fx::ProgramPtr call, replacement;
  /// Whether it is for all sizes that its symbols may have, not only for those of the user's
  /// program: then equal symbols are a condition.
  bool isGeneral = false;
  bool isOfAnyRank = false, isOfAnyFloat = false;  ///< of the operands, together
};

/// The name of the function for a target: "aten_add_Tensor", "aten_diff" for "aten.diff.default".
std::string pythonFunctionName(std::string_view target);
/// `calls`: of one operator, at least one; of those that the function could not tell apart, the
/// first counts. It uses `torch`, `aten`, `math` and `operator`. Unsupported for an operator that
/// is not PyTorch's, and for anything that Python source cannot say.
Result<std::string> pythonFunction(const std::vector<ReplacedCall>& calls);
/// A function with this body: Rule::python. Unsupported for an operator that is not PyTorch's.
Result<std::string> pythonFunction(std::string_view target, std::string_view body);

}  // namespace fxs::rewrite
