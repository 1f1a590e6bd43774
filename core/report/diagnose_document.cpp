// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/diagnose_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/joined.h"
#include "base/sha256.h"
#include "base/take_until.h"
#include "diagnose/python_decompositions.h"
#include "report/diagnose_words.h"
#include "report/finding.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum columns of messages and types, and of a Python line; operators that fail for sizes;
/// messages and types of a cause; lines and columns of what the engine printed. JSON has all of
/// them.
constexpr std::size_t kWordColumns = 160;
constexpr std::size_t kCodeColumns = 100;
constexpr std::size_t kFailing = 12;
constexpr std::size_t kMessages = 3;
constexpr std::size_t kTypes = 12;
constexpr std::size_t kEngineLines = 40;
constexpr std::size_t kEngineColumns = 300;

Tone toneOf(const Experiment& experiment) {
  const std::string_view mark = markOf(experiment);
  if (mark == "proved" || mark == "passed") return Tone::Good;
  return mark == "not run" ? Tone::Muted : Tone::Bad;
}

std::vector<Inline> firstLines(const std::vector<std::string>& texts, std::size_t most) {
  std::vector<Inline> out;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i)
    out.emplace_back(shortened(texts[i], 1, kWordColumns));
  if (texts.size() > most) out.emplace_back(fmt::format("and {} more", texts.size() - most));
  return out;
}

/// A text that may have several lines.
Item itemOf(std::string_view text) {
  Item out{takeUntil('\n', text)};
  while (!text.empty()) out.lines.emplace_back(takeUntil('\n', text));
  return out;
}

/// "none: 3 changes tried, without success"
std::string noFix(const Cause& cause) {
  std::set<std::string> tried;
  for (const Blocked* entry : cause.entries)
    for (const Experiment& x : entry->experiments)
      if (!isOtherType(x) && x.outcome != diagnose::Outcome::NotRun) tried.insert(x.change);
  if (std::any_of(cause.entries.begin(), cause.entries.end(),
                  [](const Blocked* entry) { return diagnose::isLeftToPython(*entry); }))
    return fmt::format("{}; --python auto tries it", kLeftToPython);
  return tried.empty()
             ? "none known"
             : fmt::format("none: {} tried, without success", counted(tried.size(), "change"));
}

/// The experiments of all entries, each with the same change and outcome once.
Table experimentsTable(const Cause& cause) {
  Table out{{{"result"}, {"experiment"}, {"reason"}}, {}};
  std::set<std::pair<std::string, std::string>> seen;
  for (const Blocked* entry : cause.entries)
    for (const Experiment& x : entry->experiments) {
      if (!seen.emplace(x.change, verdictOf(x)).second) continue;
      const bool isInProgram = x.proof != diagnose::Proof::NotTried;
      std::string reason = shortened(isInProgram ? x.proofMessage : x.message, 1, kEngineColumns);
      if (!x.cost.empty()) reason += (reason.empty() ? "" : "; ") + x.cost;
      out.rows.push_back({{{verdictOf(x), toneOf(x)}, x.change, reason}});
    }
  return out;
}

class DiagnoseWriter {
 public:
  DiagnoseWriter(const DiagnoseReport& report, const std::vector<Cause>& causes)
      : report_(report), diagnosis_(report.diagnosis), causes_(causes) {}

  DiagnoseParts parts() const {
    DiagnoseParts out;
    out.opening.title = Inline(report_.input, Tone::Code) + " to " + targetsOf(diagnosis_) +
                        Inline(fmt::format(", engine {} ({})", diagnosis_.engine.version,
                                           report_.paths.of(diagnosis_.engine.path)),
                               Tone::Muted);
    if (!diagnosis_.complete)
      out.opening.head.emplace_back(
          "INCOMPLETE: cancelled or out of time. These results are valid, but there may be more.",
          Tone::Bad);
    out.opening.blocks.push_back(verdicts());
    for (std::size_t i = 0; i < causes_.size(); ++i)
      out.findings.push_back(finding(i + 1, causes_[i]));
    out.closing = {findingsList(warningsOf(diagnosis_), report_.program), notes(), versions()};
    return out;
  }

