// A diagnosis to paste into an issue: short, with everything a maintainer asks for first.
#include <fmt/format.h>

#include <algorithm>

#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/place.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

constexpr std::size_t kWordLines = 12;
constexpr std::size_t kWordColumns = 400;
constexpr std::size_t kMlirLines = 120;

/// The longest run of backticks in `text`.
std::size_t backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// A fence that the text cannot close.
std::string fenced(std::string_view text, std::string_view language) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string fence(std::max<std::size_t>(3, backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

/// Code on one line that no text can close. Not for tables, where a bar ends it all the same.
std::string code(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  const std::string fence(backticks(line) + 1, '`');
  const std::string_view space = fence.size() > 1 ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, line, space, fence);
}

/// Prose: nothing in it is markup, and it stays on its line.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~&!").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

void blocked(std::string& out, const DiagnoseReport& report, const Blocked& entry) {
  const std::string count = entry.nodes.empty() ? std::string() : " (" + counted(entry.nodes.size(), "node") + ")";
  out += fmt::format("\n### {} to {}{}: {}\n\n", code(operationOf(entry)), lower::name(entry.target), count,
                     plain(diagnose::title(entry.kind)));
  const auto item = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) out += fmt::format("- {}: {}\n", name, text);
  };
  if (!entry.op.empty()) item("operation", code(entry.op));
  if (!entry.types.empty()) item("types", code(entry.types));
  if (!entry.nodes.empty()) {
    const Place place = placeOf(report.program, entry.nodes.front());
    std::string where = code(firstNodeOf(entry, report.program));
    if (!place.module.empty()) where += " in " + code(place.module);
    if (place.line) where += ", " + code(fmt::format("{}:{}", fileNameOf(place.line->file), place.line->line));
    if (place.line && !place.line->code.empty()) where += ": " + code(place.line->code);
    item("first node", where);
  }
  item("stops at", entry.stage + (entry.pass.empty() ? "" : ", in " + code(entry.pass)));
  std::string tried;
  for (const std::string& pattern : entry.tried) tried += (tried.empty() ? "" : ", ") + code(pattern);
  item("patterns tried", tried);
  if (entry.agreement != diagnose::Agreement::Confirmed)
    item("in the whole program",
         fmt::format("{}{}{}", diagnose::name(entry.agreement), entry.agreementWords.empty() ? "" : ", ", plain(entry.agreementWords)));
  out += "\n" + (entry.words.empty() ? plain(entry.message) + "\n" : fenced(shortened(entry.words, kWordLines, kWordColumns), "text"));
  if (entry.experiments.empty()) return;
  out += "\n| result | experiment | |\n| --- | --- | --- |\n";
  for (const Experiment& experiment : entry.experiments) {
    const std::string_view mark = markOf(experiment);
    const std::string& words = mark == "proved" || mark == "disproved" ? experiment.proofWords : experiment.words;
    std::string why = plain(shortened(words, 1, kWordColumns));
    if (!experiment.cost.empty()) why += (why.empty() ? "" : "; ") + plain(experiment.cost);
    out += fmt::format("| {} | {} | {} |\n", mark, plain(experiment.change), why);
  }
  if (const Experiment* best = bestOf(entry); best != nullptr && !best->snippet.empty())
    out += fmt::format("\n{} ({}):\n\n{}", plain(best->change), markOf(*best), fenced(best->snippet, best->language));
}

}  // namespace

std::string diagnoseMarkdown(const DiagnoseReport& report) {
  const diagnose::Diagnosis& diagnosis = report.diagnosis;
  std::string out = "## ";
  const auto first = std::find_if(diagnosis.blocked.begin(), diagnosis.blocked.end(), stops);
  if (first == diagnosis.blocked.end()) out += fmt::format("{} to {}\n\n", code(fileNameOf(report.input)), targetsOf(diagnosis));
  else out += fmt::format("{} does not lower to {}\n\n", code(operationOf(*first)), lower::name(first->target));
  out += fmt::format("- engine: {} ({})\n", plain(diagnosis.engine.version),
                     diagnosis.engine.sha256.empty() ? "checksum not known" : "sha256 " + diagnosis.engine.sha256.substr(0, 12));
  if (!report.program.torchVersion.empty()) out += "- exported by PyTorch " + plain(report.program.torchVersion) + "\n";
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets) {
    out += fmt::format("- {}: {}\n", lower::name(target.target), plain(verdictOf(diagnosis, target)));
    for (const std::string& detail : verdictDetails(target)) {
      const std::size_t text = detail.find_first_not_of(' ');
      out += fmt::format("  {}- {}\n", text == 0 ? "" : "  ", plain(std::string_view(detail).substr(std::min(text, detail.size()))));
    }
  }
  if (!diagnosis.complete) out += "- not complete: stopped, or out of time\n";
  for (const std::string& note : diagnosis.notes) out += "- note: " + plain(note) + "\n";
  for (const Blocked& entry : diagnosis.blocked) blocked(out, report, entry);
  if (!report.minimalMlir.empty())
    out += "\n### Smallest program that fails in the same way\n\n" + fenced(shortened(report.minimalMlir, kMlirLines, 1000), "mlir");
  return out;
}

}  // namespace fxs::report
