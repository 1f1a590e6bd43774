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

namespace fxs::lower {

enum class OutputType : std::uint8_t { Raw, Torch, LinalgOnTensors, Tosa, Stablehlo };
std::string_view name(OutputType);  ///< "raw", "torch", "linalg-on-tensors", "tosa", "stablehlo"
/// Case and -/_ do not matter. Usage with "did you mean".
Result<OutputType> outputTypeFrom(std::string_view);

/// One stage of the lowering to an output type, as data (resources/stages.json).
struct StageSpec {
  std::string id;        ///< "torch"
  std::string title;     ///< "Torch backend IR"
  std::string pipeline;  ///< "builtin.module(..)", with `${extra-library}` and `${allow-non-finites}` to fill in; "" for raw: parse, verify
                         ///< and print
  std::string survey;    ///< a pipeline that goes on where `pipeline` stops at the first operation, to find the others; or ""
  std::vector<std::string> quiet;  ///< passes that hardly ever change anything; tracing spends less on them
};
/// In order: raw, torch, then the output type's own.
std::vector<StageSpec> stagesFor(OutputType);
/// The named pipelines that a stage's text uses: what an engine must register for it.
std::vector<std::string> pipelinesOf(const StageSpec&);

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
};

struct LowerOptions {
  OutputType target = OutputType::LinalgOnTensors;
  std::string extraLibrary;               ///< path for torchdynamo-export-to-torch-backend-pipeline{extra-library=}
  std::set<std::string> backendLegalOps;  ///< "aten.diff": what the torch stage must not decompose
  bool allowNonFinites = true;            ///< as the pipelines' own default
  /// Whether a target ("aten.diff.default") has a decomposition that was not requested: findings then offer it. Null: none has.
  std::function<bool(std::string_view)> decomposable;
  Limits limits;
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
                                              CommandRunner&, const RunContext&);

}  // namespace fxs::lower
