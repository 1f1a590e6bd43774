// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/counted.h"
#include "contract/lower_kept.h"
#include "fx/cut.h"
#include "fx/text.h"
#include "rewrite/inline_vmap.h"

namespace fxs::diagnose {
namespace {

/// If a cut fails at another operation, it is cut again without that one, at most this many times.
constexpr int kMaxReplacements = 4;

/// The cut of an operation, and what is known of it so far.
struct Cut {
  std::size_t operation = 0;
  fx::ProgramPtr program;
  std::string raw;
  std::optional<fx::Finding> refused;  ///< by the rewrite or the importer
};

class Surveyor {
 public:
  Surveyor(const Subject& subject, const std::vector<lower::OutputType>& targets,
           const RunContext& context)
      : subject_(subject), targets_(targets), context_(context), operations_(subject.distinct()) {}

  Result<Survey> run() {
    survey_.distinct = operations_.size();
    survey_.unanswered.resize(targets_.size());
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      FXS_TRY(Cut cut, cutOut(i, {}));
      cuts.push_back(std::move(cut));
    }
    std::vector<const Cut*> lowered;
    std::vector<std::string> modules;
    for (const Cut& cut : cuts) {
      if (cut.refused || cut.raw.empty()) continue;
      lowered.push_back(&cut);
      modules.push_back(cut.raw);
    }
    FXS_TRY(auto results, contract::lowerKept(modules, targets_, *subject_.user, subject_.engine,
                                              subject_.lower, *subject_.runner, context_));
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      std::set<fx::NodeId> blocked;  // of the program
      std::vector<std::pair<const Cut*, lower::BatchResult>> failed;
      for (const Cut& cut : cuts)
        if (cut.refused) {
          lower::BatchResult result;
          result.status = lower::StageStatus::Failed;
          result.stage = cut.refused->stage;
          result.findings = {*cut.refused};
          add(t, cut, std::move(result), blocked);
        } else if (cut.raw.empty()) {
          leaveOpen(t, cut.operation);
        }
      for (std::size_t i = 0; i < lowered.size(); ++i)
        if (!results[t][i].ok()) failed.emplace_back(lowered[i], std::move(results[t][i]));
      FXS_CHECK(settle(t, std::move(failed), blocked));
    }
    std::stable_sort(survey_.entries.begin(), survey_.entries.end(),
                     [&](const BlockedEntry& a, const BlockedEntry& b) {
                       const auto order = [&](const BlockedEntry& e) {
                         return std::pair(
                             std::find(targets_.begin(), targets_.end(), e.blocked.target),
                             e.blocked.nodes.front());
                       };
                       return order(a) < order(b);
                     });
    return std::move(survey_);
  }

 private:
  using Failed = std::vector<std::pair<const Cut*, lower::BatchResult>>;

  Result<Cut> cutOut(std::size_t operation, const std::set<fx::NodeId>& outside) {
    Cut cut;
    cut.operation = operation;
    const fx::NodeId first = operations_[operation].first;
    const fx::NodeId own = subject_.userNode(first);
    // Where a vmap is left, all its parts are there for one operation.
    const bool isOfVmap = rewrite::isPartOfVmap(subject_.program->node(first));
    for (const fx::Finding& f : subject_.rewriteFindings)
      if (f.severity == fx::Severity::Error &&
          (f.node == own || (isOfVmap && f.kind == kNotInlined)))
        cut.refused = f;
    if (subject_.module) {
      cut.raw = subject_.module->alone(first);
      return cut;
    }
    auto program = fx::cutNodes(subject_.program, {first}, outside);
    if (!program) return cut;
    cut.program = *std::move(program);
    auto imported = subject_.importOf(*cut.program, context_);
    if (!imported) {
      if (endsAll(imported.error())) return tl::unexpected<Error>(imported.error());
      return cut;
    }
    cut.raw = (*imported)->text;
    for (const fx::Finding& f : (*imported)->findings)
      if (!cut.refused && f.severity == fx::Severity::Error && f.node == own) cut.refused = f;
    return cut;
  }

  /// Whether the engine's findings are at the operation itself.
  bool blames(const Cut& cut, const lower::BatchResult& result) const {
    const fx::NodeId own = subject_.userNode(operations_[cut.operation].first);
    bool elsewhere = false;
    for (const fx::Finding& f : result.findings) {
      if (f.severity != fx::Severity::Error || !f.node.valid()) continue;
      // What a module's function has besides are constants.
      if (f.node == own || subject_.module) return true;
      for (const fx::Node& node : cut.program->nodes)
        elsewhere |= node.op == fx::NodeOp::CallFunction && node.origin == f.node;
    }
    return !elsewhere;
  }

