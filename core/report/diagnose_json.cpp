// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "base/joined.h"
#include "report/answer.h"
#include "report/diagnose.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_words.h"
#include "report/json_parts.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;
using diagnose::TargetDiagnosis;

JsonForm<diagnose::Computed> computedForm() {
  using diagnose::Computed;
  return {{"verdict", &Computed::verdict, JsonNames(compare::TargetVerdict::Differs)},
          {"message", &Computed::message, nullIfEmpty},
          {"reference", &Computed::reference, "what it was compared with"},
          {"scope", &Computed::scope, nullIfEmpty,
           "for what the verdict holds: sets of inputs, sizes, values; null: nothing was run"}};
}

JsonForm<TargetDiagnosis> diagnosedTargetForm(const DiagnoseReport* report) {
  using T = TargetDiagnosis;
  const auto lowers = [](const T& target) {
    return target.lowers || target.isKnown ? std::optional(target.lowers) : std::nullopt;
  };
  const auto operations = [report](const T& target) {
    return blockedOperations(report->diagnosis, target.target);
  };
  const auto nodes = [report](const T& target) {
    return blockedNodes(report->diagnosis, target.target);
  };
  const auto message = [report](const T& target) {
    return answerOf(report->diagnosis, target).sentence;
  };
  return {{"to", [](const T& target) { return lower::name(target.target); }, isOutputType(),
           kOutputTypeMessage},
          {"lowers", lowers,
           "the unchanged program lowers to the output type; null: not known, because it reached a "
           "limit at stopped_at, or one of fxscope's own if that is null: see rest_message"},
          {"message", message,
           "1 operation blocks it, at 2 nodes. Fix verified: the whole program lowers."},
          {"stopped_at", &T::stoppedAt, nullIfEmpty, "the stage that failed"},
          {"operations", operations, "findings of this output type that are errors"},
          {"nodes", nodes, "nodes in these findings, each once"},
          {"rest_lowers", &T::restLowers,
           "the program with every blocked operation replaced by inputs lowers: the list is "
           "complete; null: not tried"},
          {"rest_message", &T::restMessage, nullIfEmpty},
          {"fixed_lowers", &T::fixedLowers,
           "the program with `changes` applied lowers; null: there was nothing to apply, or it was "
           "not tried"},
          {"changes", &T::changes, "the best experiment of each operation, in order"},
          {"warnings", &T::warnings, findingForm(contextOf(report)),
           "about the texts of the unchanged program, one for each node, as the findings of lower"},
          {"computed", &T::computed, computedForm(),
           "what the unchanged program computes, compared with what it should; null: not run "
           "(--numbers), or it does not lower"},
          {"fixed_computed", &T::fixedComputed, computedForm(), "by the program with `changes`"},
          {"seconds", &T::seconds, atLeast(0)}};
}

JsonForm<Experiment> experimentForm() {
  using E = Experiment;
  return {
      {"id", &E::id},
      {"change", &E::change, "what to do"},
      {"outcome", &E::outcome, JsonNames(diagnose::Outcome::NotRun), "of the operation by itself"},
      {"proof", &E::proof, JsonNames(diagnose::Proof::Disproved),
       "of the whole program with the change"},
      {"verified", &diagnose::verifiedBy, JsonNames(diagnose::Verified::WholeComputes),
       "what a run has shown; by-itself also where other blocked operations were replaced by "
       "placeholders"},
      {"verified_message", [](const E& e) { return title(diagnose::verifiedBy(e)); },
       "`verified` in words"},
      {"message", &E::message, nullIfEmpty, "the engine's own when failed, why when not run"},
      {"proof_message", &E::proofMessage, nullIfEmpty},
      {"cost", &E::cost, nullIfEmpty, "the trade-off of the change"},
      {"snippet", &E::snippet, nullIfEmpty, "to paste"},
      {"language", &E::language, nullIfEmpty, "of the snippet"},
      {"python", &E::python, nullIfEmpty,
       "a module with lower(program), for an ExportedProgram and torch-mlir"}};
}

JsonForm<fx::NodeId> blockedNodeForm(NodeContext context) {
  const auto location = [context](auto member) {
    return
        [context, member](fx::NodeId id) { return sourceLocationOf(*context.program, id).*member; };
  };
  return {{"name", [context](fx::NodeId id) { return context.program->node(id).name; }},
          {"index", &fx::NodeId::index, "in the program, as in locations"},
          {"module", location(&SourceLocation::module), nullIfEmpty},
          {"source", location(&SourceLocation::line), sourceForm(context.paths),
           "the user's Python line"}};
}

