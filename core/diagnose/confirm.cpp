// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/counted.h"
#include "contract/lower_kept.h"
#include "diagnose/replace_with_inputs.h"
#include "fx/text.h"
#include "import/torch_mlir_refusals.h"
#include "rewrite/inline_vmap.h"

namespace fxs::diagnose {
namespace {

/// Each round removes operations that block the whole program but are not in the survey; there is
/// rarely one.
constexpr int kMaxConfirmations = 12;
/// Limit for putting operations back one by one, in nodes lowered.
constexpr std::size_t kMaxNodesPutBack = 60'000;

/// Why the program is refused before an engine runs: it may lower, but not to what the model
/// computes.
std::vector<fx::Finding> refusals(const Subject& subject, const import::Imported& imported) {
  std::vector<fx::Finding> out;
  for (const std::vector<fx::Finding>* findings : {&subject.rewriteFindings, &imported.findings})
    std::copy_if(findings->begin(), findings->end(), std::back_inserter(out),
                 [](const fx::Finding& f) { return f.severity == fx::Severity::Error; });
  return out;
}
bool isRefusedAsTorchMlir(const Subject& subject) {
  return subject.import.asTorchMlir && !import::torchMlirRefusals(*subject.program).empty();
}
/// None for torch-mlir, which does not check its texts. EngineFailed if it is the engine that
/// breaks them.
Result<std::vector<fx::Finding>> breachesIn(const lower::Lowering& full, const std::string& raw,
                                            const lower::LowerOptions& options,
                                            const Subject& subject, const RunContext& context) {
  if (subject.import.asTorchMlir) return std::vector<fx::Finding>();
  auto out = contract::breachesOf(full, raw, *subject.user);
  if (!out.empty())
    FXS_CHECK(contract::ensureHonest(subject.engine, options, *subject.runner, context));
  return out;
}

/// "a float" or "Sym(s0)", for a value of the program's output that is not a tensor; "" for a
/// tensor.
std::string nonTensor(const fx::Program& program, const fx::Argument& value) {
  if (const fx::NodeId* id = value.node()) {
    const fx::Value& val = program.node(*id).val;
    if (std::holds_alternative<fx::NoneValue>(val)) return "None";
    return val.symbol() != nullptr ? fx::dumpValue(val) : "";
  }
  if (value.isNone()) return "None";
  if (std::holds_alternative<bool>(value)) return "a bool";
  if (value.integer() != nullptr) return "an int";
  return std::holds_alternative<double>(value) ? "a float" : "not a tensor";
}

fx::ProgramPtr withTensorOutputs(const fx::ProgramPtr& program) {
  fx::Program out = *program;
  std::vector<fx::OutputSpec> kept;
  fx::ArgumentList values;
  for (const fx::OutputSpec& spec : out.outputs) {
    if (!nonTensor(out, spec.value).empty()) continue;
    kept.push_back(spec);
    values.push_back(spec.value);
  }
  out.outputs = std::move(kept);
  out.nodes[out.output(out.main().id).id.index()].args.front().value = std::move(values);
  return std::make_shared<const fx::Program>(std::move(out));
}

/// Where a lowering of the program stops, or breaks its contract.
struct Stops {
  std::string stage;  ///< "" for none
  bool isKnown = true;
  std::set<fx::NodeId> nodes;  ///< that it names
};
Stops stopsOf(const lower::Lowering& full, const std::vector<fx::Finding>& breaches) {
  Stops out;
  for (const lower::StageResult& stage : full.stages) {
    if (stage.status == lower::StageStatus::Ok || stage.status == lower::StageStatus::Skipped)
      continue;
    if (out.stage.empty()) out.stage = stage.id;
    out.isKnown = out.isKnown && lower::isKnown(stage.status);
    for (const fx::Finding& f : stage.findings)
      if (f.severity == fx::Severity::Error && f.node.valid()) out.nodes.insert(f.node);
  }
  for (const fx::Finding& f : breaches) {
    out.stage = f.stage;
    if (f.node.valid()) out.nodes.insert(f.node);
  }
  return out;
}

class Confirmer {
 public:
  Confirmer(const Subject& subject, const lower::OutputType& target,
            std::vector<BlockedEntry>& entries, std::vector<std::string>& notes,
            const RunContext& context)
      : subject_(subject), target_(target), entries_(entries), notes_(notes), context_(context) {
    options_ = subject.lower;
    options_.target = target;
  }

