#include "session/fix.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "import/torch_mlir_refusals.h"
#include "rewrite/inline_branches.h"
#include "session/fixed_form.h"
#include "session/importing.h"
#include "write/pt2.h"

namespace fxs::session {
namespace {

/// Rounds of a diagnosis and of applying what helps, for one output type: a change may uncover another failure.
constexpr int kMostRounds = 6;

/// Why torch-mlir's importer refuses the program, as a sentence; "" if it does not.
std::string refusalOfTorchMlir(const fx::Program& program) {
  const std::vector<fx::Finding> refusals = import::importerRefusals(program);
  return refusals.empty() ? "" : refusals.front().message + " ('" + refusals.front().nodeName + "')";
}

SnapshotPtr withProgram(const SnapshotPtr& snapshot, fx::ProgramPtr program) {
  auto out = std::make_shared<Snapshot>(*snapshot);
  auto rewritten = std::make_shared<rewrite::Rewritten>(*out->rewritten);
  rewritten->program = std::move(program);
  out->rewritten = std::move(rewritten);
  return out;
}

/// torch-mlir's importer does not take torch.cond for any output type.
bool hasCondition(const fx::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(),
                     [](const fx::Node& node) { return node.op == fx::NodeOp::CallFunction && node.target == rewrite::kCond; });
}

class Fixer {
 public:
  Fixer(SnapshotPtr base, const FixOptions& options, const Environment& env, const RunContext& context)
      : base_(std::move(base)), options_(options), env_(env), context_(context) {}

  Result<FixedProgramPtr> run() {
    for (const lower::OutputType& target : options_.targets) FXS_CHECK(fixFor(target));
    FXS_TRY(const SnapshotPtr done, changed());
    FXS_CHECK(writePython());
    out_.snapshot = withProgram(done, onCpu(withOneNamePerTensor(done->rewritten->program)));
    FXS_CHECK(checkAsTorchMlir());
    out_.snapshot = withProgram(out_.snapshot, withAtenViews(out_.snapshot->rewritten->program));
    if (WeightsWithoutValues empty = weightsWithoutValues(out_.program()); !empty.nodes.empty())
      out_.changes.push_back({options_.targets.front(), "placeholder", std::move(empty.nodes), "write zeros as the values of these weights",
                              "what it computes means nothing until their values are set, with load_state_dict()",
                              "torch-mlir imports weights with values, and these have none here: " + empty.whyNot,
                              diagnose::Verified::WholeLowers});
    for (diagnose::FixedChange& change : out_.changes) {
      const diagnose::FixedTarget& target = resultOf(change.target);
      change.verified = target.lowers ? diagnose::Verified::WholeLowers : diagnose::Verified::ByItself;
    }
    return std::make_shared<const FixedProgram>(std::move(out_));
  }

 private:
  /// The snapshot of the program with the changes so far.
  Result<SnapshotPtr> changed() const {
    const Snapshot& s = *base_;
    if (applied_.empty()) return base_;
    auto out = std::make_shared<Snapshot>(s);
    auto rewritten = std::make_shared<rewrite::Rewritten>(*s.rewritten);
    FXS_TRY(rewritten->program, diagnose::changedProgram({s.capture->program, s.request.rewrite, false, applied_}, {}, context_));
    out->rewritten = std::move(rewritten);
    out->imported = nullptr;
    out->registeredOps = nullptr;
    return SnapshotPtr(std::move(out));
  }

  Result<SnapshotPtr> loweredTo(const lower::OutputType& target) const {
    FXS_TRY(const SnapshotPtr program, changed());
    return lowered(program, target);
  }
  Result<SnapshotPtr> lowered(const SnapshotPtr& program, const lower::OutputType& target) const {
    auto asked = std::make_shared<Snapshot>(*program);
    asked->request.lower.target = target;
    asked->lowering = nullptr;
    asked->origins.clear();
    asked->contract.clear();
    return advance(std::move(asked), Phase::Lower, env_, context_);
  }

  /// Lowers the fixed program as fx.export_and_import does, with buffers as arguments, and as constants where it needs them.
  Result<> checkAsTorchMlir() {
    FXS_TRY(std::vector<std::string> stops, stopsInTorchMlir(out_.snapshot));
    const auto any = [](const std::vector<std::string>& all) {
      return std::any_of(all.begin(), all.end(), [](const std::string& why) { return !why.empty(); });
    };
    if (any(stops)) {
      std::vector<fx::NodeId> buffers;
      const SnapshotPtr constant = withProgram(out_.snapshot, withConstantBuffers(*out_.snapshot->rewritten->program, buffers));
      if (!buffers.empty()) {
        FXS_TRY(std::vector<std::string> now, stopsInTorchMlir(constant));
        for (std::size_t t = 0; t < stops.size(); ++t) {
          if (stops[t].empty() || !now[t].empty()) continue;
          out_.changes.push_back({out_.targets[t].target, "placeholder", buffers, "make the buffers constants",
                                  "they cannot be set or loaded as buffers", "torch-mlir imports buffers as arguments",
                                  diagnose::Verified::WholeLowers});
          out_.snapshot = constant;
        }
        if (out_.snapshot == constant) stops = std::move(now);
      }
    }
    for (std::size_t t = 0; t < stops.size(); ++t) {
      if (stops[t].empty()) continue;
      out_.targets[t].lowers = false;
      out_.targets[t].why = stops[t];
    }
    return {};
  }

