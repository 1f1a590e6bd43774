// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engines/bisect.h"

namespace fxs::engines {

Result<std::optional<std::size_t>> firstThatDiffers(
    std::size_t count, const std::function<Result<bool>(std::size_t)>& differs) {
  std::size_t same = 0, other = count - 1;
  FXS_TRY(const bool any, differs(other));
  if (!any) return std::optional<std::size_t>();
  while (other - same > 1) {
    const std::size_t middle = same + (other - same) / 2;
    FXS_TRY(const bool differing, differs(middle));
    (differing ? other : same) = middle;
  }
  return std::optional(other);
}

}  // namespace fxs::engines
