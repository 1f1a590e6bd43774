#pragma once
// Why an operation that the engine left over was not taken: no pattern was tried on it, or patterns refused it. The engine is asked on
// the operation's cut, whose log of rewrite patterns is small.
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// Fills in `tried`, and turns NoPattern into PatternRefused where the pass that stopped tried patterns. Entries that cannot be asked
/// within `budget` stay as they are, and a note says so.
Result<> explainPatterns(const Subject&, std::vector<BlockedEntry>&, std::chrono::milliseconds budget, std::vector<std::string>& notes,
                         const RunContext&);

}  // namespace fxs::diagnose