  /// By target: why the program does not lower when it is imported as torch-mlir does; "" if it does, and if it did not before.
  Result<std::vector<std::string>> stopsInTorchMlir(const SnapshotPtr& snapshot) const {
    auto frozen = std::make_shared<Snapshot>(*snapshot);
    frozen->request.import.mode = import::Mode::Frozen;
    frozen->imported = nullptr;
    const std::string refusal = refusalOfTorchMlir(*snapshot->rewritten->program);
    std::vector<std::string> out;
    for (const diagnose::FixedTarget& target : out_.targets) {
      std::string& why = out.emplace_back();
      if (!target.lowers) continue;
      why = refusal;
      if (!refusal.empty()) continue;
      FXS_TRY(const SnapshotPtr done, lowered(frozen, target.target));
      if (done->lowersRight()) continue;
      const std::vector<fx::Finding> findings = done->findings();
      why = "as torch-mlir imports it: " + (findings.empty() ? "it stops" : findings.front().message);
    }
    return out;
  }

  diagnose::FixedTarget& resultOf(const lower::OutputType& target) {
    return *std::find_if(out_.targets.begin(), out_.targets.end(), [&](const diagnose::FixedTarget& t) { return t.target == target; });
  }

  Result<> fixFor(const lower::OutputType& target) {
    const std::string name(lower::name(target));
    const std::vector<diagnose::Change> before = applied_;
    const std::size_t changesBefore = out_.changes.size();
    diagnose::FixedTarget& result = out_.targets.emplace_back(diagnose::FixedTarget{target, false, {}});
    for (int round = 0; round < kMostRounds; ++round) {
      context_.report({name + ": lowering with " + std::to_string(applied_.size()) + " changes", -1});
      FXS_TRY(const SnapshotPtr now, loweredTo(target));
      result.lowers = now->lowersRight();
      if (result.lowers) {
        result.why.clear();
        std::erase_if(out_.blocked, [&](const diagnose::Blocked& b) { return b.target == target; });
        break;
      }
      FXS_TRY(const bool helped, applyWhatHelps(now, result));
      if (!helped) break;
    }
    if (applied_.size() == before.size()) return {};
    for (diagnose::FixedTarget& earlier : out_.targets) {
      if (earlier.target == target || !earlier.lowers) continue;
      FXS_TRY(const SnapshotPtr again, loweredTo(earlier.target));
      if (again->lowersRight()) continue;
      applied_ = before;
      out_.changes.resize(changesBefore);
      result.lowers = false;
      result.why = "its changes keep the program from " + std::string(lower::name(earlier.target)) + "; fix it for " + name + " alone";
      return {};
    }
    return {};
  }

  /// One diagnosis. Whether there was a change that is not applied yet.
  Result<bool> applyWhatHelps(const SnapshotPtr& now, diagnose::FixedTarget& result) {
    std::vector<diagnose::Fix> fixes;
    DiagnoseOptions how;
    how.targets = {result.target};
    how.budget = options_.budget;
    how.applied = applied_;
    how.fixesOnly = true;
    how.onFixes = [&](const lower::OutputType&, const std::vector<diagnose::Fix>& found) { fixes = found; };
    FXS_TRY(const DiagnosisPtr diagnosis, diagnose(now, how, env_, context_));
    if (!diagnosis->complete) return tl::unexpected<Error>(Error{ErrorCode::Cancelled, "stopped", {}});
    std::set<std::size_t> helped;
    bool isNew = false;
    for (const diagnose::Fix& fix : fixes) {
      const diagnose::Blocked& blocked = diagnosis->blocked[fix.entry];
      if (isApplied(blocked, fix)) continue;
      helped.insert(fix.entry);
      isNew = true;
      for (const diagnose::Change& change : fix.changes) apply(change, blocked);
    }
    std::erase_if(out_.blocked, [&](const diagnose::Blocked& b) { return b.target == result.target; });
    const diagnose::Blocked* first = nullptr;
    for (std::size_t i = 0; i < diagnosis->blocked.size(); ++i) {
      const diagnose::Blocked& blocked = diagnosis->blocked[i];
      if (helped.contains(i) || blocked.agreement == diagnose::Agreement::AloneOnly) continue;
      out_.blocked.push_back(blocked);
      if (first == nullptr) first = &blocked;
    }
    result.why = first != nullptr ? first->message : "it stops at " + diagnosis->targets.front().stoppedAt;
    return isNew;
  }