  Result<TargetDiagnosis> run(const import::Imported& imported, const lower::Lowering* full) {
    TargetDiagnosis out;
    out.target = target_;
    const std::string& raw = imported.text;
    std::shared_ptr<const lower::Lowering> own;
    if (full == nullptr) {
      context_.report({"lowering the whole program", 0.9});
      FXS_TRY(own, lower::lower(raw, *subject_.user, subject_.engine, options_, *subject_.runner,
                                context_));
      full = own.get();
    }
    FXS_CHECK(lower::ensureAnswered(*full));
    FXS_TRY(const std::vector<fx::Finding> breaches,
            breachesIn(*full, raw, options_, subject_, context_));
    const Stops stops = stopsOf(*full, breaches);
    out.stoppedAt = stops.stage;
    out.isKnown = stops.isKnown;
    out.warnings = contract::warningsOf(*full, raw, *subject_.user, subject_.import.asTorchMlir);
    const std::vector<fx::Finding> refused = refusals(subject_, imported);
    out.lowers =
        full->ok() && breaches.empty() && refused.empty() && !isRefusedAsTorchMlir(subject_);
    if (out.lowers) {
      takeOffAll();
      return out;
    }
    if (isRefusedAsTorchMlir(subject_)) out.stoppedAt = "raw";
    if (out.stoppedAt.empty()) out.stoppedAt = refused.front().stage;
    addRefusals(refused);
    FXS_CHECK(takeAway(out));
    if (out.restLowers.value_or(false)) FXS_CHECK(putBack(stops.nodes));
    leaveOutVmap();
    return out;
  }

 private:
  bool isOurs(const BlockedEntry& entry) const { return entry.blocked.target == target_; }

  /// The parts of a vmap block for the operation that keeps it from being inlined, which is there.
  void leaveOutVmap() {
    if (std::ranges::none_of(subject_.rewriteFindings,
                             [](const fx::Finding& f) { return f.kind == kNotInlined; }))
      return;
    std::erase_if(entries_, [&](const BlockedEntry& entry) {
      const std::vector<fx::NodeId>& nodes = entry.blocked.nodes;
      return isOurs(entry) && !nodes.empty() &&
             rewrite::isPartOfVmap(subject_.user->node(nodes.front()));
    });
  }

  /// Without the nodes of `but`, even if other entries name them too.
  std::set<fx::NodeId> blockedCalls(const BlockedEntry* but = nullptr) const {
    std::set<fx::NodeId> nodes;
    for (const BlockedEntry& entry : entries_)
      if (isOurs(entry)) nodes.insert(entry.blocked.nodes.begin(), entry.blocked.nodes.end());
    if (but != nullptr)
      for (const fx::NodeId node : but->blocked.nodes) nodes.erase(node);
    return callsFrom(*subject_.program, nodes);
  }

  Result<std::string> restWithout(const std::set<fx::NodeId>& calls) const {
    if (subject_.module) return subject_.module->without(calls);
    FXS_TRY(fx::ProgramPtr rest, replaceWithInputs(subject_.program, calls));
    if (tensorsOnly_) rest = withTensorOutputs(rest);
    FXS_TRY(const auto imported, subject_.importOf(*rest, context_));
    return imported->text;
  }

  /// Removes operations until the rest of the program lowers, or no further one is named.
  Result<> takeAway(TargetDiagnosis& out) {
    for (int round = 0; round < kMaxConfirmations; ++round) {
      const std::set<fx::NodeId> calls = blockedCalls();
      const auto rest = restWithout(calls);
      if (!rest) {
        if (endsAll(rest.error())) return tl::unexpected<Error>(rest.error());
        out.restMessage =
            "the rest of the program cannot be lowered without them: " + rest.error().message;
        return {};
      }
      FXS_TRY(const auto results, contract::lowerKept({*rest}, *subject_.user, subject_.engine,
                                                      options_, *subject_.runner, context_));
      const lower::BatchResult& result = results.front();
      if (result.ok()) {
        out.restLowers = true;
        out.restMessage =
            "with these operations replaced by placeholders, the rest of the program lowers";
        return {};
      }
      if (!result.isKnown()) {
        out.restMessage =
            "whether the rest of the program lowers without them is not known" +
            (result.findings.empty() ? std::string() : ": " + result.findings.front().message);
        return {};
      }
      if (!addStops(result, calls)) {
        out.restLowers = false;
        out.restMessage =
            "with these operations replaced by placeholders, the rest of the program still stops "
            "in " +
            (result.pass.empty() ? result.stage : result.pass) +
            (result.findings.empty() ? std::string() : ": " + result.findings.front().message);
        return {};
      }
    }
    out.restLowers = false;
    out.restMessage =
        "the rest of the program still stops, each time at a different operation; the list is "
        "incomplete";
    return {};
  }

