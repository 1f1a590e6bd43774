// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operators that are others under another name.
#include <string>
#include <string_view>

namespace fxs::rewrite {

/// "aten.bitwise_and.Tensor" for "aten.__and__.Tensor", which is a composite of it; other targets
/// as they are.
std::string sameOperator(std::string_view target);

}  // namespace fxs::rewrite
