// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entry point for all front ends: a Snapshot of immutable values, and advance() to run it to a
// later phase. GUI, CLI and tests run the steps only through this.
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
#include "session/route.h"
#include "trace/origins.h"
#include "trace/provenance.h"

namespace fxs::session {

enum class Phase : std::uint8_t { Read, Normalize, Rewrite, Import, Lower, Trace };
std::string_view name(Phase);  ///< "read", "normalize" ..

/// Access to the system, provided by the application.
struct Environment {
  CommandRunner* runner = nullptr;
  std::string enginePath;     ///< path, or name of a known engine or program; "" for the first of
                              ///< `installedEngines` that exists
  std::string engineMissing;  ///< how to get an engine, if there is none
  std::string cacheDir;       ///< "" for no cache
  std::string stdinText;      ///< content of the file "-"
  /// For temporary directories, such as the snapshots of a trace, which are removed with the trace;
  /// "" if nothing can be written.
  std::string temporaryDir;
  std::string searchPath;  ///< in the form of PATH, for programs named without a directory
  std::vector<std::string> installedEngines;  ///< paths to which ./run and `engine fetch` install
                                              ///< the pinned engine; they may not exist
  std::string
      enginesFolder;  ///< of the known engines (lower/known_engines.h); "" if nothing can be kept
  std::string executorsFolder;  ///< the one to which `engine fetch --numbers` installs IREE; "" if
                                ///< nothing can be kept
  std::vector<std::string>
      pipEnvironment;  ///< "NAME=value": what pip needs of the environment to fetch wheels
  Identity identity;   ///< home, user and host name, removed from files to share
  lower::OutputTypes outputTypes = lower::OutputTypes::builtin();
  std::vector<std::string> installedExecutors;  ///< folders that may have IREE's programs, the
                                                ///< first first; they may not exist
};

struct DirectRequest;  // session/registry.h
struct DirectResult;

struct Request {
  std::string file;
  read::ReadOptions read;
  rewrite::RewriteOptions rewrite;
  import::ImportChoices import;
  lower::LowerOptions lower;
  std::string traceDir;  ///< existing directory for the snapshots of a trace; "" for one that is
                         ///< removed with the trace
  bool lowerFirst =
      true;  ///< false: Trace runs without Lower and determines the results of the stages itself
  bool normalize = true;   ///< false: skip Normalize, which later phases do not require
  bool parity = false;     ///< import the program as read, to compare with torch-mlir's FxImporter
  bool askEngine = false;  ///< query the engine's registered operations also if only Import runs;
                           ///< false: use the pinned engine's table
  /// Also decompose what the output type needs (OutputTypeSpec::decompose), unless the program is
  /// imported as torch-mlir does.
  bool decomposeForTarget = false;
  const Route* route = &kPipelines;  ///< what Lower does
  std::shared_ptr<const DirectRequest>
      registries;  ///< of kRegistries; null: those of the output type
};

/// What Rewrite does: the request's own options, and the decompositions for one output type, which
/// is the request's if none is given.
rewrite::RewriteOptions rewriteOptionsOf(const Request&, const lower::OutputType&);
rewrite::RewriteOptions rewriteOptionsOf(const Request&);

struct Timing {
  Phase phase;
  std::chrono::duration<double> seconds;
};

struct Snapshot {
  Request request;
  std::shared_ptr<const read::Capture> capture;
  fx::ProgramPtr valued;  ///< the capture's program with inferred values; the input of Rewrite
  std::shared_ptr<const normalize::NormalizedProgram> normalized;
  std::shared_ptr<const rewrite::Rewritten> rewritten;
  std::shared_ptr<const import::Imported> imported;
  std::optional<lower::Engine> engine;
  std::shared_ptr<const std::set<std::string, std::less<>>> registeredOps;
  std::shared_ptr<const lower::Lowering> lowering;
  std::shared_ptr<const lower::Lowering>
      otherLowering;  ///< of the same module to another output type or with other edits, whose
                      ///< stages Lower may keep; or null
  /// By stage of `lowering`; for a failed stage, of its failure IR.
  std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins;
  /// Breaches of the output types' contracts by the texts of `lowering`, and warnings; see
  /// core/contract.
  std::vector<fx::Finding> contract;
  std::shared_ptr<const DirectResult> direct;  ///< which registry lowered which node; or null
  std::vector<std::string> changes;  ///< what the route changed of the program, a line each
  trace::TracePtr trace;
  std::vector<Timing> timings;
  /// Whether the texts of `lowering` keep their contracts.
  bool keepsContract() const;
  /// Whether `lowering` ended well and no step found an error: what rewriting or importing refuses
  /// does not lower, whatever an engine makes of the rest.
  bool lowersRight() const;
  /// The findings of all steps so far, errors first, in node order.
  std::vector<fx::Finding> findings() const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// Runs the missing phases up to `until` and returns a new snapshot; existing values are kept.
/// Import without an engine uses the pinned engine's table of registered operations. Lower and
/// Trace run only the phases that the request's route needs. Usage if the request cannot be lowered
/// by its route, and for a trace of another than kPipelines.
Result<SnapshotPtr> advance(SnapshotPtr, Phase until, const Environment&, const RunContext&,
                            const OnStage& onStage = {});
/// Probes the environment's engine. A name is that of a known engine, which must have the checksum
/// that it was added with, else looked up in `searchPath`; one of `installedEngines` must be the
/// pinned version. EngineFailed, with how to get one, if there is none.
Result<lower::Engine> engineOf(const Environment&, const RunContext&);
/// `enginePath`, else the first of `installedEngines` that exists now, else "".
std::string engineGivenOrInstalled(const Environment&);

/// Usage if the program that was read is an MLIR module. `work` needs operators of PyTorch: "fix".
Result<> requirePyTorchProgram(const Snapshot&, std::string_view work);

/// A snapshot that has run nothing yet.
SnapshotPtr start(Request);
/// A snapshot for another request that keeps all values still valid: a new output type keeps the
/// program and its import. Use start() if the file changed on disk.
SnapshotPtr retarget(const SnapshotPtr&, Request);
/// A snapshot with another engine, by whose registered operations it is imported; keeps the values
/// before Import.
SnapshotPtr withEngine(const SnapshotPtr&, lower::Engine);

}  // namespace fxs::session
