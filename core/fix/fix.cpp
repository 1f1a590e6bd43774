// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/fix.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "base/joined.h"
#include "base/measuring_runner.h"
#include "contract/contract.h"
#include "diagnose/beyond_torch_mlir.h"
#include "diagnose/run_time_sizes.h"
#include "fix/fixed_form.h"
#include "fix/fixed_values.h"
#include "fix/kept_sizes.h"
#include "fix/live_torch_mlir.h"
#include "fix/search.h"
#include "fix/short_python.h"
#include "fx/text.h"
#include "import/torch_mlir_refusals.h"
#include "rewrite/inline_control_flow.h"
#include "rewrite/known_strides.h"
#include "rewrite/rule.h"
#include "session/importing.h"
#include "write/pt2.h"

namespace fxs::fix {
namespace {

/// torch-mlir's importer does not take torch.cond for any output type.
bool hasCondition(const fx::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
    return node.op == fx::NodeOp::CallFunction && node.target == rewrite::kCond;
  });
}

class Fixer {
 public:
  Fixer(session::SnapshotPtr base, const FixOptions& options, const session::Environment& env,
        const RunContext& context)
      : given_(base),
        base_(std::move(base)),
        options_(options),
        env_(env),
        context_(context),
        runner_(*env.runner),
        measured_(env) {
    measured_.runner = &runner_;
  }

  Result<FixedProgramPtr> run() {
    FXS_CHECK(leaveOutConstants());
    FXS_TRY(Found found, searched(base_, options_, env_, context_));
    applied_ = std::move(found.applied);
    breached_ = std::move(found.breached);
    out_.targets = std::move(found.targets);
    out_.blocked = std::move(found.blocked);
    std::ranges::move(found.changes, std::back_inserter(out_.changes));
    FXS_TRY(const session::SnapshotPtr done, withChanges(base_, applied_, context_));
    FXS_TRY(const fx::ProgramPtr used, withoutUnusedNumbers(done->rewritten->program, context_));
    std::vector<fx::NodeId> reshaped;
    const fx::ProgramPtr program =
        rewrite::withReshapes(withOneNamePerTensor(withFoundMutations(used)), reshaped);
    FXS_CHECK(writePython());
    out_.snapshot = withProgram(done, onCpu(program));
    FXS_CHECK(makeImportable());
    renameWeights();
    checkStrides();
    FXS_CHECK(checkAsTorchMlir());
    WeightsWithoutValues empty = weightsWithoutValues(out_.program());
    if (out_.pythonStop.empty() && !empty.nodes.empty())
      out_.pythonStop = "a decomposition table gives weights no values: " + empty.reason;
    FXS_CHECK(checkPython());
    FXS_CHECK(takeStaticPython());
    out_.snapshot = withProgram(out_.snapshot, withAtenViews(out_.snapshot->rewritten->program));
    if (!empty.nodes.empty())
      out_.changes.push_back(
          {options_.targets.front(), "placeholder", std::move(empty.nodes),
           "write zeros as the values of these weights",
           "what it computes means nothing until their values are set, with load_state_dict()",
           "torch-mlir imports weights with values, and these have none here: " + empty.reason,
           diagnose::Verified::WholeLowers});
    if (!options_.python.empty()) {
      const std::vector<FixedTarget> before = out_.targets;
      FXS_CHECK(askTorchMlir(options_.python, out_, env_, context_));
      FXS_CHECK(compareFixedValues(options_.python, base_, out_, env_, context_));
      for (std::size_t t = 0; t < before.size(); ++t)
        if (breached_.contains(before[t].target)) out_.targets[t] = before[t];
    } else {
      leaveRunTimeSlices();
    }
    if (options_.python.empty() && options_.numbers)
      FXS_CHECK(compareFixedValues("", base_, out_, env_, context_));
    for (FixedChange& change : out_.changes) {
      const FixedTarget& target = resultOf(change.target);
      change.verified =
          target.lowers ? diagnose::Verified::WholeLowers : diagnose::Verified::ByItself;
    }
    return std::make_shared<const FixedProgram>(std::move(out_));
  }

