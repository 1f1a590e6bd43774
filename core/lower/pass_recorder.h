// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Records a trace from engine runs on groups of passes: reads the snapshots that a run writes,
// notes which pass made each, and moves the files into the trace's directory. Which groups there
// are, and what the plain pipeline gives, is left to its caller.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch_directory.h"
#include "base/subprocess.h"
#include "lower/pass_trace.h"
#include "lower/printed_passes.h"
#include "lower/trace_plan.h"

namespace fxs::lower {

/// The options, runner, context and callbacks must outlive it. Unless it finishes, its destructor
/// removes the files that it wrote.
class PassRecorder {
 public:
  /// A snapshot written by a run after the pass `lastPass` (index into PassTrace::passes; -1:
  /// before the first pass).
  struct Point {
    std::string file;
    int lastPass;
  };
  /// Progress of reading the snapshots of a run while the engine writes them.
  struct Taking {
    std::vector<Point> points;
    std::size_t next = 0;  ///< index into points
    int from = -1;         ///< the last pass before points[next]
    bool clear = true;     ///< false: several passes ran between two snapshots that differ, so the
                           ///< pass that made the change is not known
    bool isComplete() const { return next == points.size(); }
  };
  /// The state of the trace before a run, to restore it if another run replaces that one.
  struct Mark {
    std::size_t snapshots = 0, hops = 0;
    std::vector<PassRun> passes;
    std::shared_ptr<const std::string> lastText;
  };
  /// A run with one snapshot for consecutive quiet passes.
  struct QuickRun {
    Mark start;
    Taking taking;
    std::optional<Exit> exit;  ///< nullopt unless it ended by itself
  };
  enum class Expected : std::uint8_t { Success, Failure };

  PassRecorder(const Engine&, const TraceOptions&, CommandRunner&, const RunContext&,
               const TraceCallbacks&);
  ~PassRecorder();
  PassRecorder(const PassRecorder&) = delete;
  PassRecorder& operator=(const PassRecorder&) = delete;

  /// Creates the directory that the engine writes to; Io if it cannot be created.
  Result<> open();
  PassTrace& trace() { return trace_; }
  /// Whether a text is the last snapshot of a pass, except for locations.
  bool isLastTraced(std::string_view text) const {
    return isSame(text, lastTraced_ ? *lastTraced_ : *lastText_);
  }
  Command command(const Engine&, const std::string& pipeline, std::string input) const;

  /// `last`: the final group, whose result is compared with that of the plain pipeline.
  QuickRun quickRunOf(const PassGroup& group, const PassGroup& last);
  Command quickCommand(const PassGroup&, const QuickRun&, const std::string& raw) const;
  /// Reads the next snapshot if it is completely written: the file after it exists, or the engine
  /// has ended. Returns whether it was.
  Result<bool> takeNext(Taking& run, bool ended);
  /// Reads the remaining snapshots of a quick run, which ended by itself.
  Result<> takeRest(QuickRun&);
  /// Handles quiet passes between the last snapshot and the end of the pipeline, whose result is
  /// `untraced`.
  void takeQuietEnd(Taking& run, std::string_view untraced);
  void noteTimes(const PassGroup&, const std::vector<Point>&, const std::string& err);
  /// Restores the state before a run, and removes the run's files.
  void goBack(const QuickRun&);

  /// Runs the group with a snapshot after every pass.
  Result<> runEveryPass(const PassGroup&, const std::string& raw, Expected);
  /// Runs the group with the engine's IR printing after every pass.
  Result<> runPrinted(const PassGroup&, Expected);
  /// Records which pass stopped the group, according to the stage's result in the plain pipeline,
  /// and the IR there if the engine printed it.
  Result<> noteFailure(const PassGroup&, const StageResult& stage);
  /// Adds a snapshot for each stage whose tool shows no passes, with the text of the plain run. Its
  /// locations are nodes, not earlier snapshots.
  Result<> takeSteps(const std::vector<StageSpec>& steps, const Lowering& known);
  /// Moves the files into the trace's directory, and returns the trace.
  Result<std::shared_ptr<const PassTrace>> finish();

 private:
  enum class Detail : std::uint8_t { Quick, EveryPass };

  /// What the engine prints of an operation after a pass on it.
  enum class Scope : std::uint8_t { Module, Operation };
  struct FailedPass {
    std::string pass, ir;
  };

  Result<std::string> readBytes(const std::string& file) const;
  Result<std::string> readFile(const std::string& file) const;
  Result<std::string> readPrintedOp(const std::string& file) const;
  tl::unexpected<Error> notRecorded(const std::string& reason) const;
  bool exists(const std::string& file) const;
  std::string nextFile();
  int firstPassOf(const PassGroup& group) const;
  std::vector<Point> pointsOf(const PassGroup& group, Detail detail,
                              const PassGroup* last = nullptr);
  std::string instrumentedPipeline(const PassGroup& group, const std::vector<Point>& points) const;
  Taking taking(std::vector<Point> points) const;
  Result<> takeAll(Taking& run);
  bool isSame(std::string_view a, std::string_view b) const;
  void keep(IrSnapshot snapshot, const std::string& writtenAs, std::string text);
  Result<Exit> print(const PassGroup&, const std::string& text, const std::string& input, Scope,
                     Expected);
  Result<std::string> moduleAfter(const PrintedStep&, std::string_view before, Scope) const;
  Result<> store(const std::string& file, const PrintedStep&, Scope, const std::string& text);
  Result<> takePrinted(const PassGroup&, const std::vector<PrintedStep>&, Scope);
  Result<> checkEnd(const Exit& exit, Expected expected) const;
  Result<> checkTaken(const Taking& run) const;
  Result<> takeFiles();

  const Engine& engine_;
  const TraceOptions& options_;
  CommandRunner& runner_;
  const RunContext& context_;
  const TraceCallbacks& callbacks_;
  /// The only directory that the engine may write to; options_.directory may contain other files of
  /// the user.
  std::optional<ScratchDirectory> scratch_;
  PassTrace trace_;
  std::shared_ptr<const std::string> lastText_;  ///< text of the last snapshot kept
  std::shared_ptr<const std::string>
      lastTraced_;              ///< likewise, before those of takeSteps(); null if there are none
  FailedPass failed_;           ///< of a printed group that failed
  bool isPutTogether_ = false;  ///< whether the text of a snapshot is made of those of operations
  std::vector<std::string> written_;  ///< files in the trace's directory
  int counter_ = 0;
  bool done_ = false;
};

}  // namespace fxs::lower
