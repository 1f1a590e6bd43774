// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Explains why the engine left an operation unlowered: no pattern was tried on it, or patterns
// rejected it. The engine is run on the extracted operation, whose pattern log is small.
#include "base/work_time.h"
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// Fills in `tried`, and turns IllegalOp into PatternRefused where patterns were tried in the
/// failing pass, else into NoPattern. Entries for which `budget` does not suffice, or of which the
/// log says nothing, stay unchanged, and a note says so.
Result<> explainPatterns(const Subject&, std::vector<BlockedEntry>&, const TimeLimit& budget,
                         std::vector<std::string>& notes, const RunContext&);

}  // namespace fxs::diagnose