 private:
  /// Output types with the same verdict share a row.
  Facts verdicts() const {
    Facts out;
    for (const diagnose::TargetDiagnosis& target : diagnosis_.targets) {
      std::vector<Inline> lines = verdictLines(target);
      const auto same = std::find_if(out.rows.begin(), out.rows.end(),
                                     [&](const Fact& row) { return row.lines == lines; });
      if (same == out.rows.end()) out.add(lower::name(target.target), std::move(lines));
      else same->label += Inline(", ") + lower::name(target.target);
    }
    return out;
  }

  std::vector<Inline> verdictLines(const diagnose::TargetDiagnosis& target) const {
    const auto [outcome, reason, also] = verdictOf(diagnosis_, target);
    const bool isGood = target.lowers && !(target.computed && target.computed->accused);
    std::vector<Inline> out{Inline(outcome, isGood ? Tone::Good : Tone::Bad) +
                            (reason.empty() ? "" : ": " + reason) +
                            (also.empty() ? "" : "; " + also)};
    if (const std::string words = fixedText(target); !words.empty())
      out.push_back(Inline(words, *target.fixedLowers ? Tone::Good : Tone::Bad) + " with " +
                    changes(target));
    if (const std::string words = incompleteText(target); !words.empty()) out.emplace_back(words);
    return out;
  }

  /// The findings below have the changes: their numbers name them.
  Inline changes(const diagnose::TargetDiagnosis& target) const {
    const std::vector<std::size_t> numbers = fixNumbers(causes_, target);
    if (numbers.empty()) return joined(target.changes, "; ");
    Inline out = numbers.size() == 1 ? "fix " : "fixes ";
    for (const std::size_t number : numbers) {
      if (number != numbers.front()) out += Inline(", ");
      out += Span{std::to_string(number), Tone::Plain, fmt::format("finding-{}", number)};
    }
    return out;
  }

  Section finding(std::size_t number, const Cause& cause) const {
    std::vector<std::string> ops;
    for (const Blocked* entry : cause.entries)
      if (!entry->op.empty()) addOnce(ops, entry->op);
    Section out;
    out.title = {titleOf(cause), cause.sizes != nullptr ? Tone::Plain : Tone::Code};
    const bool isOutput = cause.entries.front()->kind == diagnose::Kind::NotATensor;
    const bool namesOp = cause.sizes == nullptr && ops.size() == 1 && !isOutput;
    if (namesOp && ops != operatorsOf(cause))
      out.title += Inline(" (") + Inline(ops.front(), Tone::Code) + ")";
    out.lead = reasonOf(cause);
    out.id = fmt::format("finding-{}", number);
    out.number = number;
    out.isWarning = !blocks(cause);
    out.nodes = cause.nodes;
    const Experiment* x = suggestionOf(cause);
    out.blocks = {
        cause.sizes != nullptr ? sizesFacts(cause) : facts(cause),
        Details{"Python",
                {Code{x == nullptr || isAmong(diagnosis_, *x) ? "" : x->python, "python"}}},
        details(cause, ops)};
    return out;
  }

