// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle_words.h"

#include "report/lower.h"

namespace fxs::cli {

std::pair<std::string, std::string> bundleTexts(const session::Snapshot& lowered) {
  const std::vector<fx::Finding> findings = lowered.findings();
  return report::bundleTexts({lowered.request.file, *lowered.lowering, lowered.origins, findings,
                              *lowered.capture->program, lowered.request.route->name});
}

}  // namespace fxs::cli