  /// Operators with a decomposition at which torch-mlir stops, although they lower here.
  const std::set<std::string>& stoppedAt() const { return stoppedAt_; }

 private:
  /// Of a program whose slices have bounds known only at run time, it is known with PyTorch alone
  /// whether torch-mlir lowers it.
  void leaveRunTimeSlices() {
    const fx::Program& program = out_.program();
    const fx::NodeId slice = diagnose::sliceAtRunTime(program);
    if (!slice.valid()) return;
    for (FixedTarget& target : out_.targets)
      if (target.lowers)
        target = {target.target, false,
                  "it lowers here, but PyTorch traces the program again, and may compute the size "
                  "of " +
                      program.node(slice).name +
                      ", known only at run time, with torch.sym_min, which torch-mlir's importer "
                      "does not take; --python PATH asks torch-mlir itself",
                  false};
  }

  /// The snapshot of the user's program without the results that are no values.
  Result<> leaveOutConstants() {
    auto capture = std::make_shared<read::Capture>(*base_->capture);
    capture->program = withoutConstantResults(capture->program, out_.results);
    if (out_.results.empty()) return {};
    std::vector<std::string> constants;
    for (const std::string& result : out_.results)
      if (!result.empty()) constants.push_back(result);
    const fx::NodeId output = capture->program->output(capture->program->main().id).id;
    out_.changes.push_back({options_.targets.front(),
                            "output",
                            {output},
                            "leave out results that are not tensors: " + joined(constants),
                            "results() of the written Python puts them back",
                            "they are constants, and output types return only tensors"});
    auto without = std::make_shared<session::Snapshot>();
    without->request = base_->request;
    without->capture = std::move(capture);
    without->engine = base_->engine;
    FXS_TRY(base_, session::advance(std::move(without), session::Phase::Import, env_, context_));
    return {};
  }

  /// Names of the calls that torch-mlir's importer refuses of what PyTorch makes of a program.
  Result<std::set<std::string>> refusedByImporter(const fx::ProgramPtr& program) const {
    rewrite::RewriteOptions options = diagnose::asTorchMlir(base_->request).rewrite;
    options.decompose.clear();
    FXS_TRY(const auto theirs, rewrite::rewrite(program, options, context_));
    std::set<std::string> out;
    for (const fx::Finding& refusal : import::importerRefusals(*theirs->program))
      out.insert(refusal.nodeName);
    return out;
  }

  /// Changes calls that torch-mlir's importer refuses in this form only.
  Result<> makeImportable() {
    const fx::ProgramPtr before = out_.snapshot->rewritten->program;
    FXS_TRY(fx::ProgramPtr after, withImportableForm(before, context_));
    if (after == before) return {};
    FXS_TRY(std::set<std::string> names, refusedByImporter(asLoaded(*before)));
    FXS_TRY(std::set<std::string> ofUser, refusedByImporter(base_->capture->program));
    names.merge(ofUser);
    if (names.empty()) return {};
    const auto refusedAt = [&](const fx::Program& program) {
      std::map<fx::NodeId, std::string> out;
      for (const fx::Finding& refusal : import::importerRefusals(program))
        if (names.contains(refusal.nodeName)) out.emplace(refusal.node, refusal.message);
      return out;
    };
    const auto left = refusedAt(*after);
    for (const auto& [id, reason] : refusedAt(*before)) {
      if (left.contains(id)) continue;
      const fx::Node& node = base_->capture->program->node(id);
      const bool isScalar = node.val.symbol() != nullptr;
      out_.changes.push_back({options_.targets.front(),
                              node.target,
                              {id},
                              isScalar ? "compute it by a function that the importer has"
                                       : "clone the weights before the list",
                              "",
                              reason});
      if (out_.pythonStop.empty())
        out_.pythonStop = reason + ", as the original has it ('" + node.name + "')";
    }
    out_.snapshot = withProgram(out_.snapshot, std::move(after));
    return {};
  }

