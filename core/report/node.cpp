// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "fx/text.h"
#include "mlir/text/shown_text.h"
#include "report/finding.h"
#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::report {
namespace {

bool hasLast(const NodeReport& report) {
  return report.lowering != nullptr && report.lowering->ok();
}

/// The operand of placeholder i: "x", or "split[1]" for one part of a list.
std::string operandText(const NodeReport& report, std::size_t i) {
  const node_lab::PartOf& operand = report.extracted.operands[i];
  const fx::Node& node = report.user.node(operand.node);
  return node.val.list() == nullptr ? node.name : fmt::format("{}[{}]", node.name, operand.part);
}

std::string textSection(std::string_view title, const std::string& text,
                        mlir::TextForm form = mlir::TextForm::Mlir) {
  std::string out =
      fmt::format("\n== {} ==\n{}", title,
                  printableLines(form == mlir::TextForm::Mlir ? mlir::shownText(text) : text));
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

/// The text of the last stage, and where the others stopped.
std::string stagesText(const std::vector<lower::StageResult>& stages) {
  std::string out;
  for (std::size_t i = 1; i < stages.size(); ++i) {
    const lower::StageResult& stage = stages[i];
    if (stage.status == lower::StageStatus::Ok && i + 1 == stages.size())
      out += textSection(stage.id, stage.text, stage.form);
    if (stage.status != lower::StageStatus::Ok && stage.status != lower::StageStatus::Skipped)
      out += line("\n== {} ==\n{}{}\n", stage.id, lower::name(stage.status),
                  stage.failingPass.empty() ? "" : " in " + stage.failingPass);
  }
  return out;
}

}  // namespace

std::vector<fx::Finding> findingsOf(const NodeReport& report) {
  std::vector<fx::Finding> out = report.findings;
  if (report.lowering != nullptr)
    for (const lower::StageResult& stage : report.lowering->stages)
      out.insert(out.end(), stage.findings.begin(), stage.findings.end());
  return out;
}

bool isOk(const NodeReport& report) {
  const auto isError = [](const fx::Finding& finding) {
    return finding.severity == fx::Severity::Error;
  };
  if (std::any_of(report.findings.begin(), report.findings.end(), isError)) return false;
  return hasLast(report) && (!report.showInlined || report.verified);
}

std::string nodeText(const NodeReport& report) {
  const fx::Node& node = report.user.node(report.node);
  std::string out = line("{}: node {} '{}' ({}) by itself", report.input, report.node.index(),
                         node.name, node.target);
  if (report.lowering != nullptr)
    out += line(" to {}, engine {}", lower::name(report.lowering->target),
                report.lowering->engine.version);
  out += "\n\n" + printableLines(fx::dump(*report.extracted.program));
  if (!report.raw.empty()) out += textSection("raw", report.raw);
  if (report.lowering != nullptr) out += stagesText(report.lowering->stages);
  if (report.showInlined && hasLast(report)) {
    if (!report.inlined.empty()) out += textSection("inlined into a caller", report.inlined);
    if (!report.verified)
      out += "\nthe inlined module does not verify: " + printableLines(report.verifierSays) + "\n";
  }
  if (const std::string findings = findingsText(findingsOf(report), report.user); !findings.empty())
    out += "\n" + findings;
  return out;
}

namespace {

JsonAnswer<NodeReport> nodeAnswer(const NodeReport* report) {
  using R = NodeReport;
  using lower::StageResult;
  const NodeContext context =
      report == nullptr ? NodeContext{} : NodeContext{&report->user, &report->paths};
  const auto node = [](const R& r) -> auto& { return r.user.node(r.node); };
  const auto target = [](const R& r) {
    return r.lowering == nullptr ? std::string_view() : lower::name(r.lowering->target);
  };
  const auto operands = [](const R& r) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < r.extracted.operands.size(); ++i) out.push_back(operandText(r, i));
    return out;
  };
  const auto stages = [](const R& r) {
    return r.lowering == nullptr ? std::vector<StageResult>() : r.lowering->stages;
  };
  const JsonForm<StageResult> stage = {
      {"name", &StageResult::id},
      {"status", &StageResult::status, JsonNames(lower::StageStatus::Skipped)},
      {"failing_pass", &StageResult::failingPass, nullIfEmpty},
      {"text", &StageResult::text, nullIfEmpty, "with locations"}};
  const auto verified = [](const R& r) {
    return r.inlined.empty() ? std::nullopt : std::optional(r.verified);
  };
  return {
      "fxscope-node/1", "fxscope-cli node --json",
      JsonForm<R>{{"input", &R::input, kInputMessage}}
          .with(node, JsonForm<fx::Node>{{"node", &fx::Node::name}})
          .with({{"index", [](const R& r) { return r.node.index(); }}})
          .with(node, JsonForm<fx::Node>{{"op_target", &fx::Node::target,
                                          "the node's own target: aten.addmm.default"}})
          .with({{"target", target, nullIfEmpty, isOutputType(),
                  "the output type; null when the node could not be imported"},
                 {"ok", [](const R& r) { return isOk(r); },
                  "whether it was lowered to the output type"},
                 {"program", [](const R& r) { return fx::dump(*r.extracted.program); },
                  "the minimal program, as inspect --graph prints one"},
                 {"operands", operands,
                  "the operand of each placeholder: a node, or one element of a list"},
                 {"results", [](const R& r) { return r.extracted.results.size(); }, atLeast(1),
                  "values that it returns"},
                 {"raw", [](const R& r) { return r.raw; }, nullIfEmpty},
                 {"stages", stages, stage},
                 {"inlined", [](const R& r) { return r.inlined; }, nullIfEmpty,
                  "the last stage's text inlined into a function named caller"},
                 {"verified", verified, "whether the engine accepts the inlined module"},
                 {"findings", [](const R& r) { return findingsOf(r); }, findingForm(context)}})};
}

}  // namespace

std::string nodeJson(const NodeReport& report) { return nodeAnswer(&report).text(report); }
std::string nodeSchema() { return nodeAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
