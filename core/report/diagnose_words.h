// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Counts and phrases shared by all formats of a diagnosis, so that they agree.
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/diagnosis.h"
#include "fx/program.h"
#include "report/line.h"

namespace fxs::report {

using diagnose::bestOf;
using diagnose::stops;

/// Number of entries for an output type with stops(), and of distinct nodes of the user's program
/// in them.
std::size_t blockedOperations(const diagnose::Diagnosis&, const lower::OutputType&);
std::size_t blockedNodes(const diagnose::Diagnosis&, const lower::OutputType&);

/// "proved", "disproved", "passed", "failed" or "not run": the outcome, and whether the whole
/// program confirmed it.
std::string_view markOf(const diagnose::Experiment&);
/// Of an operation whose fix only PyTorch can try: diagnose::isLeftToPython().
inline constexpr std::string_view kLeftToPython =
    "not tried: PyTorch's own decomposition (program.run_decompositions())";
/// "lowers by itself", "whole program lowers with it" .. as diagnose::title(Verified), or why it is
/// no fix.
std::string verdictOf(const diagnose::Experiment&);
/// Whether the program lowers to the target ("stops at tosa"), what blocks it, and what failed only
/// by itself; the last two may be empty.
struct Verdict {
  std::string outcome, message, also;
};
Verdict verdictOf(const diagnose::Diagnosis&, const diagnose::TargetDiagnosis&);
/// "u0", "u0 .. u7"
std::string symbolsOf(const diagnose::SizeSource&);
/// "Sizes known only at run time (u0 .. u7, from aten.where in block_sparse_moe)"
std::string titleOf(const diagnose::SizeSource&);
/// How an operation depends on sizes known only at run time, where it is not listed under their
/// source: "depends on sizes known only at run time (u0), and fails with numbers in their place
/// too"; "" if it does not.
std::string dependenceText(const diagnose::Diagnosis&, const diagnose::Blocked&);
/// "stops at 1 operator only (aten.index.Tensor, 8 nodes)"
std::string outcomeText(const diagnose::OtherType&);
/// "sizes known only at run time block it"; "" if they do not.
std::string sizesBlock(const diagnose::Diagnosis&, const diagnose::TargetDiagnosis&);
/// "1 operation blocks it, at 2 nodes"; "sizes known only at run time block it, from aten.where in
/// block_sparse_moe, at 74 nodes; 1 other operation blocks it, at 2 nodes"
std::string blockersText(const diagnose::Diagnosis&, const diagnose::TargetDiagnosis&);
/// "and computes what is expected by PyTorch 2.13.0 for 6 input sets", after "lowers, ".
std::string computedText(const diagnose::Computed&);
/// "it reached a limit (--timeout, --memory) at tosa"
std::string limitText(std::string_view stage);
/// "the whole program lowers" ..: the program with the target's changes; "" if it was not run.
std::string fixedText(const diagnose::TargetDiagnosis&);
/// Why the list of what blocks a target is incomplete; "" if that is not known or it is complete.
std::string incompleteText(const diagnose::TargetDiagnosis&);
/// TargetDiagnosis::warnings of all output types, each once.
std::vector<fx::Finding> warningsOf(const diagnose::Diagnosis&);

/// Status of a cell of the support table: "ok", "failed", "wrong", or "skipped" if the survey has
/// no result.
std::string_view statusOf(const diagnose::SupportRow::Cell&);

/// "aten.diff.default", or the MLIR operation if no node is known; never "".
std::string operationOf(const diagnose::Blocked&);
/// The name of the first node; "" if the engine named none.
std::string firstNodeOf(const diagnose::Blocked&, const fx::Program&);
/// "tosa, stablehlo"
std::string targetsOf(const diagnose::Diagnosis&);
/// At most `lines` lines of at most `columns` characters; omissions are marked.
std::string shortened(std::string_view text, std::size_t lines, std::size_t columns);

}  // namespace fxs::report
