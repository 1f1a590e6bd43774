#pragma once
// --mode of `import` and `lower`.
#include <string_view>

#include "import/import.h"

namespace fxs::cli {

/// "lowering", "frozen" or "program"; Usage with "did you mean".
Result<import::Mode> modeFrom(std::string_view);

}  // namespace fxs::cli
