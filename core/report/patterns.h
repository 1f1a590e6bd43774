#pragma once
// The answer of `fxscope-cli trace --node N --patterns`: text for people, JSON for scripts (resources/schemas/patterns.schema.json).
#include <string>

#include "fx/program.h"
#include "lower/patterns.h"
#include "report/source_location.h"

namespace fxs::report {

struct PatternsReport {
  std::string input;           ///< the file as it was given
  const fx::Program& program;  ///< the user's
  const lower::PatternTrace& trace;
  const lower::Engine& engine;
  bool fromCut = false;
  std::string how;  ///< one sentence
  Paths paths = {};
};

std::string patternsText(const PatternsReport&);
std::string patternsJson(const PatternsReport&);

}  // namespace fxs::report
