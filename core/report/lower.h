// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli lower` and `engine`: text, JSON (resources/schemas/lower.schema.json
// and engine.schema.json), and the files of `lower -o DIR`.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/terminal_text.h"
#include "diagnose/diagnosis.h"
#include "lower/lower.h"
#include "report/source_location.h"
#include "trace/origins.h"

namespace fxs::report {

struct LowerReport {
  std::string input;  ///< path of the input, as given by the user
  const lower::Lowering& lowering;
  const std::vector<std::shared_ptr<const trace::SnapshotOrigins>>& origins;  ///< by stage
  const std::vector<fx::Finding>& findings;                                   ///< of all steps
  const fx::Program& program;                                                 ///< the user's
  std::string_view via;  ///< name of the route (session/route.h)
  bool files = false;    ///< include the names of the files to which stages are written
  bool timed = true;     ///< false: omit the durations of stages, which differ between runs
  Paths paths = {};
  const diagnose::BeyondTorchMlir* beyond =
      nullptr;  ///< null: nothing was rewritten beyond torch-mlir, or not asked
};

/// File name and content of every stage that has a text, in order: "00-raw.mlir",
/// "02-tosa.failure.mlir".
std::vector<std::pair<std::string, const std::string*>> lowerFiles(const lower::Lowering&);
/// The names that lowerFiles() of another lowering through the same stages may have, and this one
/// does not.
std::vector<std::string> staleLowerFiles(const lower::Lowering&);

/// Whether the program reaches the output type: every stage ended, and nothing is an error.
bool isOk(const LowerReport&);

std::string lowerText(const LowerReport&, const TextLayout& = {});
/// What was rewritten or imported beyond torch-mlir, for below lowerText(): to know it, the program
/// is lowered once more.
std::string beyondText(const diagnose::BeyondTorchMlir&, const TextLayout& = {});
std::string lowerJson(const LowerReport&);
std::string lowerSchema();

/// The findings in a bundle, as text and as JSON. Deterministic.
std::pair<std::string, std::string> bundleTexts(LowerReport);

/// `cage`: the sandbox that restricts the engine on this machine.
std::string engineText(const lower::Engine&, const lower::OutputTypes&,
                       const std::vector<CageWall>& cage);
std::string engineJson(const lower::Engine&, const lower::OutputTypes&,
                       const std::vector<CageWall>& cage);
std::string engineSchema();

}  // namespace fxs::report
