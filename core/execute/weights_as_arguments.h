// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Turns constants without data, `dense_resource<w>`, into further arguments of the function, so
// that the data need not pass through text.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::execute {

struct TextWithArguments {
  std::string text;
  std::vector<std::string>
      handles;  ///< of the arguments that were added after the others; each handle once
};
/// Unsupported if the module has no such function, or another function uses such a constant.
Result<TextWithArguments> weightsAsArguments(std::string_view text, std::string_view function);

}  // namespace fxs::execute
