#pragma once
// Finds verified fixes: for each blocked operation one change is tried on the extracted operation; what passes is applied to the whole
// program, with the other blocked operations replaced by placeholders, to verify it. A fix is never suggested from a
// table alone.
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "diagnose/change.h"
#include "diagnose/survey.h"

namespace fxs::diagnose {

struct ExperimentOptions {
  RewriteBase base;
  std::string file;                           ///< the input, as snippets name it
  std::vector<lower::OutputType> elsewhere;   ///< output types to try instead of the one that is not reached
  std::chrono::milliseconds budget{120'000};  ///< experiments beyond it are NotRun
  std::string cacheDir;                       ///< outcomes are kept there by content; "" for no cache
  std::function<void()> onPart;               ///< after each round
};

/// Fills in the experiments of each entry, best first, and for each target whether the best ones together make the program lower. A stop
/// request is not an error: it sets `stopped` and leaves the rest NotRun.
Result<> experiment(const Subject&, std::vector<BlockedEntry>& entries, std::vector<TargetDiagnosis>& targets, const ExperimentOptions&,
                    bool& stopped, const RunContext&);

}  // namespace fxs::diagnose