  /// Where a result depends on strides that are not known, nor is whether PyTorch runs the program.
  void checkStrides() {
    const std::vector<fx::NodeId> readers = rewrite::readUnknownStrides(out_.program());
    if (readers.empty()) return;
    const fx::Node& reader = out_.program().node(readers.front());
    for (FixedTarget& target : out_.targets) {
      if (!target.lowers) continue;
      target.lowers = target.isKnown = false;
      target.message =
          reader.target + " ('" + reader.name +
          "') reads elements in the order of memory, and the strides of its operand are unknown";
    }
  }

  void renameWeights() {
    std::vector<fx::NodeId> renamed;
    out_.snapshot =
        withProgram(out_.snapshot, withAttributeNames(out_.snapshot->rewritten->program, renamed));
    if (renamed.empty()) return;
    out_.changes.push_back({options_.targets.front(), "placeholder", std::move(renamed),
                            "add '_' to names of modules that are keywords",
                            "load_state_dict() expects the new names",
                            "PyTorch makes Python source of these names, which does not run",
                            diagnose::Verified::WholeLowers});
  }

  struct Outcome {
    std::string message;  ///< "" if it lowers, and if that was not asked
    bool isKnown = true;
    bool onlyThere = false;  ///< it lowers, although it does not as it is imported here: with
                             ///< buffers as constants, for one
    std::vector<std::string> warnings = {};  ///< if it lowers
    std::set<std::string> operators = {};    ///< at which it stops
  };

  /// Another form of the fixed program, which computes the same.
  struct Form {
    std::string target;  ///< "" for those of the calls that it changes
    std::string change, cost, reason;
    std::function<Result<fx::ProgramPtr>(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed)>
        apply;
  };
  std::vector<Form> forms() const {
    return {{"placeholder", "make the buffers constants", "they cannot be set or loaded as buffers",
             "torch-mlir imports buffers as arguments",
             [this](const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
               return withImportableForm(withConstantBuffers(*program, changed), context_);
             }},
            {"aten.full.default", "fill as int64 and convert", "",
             "PyTorch's table makes aten.fill of it, which torch-mlir has no 8-bit form of",
             [this](const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
               return withConvertedFills(program, changed, context_);
             }},
            {"", "compute mean and variance of the groups", "",
             "PyTorch's table makes aten.as_strided of a symbolic batch, which torch-mlir does not "
             "import",
             [this](const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
               return withGroupStatistics(program, changed, context_);
             }},
            {"", "view a contiguous copy, with -1 as the dynamic size", "",
             "PyTorch computes the size, which TOSA has no operation for",
             [this](const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
               return withInferredSizes(program, changed, context_);
             }}};
  }