  /// Adds the operations that failed by themselves, and tests the others again without those.
  Result<> settle(std::size_t t, Failed failed, std::set<fx::NodeId>& blocked) {
    std::vector<std::unique_ptr<Cut>> kept;
    for (int round = 0; round < kMaxReplacements && !failed.empty(); ++round) {
      Failed undecided;
      const std::size_t before = blocked.size();
      for (auto& [cut, result] : failed) {
        if (saysNothing(result) || isUnread(result)) leaveOpen(t, cut->operation, result);
        else if (blames(*cut, result)) add(t, *cut, std::move(result), blocked);
        else undecided.emplace_back(cut, std::move(result));
      }
      failed = std::move(undecided);
      if (failed.empty() || (round > 0 && blocked.size() == before)) break;
      std::vector<std::string> modules;
      std::vector<const Cut*> again;
      for (const auto& [cut, result] : failed) {
        FXS_TRY(Cut recut, cutOut(cut->operation, blocked));
        if (recut.raw.empty()) {
          leaveOpen(t, cut->operation);
          continue;
        }
        kept.push_back(std::make_unique<Cut>(std::move(recut)));
        again.push_back(kept.back().get());
        modules.push_back(kept.back()->raw);
      }
      lower::LowerOptions options = subject_.lower;
      options.target = targets_[t];
      FXS_TRY(auto results, contract::lowerKept(modules, *subject_.user, subject_.engine, options,
                                                *subject_.runner, context_));
      failed.clear();
      for (std::size_t i = 0; i < again.size(); ++i)
        if (!results[i].ok()) failed.emplace_back(again[i], std::move(results[i]));
    }
    // They fail only together with operations that lower by themselves.
    for (auto& [cut, result] : failed) add(t, *cut, std::move(result), blocked);
    return {};
  }

  /// Of the operation: the engine was stopped, killed, or gave no answer.
  static bool saysNothing(const lower::BatchResult& result) {
    return result.status == lower::StageStatus::Skipped ||
           (result.status == lower::StageStatus::Unknown && !result.findings.empty() &&
            lower::isNoAnswer(result.findings.front()));
  }

  /// Whether a function of one operation, which was cut out of a text, is none.
  bool isUnread(const lower::BatchResult& result) const {
    return subject_.module && result.stage == "raw";
  }

  void leaveOpen(std::size_t t, std::size_t operation, const lower::BatchResult& reason = {}) {
    const import::DistinctOperation& open = operations_[operation];
    if (!reason.findings.empty())
      survey_.notes.push_back(fmt::format("whether {} ({}) lowers to {} is not known: {}",
                                          subject_.user->node(subject_.userNode(open.first)).target,
                                          counted(open.nodes.size(), "node"),
                                          lower::name(targets_[t]),
                                          reason.findings.front().message));
    for (const fx::NodeId node : operations_[operation].nodes)
      survey_.unanswered[t].insert(subject_.userNode(node));
  }

  void add(std::size_t t, const Cut& cut, lower::BatchResult result,
           std::set<fx::NodeId>& blocked) {
    const import::DistinctOperation& operation = operations_[cut.operation];
    blocked.insert(operation.nodes.begin(), operation.nodes.end());
    const bool isNotInlined =
        cut.refused && cut.refused->kind == kNotInlined && rewrite::hasVmap(*subject_.program);
    BlockedEntry entry =
        isNotInlined
            ? entryOf(targets_[t], *cut.refused, result.message)
            : entryOf(subject_, targets_[t], {operation, cut.program, cut.raw, std::move(result)});
    const auto key = [](const Blocked& b) {
      return std::tie(b.target, b.fxTarget, b.kind, b.op, b.stage, b.pass);
    };
    for (BlockedEntry& known : survey_.entries) {
      if (key(known.blocked) != key(entry.blocked)) continue;
      join(known, std::move(entry));
      return;
    }
    survey_.entries.push_back(std::move(entry));
  }

  const Subject& subject_;
  const std::vector<lower::OutputType>& targets_;
  const RunContext& context_;
  std::vector<import::DistinctOperation> operations_;
  Survey survey_;
};

}  // namespace