  Facts facts(const Cause& cause) const {
    const Blocked& first = *cause.entries.front();
    const bool isOutput = first.kind == diagnose::Kind::NotATensor;
    Facts out;
    out.labelWidth = 6;
    out.add(failureOf(cause), joined(stopTexts(cause), "; "));
    if (!isOutput) out.add(cause.nodes.empty() ? "nodes" : "at", position(cause.nodes));
    if (cause.entries.size() == 1 || cause.fix == nullptr)
      out.add("types", Inline(shortened(first.types, 1, kWordColumns), Tone::Code));
    if (cause.fix == nullptr) out.add("why", firstLines(messagesOf(cause), kMessages));
    std::vector<std::string> disagreements, sizes;
    for (const Blocked* entry : cause.entries) {
      if (entry->agreement != diagnose::Agreement::Confirmed && !entry->agreementMessage.empty())
        addOnce(disagreements, entry->agreementMessage);
      if (std::string text = dependenceText(diagnosis_, *entry); !text.empty())
        addOnce(sizes, std::move(text));
    }
    out.add("sizes", firstLines(sizes, kMessages));
    out.add("whole", joined(disagreements, "; "));
    if (!isOutput) out.rows.push_back(fix(cause));
    return out;
  }

  /// Of sizes known only at run time: where they are from, what fails for them, and what does not.
  Facts sizesFacts(const Cause& cause) const {
    Facts out;
    out.labelWidth = 6;
    out.add(failureOf(cause), joined(stopTexts(cause), "; "));
    out.add("from", position(cause.sizes->nodes));
    // The first of several causes says what holds for all.
    const auto isNew = [&](const auto& textOf) {
      return std::none_of(causes_.begin(), positionOf(cause), [&](const Cause& earlier) {
        return earlier.sizes != nullptr && textOf(earlier) == textOf(cause);
      });
    };
    if (isNew(sizesSentences)) out.add("why", firstLines(sizesSentences(cause), kMessages));
    out.add("fails", Inline(firstOf(countedOperatorsOf(cause), kFailing), Tone::Code));
    std::vector<std::string> unknown, also;
    for (const Blocked* entry : cause.entries)
      if (!entry->sizes->makes && entry->sizes->withNumbers == diagnose::WithNumbers::NotKnown)
        addOnce(unknown, operationOf(*entry));
    for (const Blocked* entry : alsoOn(cause, diagnosis_))
      if (!entry->sizes->makes) addOnce(also, operationOf(*entry));
    if (!unknown.empty())
      out.add("", "not known whether these lower with numbers in place of the sizes: " +
                      firstOf(unknown, kFailing));
    if (!also.empty())
      out.add("also", "not only for these sizes, see below: " + firstOf(also, kFailing));
    if (cause.fix != nullptr) out.rows.push_back(fix(cause));
    if (isNew([&](const Cause& each) { return otherTypes(each).lines; }))
      out.rows.push_back(otherTypes(cause));
    return out;
  }

  std::vector<Cause>::const_iterator positionOf(const Cause& cause) const {
    return causes_.begin() + (&cause - causes_.data());
  }

  /// The output types that were lowered to instead, with the command for the first that goes
  /// further.
  Fact otherTypes(const Cause& cause) const {
    Fact out{"try", {}};
    const lower::OutputType& own = cause.entries.front()->target;
    for (const diagnose::OtherType& each : besides(diagnosis_, own))
      if (cause.fix == nullptr || each.lowers.value_or(false))
        out.lines.emplace_back(outcomeText(each),
                               each.lowers.value_or(false) ? Tone::Good : Tone::Plain);
    if (cause.fix != nullptr) return out;
    if (out.lines.empty()) out.lines = {"not known: no other output type was tried"};
    const auto further = furtherThan(diagnosis_, own);
    if (!further) return out;
    const std::string id = fmt::format("target:{}", lower::name(further->target));
    for (const Blocked* entry : cause.entries)
      for (const Experiment& x : entry->experiments)
        if (x.id == id && !isAmong(diagnosis_, x)) out.code = {x.snippet, x.language};
    return out;
  }

  static std::string_view failureOf(const Cause& cause) {
    if (std::all_of(cause.entries.begin(), cause.entries.end(), [](const Blocked* entry) {
          return entry->kind == diagnose::Kind::WrongResult;
        }))
      return "wrong";
    return blocks(cause) ? "blocks" : "fails";
  }

