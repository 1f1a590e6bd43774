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

QString whyOf(const registry::NodeCoverage& coverage, const std::vector<std::string>& chain) {
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
  row.why = whyOf(coverage, chain);
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

Result<AlternativeLoweringPtr> byRegistries(const session::SnapshotPtr& snapshot,
                                            const session::Environment& environment,
                                            const std::vector<std::string>& files,
                                            const RunContext& context) {
  session::DirectRequest request;
  for (const std::string& file : files) {
    FXS_TRY(auto registry, session::userRegistry(file));
    request.options.user.push_back(std::move(registry));
  }
  FXS_TRY(const auto result, session::lowerByRegistries(snapshot, request, environment, context));
  auto alternative = std::make_shared<AlternativeLowering>();
  alternative->text = result->text();
  alternative->complete = result->ok();
  for (const registry::NodeCoverage& coverage : result->lowering->coverage)
    alternative->rows.push_back(
        rowOf(*result->rewritten->program, coverage, result->lowering->chain));
  alternative->sums = sumsOf(*alternative, result->lowering->chain);
  alternative->note = registriesNote(*result, alternative->missing());
  QStringList detail{"Registries, in lookup order: " + listed(result->lowering->chain)};
  if (!result->decomposed.empty()) detail << "Decomposed first: " + listed(result->decomposed);
  if (result->verified && !result->verified->stderrText.empty())
    detail << lines(result->verified->stderrText);
  alternative->detail = detail.join('\n');
  return AlternativeLoweringPtr(std::move(alternative));
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

Result<AlternativeLoweringPtr> nodeByNode(const session::SnapshotPtr& snapshot,
                                          const session::Environment& environment,
                                          const RunContext& context) {
  FXS_TRY(const session::SnapshotPtr composed,
          node_lab::composeByNodes(snapshot, environment, context));
  const auto& lowering = composed->lowering;
  if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
  auto alternative = std::make_shared<AlternativeLowering>();
  const auto isError = [](const fx::Finding& finding) {
    return finding.severity == fx::Severity::Error;
  };
  alternative->complete = composed->lowersRight();
  const lower::StageResult& shown = show(lowering->stages, *alternative);
  QStringList detail;
  std::size_t errors = 0;
  for (const fx::Finding& finding : shown.findings) {
    errors += isError(finding);
    detail << text(finding.nodeName) + ": " + text(finding.message);
  }
  if (!lowering->ok()) {
    const QString failure = errors ? counted(errors, "node does not lower", "nodes do not lower")
                                   : QString("it failed");
    alternative->note = text(shown.title) + ": " + failure;
  } else if (!alternative->complete) {
    alternative->note = text(composed->findings().front().message);  // errors first
  }
  if (!shown.stderrText.empty()) detail << lines(shown.stderrText);
  alternative->detail = detail.join('\n');
  return AlternativeLoweringPtr(std::move(alternative));
}

/// `how`: "with engine other".
AlternativeLoweringPtr ofPipelines(const session::Snapshot& lowered, const QString& how) {
  auto alternative = std::make_shared<AlternativeLowering>();
  alternative->complete = lowered.lowersRight();
  show(lowered.lowering->stages, *alternative);
  const std::vector<fx::Finding> findings = lowered.findings();
  QStringList detail{"Lowered " + how};
  for (const fx::Finding& finding : findings)
    detail << text(finding.nodeName) + ": " + text(finding.message);
  if (!alternative->complete)
    alternative->note =
        findings.empty() ? "it does not lower " + how : text(findings.front().message);
  alternative->detail = detail.join('\n');
  return alternative;
}

Result<AlternativeLoweringPtr> withEngine(const std::string& engine,
                                          const session::SnapshotPtr& snapshot,
                                          const session::Environment& environment,
                                          const RunContext& context) {
  FXS_TRY(const session::SnapshotPtr lowered,
          engines::lowerWithEngine(snapshot, engine, environment, context));
  return ofPipelines(
      *lowered, QString("with engine %1: %2").arg(text(engine), text(lowered->engine->version)));
}

Result<AlternativeLoweringPtr> toType(const lower::OutputType& type,
                                      const session::SnapshotPtr& snapshot,
                                      const session::Environment& environment,
                                      const RunContext& context) {
  session::Request request = snapshot->request;
  request.lower.target = type;
  FXS_TRY(const session::SnapshotPtr lowered,
          session::advance(session::retarget(snapshot, std::move(request)), session::Phase::Lower,
                           environment, context));
  if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
  return ofPipelines(*lowered, "to " + text(lower::name(type)));
}

}  // namespace

AlternativeRunner sessionAlternatives(session::Environment environment,
                                      std::vector<std::string> registries) {
  return [environment = std::move(environment), registries = std::move(registries)](
             const AlternativeChoice& choice, const session::SnapshotPtr& snapshot,
             const RunContext& context) -> Result<AlternativeLoweringPtr> {
    switch (choice.alternative) {
      case Alternative::Registries: return byRegistries(snapshot, environment, registries, context);
      case Alternative::Nodes: return nodeByNode(snapshot, environment, context);
      case Alternative::Type: return toType(*choice.type, snapshot, environment, context);
      case Alternative::Engine: break;
    }
    return withEngine(choice.engine, snapshot, environment, context);
  };
}

}  // namespace fxs::ui
