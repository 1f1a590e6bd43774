// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Names that torch.fx does not give to nodes.
#include <string_view>

namespace fxs::fx {

/// Whether a name is a keyword or builtin of Python, or a global of torch.fx: where torch.fx makes
/// or copies a node of that name, it appends a number.
bool isShadowedName(std::string_view);

}  // namespace fxs::fx
