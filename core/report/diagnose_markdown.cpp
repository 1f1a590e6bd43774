// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A short diagnosis in Markdown, to paste into an issue.
#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/markdown.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

constexpr std::size_t kWordLinesInMarkdown = 12;
constexpr std::size_t kWordColumnsInMarkdown = 400;
constexpr std::size_t kMlirLines = 120;

std::string firstNodeText(const Blocked& entry, const fx::Program& program) {
  const SourceLocation place = sourceLocationOf(program, entry.nodes.front());
  std::string out = markdownCode(firstNodeOf(entry, program));
  if (!place.module.empty()) out += " in " + markdownCode(place.module);
  if (!place.line) return out;
  out += ", " + markdownCode(fmt::format("{}:{}", fileNameOf(place.line->file), place.line->line));
  if (!place.line->code.empty()) out += ": " + markdownCode(place.line->code);
  return out;
}

std::string experimentRow(const Experiment& experiment) {
  const std::string_view mark = markOf(experiment);
  const std::string& message =
      mark == "proved" || mark == "disproved" ? experiment.proofMessage : experiment.message;
  std::string reason = markdownText(shortened(message, 1, kWordColumnsInMarkdown));
  if (!experiment.cost.empty())
    reason += (reason.empty() ? "" : "; ") + markdownText(experiment.cost);
  return fmt::format("| {} | {} | {} |\n", verdictOf(experiment), markdownText(experiment.change),
                     reason);
}

std::string experimentsText(const Blocked& entry) {
  if (entry.experiments.empty()) return "";
  std::string out = "\n| result | experiment | |\n| --- | --- | --- |\n";
  for (const Experiment& experiment : entry.experiments) out += experimentRow(experiment);
  if (const Experiment* best = bestOf(entry); best != nullptr && !best->snippet.empty())
    out += fmt::format(
        "\n{} ({}):\n\n{}", markdownText(best->change), verdictOf(*best),
        markdownBlock(scriptOf(*best), best->python.empty() ? best->language : "python"));
  return out;
}

void blocked(std::string& out, const DiagnoseReport& report, const Blocked& entry) {
  const std::string count =
      entry.nodes.empty() ? std::string() : " (" + counted(entry.nodes.size(), "node") + ")";
  out += fmt::format("\n### {} to {}{}: {}\n\n", markdownCode(operationOf(entry)),
                     lower::name(entry.target), count, markdownText(diagnose::title(entry.kind)));
  const auto item = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) out += fmt::format("- {}: {}\n", name, text);
  };
  if (!entry.op.empty()) item("operation", markdownCode(entry.op));
  if (!entry.types.empty()) item("types", markdownCode(entry.types));
  if (!entry.nodes.empty()) item("first node", firstNodeText(entry, report.program));
  item("stops at",
       markdownText(entry.stage) + (entry.pass.empty() ? "" : ", in " + markdownCode(entry.pass)));
  std::string tried;
  for (const std::string& pattern : triedOf(entry))
    tried += (tried.empty() ? "" : ", ") + markdownCode(pattern);
  item("patterns tried", tried);
  if (entry.agreement != diagnose::Agreement::Confirmed)
    item("in the whole program", fmt::format("{}{}{}", diagnose::name(entry.agreement),
                                             entry.agreementMessage.empty() ? "" : ", ",
                                             markdownText(entry.agreementMessage)));
  out += "\n" + (entry.engineMessage.empty()
                     ? markdownText(entry.message) + "\n"
                     : markdownBlock(shortened(entry.engineMessage, kWordLinesInMarkdown,
                                               kWordColumnsInMarkdown),
                                     "text"));
  out += experimentsText(entry);
}

}  // namespace

std::string diagnoseMarkdown(const DiagnoseReport& report) {
  const diagnose::Diagnosis& diagnosis = report.diagnosis;
  std::string out = "## ";
  const auto first = std::find_if(diagnosis.blocked.begin(), diagnosis.blocked.end(), stops);
  if (first == diagnosis.blocked.end())
    out +=
        fmt::format("{} to {}\n\n", markdownCode(fileNameOf(report.input)), targetsOf(diagnosis));
  else
    out += fmt::format("{} does not lower to {}\n\n", markdownCode(operationOf(*first)),
                       lower::name(first->target));
  out += fmt::format("- engine: {} ({})\n", markdownText(diagnosis.engine.version),
                     diagnosis.engine.sha256.empty()
                         ? "checksum unknown"
                         : "sha256 " + shortSha256(diagnosis.engine.sha256));
  if (!report.program.torchVersion.empty())
    out += "- exported by PyTorch " + markdownText(report.program.torchVersion) + "\n";
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
    out += fmt::format("- {}: {}\n", lower::name(target.target),
                       markdownText(verdictOf(diagnosis, target)));
    for (const std::string& detail : verdictDetails(target)) {
      const std::size_t text = detail.find_first_not_of(' ');
      out +=
          fmt::format("  {}- {}\n", text == 0 ? "" : "  ",
                      markdownText(std::string_view(detail).substr(std::min(text, detail.size()))));
    }
  }
  for (const fx::Finding& warning : warningsOf(diagnosis))
    out += fmt::format("- warning{}: {}\n",
                       warning.nodeName.empty() ? "" : " at " + markdownCode(warning.nodeName),
                       markdownText(warning.message));
  if (!diagnosis.complete) out += "- incomplete: cancelled or out of time\n";
  for (const std::string& note : diagnosis.notes) out += "- note: " + markdownText(note) + "\n";
  for (const Blocked& entry : diagnosis.blocked) blocked(out, report, entry);
  if (!report.minimalMlir.empty())
    out += "\n### Reduced program that fails in the same way\n\n" +
           markdownBlock(shortened(report.minimalMlir, kMlirLines, 1000), "mlir");
  return out;
}

}  // namespace fxs::report
