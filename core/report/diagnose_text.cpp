// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "report/diagnose.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_words.h"
#include "report/finding.h"
#include "report/line.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum columns of the engine's messages, of types and of a Python line, and operators in a
/// heading; JSON has all of them.
constexpr std::size_t kWordColumns = 160;
constexpr std::size_t kCodeColumns = 100;
constexpr std::size_t kOperators = 3;
constexpr std::size_t kMessages = 3;

/// `text` with every line after the first indented.
std::string hanging(std::string_view text, std::size_t indent) {
  std::string out;
  for (const char c : printableLines(text)) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

class TextWriter {
 public:
  explicit TextWriter(const DiagnoseReport& report)
      : report_(report), diagnosis_(report.diagnosis), causes_(causesOf(report.diagnosis)) {}

  std::string write() {
    out_ = line("{} to {}, engine {} ({})\n", report_.input, targetsOf(diagnosis_),
                diagnosis_.engine.version, report_.paths.of(diagnosis_.engine.path));
    if (!diagnosis_.complete)
      out_ +=
          "INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.\n";
    out_ += "\n";
    verdicts();
    for (std::size_t i = 0; i < causes_.size(); ++i) cause(i + 1, causes_[i]);
    if (const std::string warnings = findingsText(warningsOf(diagnosis_), report_.program);
        !warnings.empty())
      out_ += (causes_.empty() ? "" : "\n") + warnings;
    std::vector<std::string> notes = diagnosis_.notes;
    if (std::string words = notTried(); !words.empty())
      notes.push_back("not tried: " + std::move(words));
    if (!notes.empty() && !causes_.empty()) out_ += "\n";
    for (const std::string& note : notes) out_ += "note: " + hanging(note, 6) + "\n";
    return std::move(out_);
  }

 private:
  /// Output types with the same verdict share a line.
  void verdicts() {
    std::vector<std::pair<std::string, std::string>> lines;  // of verdict, of output types
    std::size_t width = 0;
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) {
      const std::string verdict = verdictLines(target), name(lower::name(target.target));
      const auto same = std::find_if(lines.begin(), lines.end(),
                                     [&](const auto& l) { return l.first == verdict; });
      if (same == lines.end()) lines.emplace_back(verdict, name);
      else same->second += ", " + name;
    }
    for (const auto& [verdict, names] : lines) width = std::max(width, names.size());
    for (const auto& [verdict, names] : lines)
      out_ += fmt::format("{:<{}}  {}\n", names, width, hanging(verdict, width + 2));
  }

  std::string verdictLines(const diagnose::TargetDiagnosis& target) const {
    std::string out = verdictOf(diagnosis_, target);
    diagnose::TargetDiagnosis rest = target;
    // The causes below have the changes: name them by their numbers.
    if (const std::vector<std::size_t> numbers = fixNumbers(causes_, target); !numbers.empty()) {
      out += fmt::format("\n{} with {} {}", fixedWords(target),
                         numbers.size() == 1 ? "fix" : "fixes", fmt::join(numbers, ", "));
      rest.fixedLowers.reset();
      rest.changes.clear();
    }
    for (const std::string& detail : verdictDetails(rest)) out += "\n" + detail;
    return out;
  }

  void fact(std::string_view name, std::string_view text) {
    if (!text.empty()) out_ += line("     {:<7} {}\n", name, text);
  }

  void cause(std::size_t number, const Cause& cause) {
    const Blocked& first = *cause.entries.front();
    const std::vector<std::string> operators = operatorsOf(cause);
    std::vector<std::string> ops;
    for (const Blocked* entry : cause.entries)
      if (!entry->op.empty()) addOnce(ops, entry->op);
    const bool isOutput = first.kind == diagnose::Kind::NotATensor;
    const std::string op =
        ops.size() == 1 && ops != operators && !isOutput ? " (" + ops.front() + ")" : "";
    out_ +=
        line("\n{:>3}. {}{}: {}\n", number, firstOf(operators, kOperators), op, reasonOf(cause));
    blocks(cause);
    if (!isOutput) place(cause);
    if (cause.entries.size() == 1 || cause.fix == nullptr)
      fact("types", shortened(first.types, 1, kWordColumns));
    if (cause.fix == nullptr) messages(cause);
    std::vector<std::string> whole;
    for (const Blocked* entry : cause.entries)
      if (entry->agreement != diagnose::Agreement::Confirmed && !entry->agreementMessage.empty())
        addOnce(whole, entry->agreementMessage);
    fact("whole", joined(whole, "; "));
    if (!isOutput) fix(cause);
  }

  /// "tosa, stablehlo in torch-reduce-op-variants; linalg-on-tensors"
  void blocks(const Cause& cause) {
    std::vector<std::string> targets;
    for (const auto& [at, names] : stopsOf(cause))
      targets.push_back(at.empty() || at == names ? names : names + " in " + at);
    const bool wrong = std::all_of(
        cause.entries.begin(), cause.entries.end(),
        [](const Blocked* entry) { return entry->kind == diagnose::Kind::WrongResult; });
    const bool blocks = std::any_of(cause.entries.begin(), cause.entries.end(),
                                    [](const Blocked* entry) { return stops(*entry); });
    const std::string_view failure = blocks ? "blocks" : "fails";
    fact(wrong ? "wrong" : failure, joined(targets, "; "));
  }

  /// The first node with a line of the user's, and how many more there are.
  void place(const Cause& cause) {
    if (cause.nodes.empty()) {
      fact("nodes", "not named by the engine");
      return;
    }
    const fx::NodeId id = shownNodeOf(cause, report_.program);
    const SourceLocation at = sourceLocationOf(report_.program, id);
    std::string out = report_.program.node(id).name;
    if (!at.module.empty()) out += " in " + at.module;
    if (cause.nodes.size() > 1)
      out += fmt::format(" and {}", counted(cause.nodes.size() - 1, "other node"));
    if (at.line) out += fmt::format("   {}:{}", fileNameOf(at.line->file), at.line->line);
    if (at.line && !at.line->code.empty()) out += "   " + shortened(at.line->code, 1, kCodeColumns);
    fact("at", out);
  }

  void messages(const Cause& cause) {
    const std::vector<std::string> messages = messagesOf(cause);
    for (std::size_t i = 0; i < messages.size() && i < kMessages; ++i)
      fact(i == 0 ? "why" : "", shortened(messages[i], 1, kWordColumns));
  }

  static std::string noFix(const Cause& cause) {
    std::set<std::string> tried;
    for (const Blocked* entry : cause.entries)
      for (const Experiment& x : entry->experiments)
        if (!isOtherType(x) && x.outcome != diagnose::Outcome::NotRun) tried.insert(x.change);
    return tried.empty()
               ? "none known"
               : fmt::format("none: {} tried, without success", counted(tried.size(), "change"));
  }

  void fix(const Cause& cause) {
    const Experiment* x = suggestionOf(cause);
    if (x == nullptr) return fact("fix", noFix(cause));
    const Experiment* weakest = &weakestOf(cause, *x);
    const std::string cost = x->cost.empty() || isOtherType(*x) ? std::string() : "; " + x->cost;
    fact("fix", fmt::format("{} ({}{})", cause.fix != nullptr ? cause.change : x->change,
                            verdictOf(*weakest), cost));
    const bool known = isAmong(diagnosis_, *x);
    if (x->snippet.empty() || known) return;
    std::string_view snippet = x->snippet;
    while (snippet.ends_with('\n')) snippet.remove_suffix(1);
    // A command lowers the whole program, which may not be what was verified.
    const bool partial =
        x->language == "sh" && diagnose::verifiedBy(*weakest) <= diagnose::Verified::ByItself;
    out_ += "             " + hanging(snippet, 13);
    if (partial)
      out_ += weakest->withPlaceholders ? "  # not enough by itself: other operations block it too"
                                        : "  # not run on the whole program";
    out_ += "\n";
  }

  /// "3 changes (the size u0 depends on data)": what was not run, by reason.
  std::string notTried() const {
    std::set<std::string> changes;
    std::vector<std::string> reasons;
    for (const Blocked& entry : diagnosis_.blocked)
      for (const Experiment& x : entry.experiments)
        if (x.outcome == diagnose::Outcome::NotRun) {
          changes.insert(x.change);
          addOnce(reasons, x.message);
        }
    if (changes.empty()) return {};
    return fmt::format("{} ({})", counted(changes.size(), "change"),
                       shortened(firstOf(reasons, 2), 1, kWordColumns));
  }

  const DiagnoseReport& report_;
  const diagnose::Diagnosis& diagnosis_;
  std::vector<Cause> causes_;
  std::string out_;
};

}  // namespace

std::string diagnoseText(const DiagnoseReport& report) { return TextWriter(report).write(); }

}  // namespace fxs::report