  /// Lowers the fixed program as fx.export_and_import does when it is given the file; in another
  /// form where that lowers more.
  Result<> checkAsTorchMlir() {
    const auto start = std::chrono::steady_clock::now();
    FXS_TRY(std::vector<Outcome> outcomes, inTorchMlir(out_.program()));
    theirTime_ = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start);
    theirMemory_ = runner_.peak();
    for (const Form& form : forms()) {
      bool any = false;
      for (std::size_t t = 0; t < outcomes.size(); ++t) any |= stops(t, outcomes[t]);
      if (!any) break;
      FXS_TRY(outcomes, triedIn(form, std::move(outcomes)));
    }
    for (std::size_t t = 0; t < outcomes.size(); ++t) {
      if (outcomes[t].onlyThere) {
        out_.targets[t] = {out_.targets[t].target, true, {}, true, true, outcomes[t].warnings};
        std::erase_if(out_.blocked, [&](const diagnose::Blocked& b) {
          return b.target == out_.targets[t].target;
        });
      }
      if (out_.targets[t].lowers) out_.targets[t].warnings = outcomes[t].warnings;
      if (!stops(t, outcomes[t])) continue;
      for (const rewrite::Rule& rule : rewrite::builtinRules().rules())
        if (outcomes[t].operators.contains(rule.target)) stoppedAt_.insert(rule.target);
      out_.targets[t].lowers = false;
      out_.targets[t].isKnown = outcomes[t].isKnown;
      out_.targets[t].message = outcomes[t].message;
    }
    return {};
  }

  /// Gives the program another form if that lowers to more output types than `before`, and to all
  /// of those. Returns the outcomes in the form that it has now.
  Result<std::vector<Outcome>> triedIn(const Form& form, std::vector<Outcome> before) {
    std::vector<fx::NodeId> changed;
    FXS_TRY(const fx::ProgramPtr program, form.apply(out_.snapshot->rewritten->program, changed));
    if (changed.empty()) return before;
    FXS_TRY(std::vector<Outcome> now, inTorchMlir(*program));
    std::vector<lower::OutputType> gained;
    bool loses = false;
    for (std::size_t t = 0; t < before.size(); ++t) {
      if (stops(t, before[t]) && now[t].message.empty()) gained.push_back(out_.targets[t].target);
      loses |= before[t].message.empty() && !now[t].message.empty();
    }
    if (gained.empty() || loses) return before;
    const std::string& of =
        form.target.empty() ? base_->capture->program->node(changed.front()).target : form.target;
    isOtherForm_ = true;
    for (const lower::OutputType& target : gained)
      out_.changes.push_back({target, of, changed, form.change, form.cost, form.reason,
                              diagnose::Verified::WholeLowers});
    out_.snapshot = withProgram(out_.snapshot, program);
    return now;
  }

  /// Whether the fixed program lowers to the target, but not as torch-mlir imports it.
  bool stops(std::size_t target, const Outcome& outcome) const {
    return out_.targets[target].lowers && !outcome.message.empty();
  }

  /// Where a decomposition table does less than the file: to which output types the user's program
  /// lowers with it.
  Result<> checkPython() {
    if (out_.pythonStop.empty() && (isOtherForm_ || !notInTable_.empty())) {
      FXS_TRY(const fx::ProgramPtr program, diagnose::PythonChanges(userBase(*base_, applied_))
                                                .programWithout(notInTable_, context_));
      FXS_TRY(const std::vector<Outcome> outcomes, inTorchMlir(*program));
      bool any = false;
      for (std::size_t t = 0; t < outcomes.size(); ++t) {
        out_.targets[t].byPython = outcomes[t].message.empty();
        any |= out_.targets[t].lowers && out_.targets[t].byPython;
      }
      if (!any)
        out_.pythonStop =
            "a decomposition table cannot do all of this: torch-mlir lowers the file only";
    }
    if (!out_.pythonStop.empty())
      for (FixedTarget& target : out_.targets) target.byPython = false;
    FXS_CHECK(shortenPython());
    for (FixedChange& change : out_.changes) {
      const diagnose::PythonScript script{
          change.target,
          change.runDecompositions ? std::vector<diagnose::PythonDecomposition>()
                                   : diagnose::decompositionsOf(out_.decompositions, change.nodes),
          change.staticSizes, change.runDecompositions};
      if (!script.isEmpty()) change.python = script.text();
    }
    return {};
  }

  Result<> shortenPython() {
    if (!out_.pythonStop.empty()) return {};
    std::set<fx::NodeId> changed;
    for (const FixedChange& change : out_.changes)
      changed.insert(change.nodes.begin(), change.nodes.end());
    context_.report({"shortening the Python", -1});
    FXS_TRY(ShortPython shorter,
            shortened(
                {userBase(*base_, applied_), out_.decompositions, notInTable_, changed},
                [&](const fx::Program& program) { return lowersAsBefore(program); },
                options_.budget, context_));
    out_.decompositions = std::move(shorter.decompositions);
    out_.runDecompositions = shorter.runDecompositions;
    return {};
  }
  /// Whether torch-mlir lowers a program to each output type to which the Python lowers the user's.
  Result<bool> lowersAsBefore(const fx::Program& program) const {
    FXS_TRY(const std::vector<Outcome> outcomes, inTorchMlir(program, shorterLimits()));
    for (std::size_t t = 0; t < outcomes.size(); ++t)
      if (out_.targets[t].lowers && out_.targets[t].byPython && !outcomes[t].message.empty())
        return false;
    return true;
  }
  /// For a program that may do with less than the fixed one: many times what that took. The engine
  /// may not end, or take all memory, at a call that the fix replaces.
  lower::Limits shorterLimits() const {
    constexpr int kParts = 12, kTimes = 10;
    constexpr std::uint64_t kLeastMemory = std::uint64_t{2} << 30;
    lower::Limits out = base_->request.lower.limits;
    out.timeout = std::clamp(theirTime_ * kTimes, lower::shareOf(out.timeout, kParts), out.timeout);
    const std::uint64_t memory = std::max(theirMemory_ * kTimes, kLeastMemory);
    if (theirMemory_ > 0 && (out.memory == 0 || memory < out.memory)) out.memory = memory;
    return out;
  }
  static Outcome outcomeOf(const session::Snapshot& theirs) {
    const std::vector<fx::Finding> findings = theirs.findings();
    if (theirs.lowersRight()) {
      Outcome out;
      for (const fx::Finding& finding : findings)
        if (finding.kind == contract::kKind && std::find(out.warnings.begin(), out.warnings.end(),
                                                         finding.message) == out.warnings.end())
          out.warnings.push_back(finding.message);
      return out;
    }
    for (const lower::StageResult& stage : theirs.lowering->stages)
      if (stage.status == lower::StageStatus::Timeout)
        return {"it was not lowered as torch-mlir imports it within the time limit", false};
    Outcome out{"as torch-mlir imports it: " +
                (findings.empty() ? "it stops" : findings.front().message)};
    for (const fx::Finding& finding : findings)
      if (finding.severity == fx::Severity::Error) out.operators.insert(finding.target);
    return out;
  }

  /// By target: what fx.export_and_import makes of the program as torch.export.load opens it.
  Result<std::vector<Outcome>> inTorchMlir(const fx::Program& program,
                                           const std::optional<lower::Limits>& limits = {}) const {
    auto loaded = std::make_shared<session::Snapshot>();
    loaded->request = diagnose::asTorchMlir(base_->request);
    if (limits) loaded->request.lower.limits = *limits;
    loaded->request.rewrite.decompose.clear();
    auto capture = std::make_shared<read::Capture>(*base_->capture);
    capture->program = withAtenViews(asLoaded(program));
    loaded->valued = capture->program;
    loaded->capture = std::move(capture);
    loaded->engine = base_->engine;
    FXS_TRY(const session::SnapshotPtr imported,
            session::advance(std::move(loaded), session::Phase::Import, env_, context_));
    std::vector<Outcome> out;
    for (const FixedTarget& target : out_.targets) {
      Outcome& outcome = out.emplace_back();
      if (!target.lowers && (!target.isKnown || breached_.contains(target.target))) continue;
      FXS_TRY(const session::SnapshotPtr done,
              lowered(imported, target.target, measured_, context_));
      outcome = outcomeOf(*done);
      // Where it does not lower here, but nothing is said of its text either.
      outcome.onlyThere = !target.lowers && outcome.message.empty() && done->contract.empty();
    }
    return out;
  }

  FixedTarget& resultOf(const lower::OutputType& target) {
    return *std::find_if(out_.targets.begin(), out_.targets.end(),
                         [&](const FixedTarget& t) { return t.target == target; });
  }

  Result<> writePython() {
    diagnose::PythonChanges python(userBase(*base_, applied_));
    out_.pythonStop = python.stop();
    if (out_.pythonStop.empty() && import::sharedAndMutated(*base_->rewritten->program) != nullptr)
      out_.pythonStop =
          "PyTorch does not decompose the original, which mutates a tensor with two names";
    if (!out_.pythonStop.empty()) return {};
    FXS_TRY(out_.decompositions, python.with({}, context_));
    notInTable_ = python.leftOut();
    return {};
  }

  /// The Python of the fix with static sizes, where none keeps those that are kept.
  Result<> takeStaticPython() {
    const bool areKept = std::any_of(applied_.begin(), applied_.end(),
                                     [](const auto& c) { return c.keptSizes.has_value(); });
    if (!options_.script || !areKept || out_.pythonStop.empty()) return {};
    FixOptions fixed;
    fixed.targets = options_.targets;
    fixed.budget = options_.budget;
    fixed.keepSizes = false;
    FXS_TRY(const FixedProgramPtr other, Fixer(given_, fixed, env_, context_).run());
    if (other->python().empty()) return {};
    for (std::size_t t = 0; t < out_.targets.size(); ++t)
      out_.targets[t].byPython = other->targets[t].lowers && other->targets[t].byPython;
    out_.withStaticSizes = other;
    return {};
  }

  const session::SnapshotPtr given_;
  session::SnapshotPtr base_;  ///< as given_, without results that are no values
  const FixOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  MeasuringRunner runner_;
  session::Environment measured_;  ///< as env_, with runner_
  std::vector<diagnose::Change> applied_;
  std::set<lower::OutputType> breached_;  ///< Found::breached
  std::set<std::string>
      notInTable_;  ///< operators of the user's program that a decomposition table does not replace
  std::chrono::milliseconds theirTime_{};  ///< what inTorchMlir() took for the fixed program
  std::uint64_t theirMemory_ = 0;          ///< bytes; 0 if not known
  bool isOtherForm_ = false;               ///< the program is in one of forms()
  std::set<std::string> stoppedAt_;
  FixedProgram out_;
};

}  // namespace

