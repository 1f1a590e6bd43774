// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One line of a sweep's results: what became of one program for one output type. Lines are JSON
// objects without line breaks (resources/schemas/sweep.schema.json), so that a file of them can be
// appended to, cut and merged. Values only; sweep.h makes them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/json_form.h"
#include "base/result.h"
#include "base/run_context.h"
#include "sweep/status.h"

namespace fxs::sweep {

inline constexpr std::string_view kLineSchema = "fxscope-sweep/1";

struct Fix {
  std::string id;        ///< as diagnose::Experiment::id
  std::string change;    ///< an imperative line: "decompose aten.gelu.default"
  std::string verified;  ///< as diagnose::name(Verified): "by-itself", "whole-lowers"
  friend bool operator==(const Fix&, const Fix&) = default;
};

/// A line of Python.
struct SourceLine {
  std::string file;  ///< relative to the folder in which the sweep ran
  int line = 0;      ///< from 1
  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

/// What blocks the program at one operator, for one reason, with one fix.
struct Blocker {
  std::string fxTarget;        ///< "aten.diff.default"; the MLIR operation if no node is known
  std::string kind;            ///< as diagnose::name(Kind): "no-pattern"
  std::size_t nodes = 0;       ///< of the user's program
  std::size_t operations = 0;  ///< distinct operations among them
  std::optional<Fix> fix;      ///< the best verified one
  /// Sorted; of the nodes that have one. Not an outcome: they depend on where the sweep ran.
  std::vector<SourceLine> lines = {};
  friend bool operator==(const Blocker& a, const Blocker& b) {
    return std::tie(a.fxTarget, a.kind, a.nodes, a.operations, a.fix) ==
           std::tie(b.fxTarget, b.kind, b.nodes, b.operations, b.fix);
  }
};

/// Seconds. Diagnosing is done for all output types of a program together, reading as well.
struct LineTimes {
  double read = 0;
  double lower = 0;
  double diagnose = 0;
};

struct Line {
  std::string program;  ///< relative to the path that was swept
  std::string to;       ///< the output type
  Status status = Status::Ok;
  std::string stage;              ///< where it stopped; "" if ok
  std::string message;            ///< one line: the first error; "" if ok
  std::vector<Blocker> blockers;  ///< sorted
  std::optional<bool>
      complete;  ///< whether the rest lowers without the blockers; nullopt if not known
  std::optional<bool>
      fixedLowers;          ///< whether the whole program lowers with the fixes; nullopt if not run
  std::uint64_t nodes = 0;  ///< of the program; 0 if unreadable
  std::string sha256;       ///< of the file; "" if it cannot be opened
  std::string options;      ///< what else the outcome depends on, as text
  std::string fxscope;      ///< version
  std::string engine;       ///< version
  std::string engineSha256;  ///< of the executable
  LineTimes seconds;         // the only members that differ from run to run: these times
  std::uint64_t peakMemory =
      0;  ///< largest resident size of fxscope or the engine in bytes; 0 if not known
};
/// Whether two lines say the same of the same input; times and memory do not count.
bool sameOutcome(const Line&, const Line&);

/// The members from the output type to whether fixes help; of a fix after those given.
JsonForm<Line> outcomeForm(std::string_view typeKey, JsonForm<Fix> fix);
JsonForm<LineTimes> timesForm();
const JsonAnswer<Line>& lineAnswer();
/// The JSON with a line end.
std::string lineText(const Line&);
/// InvalidInput, starting with `label` ("results.jsonl:12"), if the text is not a line of this
/// schema. Unknown members are ignored.
Result<Line> lineFrom(std::string_view text, const std::string& label, const RunContext&);

}  // namespace fxs::sweep
