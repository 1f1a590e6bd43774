// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Option --mode of `import` and `lower`.
#include <string_view>

#include "import/import.h"

namespace fxs::cli {

/// Parses "lowering", "frozen" or "program"; else Usage.
Result<import::Mode> modeFrom(std::string_view);

}  // namespace fxs::cli
