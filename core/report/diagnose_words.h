#pragma once
// What the forms of a diagnosis count and call alike, so that no two of them can differ.
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/program.h"
#include "report/line.h"

namespace fxs::report {

/// Whether an entry stops the program: not when the program lowers with the operation in place. The others are warnings.
bool stops(const diagnose::Blocked&);
/// The entries that stop one output type, and the user's nodes in them, each once.
std::size_t blockedOperations(const diagnose::Diagnosis&, const lower::OutputType&);
std::size_t blockedNodes(const diagnose::Diagnosis&, const lower::OutputType&);

/// "proved", "disproved", "passed", "failed" or "not run": the outcome, and whether the whole program confirmed it.
std::string_view markOf(const diagnose::Experiment&);
/// What to do: the first experiment that is proved, else the first that passed and was not disproved; null when nothing helps.
const diagnose::Experiment* bestOf(const diagnose::Blocked&);
/// How many experiments have each mark, in the order proved, passed, disproved, failed, not run; those of none are left out:
/// "1 proved, 2 failed".
std::string marksOf(const diagnose::Blocked&);

/// One line: does the program reach the target, and what is in the way.
std::string verdictOf(const diagnose::Diagnosis&, const diagnose::TargetDiagnosis&);
/// The sentences under a verdict: whether the list is complete, and whether the changes help.
std::vector<std::string> verdictDetails(const diagnose::TargetDiagnosis&);

/// Of a cell of the support table: "ok", "failed", or "skipped" when the survey has no answer.
std::string_view statusOf(const diagnose::SupportRow::Cell&);

/// "aten.diff.default", or the MLIR operation where no node is known; never "".
std::string operationOf(const diagnose::Blocked&);
/// The name of the first node; "" when the engine named none.
std::string firstNodeOf(const diagnose::Blocked&, const fx::Program&);
/// "tosa, stablehlo"
std::string targetsOf(const diagnose::Diagnosis&);
/// At most `lines` lines of at most `columns` characters; what is left out is said.
std::string shortened(std::string_view text, std::size_t lines, std::size_t columns);

}  // namespace fxs::report
