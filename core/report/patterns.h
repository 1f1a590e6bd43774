// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli trace --node N --patterns`: text and JSON
// (resources/schemas/patterns.schema.json).
#include <string>

#include "fx/program.h"
#include "lower/patterns.h"
#include "report/source_location.h"

namespace fxs::report {

struct PatternsReport {
  std::string input;           ///< path of the input, as given by the user
  const fx::Program& program;  ///< the user's
  const lower::PatternTrace& trace;
  const lower::Engine& engine;
  bool fromCut = false;
  std::string message;  ///< see node_lab::NodePatterns
  Paths paths = {};
};

std::string patternsText(const PatternsReport&);
/// Those of one pass: an index into PatternTrace::passes. "" if none was tried and nothing changed.
std::string patternsText(const lower::PatternTrace&, int pass);
std::string patternsJson(const PatternsReport&);
std::string patternsSchema();

}  // namespace fxs::report
