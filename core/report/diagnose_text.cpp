#include <fmt/format.h>

#include <algorithm>

#include "report/diagnose.h"
#include "report/diagnose_words.h"
#include "report/line.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum lines of engine output and snippets; JSON has all of them.
constexpr std::size_t kWordLines = 3;
constexpr std::size_t kWordColumns = 160;
constexpr std::size_t kMoreNodes = 4;

/// `text` with every line after the first indented.
std::string hanging(std::string_view text, std::size_t indent) {
  std::string out;
  for (const char c : printableLines(text)) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

std::string placeText(const fx::Program& program, fx::NodeId id) {
  const SourceLocation place = sourceLocationOf(program, id);
  std::string out = printable(program.node(id).name);
  if (!place.module.empty()) out += line(" in {}", place.module);
  if (place.line) {
    out += line("   {}:{}", fileNameOf(place.line->file), place.line->line);
    if (!place.line->code.empty()) out += line("   {}", place.line->code);
  }
  return out;
}

class TextWriter {
 public:
  explicit TextWriter(const DiagnoseReport& report) : report_(report), diagnosis_(report.diagnosis) {}

  std::string write() {
    out_ = line("{} to {}, engine {} ({})\n", report_.input, targetsOf(diagnosis_), diagnosis_.engine.version,
                report_.paths.of(diagnosis_.engine.path));
    if (!diagnosis_.complete) out_ += "INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.\n";
    verdicts();
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) {
      const std::vector<const Blocked*> entries = diagnosis_.of(target.target);
      if (entries.empty()) continue;
      out_ += fmt::format("\n{}\n", lower::name(target.target));
      for (std::size_t i = 0; i < entries.size(); ++i) blocked(i + 1, *entries[i]);
    }
    if (diagnosis_.targets.size() > 1) support();
    for (const std::string& note : diagnosis_.notes) out_ += "\nnote: " + hanging(note, 6) + "\n";
    return std::move(out_);
  }

 private:
  void verdicts() {
    std::size_t width = 0;
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) width = std::max(width, lower::name(target.target).size());
    out_ += "\n";
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) {
      out_ += fmt::format("{:<{}}  {}\n", lower::name(target.target), width, verdictOf(diagnosis_, target));
      for (const std::string& detail : verdictDetails(target)) out_ += fmt::format("{:<{}}  {}\n", "", width, hanging(detail, width + 2));
    }
  }

  void fact(std::string_view name, std::string_view text) {
    if (!text.empty()) out_ += line("     {:<11} {}\n", name, text);
  }

  void blocked(std::size_t number, const Blocked& entry) {
    const std::string what = operationOf(entry);
    const std::string op = entry.op.empty() || entry.op == what ? std::string() : " (" + entry.op + ")";
    out_ += line("\n{:>3}. {}{}: {}\n", number, what, op, diagnose::title(entry.kind));
    nodes(entry);
    fact("types", entry.types);
    fact(entry.kind == diagnose::Kind::WrongResult ? "wrong in" : "stops at",
         entry.stage + (entry.pass.empty() ? "" : ", in " + entry.pass));
    fact("message", entry.message);
    if (!entry.words.empty())
      out_ += fmt::format("     {:<11} {}\n", "engine", hanging(shortened(entry.words, kWordLines, kWordColumns), 17));
    std::string tried;
    for (const std::string& pattern : entry.tried) tried += (tried.empty() ? "" : ", ") + pattern;
    fact("tried", tried);
    if (entry.agreement != diagnose::Agreement::Confirmed)
      fact("whole", fmt::format("{}{}{}", diagnose::name(entry.agreement), entry.agreementWords.empty() ? "" : ": ", entry.agreementWords));
    experiments(entry);
  }

  void nodes(const Blocked& entry) {
    if (entry.nodes.empty()) {
      fact("nodes", "not named by the engine");
      return;
    }
    fact(entry.nodes.size() == 1 ? "node" : "first of " + std::to_string(entry.nodes.size()),
         placeText(report_.program, entry.nodes.front()));
    std::string more;
    for (std::size_t i = 1; i < entry.nodes.size(); ++i) {
      if (i > kMoreNodes) {
        more += fmt::format(" and {} more", entry.nodes.size() - i);
        break;
      }
      more += (more.empty() ? "" : ", ") + report_.program.node(entry.nodes[i]).name;
    }
    fact("others", more);
  }

  void experiments(const Blocked& entry) {
    if (entry.experiments.empty()) {
      fact("fix", "none tried");
      return;
    }
    fact("experiments", marksOf(entry));
    for (const Experiment& experiment : entry.experiments) {
      const std::string_view mark = markOf(experiment);
      const std::string_view sign = mark == "proved" || mark == "passed" ? "+" : mark == "not run" ? "?" : "-";
      out_ += line("       {} {:<9} {}", sign, mark, experiment.change);
      if (!experiment.cost.empty()) out_ += line(" ({})", experiment.cost);
      const std::string& words = mark == "proved" || mark == "disproved" ? experiment.proofWords : experiment.words;
      if (!words.empty()) out_ += "\n                   " + hanging(shortened(words, 1, kWordColumns), 19);
      out_ += "\n";
    }
    const Experiment* best = bestOf(entry);
    if (best == nullptr) {
      fact("fix", "none of those tried works");
      return;
    }
    const bool proved = best->proof == diagnose::Proof::Proved;
    fact("fix", best->change +
                    (proved ? " (verified on the whole program)" : " (verified on this operation by itself, not on the whole program)"));
    if (!best->snippet.empty()) {
      std::string_view snippet = best->snippet;
      while (snippet.ends_with('\n')) snippet.remove_suffix(1);
      out_ += "\n         " + hanging(snippet, 9) + "\n";
    }
  }

  void support() {
    std::size_t width = 8;
    for (const diagnose::SupportRow& row : diagnosis_.support) width = std::max(width, row.fxTarget.size());
    std::string head = fmt::format("{:<{}}", "operator", width);
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) head += fmt::format("  {:<16}", lower::name(target.target));
    table(head);
    for (const diagnose::SupportRow& row : diagnosis_.support) {
      std::string text = line("{:<{}}", row.fxTarget, width);
      for (const diagnose::SupportRow::Cell& cell : row.cells) text += fmt::format("  {:<16}", cellText(cell));
      table(text);
    }
  }

  static std::string cellText(const diagnose::SupportRow::Cell& cell) {
    const std::string_view status = statusOf(cell);
    if (status == "ok") return fmt::format("ok {}", cell.count);
    if (status == "skipped") return fmt::format("unknown {}", cell.count);
    if (status == "wrong") return fmt::format("WRONG {} of {}", cell.wrong, cell.count);
    return fmt::format("FAILS {} of {}", cell.blocked, cell.count);
  }

  void table(const std::string& text) {
    if (!inTable_) out_ += "\n";
    inTable_ = true;
    out_ += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }

  const DiagnoseReport& report_;
  const diagnose::Diagnosis& diagnosis_;
  bool inTable_ = false;
  std::string out_;
};

}  // namespace

std::string diagnoseText(const DiagnoseReport& report) { return TextWriter(report).write(); }

}  // namespace fxs::report
