#pragma once
// The answers of `fxscope-cli lower` and `engine`: text for people, JSON for scripts (resources/schemas/lower.schema.json and
// engine.schema.json), and the files of `lower -o DIR`.
#include <string>
#include <utility>
#include <vector>

#include "lower/lower.h"
#include "report/source_location.h"
#include "trace/origins.h"

namespace fxs::report {

struct LowerReport {
  std::string input;  ///< the file as it was given
  const lower::Lowering& lowering;
  const std::vector<std::shared_ptr<const trace::SnapshotOrigins>>& origins;  ///< by stage
  const std::vector<fx::Finding>& findings;                                   ///< of all steps
  const fx::Program& program;                                                 ///< the user's
  bool files = false;  ///< stages are written to files: their names are part of the answer
  bool timed = true;   ///< false: without how long stages took, which differs from run to run
  Paths paths = {};
};

/// Name in the directory and content, in order: "00-raw.mlir", "02-tosa.failure.mlir"; only what there is.
std::vector<std::pair<std::string, const std::string*>> lowerFiles(const lower::Lowering&);

std::string lowerText(const LowerReport&);
std::string lowerJson(const LowerReport&);

/// What a bundle says of its program's findings, as text and as JSON: the same for the same lowering.
std::pair<std::string, std::string> bundleWords(LowerReport);

/// `cage`: what holds the engine here.
std::string engineText(const lower::Engine&, const lower::OutputTypes&, const std::vector<CageWall>& cage);
std::string engineJson(const lower::Engine&, const lower::OutputTypes&, const std::vector<CageWall>& cage);

}  // namespace fxs::report
