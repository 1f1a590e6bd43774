// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/wrong_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/change.h"
#include "diagnose/python_changes.h"
#include "diagnose/trial_runner.h"
#include "fx/cut.h"
#include "numbers/compared_program.h"
#include "numbers/known_values.h"
#include "numbers/operation_alone.h"
#include "session/importing.h"

namespace fxs::diagnose {
namespace {

/// Combinations of fixes that are applied to the whole program until it computes the same.
constexpr std::size_t kMostProofs = 4;

/// A fix for an operation, and the operation.
struct TriedFix {
  Change change;
  std::size_t experiment;  ///< of the entry
};

/// The snapshot for a changed program, which may have operations that the user's does not have.
std::shared_ptr<session::Snapshot> forChanged(const session::Snapshot& s, const Subject& subject,
                                              const std::set<std::string>& backendLegal) {
  auto out = std::make_shared<session::Snapshot>(s);
  out->registeredOps =
      std::make_shared<const std::set<std::string, std::less<>>>(*subject.import.registeredOps);
  out->request.lower.backendLegalOps.insert(backendLegal.begin(), backendLegal.end());
  return out;
}

/// Whether an error ends the diagnosis: a stop, a full disk, or an option of the user's. By others,
/// values are not known.
bool isFatal(const Error& error) {
  return endsAll(error) || error.code == ErrorCode::Io || error.code == ErrorCode::Usage;
}

std::vector<lower::OutputType> loweredTypes(const Diagnosis& diagnosis) {
  std::vector<lower::OutputType> out;
  for (const TargetDiagnosis& target : diagnosis.targets)
    if (target.lowers) out.push_back(target.target);
  return out;
}

/// The operations that compute wrong at one output type.
class WrongResults {
 public:
  WrongResults(DiagnosedType& type, compare::ComparisonPtr comparison,
               const numbers::CompareOptions& compare, const DiagnoseOptions& options,
               const session::Environment& env, const RunContext& context)
      : s_(*type.snapshot),
        entries_(type.entries),
        compareOptions_(compare),
        options_(options),
        subject_(type.subject),
        env_(env),
        context_(context),
        comparison_(std::move(comparison)),
        program_(s_, comparison_->inputs.front().sizes) {}

  Result<> run(const compare::TargetComparison& target, TargetDiagnosis& diagnosis) {
    FXS_TRY(runner_, numbers::TextRunner::make(s_, compareOptions_, env_, context_));
    return diagnoseTarget(target, diagnosis);
  }

 private:
  Result<> diagnoseTarget(const compare::TargetComparison& target, TargetDiagnosis& diagnosis) {
    numbers::KnownValues values(*s_.capture->program, *comparison_, compare::worstInputs(target),
                                context_);
    const std::size_t begin = entries_.size();
    for (const compare::WrongOperation& wrong : target.wrongOperations)
      entries_.push_back(entryOf(target, wrong));
    std::vector<std::vector<TriedFix>> fixes;
    for (std::size_t e = begin; e < entries_.size(); ++e) {
      fixes.emplace_back();
      if (!options_.experiments) continue;
      FXS_TRY(fixes.back(),
              tryFixes(values, target.to, target.wrongOperations[e - begin], entries_[e]));
    }
    const std::vector<BlockedEntry*> wrong = [&] {
      std::vector<BlockedEntry*> out;
      for (std::size_t e = begin; e < entries_.size(); ++e) out.push_back(&entries_[e]);
      return out;
    }();
    if (options_.experiments) FXS_CHECK(proveTogether(wrong, fixes, diagnosis));
    for (BlockedEntry* entry : wrong)
      std::stable_sort(entry->blocked.experiments.begin(), entry->blocked.experiments.end(),
                       [](const Experiment& a, const Experiment& b) { return rank(a) < rank(b); });
    return {};
  }

