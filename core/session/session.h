#pragma once
// The one door for every front end: a Snapshot of immutable values, and advance() to a later phase. GUI, CLI and tests call
// nothing else to run the steps.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/private_text.h"
#include "base/run_context.h"
#include "base/subprocess.h"
#include "import/import.h"
#include "lower/lower.h"
#include "normalize/normalize.h"
#include "read/read.h"
#include "rewrite/rewrite.h"
#include "trace/origins.h"
#include "trace/provenance.h"

namespace fxs::session {

enum class Phase : std::uint8_t { Read, Normalize, Rewrite, Import, Lower, Trace };
std::string_view name(Phase);  ///< "read", "normalize" ..

/// The world, handed in by the app.
struct Environment {
  CommandRunner* runner = nullptr;
  std::string enginePath;  ///< or its name; "" when none was found: then `engineMissing` says how to get one
  std::string engineMissing;
  std::string cacheDir;   ///< "" for none
  std::string stdinText;  ///< what FILE "-" holds
  /// Where the snapshots of a trace go, in a directory of their own that goes with the trace; "" where nothing can be written.
  std::string temporaryDir;
  std::string searchPath;                     ///< as PATH has it, for programs that are named without a folder
  std::vector<std::string> installedEngines;  ///< where ./run puts the engine, whether or not it is there
  Identity identity;                          ///< what of this machine is in no file that is handed on
  lower::OutputTypes outputTypes = lower::OutputTypes::builtin();
};

struct Request {
  std::string file;
  read::ReadOptions read;
  rewrite::RewriteOptions rewrite;
  import::ImportChoices import;
  lower::LowerOptions lower;
  std::string traceDir;    ///< keeps the snapshots of a trace: a directory that is there; "" for one that goes with the trace
  bool lowerFirst = true;  ///< false: Trace does without Lower, and finds out by itself how the stages end
  bool normalize = true;   ///< false: later phases do without normalized metadata, which they do not need
  bool parity = false;     ///< import the program as it was read, to compare with torch-mlir's own importer
  bool askEngine = false;  ///< import by itself, too, asks the engine what it registers; else the pinned engine's table stands in
};

struct Timing {
  Phase phase;
  std::chrono::duration<double> seconds;
};

struct Snapshot {
  Request request;
  std::shared_ptr<const read::Capture> capture;
  fx::ProgramPtr valued;  ///< the capture's program with the values that can be inferred: what is rewritten
  std::shared_ptr<const normalize::NormalizedProgram> normalized;
  std::shared_ptr<const rewrite::Rewritten> rewritten;
  std::shared_ptr<const import::Imported> imported;
  std::optional<lower::Engine> engine;
  std::shared_ptr<const std::set<std::string, std::less<>>> registeredOps;
  std::shared_ptr<const lower::Lowering> lowering;
  /// By stage of `lowering`; of the failure IR where a stage failed.
  std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins;
  trace::TracePtr trace;
  std::vector<Timing> timings;
  /// All findings of all steps so far, errors first, in node order.
  std::vector<fx::Finding> findings() const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Runs what is missing up to `until`. Values already there are kept: a new target keeps the program. An Error leaves the
/// caller's snapshot as it was. Import without an engine uses the pinned engine's table.
/// `onStage` is called as each stage of Lower ends, in order.
Result<SnapshotPtr> advance(SnapshotPtr, Phase until, const Environment&, const RunContext&,
                            const std::function<void(const lower::StageResult&)>& onStage = {});
/// The environment's engine, probed: a name is looked up in `searchPath`, and one of `installedEngines` must be the pinned one.
/// EngineFailed with the way out when there is none.
Result<lower::Engine> engineOf(const Environment&, const RunContext&);

/// A snapshot that has run nothing yet.
SnapshotPtr start(Request);
/// The snapshot for another request: what the change leaves valid is kept, so that a new output type keeps the program and
/// its import. A file that changed on disk needs start().
SnapshotPtr retarget(const SnapshotPtr&, Request);

}  // namespace fxs::session
