#pragma once
// What a bundle says of its program's findings: written by `bundle`, written again and compared by `replay`.
#include <string>
#include <utility>

#include "session/session.h"

namespace fxs::cli {

/// As text and as JSON: session::Describe.
std::pair<std::string, std::string> bundleWords(const session::Snapshot& lowered);

}  // namespace fxs::cli
