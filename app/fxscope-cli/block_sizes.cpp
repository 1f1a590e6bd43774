// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_sizes.h"

#include "base/number_from.h"

namespace fxs::cli {

Option blockSizeOption() {
  return {"--block-size", "SYMBOL=SIZE,..",
          "sizes of the tiles of a Helion kernel (u0=16); the others are those of its file", true};
}

Result<registry::BlockSizes> blockSizesFrom(const Arguments& arguments) {
  registry::BlockSizes out;
  for (const std::string& each : arguments.all("--block-size")) {
    const std::size_t equals = each.find('=');
    const auto size = numberFrom<std::int64_t>(
        std::string_view(each).substr(equals == std::string::npos ? each.size() : equals + 1));
    if (equals == 0 || !size)
      return fail(ErrorCode::Usage,
                  "option '--block-size': '" + each + "' is not a size such as u0=16");
    out[each.substr(0, equals)] = *size;
  }
  return out;
}

}  // namespace fxs::cli