std::string FixedProgram::python() const {
  if (withStaticSizes) return withStaticSizes->python();
  const diagnose::PythonScript made = script();
  return !pythonStop.empty() || (made.isEmpty() && !anyLowers()) ? "" : made.text();
}

diagnose::PythonScript FixedProgram::script() const {
  diagnose::PythonScript out{targets.front().target, decompositions};
  out.runDecompositions = runDecompositions;
  for (const FixedChange& change : changes) {
    out.exportAgain |= change.staticSizes;
    out.runDecompositions |= change.runDecompositions;
  }
  out.results = results;
  out.structure = snapshot->capture->calls.out;
  out.mends = diagnose::mendsOf(*snapshot->capture->program);
  return out;
}

bool FixedProgram::anyLowers() const {
  return std::any_of(targets.begin(), targets.end(),
                     [](const FixedTarget& target) { return target.lowers; });
}

std::string FixedProgram::pythonCost() const {
  if (!withStaticSizes) return "";
  const auto& all = withStaticSizes->changes;
  const auto change =
      std::find_if(all.begin(), all.end(), [](const FixedChange& c) { return c.staticSizes; });
  return change == all.end() ? "" : costText(change->sizes);
}

namespace {

/// The base of a fixed program: one file is for all of the output types, so that it is rewritten
/// for each of them.
Result<session::SnapshotPtr> baseFor(const session::SnapshotPtr& snapshot,
                                     const std::vector<lower::OutputType>& targets,
                                     const session::Environment& env, const RunContext& context) {
  const session::Snapshot& s = *snapshot;
  session::Request request = s.request;
  for (const lower::OutputType& target : targets)
    request.rewrite.decompose.merge(session::rewriteOptionsOf(s.request, target).decompose);
  request.decomposeForTarget = false;
  request.lower.target = targets.front();
  if (hasCondition(*s.rewritten->program)) request.rewrite.decompose.emplace(rewrite::kCond);
  return session::advance(session::retarget(snapshot, std::move(request)), session::Phase::Import,
                          env, context);
}

/// Says of an output type that the file does not serve whether a file of its own would.
class Alternatives {
 public:
  Alternatives(const session::SnapshotPtr& snapshot, const FixOptions& options,
               const session::Environment& env, const RunContext& context)
      : snapshot_(snapshot), options_(options), env_(env), context_(context) {}