JsonForm<diagnose::SizeDependence> sizeDependenceForm() {
  using D = diagnose::SizeDependence;
  return {{"source", &D::source, "index into size_sources"},
          {"makes", &D::makes, "it is of the source itself, which has no form with numbers"},
          {"with_numbers", &D::withNumbers, JsonNames(diagnose::WithNumbers::NotKnown),
           "the operation by itself, with numbers in place of the sizes"},
          {"message", &D::message, nullIfEmpty, "why it fails, or why that is not known"}};
}

/// What sizes of one source block, for one output type.
struct BlockedBySizes {
  lower::OutputType target;
  std::vector<std::string> operators = {};
  std::set<fx::NodeId> nodes = {};
};
std::vector<BlockedBySizes> blockedBy(const diagnose::Diagnosis& diagnosis, std::size_t source) {
  std::vector<BlockedBySizes> out;
  for (const Blocked& entry : diagnosis.blocked) {
    if (!blocksForSizes(diagnosis, entry) || entry.sizes->source != source) continue;
    if (out.empty() || out.back().target != entry.target) out.push_back({entry.target});
    addOnce(out.back().operators, operationOf(entry));
    out.back().nodes.insert(entry.nodes.begin(), entry.nodes.end());
  }
  return out;
}
JsonForm<BlockedBySizes> blockedBySizesForm() {
  using B = BlockedBySizes;
  return {
      {"to", [](const B& b) { return lower::name(b.target); }, isOutputType(), kOutputTypeMessage},
      {"operators", &B::operators, "that fail for these sizes"},
      {"nodes", [](const B& b) { return b.nodes.size(); }, "of these operators, each once"},
      {"message", [](const B& b) { return diagnose::sizesSentence(b.target, joined(b.operators)); },
       nullIfEmpty, "what the output type can have"}};
}

/// A source by its index.
struct NumberedSource {
  const diagnose::Diagnosis* diagnosis;
  std::size_t index;
  const diagnose::SizeSource& source() const { return diagnosis->sizeSources[index]; }
};
std::vector<NumberedSource> sourcesOf(const diagnose::Diagnosis& diagnosis) {
  std::vector<NumberedSource> out;
  for (std::size_t i = 0; i < diagnosis.sizeSources.size(); ++i) out.push_back({&diagnosis, i});
  return out;
}
JsonForm<NumberedSource> sizeSourceForm(NodeContext context) {
  using S = NumberedSource;
  return {{"name", [](const S& s) { return s.source().name; },
           "operator and module: aten.where in block_sparse_moe"},
          {"symbols", [](const S& s) { return s.source().symbols; }, "u0"},
          {"nodes", [](const S& s) { return s.source().nodes; }, blockedNodeForm(context)},
          {"blocks", [](const S& s) { return blockedBy(*s.diagnosis, s.index); },
           blockedBySizesForm(), "of each output type, the findings that this is the cause of"}};
}

JsonForm<diagnose::OtherType> otherTypeForm() {
  using T = diagnose::OtherType;
  return {{"to", [](const T& type) { return lower::name(type.target); }, isOutputType(),
           kOutputTypeMessage},
          {"lowers", &T::lowers, "the unchanged program; null: not known"},
          {"operators", &T::operators, "that block it"},
          {"nodes", &T::nodes, "of these operators, each once"}};
}

JsonForm<Blocked> blockedForm(NodeContext context) {
  using B = Blocked;
  const auto location = [context](auto member) {
    return [context, member](const B& entry) {
      const fx::NodeId node = entry.nodes.empty() ? fx::NodeId() : entry.nodes.front();
      return sourceLocationOf(*context.program, node).*member;
    };
  };
  const auto best = [](const B& entry) {
    const Experiment* experiment = bestOf(entry);
    return experiment == nullptr ? std::string() : experiment->id;
  };
  return {
      {"severity", [](const B& entry) { return stops(entry) ? "error" : "warning"; },
       JsonNames{"error", "warning"},
       "warning: it does not lower by itself, but the whole program lowers"},
      {"to", [](const B& entry) { return lower::name(entry.target); }, isOutputType(),
       kOutputTypeMessage},
      {"node", [context](const B& entry) { return firstNodeOf(entry, *context.program); },
       nullIfEmpty, "the first of `nodes`; null when unknown"},
      {"target", &B::fxTarget, nullIfEmpty, "the node's own: aten.diff.default"},
      {"op", &B::op, nullIfEmpty, "the MLIR operation that was not taken: torch.operator"},
      {"types", &B::types, nullIfEmpty, "of the first node's tensors: (f32[2, 4]) -> f32[2, 3]"},
      {"stage", &B::stage, nullIfEmpty},
      {"pass", &B::pass, nullIfEmpty},
      {"kind", &B::kind, JsonNames(diagnose::Kind::IllegalOp)},
      {"title", [](const B& entry) { return title(entry.kind); }, "the kind in words"},
      {"message", &B::message},
      {"engine_message", &B::engineMessage, nullIfEmpty,
       "the engine's own; may have several lines"},
      {"source", location(&SourceLocation::line), sourceForm(context.paths),
       "the user's Python line"},
      {"module", location(&SourceLocation::module), nullIfEmpty,
       "path of the innermost module of the first node"},
      {"count", [](const B& entry) { return entry.nodes.size(); }, "length of `nodes`"},
      {"nodes", &B::nodes, blockedNodeForm(context)},
      {"tried", &B::tried, "patterns that were tried on it and refused; null: not known"},
      {"agreement", &B::agreement, JsonNames(diagnose::Agreement::NotChecked),
       "does the whole program agree with the operation by itself"},
      {"agreement_message", &B::agreementMessage, nullIfEmpty},
      {"experiments", &B::experiments, experimentForm(),
       "one thing changed and the operation run again; proved ones first"},
      {"best", best, nullIfEmpty,
       "id of the experiment to follow: proved, else passed and not disproved"},
      {"sizes", &B::sizes, sizeDependenceForm(),
       "how it depends on sizes known only at run time; null: it does not"}};
}

