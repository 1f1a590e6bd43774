// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The findings in a bundle, written by `bundle`, and written again and compared by `replay`.
#include <string>
#include <utility>

#include "session/session.h"

namespace fxs::cli {

/// As text and as JSON: bundle::Describe.
std::pair<std::string, std::string> bundleTexts(const session::Snapshot& lowered);

}  // namespace fxs::cli