  void apply(const diagnose::Change& change, const diagnose::Blocked& blocked) {
    if (!change.staticSizes) {
      applied_.push_back(change);
      out_.changes.push_back({blocked.target, blocked.fxTarget, blocked.nodes, change.change, change.cost, blocked.message});
      return;
    }
    // One change of the whole program, whichever operations require it.
    if (std::any_of(applied_.begin(), applied_.end(), [](const diagnose::Change& c) { return c.staticSizes; })) return;
    applied_.push_back(change);
    std::vector<fx::NodeId> inputs;
    for (const fx::InputSpec& input : base_->capture->program->inputs)
      if (const fx::TensorMeta* meta = base_->capture->program->node(input.node).val.tensor(); meta != nullptr && !meta->isStaticShape())
        inputs.push_back(input.node);
    out_.changes.push_back({blocked.target, "placeholder", std::move(inputs), change.change, change.cost, blocked.message});
    out_.changes.back().staticSizes = true;
  }

  /// Whether a change was applied for the same operation before: then it did not help.
  bool isApplied(const diagnose::Blocked& blocked, const diagnose::Fix& fix) const {
    return std::all_of(fix.changes.begin(), fix.changes.end(), [&](const diagnose::Change& wanted) {
      return std::any_of(out_.changes.begin(), out_.changes.end(), [&](const diagnose::FixedChange& change) {
        return change.change == wanted.change &&
               (wanted.staticSizes ||
                (change.target == blocked.target && change.fxTarget == blocked.fxTarget && change.nodes == blocked.nodes));
      });
    });
  }

  Result<> writePython() {
    diagnose::PythonChanges python({base_->capture->program, base_->request.rewrite, false, applied_});
    out_.pythonStop = python.stop();
    if (!out_.pythonStop.empty()) return {};
    FXS_TRY(out_.decompositions, python.with({}, context_));
    for (diagnose::FixedChange& change : out_.changes) {
      const diagnose::PythonScript script{change.target, diagnose::decompositionsOf(out_.decompositions, change.nodes), change.staticSizes};
      if (!script.isEmpty()) change.python = script.text();
    }
    return {};
  }

  SnapshotPtr base_;
  const FixOptions& options_;
  const Environment& env_;
  const RunContext& context_;
  std::vector<diagnose::Change> applied_;
  FixedProgram out_;
};

}  // namespace

std::string FixedProgram::python() const {
  if (!pythonStop.empty()) return "";
  const bool isStatic = std::any_of(changes.begin(), changes.end(), [](const diagnose::FixedChange& change) { return change.staticSizes; });
  return diagnose::PythonScript{targets.front().target, decompositions, isStatic}.text();
}

Result<FixedProgramPtr> fix(const SnapshotPtr& snapshot, const FixOptions& options, const Environment& env, const RunContext& context) try {
  const Snapshot& s = *snapshot;
  if (!s.imported || !s.engine || env.runner == nullptr || !s.rewritten)
    return fail(ErrorCode::Usage, "fixing requires a program that was rewritten and imported with an engine");
  if (options.targets.empty()) return fail(ErrorCode::Usage, "fixing requires at least one output type");
  SnapshotPtr base = snapshot;
  if (hasCondition(*s.rewritten->program)) {
    Request request = s.request;
    request.rewrite.decompose.emplace(rewrite::kCond);
    FXS_TRY(base, advance(retarget(snapshot, std::move(request)), Phase::Import, env, context));
  }
  return Fixer(std::move(base), options, env, context).run();
} catch (...) {
  return abandoned(snapshot->request.file);
}

Result<> writeFixed(const FixedProgram& fixed, const std::string& path, const RunContext& context) {
  const read::Capture& capture = *fixed.snapshot->capture;
  std::error_code ignored;
  if (std::filesystem::equivalent(path, fixed.snapshot->request.file, ignored))
    return fail(ErrorCode::Usage, path + ": is the program that is fixed; write to another file");
  write::Pt2Options how;
  how.name = "fixed";
  how.withBytes = [](const fx::Weight& weight) { return weight.readable; };
  how.bytes = [&](const fx::Weight& weight) { return capture.weights->read(weight, kWeightBytes, context); };
  return write::writePt2(path, fixed.program(), how, context);
}

}  // namespace fxs::session