/// A cell of the support table.
struct Supported {
  std::string_view op, target;
  diagnose::SupportRow::Cell cell;
};
std::vector<Supported> supportOf(const diagnose::Diagnosis& diagnosis) {
  std::vector<Supported> out;
  for (const diagnose::SupportRow& row : diagnosis.support)
    for (std::size_t i = 0; i < row.cells.size() && i < diagnosis.targets.size(); ++i)
      out.push_back({row.fxTarget, lower::name(diagnosis.targets[i].target), row.cells[i]});
  return out;
}
JsonForm<Supported> supportCellForm() {
  return {{"op", &Supported::op, "the node's own target: aten.diff.default"},
          {"target", &Supported::target, isOutputType(), kOutputTypeMessage},
          {"count", [](const Supported& s) { return s.cell.count; }, "nodes"},
          {"blocked", [](const Supported& s) { return s.cell.blocked; }, "of these"},
          {"wrong", [](const Supported& s) { return s.cell.wrong; },
           "of these: they lower, and compute a wrong value (--numbers)"},
          {"status", [](const Supported& s) { return statusOf(s.cell); },
           JsonNames{"ok", "failed", "wrong", "skipped"},
           "failed: at least one is blocked; wrong: at least one computes wrong; skipped: the "
           "survey has no answer"}};
}

/// A cause, and the diagnosis that has its entries.
struct CauseOf {
  const diagnose::Diagnosis* diagnosis;
  Cause cause;
};
std::vector<CauseOf> causesIn(const diagnose::Diagnosis& diagnosis) {
  std::vector<CauseOf> out;
  for (Cause& cause : causesOf(diagnosis)) out.push_back({&diagnosis, std::move(cause)});
  return out;
}

/// What to do about a cause, and the run of it that shows least.
struct Suggestion {
  const Experiment* experiment;
  const Experiment* weakest;
  std::string change;
  std::vector<std::string> more;
};
std::optional<Suggestion> suggestionIn(const CauseOf& of) {
  const Experiment* experiment = suggestionOf(of.cause);
  if (experiment == nullptr) return std::nullopt;
  return Suggestion{experiment, &weakestOf(of.cause, *experiment),
                    of.cause.fix != nullptr ? of.cause.change : experiment->change, of.cause.more};
}
JsonForm<Suggestion> suggestionForm() {
  using S = Suggestion;
  return {
      {"id", [](const S& s) { return s.experiment->id; }, "of the experiment"},
      {"change", &S::change, "what to do"},
      {"then", &S::more, "changes that some of its operations also require"},
      {"verified", [](const S& s) { return diagnose::verifiedBy(*s.weakest); },
       JsonNames(diagnose::Verified::WholeComputes), "what runs have shown for all of them"},
      {"verified_message", [](const S& s) { return verdictOf(*s.weakest); }, "`verified` in words"},
      {"cost", [](const S& s) { return s.experiment->cost; }, nullIfEmpty,
       "the trade-off of the change"},
      {"snippet", [](const S& s) { return s.experiment->snippet; }, nullIfEmpty, "to paste"},
      {"language", [](const S& s) { return s.experiment->language; }, nullIfEmpty,
       "of the snippet"},
      {"python", [](const S& s) { return s.experiment->python; }, nullIfEmpty,
       "a module with lower(program), for an ExportedProgram and torch-mlir"}};
}