  /// Adds an entry for each further operation that the program without `calls` stops at; false if
  /// there is none.
  bool addStops(const lower::BatchResult& result, const std::set<fx::NodeId>& calls) {
    std::set<fx::NodeId> known;
    for (const fx::NodeId call : calls) known.insert(subject_.userNode(call));
    bool more = false;
    for (const fx::Finding& f : result.findings) {
      if (f.severity != fx::Severity::Error || !f.node.valid()) continue;
      if (addOutputs(f, result.message)) return true;
      if (known.contains(f.node) || callsFrom(*subject_.program, {f.node}).empty()) continue;
      known.insert(f.node);
      more = true;
      addWholeOnly(f, result.message);
    }
    return more;
  }

  /// Those that the survey has not found at an operation.
  void addRefusals(const std::vector<fx::Finding>& refused) {
    for (const fx::Finding& f : refused) {
      const bool isListed =
          std::any_of(entries_.begin(), entries_.end(), [&](const BlockedEntry& entry) {
            const Blocked& b = entry.blocked;
            return isOurs(entry) && (f.node.valid() ? std::find(b.nodes.begin(), b.nodes.end(),
                                                                f.node) != b.nodes.end()
                                                    : b.message == f.message);
          });
      if (isListed) continue;
      BlockedEntry entry = entryOf(target_, f, {});
      entry.blocked.agreement = Agreement::Confirmed;
      insert(std::move(entry));
    }
  }

  /// Whether `f` is about results that are not tensors: they are an entry, and left out of the
  /// rest.
  bool addOutputs(const fx::Finding& f, const std::string& message) {
    if (tensorsOnly_ || subject_.user->node(f.node).op != fx::NodeOp::Output) return false;
    std::string results;
    std::size_t number = 0, wrong = 0;
    for (const fx::OutputSpec& spec : subject_.user->outputs) {
      if (spec.kind != fx::OutputKind::UserOutput) continue;
      ++number;
      const std::string value = nonTensor(*subject_.user, spec.value);
      if (value.empty() || (value == "None" && subject_.import.mode == import::Mode::Lowering))
        continue;  // dropped by the importer
      results += fmt::format("{}result {} is {}", wrong++ == 0 ? "" : ", ", number, value);
    }
    if (wrong == 0) return false;
    tensorsOnly_ = true;
    BlockedEntry entry = entryOf(target_, f, message);
    Blocked& b = entry.blocked;
    b.kind = Kind::NotATensor;
    b.message = fmt::format(
        "{}: {} returns only tensors; return {} from Python, outside the exported program", results,
        lower::name(target_), wrong == 1 ? "it" : "them");
    b.agreement = Agreement::Confirmed;
    insert(std::move(entry));
    return true;
  }

  void addWholeOnly(const fx::Finding& f, const std::string& message) {
    BlockedEntry entry = entryOf(target_, f, message);
    entry.blocked.agreement = Agreement::WholeOnly;
    entry.blocked.agreementMessage = "it lowers by itself, but the whole program stops at it";
    for (BlockedEntry& other : entries_)
      if (isOurs(other) && other.forms.empty() && other.blocked.fxTarget == f.target &&
          other.blocked.op == f.op && other.blocked.kind == entry.blocked.kind) {
        other.blocked.nodes.push_back(f.node);
        return;
      }
    insert(std::move(entry));
  }
  /// After the others of its target.
  void insert(BlockedEntry entry) {
    auto at = entries_.end();
    while (at != entries_.begin() && !isOurs(*std::prev(at))) --at;
    entries_.insert(at == entries_.begin() ? entries_.end() : at, std::move(entry));
  }

  /// Whether an entry blocks the program by itself: named by the run of the whole program, or
  /// tested.
  Result<> putBack(const std::set<fx::NodeId>& named) {
    const std::vector<BlockedEntry*> asked = affordable(undecided(named));
    std::vector<std::string> modules;
    for (const BlockedEntry* entry : asked) {
      FXS_TRY(std::string module, restWithout(blockedCalls(entry)));
      modules.push_back(std::move(module));
    }
    FXS_TRY(const auto results, contract::lowerKept(modules, *subject_.user, subject_.engine,
                                                    options_, *subject_.runner, context_));
    std::vector<BlockedEntry*> innocent;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (results[i].ok()) innocent.push_back(asked[i]);
      else if (results[i].isKnown()) asked[i]->blocked.agreement = Agreement::Confirmed;
      else asked[i]->blocked.agreementMessage = "whether it blocks the whole program is not known";
    }
    if (innocent.empty()) return {};
    for (BlockedEntry* entry : innocent) entry->blocked.agreement = Agreement::AloneOnly;
    return putBackTogether(innocent);
  }

