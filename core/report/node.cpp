// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "fx/text.h"
#include "mlir/text/shown_text.h"
#include "report/finding.h"
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

std::string nodeJson(const NodeReport& report) {
  const fx::Node& node = report.user.node(report.node);
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-node/1").member("input", report.input);
  json.member("node", node.name).member("index", node.id.index()).member("op_target", node.target);
  json.key("target");
  if (report.lowering != nullptr) json.value(lower::name(report.lowering->target));
  else json.null();
  json.member("ok", isOk(report)).member("program", fx::dump(*report.extracted.program));
  json.key("operands").beginArray();
  for (std::size_t i = 0; i < report.extracted.operands.size(); ++i)
    json.value(operandText(report, i));
  json.endArray().member("results", report.extracted.results.size()).textOrNull("raw", report.raw);
  json.key("stages").beginArray();
  if (report.lowering != nullptr)
    for (const lower::StageResult& stage : report.lowering->stages) {
      json.beginObject().member("name", stage.id).member("status", lower::name(stage.status));
      json.textOrNull("failing_pass", stage.failingPass).textOrNull("text", stage.text).endObject();
    }
  json.endArray().textOrNull("inlined", report.inlined);
  if (report.inlined.empty()) json.key("verified").null();
  else json.member("verified", report.verified);
  json.key("findings");
  writeFindings(json, findingsOf(report), report.user, report.paths);
  json.endObject();
  return json.take();
}

}  // namespace fxs::report
