// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mode.h"

#include "choice.h"

namespace fxs::cli {

Result<import::Mode> modeFrom(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, import::Mode>, 3> kModes{
      {{"lowering", import::Mode::Lowering},
       {"frozen", import::Mode::Frozen},
       {"program", import::Mode::Program}}};
  return choiceFrom("mode", text, kModes);
}

}  // namespace fxs::cli
