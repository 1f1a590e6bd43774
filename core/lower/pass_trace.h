// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The module after every pass that changed it, with each operation's provenance from snapshot to
// snapshot. If all passes of a stage can be written in a textual pipeline, MLIR's
// snapshot-op-locations writes all snapshots in one run and points each operation's location to its
// line there, which is exact. Otherwise (passes without a registered name) the texts come from the
// engine's IR printing, and locations lead to the stage's input. If a pass fails, the snapshots
// before it and the IR at the failure are kept. The traced result is compared with that of the
// plain pipeline, which runs concurrently.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lower/lower.h"

namespace fxs::lower {

/// One run of one pass over the module.
struct PassRun {
  std::string stage;    ///< StageSpec::id
  std::string pass;     ///< "canonicalize"
  std::string options;  ///< "max-iterations=10 ..", as the engine prints them; "" for none
  std::string anchor;   ///< "func.func", "builtin.module"
  bool ran = false;     ///< false: the pipeline stopped before it, or it is skipped
  bool changed = false;
  bool failed = false;  ///< it stopped the pipeline
  /// As reported by the engine; negative if unknown.
  std::chrono::duration<double> seconds{-1};
  /// Index into PassTrace::snapshots: the module after the pass (that of an earlier pass if it
  /// changed nothing), or the IR at the failure of a failed pass; -1 if there is none or the pass
  /// did not run. Of the pass after which an edited text stands, that text.
  int snapshot = -1;
  bool skipped = false;  ///< by LowerOptions::skipped, or since it is before an edited text
};

struct IrSnapshot {
  std::string stage;     ///< of the pass that made it; "raw" for the first
  int pass = -1;         ///< index into PassTrace::passes; -1: the module before the first pass
  std::string file;      ///< file name in PassTrace::directory
  bool failure = false;  ///< the IR at a failing pass
};

/// A file name in locations that refers to a snapshot: line L (1-based) of `name` is line L + shift
/// of the snapshot's file.
struct HopFile {
  std::string name;
  int snapshot = 0;  ///< index into PassTrace::snapshots; -1 if a stored trace does not say
  std::int64_t shift = 0;
};

enum class Untraced : std::uint8_t { Same, Differs, NotCompared };
std::string_view name(Untraced);  ///< "same", "differs", "not compared"

struct PassTrace {
  OutputType target;
  Engine engine;
  std::string directory;  ///< contains the snapshot files
  std::vector<PassRun> passes;
  std::vector<IrSnapshot> snapshots;  ///< snapshots[0]: RAW, or an edited text, as the engine
                                      ///< prints it
  std::vector<HopFile> hops;  ///< of all snapshots; other locations refer to a node, or are unknown
  /// Result of each stage with its findings, but without texts (see `snapshots`).
  std::vector<StageResult> stages;
  Untraced untraced =
      Untraced::NotCompared;  ///< whether the last snapshot equals the result of the plain pipeline
  std::vector<std::vector<std::string>>
      runs;  ///< argv of each engine run that made snapshots, in order
  bool ok() const;
  /// Opened from the output of another tool: it has neither engine nor target.
  bool madeElsewhere() const { return engine.path.empty(); }
  std::string pathOf(const IrSnapshot& snapshot) const { return directory + "/" + snapshot.file; }
  /// The last snapshot of a stage, or -1.
  int lastOf(std::string_view stage) const;
};

struct TraceOptions {
  LowerOptions lower;
  std::string directory;  ///< for the snapshots; must exist
  std::string cacheDir;   ///< caches flattened pipelines by the engine's checksum; "" for no cache
};

struct TraceCallbacks {
  std::function<bool(std::string_view)> decomposable;  ///< as LowerCallbacks::decomposable
  /// Called for each new snapshot, the last one of the trace so far, with its text, while the
  /// engine is running. If passes are run again in finer steps, a snapshot with an index already
  /// used replaces that snapshot and all later ones.
  std::function<void(const PassTrace&, std::shared_ptr<const std::string> text)> onSnapshot;
};

/// `known`: the result of the plain pipeline, or null if it has not been run. Usage if its edit is
/// of a stage that is one step. Io if the directory
/// cannot be written, EngineFailed if the engine cannot be run, Cancelled on a stop request. A
/// failing pass gives a trace whose ok() is false. On an Error no file is left.
Result<std::shared_ptr<const PassTrace>> tracePasses(const std::string& raw,
                                                     const fx::Program& program, const Engine&,
                                                     const TraceOptions&, const Lowering* known,
                                                     CommandRunner&, const RunContext&,
                                                     const TraceCallbacks& callbacks = {});

}  // namespace fxs::lower