  /// "tosa, stablehlo in torch-reduce-op-variants"
  static std::vector<std::string> stopTexts(const Cause& cause) {
    std::vector<std::string> out;
    for (const auto& [at, names] : stopsOf(cause))
      out.push_back(at.empty() || at == names ? names : names + " in " + at);
    return out;
  }

  /// The first node with a line of the user's, and how many more there are.
  Inline position(const std::vector<fx::NodeId>& nodes) const {
    if (nodes.empty()) return "not named by the engine";
    const fx::NodeId id = shownNodeOf(nodes, report_.program);
    const SourceLocation at = sourceLocationOf(report_.program, id);
    Inline out(nodeSpan(report_.program, id).text, Tone::Code);
    if (!at.module.empty()) out += Inline(" in ") + Inline(at.module, Tone::Code);
    if (nodes.size() > 1) out += Inline(" and " + counted(nodes.size() - 1, "other node"));
    if (!at.line) return out;
    out += Inline("   ") + Span{fmt::format("{}:{}", fileNameOf(at.line->file), at.line->line),
                                Tone::Code,
                                {},
                                report_.paths.of(at.line->file)};
    if (at.line->code.empty()) return out;
    return out + "   " + Inline(shortened(at.line->code, 1, kCodeColumns), Tone::Code);
  }

  /// By the number of an earlier cause that has the same one.
  Fact fix(const Cause& cause) const {
    const auto own = positionOf(cause);
    Fact fact = ownFix(cause);
    if (cause.sizes == nullptr) return fact;
    const auto same = std::find_if(causes_.begin(), own, [&](const Cause& earlier) {
      return ownFix(earlier).lines == fact.lines;
    });
    if (same == own) return fact;
    const auto number = same - causes_.begin() + 1;
    return {"fix",
            {Span{fmt::format("the same as {}", number), Tone::Plain,
                  fmt::format("finding-{}", number)}}};
  }

  Fact ownFix(const Cause& cause) const {
    const Experiment* x = suggestionOf(cause);
    if (x == nullptr) return {"fix", {noFix(cause)}};
    const Experiment& weakest = weakestOf(cause, *x);
    const std::string cost = x->cost.empty() || isOtherType(*x) ? std::string() : "; " + x->cost;
    Fact out{"fix",
             {Inline(cause.fix != nullptr ? cause.change : x->change) + " (" +
              Inline(verdictOf(weakest), toneOf(weakest)) + cost + ")"}};
    for (const std::string& more : cause.more) out.lines.emplace_back("then " + more);
    if (isAmong(diagnosis_, *x)) return out;
    out.code = {x->snippet, x->language};
    // A command lowers the whole program, which may not be what was verified; `fix` makes the other
    // changes, too.
    if (x->snippet.empty() || x->language != "sh" || x->snippet.starts_with("fxscope-cli fix ") ||
        diagnose::verifiedBy(weakest) > diagnose::Verified::ByItself)
      return out;
    while (out.code.text.ends_with('\n')) out.code.text.pop_back();
    out.code.text += weakest.withPlaceholders
                         ? "  # not enough by itself: other operations block it too"
                         : "  # not run on the whole program";
    return out;
  }

  Details details(const Cause& cause, const std::vector<std::string>& ops) const {
    const bool isOneOperator = operatorsOf(cause).size() == 1;
    std::vector<std::string> types, tried, printed;
    for (const Blocked* entry : cause.entries) {
      if (!entry->types.empty())
        addOnce(types, isOneOperator ? entry->types : operationOf(*entry) + " " + entry->types);
      for (const std::string& pattern : triedOf(*entry)) addOnce(tried, pattern);
      if (!entry->engineMessage.empty()) addOnce(printed, entry->engineMessage);
    }
    Facts facts;
    facts.add(counted(cause.nodes.size(), "node"), nodeSpans(report_.program, cause.nodes));
    const bool isInFacts = cause.fix == nullptr && cause.sizes == nullptr;
    if (!isInFacts) facts.add("why", firstLines(messagesOf(cause), kMessages));
    if (ops.size() > 1) facts.add("operations", Inline(joined(ops), Tone::Code));
    if (!isInFacts || types.size() > 1) facts.add("types", firstLines(types, kTypes));
    facts.add("patterns tried", Inline(joined(tried), Tone::Code));
    return {"Details",
            {std::move(facts), experimentsTable(cause),
             Code{printed.empty() ? "" : shortened(printed.front(), kEngineLines, kEngineColumns),
                  "text"}}};
  }

