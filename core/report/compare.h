// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli run` and `compare`: text, and JSON (resources/schemas/run.schema.json
// and compare.schema.json).
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.h"
#include "report/document.h"
#include "report/source_location.h"

namespace fxs::report {

struct CompareReport {
  std::string input;  ///< path of the input, as given by the user
  const compare::Comparison& comparison;
  const fx::Program& program;  ///< the user's
  Paths paths = {};
};
std::string compareText(const CompareReport&, const TextLayout& = {});
std::string compareJson(const CompareReport&);
std::string compareSchema();
/// The worst result of each name over all runs of a target, whichever executor computed it.
std::vector<const compare::ResultComparison*> outputsOf(const compare::TargetComparison&);
/// What one output type computes, in the text and in the page of a diagnosis.
Section comparisonSection(const compare::TargetComparison&, const fx::Program&, const Paths&);

/// One stage by one executor, and the files to which its results were written.
struct RunRow {
  std::string stage;
  const compare::Run& run;
  std::vector<std::string> files;  ///< by result; empty if none was written
};
struct RunReport {
  std::string input;
  std::string_view via;  ///< name of the route
  const compare::Inputs& inputs;
  const std::vector<std::string>& executors;
  std::vector<RunRow> rows;
  const std::vector<std::string>& notes;
};
std::string runText(const RunReport&);
std::string runJson(const RunReport&);
std::string runSchema();

}  // namespace fxs::report
