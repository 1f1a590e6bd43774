#pragma once
// What keeps a program from lowering to one or more output types: every operation that does not lower, why, and the fixes that were
// tried. Values only; survey.h, experiments.h and the session make them, reports and windows show them.
//
// "Blocked" is one distinct operation of one output type: nodes with the same target, operand types and constants have the
// same outcome, so they are one entry with many nodes.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "fx/finding.h"
#include "lower/lower.h"

namespace fxs::diagnose {

/// Why an operation does not lower.
enum class Kind : std::uint8_t {
  NotFunctional,   ///< its write cannot be functionalized
  NotImported,     ///< the torch dialect cannot represent it
  NotRegistered,   ///< the engine's dialect has no such operation: torch.operator
  NoPattern,       ///< no pattern of the output type was tried on it
  PatternRefused,  ///< patterns were tried and rejected it; `tried` lists them
  TypesLost,       ///< its element type or rank was lost during lowering; `pass` is the first where
  NumericType,     ///< the output type has it, but not for these element types
  Verifier,        ///< it was lowered to invalid IR
  Contract,        ///< it violates the torch backend contract
  Crash,
  Timeout,
  Memory,
  Unknown,  ///< the engine stopped and did not say why
};
std::string_view name(Kind);   ///< "no-pattern": a stable word
std::string_view title(Kind);  ///< "no pattern of this output type matches it": for people

enum class Outcome : std::uint8_t { Passed, Failed, NotRun };
std::string_view name(Outcome);  ///< "passed", "failed", "not-run"
/// Whether an experiment that passed on the operation by itself also works in the whole program.
enum class Proof : std::uint8_t { NotTried, Proved, Disproved };
std::string_view name(Proof);  ///< "not-tried", "proved", "disproved"

/// One thing changed, and the operation run again.
struct Experiment {
  std::string id;      ///< "decompose", "cast-f32", "static-sizes", "default:memory_format", "target:linalg-on-tensors" ..
  std::string change;  ///< what to do, an imperative line: "decompose aten.gelu.default"
  Outcome outcome = Outcome::NotRun;
  std::string words;     ///< the engine's message when Failed, the reason when NotRun; "" when Passed
  std::string cost;      ///< what the change gives up, one phrase: "computes in f32"; "" when the program means the same
  std::string snippet;   ///< to paste; "" when there is none
  std::string language;  ///< of the snippet: "python", "sh"
  Proof proof = Proof::NotTried;
  std::string proofWords;  ///< one sentence: what was run, and how it ended
};

/// Whether the whole program stops at an operation that does not lower by itself.
enum class Agreement : std::uint8_t {
  Confirmed,   ///< the whole program stops at it too, once nothing else stops it
  AloneOnly,   ///< it does not lower by itself, but the whole program lowers
  WholeOnly,   ///< it lowers by itself, but the whole program stops at it
  NotChecked,  ///< `agreementWords` says why
};
std::string_view name(Agreement);  ///< "confirmed", "alone-only", "whole-only", "not-checked"

struct Blocked {
  lower::OutputType target;
  Kind kind = Kind::Unknown;
  std::string fxTarget;            ///< the user's node's: "aten.diff.default"
  std::string op;                  ///< the MLIR operation that was not lowered: "torch.operator", "torch.aten.diff"; "" when not known
  std::string types;               ///< "(f32[1, 4], i64[2]) -> f32[1, 4]": of the first node's tensors
  std::string stage;               ///< "rewrite", "raw", "torch", "tosa" ..
  std::string pass;                ///< where it stopped; "" when no pass did
  std::string message;             ///< one line: the thing, what is wrong, what to do about it
  std::string words;               ///< the engine's message; may have several lines
  std::vector<std::string> tried;  ///< patterns that were tried and rejected it, in order, each once
  std::vector<fx::NodeId> nodes;   ///< of the user's program, ascending; empty only when the engine named none
  Agreement agreement = Agreement::NotChecked;
  std::string agreementWords;           ///< one sentence; "" when Confirmed
  std::vector<Experiment> experiments;  ///< proved ones first, then passed, failed, not run
};

/// One operator of the program and each target of the diagnosis.
struct SupportRow {
  std::string fxTarget;
  struct Cell {
    std::size_t count = 0;    ///< nodes of the user's program
    std::size_t blocked = 0;  ///< of these
    bool known = true;        ///< false: the survey did not get an answer (time, engine gone)
  };
  std::vector<Cell> cells;  ///< by Diagnosis::targets
};

struct TargetDiagnosis {
  lower::OutputType target;
  bool lowers = false;    ///< the program as it is reaches the target
  std::string stoppedAt;  ///< the stage that failed; "" when `lowers`
  /// The program with every blocked operation replaced by placeholders: true, it lowers, so that the list is complete.
  std::optional<bool> restLowers;
  std::string restWords;  ///< one sentence about that; says what else stops where it does not lower
  /// The program with the best experiment of each blocked operation applied: does it lower? Nothing when there was nothing to apply.
  std::optional<bool> fixedLowers;
  std::vector<std::string> changes;  ///< what was applied then: Experiment::change, in order
  std::chrono::duration<double> seconds{0};
};

struct Diagnosis {
  lower::Engine engine;
  std::vector<TargetDiagnosis> targets;  ///< as asked
  std::vector<Blocked> blocked;          ///< by target as asked, then by first node
  std::vector<SupportRow> support;       ///< sorted by fxTarget
  std::vector<std::string> notes;        ///< what the user should know: cuts that disagree, time that ran out
  std::string python;                    ///< "Python 3.11 with PyTorch 2.13.0 at ..", or "none", or why there is none
  std::size_t distinct = 0;              ///< operations that were run by themselves, each once for all its nodes
  bool complete = true;                  ///< false: cancelled or out of time; the results so far are valid
  /// The entries of one target.
  std::vector<const Blocked*> of(const lower::OutputType&) const;
};

}  // namespace fxs::diagnose