std::vector<import::DistinctOperation> Subject::distinct() const {
  return module ? module->distinct() : import::distinctOperations(*program);
}

fx::NodeId Subject::userNode(fx::NodeId node) const {
  return program->original ? program->node(node).origin : node;
}

Result<std::shared_ptr<const import::Imported>> Subject::importOf(const fx::Program& cut,
                                                                  const RunContext& context) const {
  return import::importProgram(cut, import, context);
}

std::string typesOf(const fx::Program& program, fx::NodeId call) {
  const fx::Node& node = program.node(call);
  std::string out = "(";
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId used) {
      const std::string value = fx::dumpValue(program.node(used).val);
      if (!value.empty()) out += (out.size() > 1 ? ", " : "") + value;
    });
  const std::string value = fx::dumpValue(node.val);
  return out + ") -> " + (value.empty() ? "?" : value);
}

std::set<fx::NodeId> callsFrom(const fx::Program& program, const std::set<fx::NodeId>& userNodes) {
  std::set<fx::NodeId> out;
  for (const fx::Node& node : program.nodes)
    if (node.op == fx::NodeOp::CallFunction && node.target != fx::kGetitem &&
        userNodes.contains(node.origin))
      out.insert(node.id);
  return out;
}

Kind kindOf(const fx::Finding& finding, const std::string& message) {
  const std::string& kind = finding.kind;
  if (kind == "not-functionalized") return Kind::NotFunctional;
  if (kind == "not-imported" || kind == kNotInlined) return Kind::NotImported;
  if (kind == "not-registered") return Kind::NotRegistered;
  if (kind == "illegal-op") return Kind::IllegalOp;
  if (kind == "contract")
    return message.find("unknown rank") != std::string::npos ||
                   message.find("unknown dtype") != std::string::npos
               ? Kind::TypesLost
               : Kind::Contract;
  if (kind == "verifier") return Kind::Verifier;
  if (kind == "crash") return Kind::Crash;
  if (kind == "timeout") return Kind::Timeout;
  if (kind == "memory" || kind == "output") return Kind::Memory;
  return Kind::Unknown;
}

BlockedEntry entryOf(const lower::OutputType& target, const fx::Finding& finding,
                     const std::string& message) {
  BlockedEntry entry;
  Blocked& b = entry.blocked;
  b.target = target;
  b.kind = kindOf(finding, message);
  b.fxTarget = finding.target;
  b.op = finding.op;
  b.stage = finding.stage;
  b.pass = finding.pass;
  b.message = finding.message;
  b.engineMessage = message;
  if (finding.node.valid()) b.nodes = {finding.node};
  return entry;
}

BlockedEntry entryOf(const Subject& subject, const lower::OutputType& target, BlockedForm form) {
  const fx::NodeId own = subject.userNode(form.operation.first);
  const fx::Finding* finding = nullptr;
  for (const fx::Finding& f : form.result.findings)
    if (f.severity == fx::Severity::Error &&
        (finding == nullptr || (f.node == own && finding->node != own)))
      finding = &f;
  fx::Finding none;
  none.stage = form.result.stage;
  none.pass = form.result.pass;
  none.kind = "engine";
  none.message = "the engine stopped without giving a reason";
  fx::Finding named = finding != nullptr ? *finding : none;
  const fx::Node& user = subject.user->node(own);
  named.node = own;
  named.nodeName = user.name;
  named.target = user.target;
  BlockedEntry entry = entryOf(target, named, form.result.message);
  entry.blocked.types = typesOf(*subject.program, form.operation.first);
  std::vector<fx::NodeId>& nodes = entry.blocked.nodes;
  for (const fx::NodeId node : form.operation.nodes) nodes.push_back(subject.userNode(node));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  entry.forms.push_back(std::move(form));
  return entry;
}

void join(BlockedEntry& into, BlockedEntry more) {
  std::vector<fx::NodeId>& nodes = into.blocked.nodes;
  nodes.insert(nodes.end(), more.blocked.nodes.begin(), more.blocked.nodes.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::move(more.forms.begin(), more.forms.end(), std::back_inserter(into.forms));
}

Result<Survey> survey(const Subject& subject, const std::vector<lower::OutputType>& targets,
                      const RunContext& context) {
  return Surveyor(subject, targets, context).run();
}

}  // namespace fxs::diagnose
