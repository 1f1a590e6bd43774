// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The alternative lowerings by the session, as text to show.
// clang-format off: before Qt, which defines `emit` as a macro.
#include "engines/engines.h"
#include "session/registry.h"
// clang-format on

#include <algorithm>
#include <map>

#include "features/coverage/alternatives_presenter.h"
#include "node_lab/node_lab.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

QString standingOf(registry::CoverageStatus status) {
  switch (status) {
    case registry::CoverageStatus::Lowered: return "lowered";
    case registry::CoverageStatus::Unmapped: return "no op class";
    case registry::CoverageStatus::NoLowering: return "no lowering";
    case registry::CoverageStatus::Refused: return "refused";
    case registry::CoverageStatus::Structural: break;
  }
  return "not needed";
}

QString messageOf(const registry::NodeCoverage& coverage, const std::vector<std::string>& chain) {
  switch (coverage.status) {
    case registry::CoverageStatus::Unmapped:
      return coverage.didYouMean.empty()
                 ? QString("no op class for this operator")
                 : "no op class for this operator; did you mean " + listed(coverage.didYouMean);
    case registry::CoverageStatus::NoLowering:
      return QString("no handler for %2 in %1").arg(listed(chain), text(coverage.opClass));
    case registry::CoverageStatus::Refused: return listed(coverage.refusals, "; ");
    default: return {};
  }
}

/// The status to show, which does not distinguish why a node is not lowered.
CoverageRow::Status rowStatus(registry::CoverageStatus status) {
  if (status == registry::CoverageStatus::Lowered) return CoverageRow::Status::Lowered;
  return status == registry::CoverageStatus::Structural ? CoverageRow::Status::Structural
                                                        : CoverageRow::Status::NotLowered;
}

CoverageRow rowOf(const fx::Program& program, const registry::NodeCoverage& coverage,
                  const std::vector<std::string>& chain) {
  const fx::Node& node = program.node(coverage.node);
  CoverageRow row;
  row.node = program.original ? node.origin : node.id;
  row.name = text(node.name);
  row.target = text(node.target);
  row.opClass = text(coverage.opClass);
  row.status = rowStatus(coverage.status);
  row.standing = standingOf(coverage.status);
  row.by = text(coverage.registry);
  row.message = messageOf(coverage, chain);
  row.ops = coverage.ops;
  return row;
}

QStringList sumsOf(const AlternativeLowering& lowering, const std::vector<std::string>& chain) {
  std::map<QString, std::size_t> by;
  for (const CoverageRow& row : lowering.rows)
    if (row.status == CoverageRow::Status::Lowered) ++by[row.by];
  const std::size_t missing = lowering.missing();
  QStringList sums;
  for (const std::string& name : chain)
    if (const auto found = by.find(text(name)); found != by.end())
      sums << QString("%1 %2").arg(found->first).arg(found->second);
  sums << (missing ? QString("not lowered %1").arg(missing) : QString("all nodes are lowered"));
  return sums;
}

/// Why the module is incomplete, rejected or not verified; else empty.
QString registriesNote(const session::DirectResult& result, std::size_t missing) {
  if (missing) return counted(missing, "node is not lowered", "nodes are not lowered");
  if (!result.verified) return "not verified: " + text(result.notVerified);
  return result.verified->status == lower::StageStatus::Ok
             ? QString()
             : QString("the engine rejects the module");
}

/// Which registry lowered which node.
void showRegistries(const session::Snapshot& lowered, AlternativeLowering& alternative) {
  const session::DirectResult& result = *lowered.direct;
  const std::vector<std::string>& chain = result.lowering->chain;
  for (const registry::NodeCoverage& coverage : result.lowering->coverage)
    alternative.rows.push_back(rowOf(*result.rewritten->program, coverage, chain));
  alternative.sums = sumsOf(alternative, chain);
  if (const std::size_t groups = result.lowering->grouped.groups.size(); groups > 0)
    alternative.sums << counted(groups, "subgraph", "subgraphs");
  alternative.note = registriesNote(result, alternative.missing());
  QStringList detail{"Registries, in lookup order: " + listed(chain)};
  if (!result.decomposed.empty()) detail << "Decomposed first: " + listed(result.decomposed);
  if (result.verified && !result.verified->stderrText.empty())
    detail << lines(result.verified->stderrText);
  alternative.detail = detail.join('\n');
}

