#pragma once
// RAW torch dialect -> every stage up to an output type of fx.export_and_import. A stage that fails keeps what came before
// it, its diagnostics resolved to nodes, the exact command line, and the IR at the failure. A crash, a time-out or a memory
// limit is a finding with the pass and node where it happened; nothing is left running.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "fx/finding.h"
#include "lower/engine.h"
#include "lower/output_types.h"

namespace fxs::lower {

enum class StageStatus : std::uint8_t { Ok, Failed, Crashed, Timeout, Skipped };
std::string_view name(StageStatus);

struct StageResult {
  std::string id;
  std::string title;
  StageStatus status = StageStatus::Skipped;
  std::chrono::duration<double> seconds{0};
  std::string text;       ///< MLIR with locations; "" unless Ok
  std::string failureIr;  ///< IR at the failing pass, with locations; "" when the engine gave none
  std::string failingPass;
  std::vector<fx::Finding> findings;  ///< errors first
  std::vector<std::string> warnings;
  std::vector<std::string> argv;  ///< the run that made it; RAW goes in on stdin
  std::string stderrText;         ///< the engine's stderr, truncated to a limit
  std::string why;                ///< one line when Skipped: "torch failed"
  /// The text, or the partial text of a failed stage.
  const std::string& ir() const { return text.empty() ? failureIr : text; }
};

struct Limits {
  std::chrono::milliseconds timeout{120'000};
  std::uint64_t memory = std::uint64_t{8} << 30;
  std::uint64_t output = std::uint64_t{1} << 30;
  bool operator==(const Limits&) const = default;
};

/// With equal options, the same module gives the same answer.
struct LowerOptions {
  OutputType target;
  std::string extraLibrary;               ///< path for torchdynamo-export-to-torch-backend-pipeline{extra-library=}
  std::set<std::string> backendLegalOps;  ///< "aten.diff": what the torch stage must not decompose
  bool allowNonFinites = true;            ///< as the pipelines' own default
  Limits limits;
  bool operator==(const LowerOptions&) const = default;
};

struct LowerCallbacks {
  /// Whether a target ("aten.diff.default") has a decomposition that was not requested: findings then offer it. Null: none has.
  std::function<bool(std::string_view)> decomposable;
  /// Called as each stage ends, in order.
  std::function<void(const StageResult&)> onStage;
  /// Called once at most, on this thread, while the engine works on the last stage: time for what is to be done with those before
  /// it, which onStage has given and which stay where they are.
  std::function<void()> whileLastRuns;
};

/// stagesFor(options.target) with each `${..}` filled in from the options. Usage when a value is not valid in a pipeline's text.
Result<std::vector<StageSpec>> filledStages(const LowerOptions& options);

struct Lowering {
  OutputType target;
  Engine engine;
  std::vector<StageResult> stages;  ///< stagesFor(target), in order
  bool ok() const;
};

/// `program` resolves nodes of diagnostics; it is the user's program.
Result<std::shared_ptr<const Lowering>> lower(const std::string& raw, const fx::Program& program, const Engine&, const LowerOptions&,
                                              CommandRunner&, const RunContext&, const LowerCallbacks& = {});

}  // namespace fxs::lower
