#pragma once
// The module after every pass that changed it, with each operation's provenance, hop by hop. Where all passes of a stage can be
// re-stated in a textual pipeline, the engine itself writes each snapshot in one run and moves every operation's location to its
// line there: a hop then is exact. Elsewhere (passes that are not registered by name) the engine's own IR printing gives the texts,
// and a hop leads back to the stage's input. A failing pass leaves everything up to it, and the IR at the failure. The traced result
// is compared with that of the plain pipeline, which runs at the same time.
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
  bool ran = false;     ///< false: the pipeline stopped before it
  bool changed = false;
  bool failed = false;  ///< it stopped the pipeline
  /// By the engine's own timing; negative when unknown.
  std::chrono::duration<double> seconds{-1};
  /// Of PassTrace::snapshots: the module after it; that of an earlier pass when it changed nothing; of the failed pass the IR at the
  /// failure, or -1 when the engine gave none; -1 when it did not run.
  int snapshot = -1;
};

struct IrSnapshot {
  std::string stage;     ///< of the pass that made it; "raw" of the first
  int pass = -1;         ///< of PassTrace::passes; -1: the module before the first pass
  std::string file;      ///< in PassTrace::directory
  bool failure = false;  ///< the IR at a failing pass
};

/// Locations that lead to lines of a file: line L (1-based) of `name` is line L + shift of the snapshot's file.
struct HopFile {
  std::string name;
  int snapshot = 0;  ///< -1 when a stored trace does not say
  std::int64_t shift = 0;
};

enum class Untraced : std::uint8_t { Same, Differs, NotCompared };
std::string_view name(Untraced);  ///< "same", "differs", "not compared"

struct PassTrace {
  OutputType target;
  Engine engine;
  std::string directory;  ///< holds the files
  std::vector<PassRun> passes;
  std::vector<IrSnapshot> snapshots;  ///< snapshots[0]: RAW as the engine prints it
  std::vector<HopFile> hops;          ///< of all snapshots; a location that refers to none of them leads to a node, or nowhere
  /// How each stage ended, with its findings; the texts are left to the snapshots.
  std::vector<StageResult> stages;
  Untraced untraced = Untraced::NotCompared;   ///< whether the last snapshot is what the plain pipeline gives
  std::vector<std::vector<std::string>> runs;  ///< argv of each engine run that made snapshots, in order
  bool ok() const;
  /// Opened from the output of another tool: it has neither engine nor target.
  bool madeElsewhere() const { return engine.path.empty(); }
  std::string pathOf(const IrSnapshot& snapshot) const { return directory + "/" + snapshot.file; }
  /// The last snapshot of a stage, or -1.
  int lastOf(std::string_view stage) const;
};

struct TraceOptions {
  LowerOptions lower;
  std::string directory;  ///< where snapshots go; must exist
  std::string cacheDir;   ///< keeps the flattened pipelines by the engine's checksum; "" for none
};

struct TraceCallbacks {
  std::function<bool(std::string_view)> decomposable;  ///< as LowerCallbacks::decomposable
  /// A snapshot was taken, with this text: the last one of the trace as it stands, while the engine goes on. Passes may be run again in
  /// finer steps; then a snapshot with the number of an earlier one replaces that and all after it.
  std::function<void(const PassTrace&, std::shared_ptr<const std::string> text)> onSnapshot;
};

/// `known`: the outcome of the plain pipeline, if known already; else null. Io when the directory cannot be written,
/// EngineFailed when the engine does not answer; a failing pass is a trace whose ok() is false. On an Error no file is left.
Result<std::shared_ptr<const PassTrace>> tracePasses(const std::string& raw, const fx::Program& program, const Engine&, const TraceOptions&,
                                                     const Lowering* known, CommandRunner&, const RunContext&,
                                                     const TraceCallbacks& callbacks = {});

}  // namespace fxs::lower