/// Shows the text of the stage that failed, or of the last one, which is returned; if it has none,
/// of the last stage that has.
const lower::StageResult& show(const std::vector<lower::StageResult>& stages,
                               AlternativeLowering& alternative) {
  const auto stopped = std::find_if(
      stages.begin(), stages.end(),
      [](const lower::StageResult& stage) { return stage.status != lower::StageStatus::Ok; });
  const lower::StageResult& shown = stopped == stages.end() ? stages.back() : *stopped;
  alternative.text = shown.ir();
  alternative.form = shown.irForm();
  for (auto before = stopped; alternative.text.empty() && before != stages.begin();)
    alternative.text = (--before)->text, alternative.form = before->form;
  return shown;
}

/// `shown`: the stage whose text is shown.
void showNodes(const session::Snapshot& lowered, const lower::StageResult& shown,
               AlternativeLowering& alternative) {
  QStringList detail;
  std::size_t errors = 0;
  for (const fx::Finding& finding : shown.findings) {
    errors += finding.severity == fx::Severity::Error;
    detail << text(finding.nodeName) + ": " + text(finding.message);
  }
  if (!lowered.lowering->ok()) {
    const QString failure = errors ? counted(errors, "node does not lower", "nodes do not lower")
                                   : QString("it failed");
    alternative.note = text(shown.title) + ": " + failure;
  } else if (!alternative.complete) {
    alternative.note = text(lowered.findings().front().message);  // errors first
  }
  if (!shown.stderrText.empty()) detail << lines(shown.stderrText);
  alternative.detail = detail.join('\n');
}

/// `path`: "with engine other".
void showPipelines(const session::Snapshot& lowered, const QString& path,
                   AlternativeLowering& alternative) {
  const std::vector<fx::Finding> findings = lowered.findings();
  QStringList detail{"Lowered " + path};
  for (const fx::Finding& finding : findings)
    detail << text(finding.nodeName) + ": " + text(finding.message);
  if (!alternative.complete)
    alternative.note =
        findings.empty() ? "it does not lower " + path : text(findings.front().message);
  alternative.detail = detail.join('\n');
}

AlternativeLoweringPtr shownOf(const AlternativeChoice& choice, const session::Snapshot& lowered) {
  auto out = std::make_shared<AlternativeLowering>();
  out->complete = lowered.lowersRight();
  const lower::StageResult& shown = show(lowered.lowering->stages, *out);
  switch (choice.alternative) {
    case Alternative::Registries: showRegistries(lowered, *out); break;
    case Alternative::Nodes: showNodes(lowered, shown, *out); break;
    case Alternative::Type:
      showPipelines(lowered, "to " + text(lower::name(*choice.type)), *out);
      break;
    case Alternative::Engine:
      showPipelines(lowered,
                    QString("with engine %1: %2")
                        .arg(text(choice.engine), text(lowered.lowering->engine.version)),
                    *out);
      break;
  }
  return out;
}

/// The request of a lowering in another way. `files`: of the user's registries.
Result<session::Request> requestFor(const AlternativeChoice& choice, session::Request request,
                                    const std::vector<std::string>& files) {
  if (choice.alternative == Alternative::Type) request.lower.target = *choice.type;
  if (choice.alternative == Alternative::Nodes) request.route = &node_lab::kNodes;
  if (choice.alternative != Alternative::Registries) return request;
  request.route = &session::kRegistries;
  session::DirectRequest direct;
  direct.options.arguments = choice.form.arguments;
  direct.options.grouping.by = choice.form.groups;
  for (const std::string& file : files) {
    FXS_TRY(auto registry, session::userRegistry(file));
    direct.options.user.push_back(std::move(registry));
  }
  request.registries = std::make_shared<const session::DirectRequest>(std::move(direct));
  return request;
}

Result<session::SnapshotPtr> lowerBy(const AlternativeChoice& choice,
                                     const session::SnapshotPtr& snapshot,
                                     const session::Environment& environment,
                                     const std::vector<std::string>& files,
                                     const RunContext& context) {
  if (choice.alternative == Alternative::Engine)
    return engines::lowerWithEngine(snapshot, choice.engine, environment, context);
  FXS_TRY(session::Request request, requestFor(choice, snapshot->request, files));
  return session::advance(session::retarget(snapshot, std::move(request)), session::Phase::Lower,
                          environment, context);
}

}  // namespace

AlternativeRunner sessionAlternatives(session::Environment environment,
                                      std::vector<std::string> registries) {
  return [environment = std::move(environment), registries = std::move(registries)](
             const AlternativeChoice& choice, const session::SnapshotPtr& snapshot,
             const RunContext& context) -> Result<AlternativeLoweringPtr> {
    FXS_TRY(const session::SnapshotPtr lowered,
            lowerBy(choice, snapshot, environment, registries, context));
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    return shownOf(choice, *lowered);
  };
}

}  // namespace fxs::ui