  Result<FixedProgramPtr> addTo(const FixedProgramPtr& fixed,
                                const session::SnapshotPtr& base) const {
    auto out = std::make_shared<FixedProgram>(*fixed);
    for (FixedTarget& target : out->targets) {
      if (target.lowers) continue;
      FXS_TRY(const session::SnapshotPtr own, baseFor(snapshot_, {target.target}, env_, context_));
      if (!differs(*fixed, target.target, *own, *base)) continue;
      FixOptions alone = options_;
      alone.targets = {target.target};
      alone.python.clear();
      alone.script = false;
      context_.report(
          {std::string(lower::name(target.target)) + ": fixing it in a file of its own", -1});
      FXS_TRY(const FixedProgramPtr single, Fixer(own, alone, env_, context_).run());
      if (!single->targets.front().lowers) continue;
      const std::string name(lower::name(target.target));
      target.message = "not in one file with " + others(*fixed, target.target) + ": " +
                       target.message + "; it lowers in a file of its own: fix --to " + name;
    }
    return FixedProgramPtr(std::move(out));
  }

 private:
  /// Whether a file for this output type alone may be another one.
  static bool differs(const FixedProgram& fixed, const lower::OutputType& target,
                      const session::Snapshot& own, const session::Snapshot& base) {
    return std::any_of(fixed.changes.begin(), fixed.changes.end(),
                       [&](const FixedChange& c) { return c.target != target; }) ||
           fx::dump(*own.rewritten->program) != fx::dump(*base.rewritten->program);
  }
  static std::string others(const FixedProgram& fixed, const lower::OutputType& target) {
    std::vector<std::string> out;
    for (const FixedTarget& other : fixed.targets)
      if (other.target != target) out.emplace_back(lower::name(other.target));
    return joined(out);
  }

