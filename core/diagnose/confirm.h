// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Checks the survey, which lowers operations separately, against the whole program. The program is
// lowered unchanged, and again with all blocked operations replaced by placeholders: if that
// lowers, the list is complete. Further operations at which it fails are added; operations that
// lower only in the whole program are removed from the list and mentioned in a note.
#include "diagnose/survey.h"

namespace fxs::diagnose {

/// The import and, unless it is null, the lowering to `target` are those of the whole program.
/// Changes only the `entries` of `target`.
Result<TargetDiagnosis> confirm(const Subject&, const lower::OutputType& target,
                                const import::Imported&, const lower::Lowering* full,
                                std::vector<BlockedEntry>& entries, std::vector<std::string>& notes,
                                const RunContext&);

/// Whether the subject's whole program lowers, as confirm() finds; std::nullopt if that is not
/// known.
Result<std::optional<bool>> lowersWhole(const Subject&, const lower::OutputType& target,
                                        const RunContext&);

}  // namespace fxs::diagnose
