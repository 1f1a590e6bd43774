#pragma once
// The survey lowers operations one by one; the whole program decides. It is lowered unchanged, and again with everything that
// the survey found replaced by placeholders: if that lowers, the list is complete. Further operations at which it stops are
// added; operations that lower only in the whole program are removed from the list and mentioned in a note.
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// `whole` is a lowering of the program to `target` where there is one already; else it is run. `raw` is the whole program's RAW module.
/// Changes `entries` of `target` only.
Result<TargetDiagnosis> confirm(const Subject&, const lower::OutputType& target, const std::string& raw, const lower::Lowering* whole,
                                std::vector<BlockedEntry>& entries, std::vector<std::string>& notes, const RunContext&);

}  // namespace fxs::diagnose
