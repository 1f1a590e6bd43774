// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/search.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/joined.h"
#include "contract/contract.h"
#include "diagnose/beyond_torch_mlir.h"
#include "fix/kept_sizes.h"

namespace fxs::fix {
namespace {

/// Rounds of a diagnosis and of applying its fixes, for one output type: a change may uncover
/// another failure.
constexpr int kMostRounds = 6;

class Search {
 public:
  Search(const session::SnapshotPtr& base, const FixOptions& options,
         const session::Environment& env, const RunContext& context)
      : base_(base), options_(options), env_(env), context_(context) {}

  Result<Found> run() {
    FXS_CHECK(findLowering());
    for (const lower::OutputType& target : options_.targets) FXS_CHECK(fixFor(target));
    return std::move(found_);
  }

 private:
  Result<session::SnapshotPtr> loweredTo(const lower::OutputType& target) const {
    FXS_TRY(const session::SnapshotPtr program, withChanges(base_, found_.applied, context_));
    return lowered(program, target, env_, context_);
  }

  /// A write that is not functional is gone from the fixed program, in which nothing shows it.
  static bool isRefusedByRewriting(const session::Snapshot& s) {
    const std::vector<fx::Finding>& findings = s.rewritten->findings;
    return std::any_of(findings.begin(), findings.end(),
                       [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  }

  /// Where there are several, those to which the program lowers without a change.
  Result<> findLowering() {
    if (options_.targets.size() < 2) return {};
    for (const lower::OutputType& target : options_.targets) {
      FXS_TRY(const session::SnapshotPtr now, loweredTo(target));
      if (now->lowersRight()) lowering_.push_back(target);
    }
    return {};
  }

  /// The other output types that lower so far, with the changes or without one.
  std::vector<lower::OutputType> othersThan(const lower::OutputType& target) const {
    std::vector<lower::OutputType> out = lowering_;
    for (const FixedTarget& earlier : found_.targets)
      if (earlier.lowers) out.push_back(earlier.target);
    std::erase(out, target);
    return out;
  }

  /// What was applied and found at a time.
  struct Progress {
    std::vector<diagnose::Change> applied;
    std::vector<FixedChange> changes;
    std::vector<diagnose::Blocked> blocked;
  };

  void restore(const Progress& progress) {
    found_.applied = progress.applied;
    found_.changes = progress.changes;
    found_.blocked = progress.blocked;
  }

  Result<> fixFor(const lower::OutputType& target) {
    const std::string name(lower::name(target));
    const Progress before{found_.applied, found_.changes, found_.blocked};
    FixedTarget& result = found_.targets.emplace_back(FixedTarget{target, false, {}});
    for (int round = 0; round < kMostRounds; ++round) {
      context_.report(
          {name + ": lowering with " + std::to_string(found_.applied.size()) + " changes", -1});
      FXS_TRY(const session::SnapshotPtr now, loweredTo(target));
      result.lowers = now->lowersRight();
      result.isKnown = result.lowers || lower::isKnown(now->lowering->stages);
      if (isRefusedByRewriting(*now) || (now->lowering->ok() && !now->keepsContract()))
        found_.breached.insert(target);
      else found_.breached.erase(target);
      if (result.lowers) {
        result.message.clear();
        std::erase_if(found_.blocked,
                      [&](const diagnose::Blocked& b) { return b.target == target; });
        break;
      }
      FXS_TRY(const bool helped, applyWhatHelps(now, result));
      if (!helped) break;
    }
    if (found_.applied.size() == before.applied.size()) return {};
    if (options_.keepSizes) FXS_CHECK(keepSizes(result, before));
    for (const lower::OutputType& other : othersThan(target)) {
      FXS_TRY(const session::SnapshotPtr again, loweredTo(other));
      if (again->lowersRight()) continue;
      found_.applied = before.applied;
      found_.changes.resize(before.changes.size());
      result.lowers = false;
      result.isKnown = lower::isKnown(again->lowering->stages);
      result.message =
          (result.isKnown ? "its changes keep the program from "
                          : "whether the program still lowers with its changes is not known: ") +
          std::string(lower::name(other));
      return {};
    }
    return {};
  }

  /// Where the program lowers with static sizes only, keeps as many symbolic ones as it can.
  Result<> keepSizes(FixedTarget& result, const Progress& before) {
    const auto isStatic = [](const diagnose::Change& c) { return c.staticSizes; };
    const auto newOnes =
        found_.applied.begin() + static_cast<std::ptrdiff_t>(before.applied.size());
    if (!result.lowers ||
        std::find_if(newOnes, found_.applied.end(), isStatic) == found_.applied.end())
      return {};
    const Progress fixed{found_.applied, found_.changes, found_.blocked};
    std::vector<diagnose::Change> others(newOnes, found_.applied.end());
    std::erase_if(others, isStatic);
    for (const std::set<std::string>& kept : setsToKeep(*base_->capture->program)) {
      context_.report({std::string(lower::name(result.target)) + ": keeping " +
                           joined(std::vector<std::string>(kept.begin(), kept.end())) + " symbolic",
                       -1});
      FXS_TRY(const bool isKept, lowersKeeping(kept, before, fixed, others, result.target));
      if (isKept) return {};
    }
    restore(fixed);
    return {};
  }

  /// Whether the program lowers with these symbolic sizes: alone, or with the changes that it needs
  /// with static sizes. If so, these changes are applied.
  Result<bool> lowersKeeping(const std::set<std::string>& kept, const Progress& before,
                             const Progress& fixed, const std::vector<diagnose::Change>& others,
                             const lower::OutputType& target) {
    diagnose::Change change;
    change.id = "symbolic-sizes";
    change.keptSizes = kept;
    for (const bool isAlone : {true, false}) {
      restore(before);
      found_.applied.push_back(change);
      if (!isAlone) found_.applied.insert(found_.applied.end(), others.begin(), others.end());
      FXS_TRY(const auto limits, rangesIfLowered(target));
      if (limits) {
        nameKept(kept, before, fixed, isAlone, *limits);
        return true;
      }
      if (others.empty()) break;
    }
    return false;
  }

  /// The ranges of the program as it is now if it lowers to this output type and to the others
  /// that it lowered to.
  Result<std::optional<std::vector<fx::RangeConstraint>>> rangesIfLowered(
      const lower::OutputType& target) const {
    std::vector<lower::OutputType> all = othersThan(target);
    all.insert(all.begin(), target);
    std::vector<fx::RangeConstraint> out;
    for (const lower::OutputType& each : all) {
      const Result<session::SnapshotPtr> now = loweredTo(each);
      if (!now && endsAll(now.error())) return tl::unexpected<Error>(now.error());
      if (!now || !(*now)->lowersRight()) return std::nullopt;
      out = (*now)->rewritten->program->ranges;
    }
    return out;
  }

  /// The changes in place of the export with static sizes.
  void nameKept(const std::set<std::string>& kept, const Progress& before, const Progress& fixed,
                bool isAlone, const std::vector<fx::RangeConstraint>& limits) {
    found_.changes = fixed.changes;
    found_.blocked = fixed.blocked;
    const auto isNew = found_.changes.begin() + static_cast<std::ptrdiff_t>(before.changes.size());
    const auto found = std::find_if(isNew, found_.changes.end(),
                                    [](const FixedChange& c) { return c.staticSizes; });
    FixedChange change = *found;
    change.staticSizes = false;
    change.sizes = inputSizes(*base_->capture->program, kept, limits);
    change.change = changeText(change.sizes);
    change.cost = costText(change.sizes);
    if (isAlone) {
      found_.changes.resize(before.changes.size());
      found_.changes.push_back(std::move(change));
    } else {
      *found = std::move(change);
    }
  }

  /// One diagnosis. Whether there was a change that is not applied yet.
  Result<bool> applyWhatHelps(const session::SnapshotPtr& now, FixedTarget& result) {
    std::vector<diagnose::Fix> fixes;
    diagnose::DiagnoseOptions chosen;
    chosen.targets = {result.target};
    chosen.budget = options_.budget;
    chosen.applied = found_.applied;
    chosen.fixesOnly = true;
    chosen.onFixes = [&](const lower::OutputType&, const std::vector<diagnose::Fix>& found) {
      fixes = found;
    };
    FXS_TRY(const diagnose::DiagnosisPtr diagnosis,
            diagnose::diagnose(now, chosen, env_, context_));
    if (!diagnosis->complete)
      return tl::unexpected<Error>(Error{ErrorCode::Cancelled, "cancelled", {}});
    std::set<std::size_t> helped;
    bool isNew = false;
    for (const diagnose::Fix& fix : fixes) {
      const diagnose::Blocked& blocked = *diagnosis->of(result.target)[fix.entry];
      if (isApplied(blocked, fix)) continue;
      helped.insert(fix.entry);
      isNew = true;
      for (const diagnose::Change& change : fix.changes) apply(change, blocked);
    }
    std::erase_if(found_.blocked,
                  [&](const diagnose::Blocked& b) { return b.target == result.target; });
    const diagnose::Blocked* first = nullptr;
    for (std::size_t i = 0; i < diagnosis->blocked.size(); ++i) {
      const diagnose::Blocked& blocked = diagnosis->blocked[i];
      if (helped.contains(i) || blocked.agreement == diagnose::Agreement::AloneOnly) continue;
      found_.blocked.push_back(blocked);
      if (first == nullptr) first = &blocked;
    }
    result.message =
        first != nullptr ? first->message : "it stops at " + diagnosis->targets.front().stoppedAt;
    return isNew;
  }

  void apply(const diagnose::Change& change, const diagnose::Blocked& blocked) {
    if (change.runDecompositions || change.isOne) return applyToWhole(change, blocked);
    if (!change.staticSizes) {
      found_.applied.push_back(change);
      found_.changes.push_back({blocked.target, blocked.fxTarget, blocked.nodes, change.change,
                                change.cost, blocked.message});
      return;
    }
    // One change of the whole program, whichever operations require it.
    if (std::any_of(found_.applied.begin(), found_.applied.end(),
                    [](const diagnose::Change& c) { return c.staticSizes; }))
      return;
    found_.applied.push_back(change);
    std::vector<fx::NodeId> inputs;
    for (const fx::InputSpec& input : base_->capture->program->inputs)
      if (const fx::TensorMeta* meta = base_->capture->program->node(input.node).val.tensor();
          meta != nullptr && !meta->isStaticShape())
        inputs.push_back(input.node);
    found_.changes.push_back({blocked.target, "placeholder", std::move(inputs), change.change,
                              change.cost, blocked.message});
    found_.changes.back().staticSizes = true;
    found_.changes.back().sizes = inputSizes(*base_->capture->program, {}, {});
  }

  /// One change of the whole program, for all operations that it helps.
  void applyToWhole(const diagnose::Change& change, const diagnose::Blocked& blocked) {
    const auto known =
        std::find_if(found_.changes.begin(), found_.changes.end(),
                     [&](const FixedChange& c) { return c.change == change.change; });
    if (known != found_.changes.end()) {
      std::vector<fx::NodeId>& nodes = known->nodes;
      nodes.insert(nodes.end(), blocked.nodes.begin(), blocked.nodes.end());
      std::sort(nodes.begin(), nodes.end());
      nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
      return;
    }
    found_.applied.push_back(change);
    found_.changes.push_back({blocked.target, blocked.fxTarget, blocked.nodes, change.change,
                              change.cost, blocked.message});
    found_.changes.back().runDecompositions = change.runDecompositions;
  }

  /// Whether a change was applied for the same operation before: then it did not help.
  bool isApplied(const diagnose::Blocked& blocked, const diagnose::Fix& fix) const {
    return std::all_of(fix.changes.begin(), fix.changes.end(), [&](const diagnose::Change& wanted) {
      return std::any_of(
          found_.changes.begin(), found_.changes.end(), [&](const FixedChange& change) {
            return change.change == wanted.change &&
                   (wanted.staticSizes || wanted.runDecompositions || wanted.isOne ||
                    (change.target == blocked.target && change.fxTarget == blocked.fxTarget &&
                     change.nodes == blocked.nodes));
          });
    });
  }

  const session::SnapshotPtr& base_;
  const FixOptions& options_;
  const session::Environment& env_;
  const RunContext& context_;
  std::vector<lower::OutputType> lowering_;  ///< without a change
  Found found_;
};

}  // namespace

std::shared_ptr<session::Snapshot> withProgram(const session::SnapshotPtr& snapshot,
                                               fx::ProgramPtr program) {
  auto out = std::make_shared<session::Snapshot>(*snapshot);
  auto rewritten = std::make_shared<rewrite::Rewritten>(*out->rewritten);
  rewritten->program = std::move(program);
  out->rewritten = std::move(rewritten);
  out->imported = nullptr;
  out->registeredOps = nullptr;  // asked of the engine for this program's operators only
  return out;
}

diagnose::RewriteBase userBase(const session::Snapshot& base,
                               const std::vector<diagnose::Change>& applied) {
  return {base.capture->program, base.request.rewrite, false, applied};
}

Result<session::SnapshotPtr> withChanges(const session::SnapshotPtr& base,
                                         const std::vector<diagnose::Change>& applied,
                                         const RunContext& context) {
  if (applied.empty()) return base;
  FXS_TRY(fx::ProgramPtr program, diagnose::changedProgram(userBase(*base, applied), {}, context));
  auto out = withProgram(base, std::move(program));
  const bool isDecomposed = std::any_of(applied.begin(), applied.end(),
                                        [](const auto& c) { return c.runDecompositions; });
  if (isDecomposed) out->request.import = diagnose::asTorchMlir(std::move(out->request.import));
  return session::SnapshotPtr(std::move(out));
}

Result<session::SnapshotPtr> lowered(const session::SnapshotPtr& program,
                                     const lower::OutputType& target,
                                     const session::Environment& env, const RunContext& context) {
  session::SnapshotPtr imported = program;
  if (program->request.import.asTorchMlir) {
    FXS_TRY(imported, session::advance(program, session::Phase::Import, env, context));
  }
  auto asked = std::make_shared<session::Snapshot>(*imported);
  // torch-mlir does not check its texts, but what breaks a contract is not what the program
  // computes.
  asked->request.import.asTorchMlir = false;
  asked->request.lower.target = target;
  asked->lowering = nullptr;
  asked->origins.clear();
  asked->contract.clear();
  FXS_TRY(session::SnapshotPtr done,
          session::advance(std::move(asked), session::Phase::Lower, env, context));
  FXS_CHECK(lower::ensureAnswered(*done->lowering));
  return done;
}

Result<Found> searched(const session::SnapshotPtr& base, const FixOptions& options,
                       const session::Environment& env, const RunContext& context) {
  return Search(base, options, env, context).run();
}

}  // namespace fxs::fix