  const session::SnapshotPtr& snapshot_;
  const FixOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
};

/// Whether a program lowers to more output types than another, and to all of those.
bool lowersMore(const FixedProgram& program, const FixedProgram& than) {
  bool isMore = false;
  for (std::size_t t = 0; t < than.targets.size(); ++t) {
    if (than.targets[t].lowers && !program.targets[t].lowers) return false;
    isMore |= program.targets[t].lowers && !than.targets[t].lowers;
  }
  return isMore;
}

/// The program fixed, also with those operators decomposed at which torch-mlir stops and this does
/// not, where it lowers more then. Sets `base` to what was fixed.
Result<FixedProgramPtr> fixedFrom(session::SnapshotPtr& base, const FixOptions& options,
                                  const session::Environment& env, const RunContext& context) {
  Fixer first(base, options, env, context);
  FXS_TRY(FixedProgramPtr fixed, first.run());
  if (first.stoppedAt().empty() || context.stop.stop_requested()) return fixed;
  session::Request request = base->request;
  request.rewrite.decompose.insert(first.stoppedAt().begin(), first.stoppedAt().end());
  FXS_TRY(session::SnapshotPtr decomposed,
          session::advance(session::retarget(base, std::move(request)), session::Phase::Import, env,
                           context));
  FXS_TRY(FixedProgramPtr again, Fixer(decomposed, options, env, context).run());
  if (!lowersMore(*again, *fixed)) return fixed;
  base = std::move(decomposed);
  return again;
}

}  // namespace

Result<FixedProgramPtr> fix(const session::SnapshotPtr& snapshot, const FixOptions& options,
                            const session::Environment& env, const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<FixedProgramPtr> {
    const session::Snapshot& s = *snapshot;
    if (!s.imported || !s.engine || env.runner == nullptr || !s.rewritten)
      return fail(ErrorCode::Usage,
                  "fixing requires a program that was rewritten and imported with an engine");
    FXS_CHECK(session::requirePyTorchProgram(s, "fix"));
    if (options.targets.empty())
      return fail(ErrorCode::Usage, "fixing requires at least one output type");
    FXS_TRY(session::SnapshotPtr base, baseFor(snapshot, options.targets, env, context));
    FXS_TRY(FixedProgramPtr fixed, fixedFrom(base, options, env, context));
    if (options.targets.size() == 1) return fixed;
    return Alternatives(snapshot, options, env, context).addTo(fixed, base);
  });
}

Result<> writeFixed(const FixedProgram& fixed, const std::string& path, const RunContext& context) {
  const read::Capture& capture = *fixed.snapshot->capture;
  std::error_code ignored;
  if (std::filesystem::equivalent(path, fixed.snapshot->request.file, ignored))
    return fail(ErrorCode::Usage, path + ": is the program that is fixed; write to another file");
  write::Pt2Options chosen;
  chosen.name = "fixed";
  chosen.withBytes = [](const fx::Weight& weight) { return weight.readable; };
  chosen.bytes = [&](const fx::Weight& weight) {
    return capture.weights->read(weight, session::kWeightBytes, context);
  };
  chosen.calls = &capture.calls;
  return write::writePt2(path, fixed.program(), chosen, context);
}

}  // namespace fxs::fix
