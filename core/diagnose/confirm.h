#pragma once
// The survey looks at operations one by one; the whole program has the last word. It is lowered as it is, and again with all that
// the survey found replaced by placeholders: when that lowers, the list is complete. What the whole program stops at besides is
// added, and what it lowers although the cut does not is taken off the list and told as a note.
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// `whole` is a lowering of the program to `target` where there is one already; else it is run. `raw` is the whole program's RAW module.
/// Changes `entries` of `target` only.
Result<TargetDiagnosis> confirm(const Subject&, const lower::OutputType& target, const std::string& raw, const lower::Lowering* whole,
                                std::vector<BlockedEntry>& entries, std::vector<std::string>& notes, const RunContext&);

}  // namespace fxs::diagnose