  List notes() const {
    List out;
    for (const std::string& note : diagnosis_.notes) out.items.push_back(itemOf("note: " + note));
    if (const std::string words = notTried(); !words.empty())
      out.items.push_back({"note: not tried: " + words});
    return out;
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

  Details versions() const {
    Facts out;
    out.add("engine", diagnosis_.engine.sha256.empty()
                          ? "checksum unknown"
                          : "sha256 " + shortSha256(diagnosis_.engine.sha256));
    out.add("exported by", report_.program.torchVersion.empty()
                               ? std::string()
                               : "PyTorch " + report_.program.torchVersion);
    return {"Versions", {std::move(out)}};
  }

  const DiagnoseReport& report_;
  const diagnose::Diagnosis& diagnosis_;
  const std::vector<Cause>& causes_;
};

constexpr std::size_t kTextLayerRows = 20;

Document documentOf(const DiagnoseReport& report) {
  DiagnoseParts parts = diagnoseParts(report, causesOf(report.diagnosis));
  Document out = std::move(parts.opening);
  Blocks layers = layerBlocks(report, kTextLayerRows);
  for (Blocks* more : {&parts.findings, &layers, &parts.closing})
    std::move(more->begin(), more->end(), std::back_inserter(out.blocks));
  return out;
}

}  // namespace

Span nodeSpan(const fx::Program& program, fx::NodeId id) {
  if (!id.valid() || id.index() >= program.nodes.size()) return {};
  return {program.node(id).name, Tone::Code, {}, program.node(id).target, {id}};
}

Inline nodeSpans(const fx::Program& program, const std::vector<fx::NodeId>& nodes) {
  Inline out;
  for (std::size_t i = 0; i < nodes.size() && i < kListedNodes; ++i)
    out += (i == 0 ? Inline() : Inline(" ")) + nodeSpan(program, nodes[i]);
  if (nodes.size() > kListedNodes)
    out += Inline(fmt::format(" and {} more", nodes.size() - kListedNodes), Tone::Muted);
  return out;
}

DiagnoseParts diagnoseParts(const DiagnoseReport& report, const std::vector<Cause>& causes) {
  return DiagnoseWriter(report, causes).parts();
}

std::string diagnoseText(const DiagnoseReport& report, const TextLayout& layout) {
  return renderText(documentOf(report), layout);
}
std::string diagnoseMarkdown(const DiagnoseReport& report) {
  return renderMarkdown(documentOf(report));
}

std::string diagnoseConclusions(const DiagnoseReport& report) {
  const DiagnoseParts parts = diagnoseParts(report, {});
  return renderText(parts.opening.blocks.front()) + renderText(*std::next(parts.closing.begin()));
}

std::string blockedMarkdown(const DiagnoseReport& report, const Blocked& blocked) {
  diagnose::Diagnosis one;
  one.targets = report.diagnosis.targets;
  one.blocked = {blocked};
  one.sizeSources = report.diagnosis.sizeSources;
  one.otherTypes = report.diagnosis.otherTypes;
  Blocks findings = diagnoseParts({report.input, one, report.program}, causesOf(one)).findings;
  std::get<Section>(findings.front()).number = 0;
  return renderMarkdown(findings, "####");
}

}  // namespace fxs::report
