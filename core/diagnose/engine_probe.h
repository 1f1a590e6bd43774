#pragma once
// Determines how programs fail: many candidates are rewritten, imported and lowered in as few engine processes as possible.
#include <string>
#include <vector>

#include "diagnose/reduce.h"
#include "import/import.h"
#include "lower/batch.h"
#include "rewrite/rewrite.h"

namespace fxs::diagnose {

/// The inputs of a probe, which must outlive it.
struct Question {
  fx::ProgramPtr user;              ///< the user's program, that locations and nodes refer to
  rewrite::RewriteOptions rewrite;  ///< of each candidate
  bool rewritten = true;            ///< false: candidates are imported as they are
  import::ImportOptions import;     ///< without weights embedded
  lower::LowerOptions lower;        ///< with the target
  lower::Engine engine;
  CommandRunner* runner = nullptr;
};

/// Of candidates that are `user` or made from it.
Probe engineProbe(const Question&);
/// The RAW module of such a candidate; "" when it has none: it cannot be rewritten or imported.
Result<std::string> rawOf(const Question&, const fx::ProgramPtr& candidate, const RunContext&);
/// By module, all failures of it that are known.
Result<std::vector<std::vector<Failure>>> failuresOf(const Question&, const std::vector<std::string>& modules, const RunContext&);

}  // namespace fxs::diagnose
