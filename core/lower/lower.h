// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers a RAW torch module through every stage up to an output type, like
// torch_mlir.fx.export_and_import. If a stage fails, the earlier stages are kept, with its
// diagnostics resolved to nodes, the exact command line and the IR at the failure. A crash, a
// timeout or an exceeded memory limit is a finding with the pass and node where it happened.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "fx/finding.h"
#include "lower/edit.h"
#include "lower/engine.h"
#include "lower/output_types.h"

namespace fxs::lower {

/// Ok, Failed and Crashed are known of the program. Unknown: its tool was killed, reached a limit
/// other than time, could not be run, or gave no answer.
enum class StageStatus : std::uint8_t { Ok, Failed, Crashed, Timeout, Unknown, Skipped };
/// Whether it says something about the program.
inline bool isKnown(StageStatus status) {
  return status == StageStatus::Ok || status == StageStatus::Failed ||
         status == StageStatus::Crashed;
}
std::string_view name(StageStatus);

struct StageResult {
  std::string id;
  std::string title;
  StageStatus status = StageStatus::Skipped;
  std::chrono::duration<double> seconds{0};
  std::string text;  ///< MLIR with locations, or what `form` says; "" unless Ok
  mlir::TextForm form = mlir::TextForm::Mlir;
  std::string failureIr;  ///< IR at the failing pass, with locations; "" if the engine printed none
  std::string failingPass;
  std::vector<fx::Finding> findings;  ///< errors first
  std::vector<std::string> warnings;
  std::vector<std::string> argv;  ///< of the engine run; its input is passed on stdin
  std::string stderrText;         ///< the engine's stderr, truncated to a limit
  std::string message;            ///< one line if Skipped: "torch failed"
  /// The text, or the failure IR of a failed stage, which is MLIR.
  const std::string& ir() const { return text.empty() ? failureIr : text; }
  mlir::TextForm irForm() const { return text.empty() ? mlir::TextForm::Mlir : form; }
};

struct Limits {  // of one engine run; memory and output in bytes
  std::chrono::milliseconds timeout{120'000};
  std::uint64_t memory = std::uint64_t{8} << 30;
  std::uint64_t output = std::uint64_t{1} << 30;
  bool operator==(const Limits&) const = default;
};
/// The time limit of a run that is one of many, or only explains another: a part of the one that
/// the user set, but not less than the smaller of that and 10 s; 0 stays no limit.
std::chrono::milliseconds shareOf(std::chrono::milliseconds timeout, int parts);
/// The time limit of other work, which is `usual` and grows with a time limit that is longer than
/// the default; long if there is none.
std::chrono::milliseconds grownWith(std::chrono::milliseconds timeout,
                                    std::chrono::milliseconds usual);

/// Equal options give equal results for a module.
struct LowerOptions {
  OutputType target;
  std::string
      extraLibrary;  ///< path for torchdynamo-export-to-torch-backend-pipeline{extra-library=}
  std::set<std::string>
      backendLegalOps;          ///< "aten.diff": operations that the torch stage must not decompose
  bool allowNonFinites = true;  ///< the default of torch-mlir's pipelines
  bool parsesRaw = true;  ///< false: the text of raw is the importer's; the engine prints it only
                          ///< if the next stage fails
  Limits limits;
  EditPtr edit;                                  ///< null: lowers what it is given
  std::set<StagePass> skipped;                   ///< passes that do not run
  std::map<std::string, std::string> pipelines;  ///< of stages by id, instead of their own
  bool operator==(const LowerOptions&) const = default;
};

struct LowerCallbacks {
  /// Whether a target ("aten.diff.default") has a decomposition that was not requested, so that
  /// findings offer it. Null: none has.
  std::function<bool(std::string_view)> decomposable;
  /// Called as each stage ends, in order.
  std::function<void(const StageResult&)> onStage;
  /// Called at most once, on this thread, while the engine runs the last stage, to do work on the
  /// earlier ones. References passed to onStage are still valid then.
  std::function<void()> whileLastRuns;
};

/// stagesFor(options.target) with each `${..}` filled in from the options. Usage if a value is not
/// valid in a textual pipeline.
Result<std::vector<StageSpec>> filledStages(const LowerOptions& options);

struct Lowering {
  OutputType target;
  EditPtr edit;  ///< this and the next two: of its options
  std::set<StagePass> skipped;
  std::map<std::string, std::string> pipelines;
  Engine engine;
  std::vector<StageResult> stages;  ///< stagesFor(target), in order
  bool ok() const;
};
/// Whether what stopped the lowering, if anything did, is known of the program.
bool isKnown(const std::vector<StageResult>&);
/// EngineFailed, with the reason, if the last stage that ran says nothing about the program: its
/// tool was killed, or gave no answer.
Result<> ensureAnswered(const Lowering&);
/// Whether a finding is of that kind.
inline bool isNoAnswer(const fx::Finding& finding) { return finding.kind == "engine"; }

/// `program`, the user's, resolves the nodes of diagnostics. A failing stage is no Error, and a
/// stop request skips the remaining stages. `before`, if not null, lowered the same module with the
/// same engine and options, but to another output type or with other edits: the stages that both
/// have, up to the first edit in which they differ, and that ended well are copied from it. Usage
/// if an edit names a stage or a pass that does not exist, or after which the engine cannot
/// continue.
Result<std::shared_ptr<const Lowering>> lower(const std::string& raw, const fx::Program& program,
                                              const Engine&, const LowerOptions&, CommandRunner&,
                                              const RunContext&, const LowerCallbacks& = {},
                                              const Lowering* before = nullptr);

}  // namespace fxs::lower
