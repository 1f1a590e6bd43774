// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Determines how programs fail: many candidates are rewritten, imported and lowered in as few
// engine processes as possible.
#include <string>
#include <vector>

#include "diagnose/reduce.h"
#include "import/import.h"
#include "lower/batch.h"
#include "rewrite/rewrite.h"

namespace fxs::diagnose {

/// The inputs of a probe, which must outlive it.
struct Question {
  fx::ProgramPtr user;              ///< the user's program; locations and nodes refer to it
  rewrite::RewriteOptions rewrite;  ///< of each candidate
  bool rewritten = true;            ///< false: candidates are imported without rewriting
  import::ImportOptions import;     ///< without weights embedded
  lower::LowerOptions lower;        ///< with the target
  lower::Engine engine;
  CommandRunner* runner = nullptr;
};

/// A probe for candidates derived from Question::user.
Probe engineProbe(const Question&);
/// The RAW module of such a candidate; "" if it cannot be rewritten or imported. Cancelled on a
/// stop request.
Result<std::string> rawOf(const Question&, const fx::ProgramPtr& candidate, const RunContext&);
/// All known failures of each module.
Result<std::vector<std::vector<Failure>>> failuresOf(const Question&,
                                                     const std::vector<std::string>& modules,
                                                     const RunContext&);

}  // namespace fxs::diagnose
