// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowering_path.h"

#include "choice.h"

namespace fxs::cli {

Result<LoweringPath> loweringPathFrom(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, LoweringPath>, 3> kPaths{
      {{"torch-mlir", LoweringPath::TorchMlir},
       {"nodes", LoweringPath::Nodes},
       {"registry", LoweringPath::Registry}}};
  return choiceFrom("lowering path", text, kPaths);
}

}  // namespace fxs::cli