JsonForm<CauseOf> causeForm(NodeContext context) {
  using C = CauseOf;
  const auto targets = [](const C& c) {
    std::vector<std::string_view> out;
    for (const Blocked* entry : c.cause.entries) addOnce(out, lower::name(entry->target));
    return out;
  };
  const auto findings = [](const C& c) {
    std::vector<std::int64_t> out;
    for (const Blocked* entry : c.cause.entries) out.push_back(entry - c.diagnosis->blocked.data());
    return out;
  };
  const auto shown = [context](const C& c) {
    return shownNodeOf(c.cause.sizes != nullptr ? c.cause.sizes->nodes : c.cause.nodes,
                       *context.program);
  };
  const auto node = [context, shown](const C& c) {
    const fx::NodeId id = shown(c);
    return id.valid() ? context.program->node(id).name : std::string();
  };
  const auto location = [context, shown](auto member) {
    return [context, shown, member](const C& c) {
      return sourceLocationOf(*context.program, shown(c)).*member;
    };
  };
  const auto messages = [](const C& c) {
    return c.cause.sizes != nullptr ? sizesSentences(c.cause) : messagesOf(c.cause);
  };
  return {
      {"severity", [](const C& c) { return blocks(c.cause) ? "error" : "warning"; },
       JsonNames{"error", "warning"},
       "error: the program stops at it; warning: it does not lower by itself"},
      {"title", [](const C& c) { return titleOf(c.cause); },
       "its operators, or the sizes that it is about"},
      {"reason", [](const C& c) { return reasonOf(c.cause); }, "why, in a phrase"},
      {"messages", messages, "why, one for each kind and operation"},
      {"to", targets, "output types that it blocks"},
      {"operators", [](const C& c) { return operatorsOf(c.cause); }, "each once"},
      {"node", node, nullIfEmpty, "the first with a Python line; of sizes, one that makes them"},
      {"module", location(&SourceLocation::module), nullIfEmpty,
       "path of the innermost module of `node`"},
      {"source", location(&SourceLocation::line), sourceForm(context.paths),
       "the user's Python line of `node`"},
      {"count", [](const C& c) { return c.cause.nodes.size(); }, "nodes, each once"},
      {"findings", findings, "indices into `findings`"},
      {"fix", &suggestionIn, suggestionForm(), "null: none of the changes that were tried"}};
}

JsonForm<diagnose::NextStep> nextStepForm() {
  using N = diagnose::NextStep;
  return {{"kind", &N::kind, JsonNames(N::Kind::Diagnose)},
          {"message", &N::message, "what it is for"},
          {"arguments", &N::arguments, "of fxscope-cli"}};
}

JsonAnswer<DiagnoseReport> diagnoseAnswer(const DiagnoseReport* report) {
  using D = diagnose::Diagnosis;
  const NodeContext context = contextOf(report);
  const JsonForm<D> diagnosis = {
      {"engine", &D::engine, engineForm(context.paths)},
      {"complete", &D::complete, "false: stopped or out of time; what is there is true"},
      {"targets", &D::targets, diagnosedTargetForm(report), atLeast(1),
       "one per requested output type"},
      {"findings", &D::blocked, blockedForm(context),
       "by output type in the requested order, then by first node"},
      {"causes", &causesIn, causeForm(context),
       "findings with one cause, as the text lists them: those with a fix first"},
      {"support", &supportOf, supportCellForm(),
       "each operator of the program and each output type"},
      {"notes", &D::notes},
      {"rewritten_beyond_torch_mlir", &D::beyond, beyondForm(), kBeyondMessage},
      {"python", [context](const D& d) { return context.paths->of(d.python); }, nullIfEmpty,
       "the Python with PyTorch that was used, or why there is none"},
      {"distinct", &D::distinct,
       "operations that were run by themselves, each once for all its nodes"},
      {"size_sources", &sourcesOf, sizeSourceForm(context),
       "what makes sizes that are known only at run time, by first node"},
      {"other_types", &D::otherTypes, otherTypeForm(),
       "output types besides `targets` that were lowered to because such sizes block one of "
       "these"}};
  return {"fxscope-diagnose/1", "fxscope-cli diagnose --format json",
          JsonForm<DiagnoseReport>{{"input", &DiagnoseReport::input, kInputMessage}}
              .with([](const DiagnoseReport& r) -> auto& { return r.diagnosis; }, diagnosis)
              .with(JsonForm<DiagnoseReport>{
                  {"next", &DiagnoseReport::next, nextStepForm(),
                   "the one thing to do next; null: nothing, or none is known"}})};
}

}  // namespace

std::string diagnoseJson(const DiagnoseReport& report) {
  return diagnoseAnswer(&report).text(report);
}
std::string diagnoseSchema() { return diagnoseAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
