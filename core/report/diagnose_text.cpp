#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "report/diagnose.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_words.h"
#include "report/line.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum columns of the engine's messages, of types and of a Python line, and operators in a heading; JSON has all of them.
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

/// "a, b, c and 4 more"
std::string firstOf(const std::vector<std::string>& all, std::size_t most) {
  const std::size_t shown = std::min(all.size(), most);
  std::string out = joined(std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)));
  return shown == all.size() ? out : out + fmt::format(" and {} more", all.size() - shown);
}

template <class Text>
void addOnce(std::vector<std::string>& all, Text&& text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::forward<Text>(text));
}

class TextWriter {
 public:
  explicit TextWriter(const DiagnoseReport& report) : report_(report), diagnosis_(report.diagnosis), causes_(causesOf(report.diagnosis)) {}

  std::string write() {
    out_ = line("{} to {}, engine {} ({})\n", report_.input, targetsOf(diagnosis_), diagnosis_.engine.version,
                report_.paths.of(diagnosis_.engine.path));
    if (!diagnosis_.complete) out_ += "INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.\n";
    out_ += "\n";
    verdicts();
    for (std::size_t i = 0; i < causes_.size(); ++i) cause(i + 1, causes_[i]);
    std::vector<std::string> notes = diagnosis_.notes;
    if (std::string words = notTried(); !words.empty()) notes.push_back("not tried: " + std::move(words));
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
      const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == verdict; });
      if (same == lines.end()) lines.emplace_back(verdict, name);
      else same->second += ", " + name;
    }
    for (const auto& [verdict, names] : lines) width = std::max(width, names.size());
    for (const auto& [verdict, names] : lines) out_ += fmt::format("{:<{}}  {}\n", names, width, hanging(verdict, width + 2));
  }

  std::string verdictLines(const diagnose::TargetDiagnosis& target) const {
    std::string out = verdictOf(diagnosis_, target);
    diagnose::TargetDiagnosis rest = target;
    // The causes below have the changes: name them by their numbers.
    std::vector<std::string> numbers;
    for (const std::string& change : target.changes)
      for (std::size_t i = 0; i < causes_.size(); ++i)
        if (causes_[i].change == change) numbers.push_back(std::to_string(i + 1));
    if (target.fixedLowers && !numbers.empty() && numbers.size() == target.changes.size()) {
      std::sort(numbers.begin(), numbers.end(),
                [](const auto& a, const auto& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
      out += fmt::format("\n{} with {} {}", fixedWords(target), numbers.size() == 1 ? "fix" : "fixes", joined(numbers));
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
    std::vector<std::string> operators, ops, titles;
    for (const Blocked* entry : cause.entries) {
      addOnce(operators, operationOf(*entry));
      if (!entry->op.empty()) addOnce(ops, entry->op);
      addOnce(titles, std::string(diagnose::title(entry->kind)));
    }
    const bool isOutput = first.kind == diagnose::Kind::NotATensor;
    const std::string op = ops.size() == 1 && ops != operators && !isOutput ? " (" + ops.front() + ")" : "";
    out_ += line("\n{:>3}. {}{}: {}\n", number, firstOf(operators, kOperators), op,
                 titles.size() == 1     ? titles.front()
                 : cause.fix != nullptr ? std::string("one change fixes all")
                                        : fmt::format("{} different reasons", titles.size()));
    blocks(cause);
    if (!isOutput) place(cause);
    if (cause.entries.size() == 1 || cause.fix == nullptr) fact("types", shortened(first.types, 1, kWordColumns));
    if (cause.fix == nullptr) messages(cause, operators.size() == 1);
    std::vector<std::string> whole;
    for (const Blocked* entry : cause.entries)
      if (entry->agreement != diagnose::Agreement::Confirmed && !entry->agreementWords.empty()) addOnce(whole, entry->agreementWords);
    fact("whole", joined(whole, "; "));
    if (!isOutput) fix(cause);
  }

  /// "tosa, stablehlo in torch-reduce-op-variants; linalg-on-tensors"
  void blocks(const Cause& cause) {
    std::vector<std::pair<std::string, std::string>> places;  // passes, and output types that stop there
    std::vector<std::string> seen;
    for (const Blocked* entry : cause.entries) {
      const std::string name(lower::name(entry->target));
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
      seen.push_back(name);
      std::vector<std::string> passes;
      for (const Blocked* other : cause.entries)
        if (other->target == entry->target) addOnce(passes, other->pass.empty() ? other->stage : other->pass);
      const std::string at = firstOf(passes, 2);
      const auto same = std::find_if(places.begin(), places.end(), [&](const auto& place) { return place.first == at; });
      if (same == places.end()) places.emplace_back(at, name);
      else same->second += ", " + name;
    }
    std::vector<std::string> targets;
    for (const auto& [at, names] : places) targets.push_back(at.empty() || at == names ? names : names + " in " + at);
    const bool wrong = std::all_of(cause.entries.begin(), cause.entries.end(),
                                   [](const Blocked* entry) { return entry->kind == diagnose::Kind::WrongResult; });
    const bool blocks = std::any_of(cause.entries.begin(), cause.entries.end(), [](const Blocked* entry) { return stops(*entry); });
    fact(wrong ? "wrong" : blocks ? "blocks" : "fails", joined(targets, "; "));
  }

  /// The first node with a line of the user's, and how many more there are.
  void place(const Cause& cause) {
    if (cause.nodes.empty()) {
      fact("nodes", "not named by the engine");
      return;
    }
    const auto hasLine = std::find_if(cause.nodes.begin(), cause.nodes.end(),
                                      [&](fx::NodeId id) { return sourceLocationOf(report_.program, id).line.has_value(); });
    const fx::NodeId id = hasLine != cause.nodes.end() ? *hasLine : cause.nodes.front();
    const SourceLocation at = sourceLocationOf(report_.program, id);
    std::string out = report_.program.node(id).name;
    if (!at.module.empty()) out += " in " + at.module;
    if (cause.nodes.size() > 1) out += fmt::format(" and {}", counted(cause.nodes.size() - 1, "other node"));
    if (at.line) out += fmt::format("   {}:{}", fileNameOf(at.line->file), at.line->line);
    if (at.line && !at.line->code.empty()) out += "   " + shortened(at.line->code, 1, kCodeColumns);
    fact("at", out);
  }

  /// The reason of each kind and operation, without the operator if the heading names only that.
  void messages(const Cause& cause, bool oneOperator) {
    std::vector<std::string> shown, messages;
    for (const Blocked* entry : cause.entries) {
      const std::string key = fmt::format("{} {}", diagnose::name(entry->kind), entry->op);
      if (std::find(shown.begin(), shown.end(), key) != shown.end()) continue;
      shown.push_back(key);
      std::string_view message = entry->message;
      if (oneOperator && message.starts_with(entry->fxTarget + ": ")) message.remove_prefix(entry->fxTarget.size() + 2);
      addOnce(messages, shortened(message, 1, kWordColumns));
    }
    for (std::size_t i = 0; i < messages.size() && i < kMessages; ++i) fact(i == 0 ? "why" : "", messages[i]);
  }

  void fix(const Cause& cause) {
    const Experiment* x = cause.fix;
    std::set<std::string> tried;
    for (const Blocked* entry : cause.entries)
      for (const Experiment& other : entry->experiments) {
        if (isOtherType(other)) {
          if (x == nullptr && diagnose::verifiedBy(other) > diagnose::Verified::ByItself) x = &other;
        } else if (other.outcome != diagnose::Outcome::NotRun) {
          tried.insert(other.change);
        }
      }
    if (x == nullptr) {
      fact("fix", tried.empty() ? "none known" : fmt::format("none: {} tried, without success", counted(tried.size(), "change")));
      return;
    }
    // What the run of the weakest entry has shown holds for all.
    const Experiment* weakest = x;
    for (const Blocked* entry : cause.entries)
      for (const Experiment& other : entry->experiments)
        if (other.id == x->id && other.outcome == diagnose::Outcome::Passed && diagnose::verifiedBy(other) < diagnose::verifiedBy(*weakest))
          weakest = &other;
    const std::string cost = x->cost.empty() || isOtherType(*x) ? std::string() : "; " + x->cost;
    fact("fix", fmt::format("{} ({}{})", cause.fix != nullptr ? cause.change : x->change, verdictOf(*weakest), cost));
    const bool known = isOtherType(*x) && std::any_of(diagnosis_.targets.begin(), diagnosis_.targets.end(), [&](const auto& target) {
                         return x->id == fmt::format("target:{}", lower::name(target.target));
                       });
    if (x->snippet.empty() || known) return;
    std::string_view snippet = x->snippet;
    while (snippet.ends_with('\n')) snippet.remove_suffix(1);
    // A command lowers the whole program, which may not be what was verified.
    const bool partial = x->language == "sh" && diagnose::verifiedBy(*weakest) <= diagnose::Verified::ByItself;
    out_ += "             " + hanging(snippet, 13) +
            (!partial                    ? ""
             : weakest->withPlaceholders ? "  # not enough by itself: other operations block it too"
                                         : "  # not run on the whole program") +
            "\n";
  }

  /// "3 changes (the size u0 depends on data)": what was not run, by reason.
  std::string notTried() const {
    std::set<std::string> changes;
    std::vector<std::string> reasons;
    for (const Blocked& entry : diagnosis_.blocked)
      for (const Experiment& x : entry.experiments)
        if (x.outcome == diagnose::Outcome::NotRun) {
          changes.insert(x.change);
          addOnce(reasons, x.words);
        }
    if (changes.empty()) return {};
    return fmt::format("{} ({})", counted(changes.size(), "change"), shortened(firstOf(reasons, 2), 1, kWordColumns));
  }

  const DiagnoseReport& report_;
  const diagnose::Diagnosis& diagnosis_;
  std::vector<Cause> causes_;
  std::string out_;
};

}  // namespace

std::string diagnoseText(const DiagnoseReport& report) { return TextWriter(report).write(); }

}  // namespace fxs::report