  /// Decides what needs no run; returns the others.
  std::vector<BlockedEntry*> undecided(const std::set<fx::NodeId>& named) {
    std::vector<BlockedEntry*> out;
    for (BlockedEntry& entry : entries_) {
      Blocked& b = entry.blocked;
      if (!isOurs(entry) || b.agreement == Agreement::WholeOnly || b.kind == Kind::NotATensor)
        continue;
      const bool isNamed = std::any_of(b.nodes.begin(), b.nodes.end(),
                                       [&](fx::NodeId n) { return named.contains(n); });
      // A rejected write or import does not depend on the engine.
      if (isNamed || b.kind == Kind::NotFunctional || b.kind == Kind::NotImported)
        b.agreement = Agreement::Confirmed;
      else if (b.kind == Kind::Timeout || b.kind == Kind::Memory)
        b.agreementMessage = "not tried in the whole program, which would hang";
      else out.push_back(&entry);
    }
    return out;
  }

  /// The first ones, within the limit.
  std::vector<BlockedEntry*> affordable(std::vector<BlockedEntry*> asked) const {
    const std::size_t nodes = std::max<std::size_t>(subject_.program->nodes.size(), 1);
    const std::size_t most = std::max<std::size_t>(kMaxNodesPutBack / nodes, 1);
    for (std::size_t i = most; i < asked.size(); ++i)
      asked[i]->blocked.agreementMessage =
          "too many operations are blocked to try each one in a program of this size";
    asked.resize(std::min(asked.size(), most));
    return asked;
  }

  /// Takes off entries that do not block the program one by one. Together they may still block it.
  Result<> putBackTogether(const std::vector<BlockedEntry*>& innocent) {
    if (innocent.size() > 1) {
      std::set<fx::NodeId> guilty;
      for (const BlockedEntry& entry : entries_)
        if (isOurs(entry) && entry.blocked.agreement != Agreement::AloneOnly)
          guilty.insert(entry.blocked.nodes.begin(), entry.blocked.nodes.end());
      FXS_TRY(const std::string module, restWithout(callsFrom(*subject_.program, guilty)));
      FXS_TRY(const auto rest, contract::lowerKept({module}, *subject_.user, subject_.engine,
                                                   options_, *subject_.runner, context_));
      if (!rest.front().ok()) {
        for (BlockedEntry* entry : innocent) {
          entry->blocked.agreement = Agreement::NotChecked;
          entry->blocked.agreementMessage = rest.front().isKnown()
                                                ? "the program lowers with this operation, but "
                                                  "not together with others of this list"
                                                : "the program lowers with this operation; "
                                                  "whether together with others is not known";
        }
        return {};
      }
    }
    takeOff(
        [](const BlockedEntry& entry) { return entry.blocked.agreement == Agreement::AloneOnly; });
    return {};
  }

  void takeOffAll() {
    takeOff([](const BlockedEntry&) { return true; });
  }
  template <class Which>
  void takeOff(Which which) {
    for (const BlockedEntry& entry : entries_)
      if (isOurs(entry) && which(entry))
        notes_.push_back(
            fmt::format("{} ({}) does not lower to {} by itself, but does in the whole program",
                        entry.blocked.fxTarget, counted(entry.blocked.nodes.size(), "node"),
                        lower::name(target_)));
    std::erase_if(entries_,
                  [&](const BlockedEntry& entry) { return isOurs(entry) && which(entry); });
  }

  const Subject& subject_;
  lower::OutputType target_;
  std::vector<BlockedEntry>& entries_;
  std::vector<std::string>& notes_;
  const RunContext& context_;
  lower::LowerOptions options_;
  bool tensorsOnly_ = false;  ///< results that are not tensors are an entry
};

}  // namespace

Result<TargetDiagnosis> confirm(const Subject& subject, const lower::OutputType& target,
                                const import::Imported& imported, const lower::Lowering* full,
                                std::vector<BlockedEntry>& entries, std::vector<std::string>& notes,
                                const RunContext& context) {
  return Confirmer(subject, target, entries, notes, context).run(imported, full);
}

Result<std::optional<bool>> lowersWhole(const Subject& subject, const lower::OutputType& target,
                                        const RunContext& context) {
  FXS_TRY(const auto imported, subject.importOf(*subject.program, context));
  lower::LowerOptions options = subject.lower;
  options.target = target;
  FXS_TRY(const auto full, lower::lower(imported->text, *subject.user, subject.engine, options,
                                        *subject.runner, context));
  if (!lower::isKnown(full->stages)) return std::optional<bool>();
  FXS_TRY(const std::vector<fx::Finding> breaches,
          breachesIn(*full, imported->text, options, subject, context));
  return std::optional(full->ok() && breaches.empty() && refusals(subject, *imported).empty() &&
                       !isRefusedAsTorchMlir(subject));
}

}  // namespace fxs::diagnose
