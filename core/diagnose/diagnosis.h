// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Why a program does not lower to one or more output types: every operation that does not lower,
// the reason, and the fixes that were tried. Values only; survey.h, experiments.h and diagnose.h
// create them, reports and windows show them.
//
// A Blocked entry is one distinct operation for one output type: nodes with the same target,
// operand types and constants have the same outcome, so they share an entry.
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fx/argument.h"
#include "fx/finding.h"
#include "lower/lower.h"

namespace fxs::diagnose {

/// Why an operation does not lower.
enum class Kind : std::uint8_t {
  NotFunctional,   ///< its mutation cannot be functionalized
  NotImported,     ///< the torch dialect cannot represent it
  NotRegistered,   ///< not registered in the engine's torch dialect: torch.operator
  NoPattern,       ///< no pattern of the output type was tried on it
  PatternRefused,  ///< patterns were tried and rejected it; `tried` lists them
  TypesLost,  ///< its element type or rank was lost during lowering; `pass` is the first pass after
              ///< which it is missing
  NumericType,  ///< the output type supports it, but not for these element types
  Verifier,     ///< it was lowered to invalid IR
  Contract,     ///< its text violates the contract of its stage
  Crash,
  Timeout,
  Memory,
  NotATensor,  ///< a result of the program is an int, a float or None, which the output type cannot
               ///< return
  WrongResult,  ///< it lowers, and computes a wrong value by itself; `pass` is the pass that
                ///< rewrote it, if known
  Unknown,      ///< the engine failed without a reason
  IllegalOp,    ///< the output type's conversion left it; which patterns were tried on it is not
                ///< known
};
inline constexpr int kKindCount = static_cast<int>(Kind::IllegalOp) + 1;
std::string_view name(Kind);   ///< "no-pattern": a stable id
std::string_view title(Kind);  ///< "no pattern of this output type matches it": to display

enum class Outcome : std::uint8_t { Passed, Failed, NotRun };
std::string_view name(Outcome);  ///< "passed", "failed", "not-run"
/// Whether an experiment that passed on the extracted operation also works in the whole program.
enum class Proof : std::uint8_t { NotTried, Proved, Disproved };
std::string_view name(Proof);  ///< "not-tried", "proved", "disproved"
/// What is known of a fix, by a run. The three wordings are kept apart in every report.
enum class Verified : std::uint8_t {
  Nothing,       ///< it was not run, or does not work
  ByItself,      ///< the operation lowers by itself; also if the rest was run with other blocked
                 ///< operations replaced by placeholders
  WholeLowers,   ///< the whole program lowers with it
  WholeComputes  ///< the whole program lowers with it and computes the same
};
std::string_view name(Verified);   ///< "nothing", "by-itself", "whole-lowers", "whole-computes"
std::string_view title(Verified);  ///< "not verified", "lowers by itself", "whole program lowers
                                   ///< with it", "whole program lowers and computes the same"

/// One change to an operation, and the result of lowering it again.
struct Experiment {
  std::string id;      ///< "decompose", "cast-f32", "static-sizes", "default:memory_format",
                       ///< "target:linalg-on-tensors" ..
  std::string change;  ///< an imperative line: "decompose aten.gelu.default"
  Outcome outcome = Outcome::NotRun;
  std::string message;  ///< the engine's message if Failed, the reason if NotRun; "" if Passed
  std::string
      cost;  ///< the drawback in one phrase: "computes in f32"; "" if the semantics do not change
  std::string snippet;   ///< to paste; "" for none
  std::string language;  ///< of the snippet: "python", "sh"
  std::string
      python;  ///< the same for the user's own script: PythonScript::text(); "" if there is none
  Proof proof = Proof::NotTried;
  std::string proofMessage;  ///< one sentence: what was run, and its result
  bool withPlaceholders =
      false;  ///< the proof is of a program whose other blocked operations are placeholders
  bool computesSame = false;  ///< the proof also ran the program: it computes what is expected
};
Verified verifiedBy(const Experiment&);

/// Whether the whole program also fails at an operation that does not lower separately.
enum class Agreement : std::uint8_t {
  Confirmed,   ///< the whole program fails at it too, when no other operation blocks it
  AloneOnly,   ///< it does not lower separately, but the whole program lowers
  WholeOnly,   ///< it lowers separately, but the whole program fails at it
  NotChecked,  ///< `agreementMessage` says why
};
std::string_view name(Agreement);  ///< "confirmed", "alone-only", "whole-only", "not-checked"

/// What makes sizes that are known only at run time ("u0"): calls of one operator at one Python
/// line, whose results have symbols that no earlier value has.
struct SizeSource {
  std::string name;  ///< operator and innermost module: "aten.where in block_sparse_moe"
  std::vector<std::string> symbols;  ///< ascending
  std::vector<fx::NodeId> nodes;     ///< of the user's program, ascending
};

/// Whether an operation lowers by itself with numbers in place of sizes known only at run time.
enum class WithNumbers : std::uint8_t { Lowers, Fails, NotKnown };
std::string_view name(WithNumbers);  ///< "lowers", "fails", "not-known"

/// How an operation depends on sizes that are known only at run time.
struct SizeDependence {
  std::size_t source = 0;  ///< index into Diagnosis::sizeSources
  bool makes = false;      ///< it is the source, which has no form with numbers
  WithNumbers withNumbers = WithNumbers::NotKnown;
  std::string message = {};  ///< one line: why it fails, or why that is not known; "" if it lowers
  friend bool operator==(const SizeDependence&, const SizeDependence&) = default;
};

struct Blocked {
  lower::OutputType target;
  Kind kind = Kind::Unknown;
  std::string fxTarget;  ///< target of the user's node: "aten.diff.default"
  std::string op;        ///< the MLIR operation that was not lowered: "torch.operator",
                         ///< "torch.aten.diff"; "" if not known
  std::string types;     ///< types of the first node's tensors: "(f32[1, 4], i64[2]) -> f32[1, 4]"
  std::string stage;     ///< "rewrite", "raw", "torch", "tosa" ..
  std::string pass;      ///< the pass that failed; "" for none
  std::string message;   ///< one line: what is wrong and what to do about it
  std::string engineMessage;                      ///< may have several lines
  std::optional<std::vector<std::string>> tried;  ///< patterns that were tried and rejected it, in
                                                  ///< order, each once; nullopt if not known
  std::vector<fx::NodeId>
      nodes;  ///< of the user's program, ascending; empty only if the engine named none
  Agreement agreement = Agreement::NotChecked;
  std::string agreementMessage;              ///< one sentence; "" if Confirmed
  std::vector<Experiment> experiments;       ///< proved ones first, then passed, failed, not run
  std::optional<SizeDependence> sizes = {};  ///< nullopt: on none that is known only at run time
};

/// The patterns of `tried`; none if they are not known.
std::vector<std::string> triedOf(const Blocked&);
/// Whether an entry blocks the program. An entry for an operation with which the whole program
/// lowers is a warning.
bool stops(const Blocked&);
/// Whether an entry is one of those that sizes known only at run time cause: it lowers with numbers
/// in their place; or the output type has static sizes only, and the entry, which gets as far as
/// its stage, makes them, or what it does with numbers is not known.
bool failsForSizes(const Blocked&);
/// "TOSA has static sizes only": what the dialect of an output type can have; "" if not known.
/// `operators`: those that fail for sizes known only at run time.
std::string sizesSentence(const lower::OutputType&, const std::string& operators);
/// The fix to suggest: the first experiment that is proved, else the first that passed and was not
/// disproved; null if there is none.
const Experiment* bestOf(const Blocked&);

/// How many nodes of one operator lower to each target of the diagnosis.
struct SupportRow {
  std::string fxTarget;
  struct Cell {
    std::size_t count = 0;    ///< nodes of the user's program
    std::size_t blocked = 0;  ///< nodes among them that are blocked
    bool known = true;        ///< false: the survey has no result (time limit, engine failure)
    std::size_t wrong = 0;    ///< nodes among them that lower and compute a wrong value
  };
  std::vector<Cell> cells;  ///< parallel to Diagnosis::targets
};

/// What a lowered program computes, compared with what it should.
struct Computed {
  std::string verdict;    ///< compare::name(): "same", "differs", "suspicious" ..
  std::string message;    ///< one line; "" if the same
  std::string reference;  ///< what it was compared with: "Python 3.11.2 with PyTorch 2.13.0"
  bool lowers = true;     ///< false: there was nothing to run; `message` says why
  std::string
      scope;  ///< for what the verdict holds (compare::Scope::message); "" if nothing was run
  bool accused = false;  ///< it differs, or does as one executor computes it
  /// False: neither was its value compared, nor is it known that it does not lower.
  bool isKnown = true;
  bool isSame() const { return verdict == "same"; }
  bool isWrong() const { return verdict.starts_with("differs"); }
};

struct TargetDiagnosis {
  lower::OutputType target;
  bool lowers = false;    ///< the unchanged program reaches the target
  std::string stoppedAt;  ///< the stage that failed; "" if `lowers`
  /// False: it reached a limit in `stoppedAt`, so whether it lowers is not known; if that is "",
  /// one of fxscope's own, see `restMessage`.
  bool isKnown = true;
  /// About the texts of the unchanged program's stages, one for each node, as `lower` finds them.
  std::vector<fx::Finding> warnings = {};
  /// Whether the program lowers with every blocked operation replaced by placeholders, so that the
  /// list is complete; nullopt if not run.
  std::optional<bool> restLowers;
  std::string restMessage;  ///< one sentence about that; names what else fails if it does not lower
  /// Whether the program lowers with the best experiment of each blocked operation applied; nullopt
  /// if there was none to apply.
  std::optional<bool> fixedLowers;
  std::vector<std::string> changes;       ///< Experiment::change of those applied, in order
  std::optional<Computed> computed;       ///< by the unchanged program, if it lowers
  std::optional<Computed> fixedComputed;  ///< by the program with `changes`, if that lowers
  std::chrono::duration<double> seconds{0};
  bool exceedsBudget() const { return !lowers && !isKnown && stoppedAt.empty(); }
};

/// What was rewritten or imported that torch_mlir.fx.export_and_import does not, and its own
/// outcome, for each output type.
struct BeyondTorchMlir {
  using Operators = std::map<std::string, std::size_t>;  ///< nodes by target of the user's program
  struct Outcome {
    lower::OutputType target;
    std::optional<bool> lowers;  ///< of the program without it; nullopt: not known, it takes too
                                 ///< long or the engine gave no answer
    std::string failsAt;         ///< an operator or a message; "" unless it fails
    Operators operators = {};    ///< that were rewritten for this output type
  };
  std::vector<Outcome> outcomes = {};
  Operators operators() const;  ///< of all output types
};
/// "rewritten or imported beyond torch-mlir: aten.diff.default (2 nodes); without it,
/// fx.export_and_import lowers to tosa, fails for ..", for each set of operators.
std::vector<std::string> sentences(const BeyondTorchMlir&);

/// What the unchanged program comes to for another output type, lowered because it has sizes that
/// are known only at run time.
struct OtherType {
  lower::OutputType target;
  std::optional<bool> lowers;          ///< nullopt: not known
  std::vector<std::string> operators;  ///< that block it, each once; "torch.aten.x" if no node is
                                       ///< known
  std::size_t nodes = 0;               ///< in these entries, each once
};

struct Diagnosis {
  lower::Engine engine;
  std::vector<TargetDiagnosis> targets;  ///< in the order requested
  std::vector<Blocked> blocked;          ///< by target in the order requested, then by first node
  std::vector<SupportRow> support;       ///< sorted by fxTarget
  std::vector<std::string>
      notes;  ///< for the user: operations whose separate lowering disagrees, exceeded time limits
  std::optional<BeyondTorchMlir> beyond;     ///< also a note
  std::vector<SizeSource> sizeSources = {};  ///< by first node
  std::vector<OtherType> otherTypes = {};    ///< besides `targets`
  std::string python;  ///< "Python 3.11 with PyTorch 2.13.0 at ..", or "none", or why there is none
  std::size_t distinct = 0;  ///< number of distinct operations that were lowered separately
  bool complete = true;      ///< false: cancelled or out of time; the results so far are valid
  /// The entries of one target.
  std::vector<const Blocked*> of(const lower::OutputType&) const;
};
/// Experiment::id of the change that gives sizes known only at run time their upper bounds, and of
/// the one that also gives them to results.
inline constexpr std::string_view kUpperBounds = "upper-bounds", kPaddedResults = "padded-results";
/// That experiment of an entry, if the program lowers with it; else null.
const Experiment* upperBoundsOf(const Diagnosis&, const Blocked&);
/// Whether an entry is listed under the source of its sizes: it stops the program with
/// failsForSizes(), or makes the sizes for which another one does, and the fixes found do not make
/// the program lower; or they do with upper bounds of the sizes.
bool blocksForSizes(const Diagnosis&, const Blocked&);
/// Of one of the diagnosis' targets.
OtherType outcomeOf(const Diagnosis&, const TargetDiagnosis&);
/// The outcomes of output types other than `target`: those of the diagnosis and `otherTypes`, the
/// one that goes furthest first.
std::vector<OtherType> besides(const Diagnosis&, const lower::OutputType& target);
/// Of these, the first that is known to go further than `target`: it lowers, or fewer operators and
/// fewer nodes block it.
std::optional<OtherType> furtherThan(const Diagnosis&, const lower::OutputType& target);

}  // namespace fxs::diagnose