  BlockedEntry entryOf(const compare::TargetComparison& target,
                       const compare::WrongOperation& wrong) const {
    BlockedEntry out;
    Blocked& b = out.blocked;
    for (const fx::NodeId node : wrong.equal) b.nodes.push_back(program_.userNode(node));
    std::sort(b.nodes.begin(), b.nodes.end());
    b.nodes.erase(std::unique(b.nodes.begin(), b.nodes.end()), b.nodes.end());
    const fx::NodeId user = program_.userNode(wrong.node);
    b.target = target.to;
    b.kind = Kind::WrongResult;
    b.fxTarget = program_.user.node(user).target;
    b.types = typesOf(*program_.program, wrong.node);
    b.stage = target.to->stage.id;
    if (target.first &&
        std::find(b.nodes.begin(), b.nodes.end(), target.first->node) != b.nodes.end()) {
      b.stage = target.first->stage;
      b.pass = target.first->pass;
    }
    b.message = fmt::format("{}: {}", b.fxTarget, wrong.difference.message);
    b.agreement = Agreement::Confirmed;
    out.forms.push_back({{wrong.node, wrong.equal}, nullptr, {}, {}});
    return out;
  }

  /// Tries every proposed change on the operation by itself; returns those that passed, the best
  /// ones first.
  Result<std::vector<TriedFix>> tryFixes(const numbers::KnownValues& values,
                                         const lower::OutputType& to,
                                         const compare::WrongOperation& wrong,
                                         BlockedEntry& entry) {
    Proposals proposals;
    registerAllChanges(proposals);
    const BlockedCall call{subject_, entry.blocked, program_.program->node(wrong.node),
                           s_.request.file};
    std::vector<TriedFix> out;
    const auto expected = values.find(program_.nameOf(program_.userNode(wrong.node)));
    for (Change& change : proposals.of(call)) {
      if (context_.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
      context_.report({"trying fixes for " + entry.blocked.fxTarget, -1});
      Experiment x;
      x.id = change.id;
      x.change = change.change;
      x.cost = change.cost;
      x.snippet = change.snippet;
      x.language = change.language;
      if (expected) FXS_CHECK(tryChange(values, to, wrong.node, *expected, change, x));
      if (x.outcome == Outcome::Passed) {
        PythonChanges python({s_.capture->program, session::rewriteOptionsOf(s_.request)});
        FXS_TRY(x.python, python.scriptFor(to, {change}, context_));
        // The command is for operations that do not lower.
        if (!x.python.empty() && change.decompose.empty() && change.backendLegal.empty()) {
          x.snippet = x.python;
          x.language = "python";
        }
      }
      if (x.outcome == Outcome::Passed)
        out.push_back({std::move(change), entry.blocked.experiments.size()});
      entry.blocked.experiments.push_back(std::move(x));
    }
    const auto& experiments = entry.blocked.experiments;
    std::stable_sort(out.begin(), out.end(), [&](const TriedFix& a, const TriedFix& b) {
      return rank(experiments[a.experiment]) < rank(experiments[b.experiment]);
    });
    return out;
  }

  /// Sets the outcome of a change of the operation `node` by itself.
  Result<> tryChange(const numbers::KnownValues& values, const lower::OutputType& to,
                     fx::NodeId node, const tensor::Tensor& expected, const Change& change,
                     Experiment& x) {
    const auto notRun = [&](std::string reason) -> Result<> {
      x.message = std::move(reason);
      return {};
    };
    const auto changed = changedProgram(
        {s_.capture->program, session::rewriteOptionsOf(s_.request), false}, {&change}, context_);
    if (!changed && endsAll(changed.error())) return tl::unexpected<Error>(changed.error());
    if (!changed) return notRun(changed.error().message);
    const std::set<fx::NodeId> calls = callsFrom(**changed, {program_.userNode(node)});
    if (calls.empty()) return notRun("nothing of the operation is left");
    const auto cut = fx::cutNodes(*changed, {calls.begin(), calls.end()});
    if (!cut) return notRun(cut.error().message);
    if ((*cut)->outputs.size() != 1) return notRun("the changed operation has several results");
    const auto operands = numbers::operandsOf(
        **cut, values.inputs().sizes, [&](const std::string& name) { return values.find(name); });
    if (!operands) return notRun("the values of its operands are not known");
    const session::SnapshotPtr with = forChanged(s_, subject_, change.backendLegal);
    const auto judge = [&](const tensor::Tensor& found) {
      return program_.judged(found, expected, node);
    };
    FXS_TRY(const numbers::OperationAlone alone,
            numbers::runAlone(*with, **cut, to, *operands, judge, *runner_, env_, context_));
    if (!alone.difference) {
      x.outcome = Outcome::Failed;
      return notRun(alone.message);
    }
    x.outcome =
        alone.difference->verdict == tensor::Verdict::Same ? Outcome::Passed : Outcome::Failed;
    if (x.outcome == Outcome::Failed)
      x.message = "it computes another value: " + alone.difference->message;
    return {};
  }

  /// Applies one fix of every operation to the whole program, and compares what it computes.
  Result<> proveTogether(const std::vector<BlockedEntry*>& wrong,
                         const std::vector<std::vector<TriedFix>>& fixes,
                         TargetDiagnosis& diagnosis) {
    if (wrong.empty()) return {};
    const auto unfixed =
        std::find_if(fixes.begin(), fixes.end(), [](const auto& each) { return each.empty(); });
    if (unfixed != fixes.end()) {
      const Blocked& blocked = wrong[static_cast<std::size_t>(unfixed - fixes.begin())]->blocked;
      diagnosis.computed->message += fmt::format("; no fix was found for {}", blocked.fxTarget);
      return {};
    }
    const std::size_t rounds =
        std::max_element(fixes.begin(), fixes.end(), [](const auto& a, const auto& b) {
          return a.size() < b.size();
        })->size();
    const std::string with = wrong.size() == 1 ? "it" : "it and fixes of the other operations";
    for (std::size_t round = 0; round < std::min(rounds, kMostProofs); ++round) {
      std::vector<const Change*> all;
      for (const std::vector<TriedFix>& each : fixes)
        all.push_back(&each[std::min(round, each.size() - 1)].change);
      FXS_TRY(const Attempt attempt, withAll(CombinedChanges(all), diagnosis));
      for (std::size_t e = 0; e < wrong.size(); ++e)
        if (round < fixes[e].size())
          setProof(wrong[e]->blocked.experiments[fixes[e][round].experiment], with, attempt);
      if (attempt.proof == Proof::Proved) return {};
    }
    return {};
  }

  /// What became of the whole program with changes.
  struct Attempt {
    Proof proof = Proof::Disproved;
    std::string message;  ///< for what it is proved, else why not
  };

  Result<Attempt> withAll(const CombinedChanges& together, TargetDiagnosis& diagnosis) {
    diagnosis.changes = together.lines;
    diagnosis.fixedLowers = false;
    diagnosis.fixedComputed.reset();
    context_.report({"verifying fixes on the whole program", -1});
    const auto changed =
        changedProgram({s_.capture->program, session::rewriteOptionsOf(s_.request), false},
                       together.changes, context_);
    if (!changed && endsAll(changed.error())) return tl::unexpected<Error>(changed.error());
    if (!changed) return Attempt{Proof::Disproved, "cannot be made: " + changed.error().message};
    FXS_TRY(const Computed computed,
            computedByChanged(s_, subject_, *changed, together.backendLegal, diagnosis.target,
                              compareOptions_, env_, context_));
    if (computed.lowers) diagnosis.fixedComputed = computed;
    diagnosis.fixedLowers.reset();
    if (computed.lowers || computed.isKnown) diagnosis.fixedLowers = computed.lowers;
    if (computed.isSame()) return Attempt{Proof::Proved, computed.scope};
    const bool isRefuted = computed.isWrong() || (!computed.lowers && computed.isKnown);
    return Attempt{isRefuted ? Proof::Disproved : Proof::NotTried,
                   computed.verdict + ", " + computed.message};
  }

  /// `with`: what was changed.
  static void setProof(Experiment& x, const std::string& with, const Attempt& attempt) {
    x.proof = attempt.proof;
    x.computesSame = attempt.proof == Proof::Proved;
    switch (attempt.proof) {
      case Proof::Proved:
        x.proofMessage = "the whole program was lowered and run with " + with +
                         ", and computes what is expected for " + attempt.message;
        break;
      case Proof::Disproved:
        x.proofMessage = "the whole program with " + with + ": " + attempt.message;
        break;
      case Proof::NotTried:
        x.proofMessage = "whether the whole program computes what is expected with " + with +
                         " is not known: " + attempt.message;
    }
  }

  const session::Snapshot& s_;
  std::vector<BlockedEntry>& entries_;
  const numbers::CompareOptions& compareOptions_;
  const DiagnoseOptions& options_;
  const Subject& subject_;
  const session::Environment& env_;
  const RunContext& context_;
  const compare::ComparisonPtr comparison_;
  std::unique_ptr<numbers::TextRunner> runner_;
  const numbers::ComparedProgram program_;
};

}  // namespace

Result<Computed> computedByChanged(const session::Snapshot& s, const Subject& subject,
                                   const fx::ProgramPtr& changed,
                                   const std::set<std::string>& backendLegal,
                                   const lower::OutputType& to,
                                   const numbers::CompareOptions& compareOptions,
                                   const session::Environment& env, const RunContext& context) {
  const std::shared_ptr<session::Snapshot> next = forChanged(s, subject, backendLegal);
  auto rewritten = std::make_shared<rewrite::Rewritten>(*s.rewritten);
  rewritten->program = changed;
  next->rewritten = std::move(rewritten);
  FXS_TRY(next->imported,
          import::importProgram(*changed, session::importOptionsOf(*next, context), context));
  next->lowering = nullptr;
  numbers::CompareOptions chosen = compareOptions;
  chosen.targets = {to};
  chosen.findFirst = chosen.findEvery = chosen.keepValues = false;
  chosen.onPart = {};
  const auto comparison = numbers::compare(next, chosen, env, context);
  if (comparison) return computedOf((*comparison)->targets.front(), **comparison);
  if (isFatal(comparison.error())) return tl::unexpected<Error>(comparison.error());
  return Computed{std::string(compare::name(compare::TargetVerdict::NotCompared)),
                  comparison.error().message,
                  {},
                  true,
                  {},
                  false,
                  false};
}

Result<> diagnoseResults(const session::SnapshotPtr& snapshot,
                         const numbers::CompareOptions& compareOptions,
                         const DiagnoseOptions& options, std::vector<DiagnosedType>& types,
                         Diagnosis& out, const session::Environment& env,
                         const RunContext& context) {
  if (!snapshot->rewritten)
    return fail(ErrorCode::Usage, "a program that is imported as read cannot be compared");
  numbers::CompareOptions chosen = compareOptions;
  chosen.onPart = {};
  chosen.targets = loweredTypes(out);
  if (chosen.targets.empty()) {
    if (std::none_of(out.targets.begin(), out.targets.end(),
                     [](const TargetDiagnosis& t) { return t.fixedComputed.has_value(); }))
      out.notes.emplace_back(
          "what the program computes is not known: it reaches none of the output types");
    return {};
  }
  chosen.keepValues = true;
  chosen.findEvery = true;
  context.report({"comparing what the program computes", -1});
  const auto compared = numbers::compare(snapshot, chosen, env, context);
  if (!compared && isFatal(compared.error())) return tl::unexpected<Error>(compared.error());
  if (!compared) {
    out.notes.push_back("what the program computes is not known: " + compared.error().message);
    return {};
  }
  const compare::ComparisonPtr& comparison = *compared;
  if (options.onComparison) options.onComparison(comparison);
  out.notes.insert(out.notes.end(), comparison->notes.begin(), comparison->notes.end());
  for (const compare::TargetComparison& target : comparison->targets)
    for (std::size_t t = 0; t < types.size(); ++t) {
      if (types[t].target() != target.to) continue;
      out.targets[t].computed = computedOf(target, *comparison);
      if (compare::kindOf(target).empty()) continue;
      const auto done = WrongResults(types[t], comparison, chosen, options, env, context)
                            .run(target, out.targets[t]);
      if (!done && isFatal(done.error())) return done;
      if (!done)
        out.notes.push_back("not all is known of the operations that compute wrong: " +
                            done.error().message);
    }
  return {};
}

Computed computedOf(const compare::TargetComparison& target,
                    const compare::Comparison& comparison) {
  return {std::string(compare::name(target.verdict)),
          target.message + (target.fault.empty() ? "" : "; " + target.fault),
          comparison.reference,
          !target.runs.empty(),
          target.runs.empty() ? std::string() : target.scope.message(),
          compare::isAccused(target),
          target.verdict != compare::TargetVerdict::NotCompared ||
              (target.runs.empty() && !target.unanswered)};
}

}  // namespace fxs::diagnose
