// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of the page: a card for each cause, with what else is known folded.
#include <algorithm>
#include <set>

#include "base/joined.h"
#include "base/safe_text.h"
#include "report/diagnose_page.h"
#include "report/diagnose_words.h"
#include "report/source_location.h"

namespace fxs::report {
namespace {

using diagnose::Blocked;
using diagnose::Experiment;

/// Maximum operators in the heading of a card, lists of types, messages, and lines of what the
/// engine printed.
constexpr std::size_t kCardOperators = 2;
constexpr std::size_t kCardTypes = 12;
constexpr std::size_t kCardMessages = 3;
constexpr std::size_t kCardWordLines = 40;

std::string_view toneOf(const Experiment& experiment) {
  const std::string_view mark = markOf(experiment);
  if (mark == "proved" || mark == "passed") return "good";
  return mark == "not run" ? "muted" : "bad";
}

/// What is wrong; and what to do about it, after a semicolon, only where the card does not suggest
/// what was verified.
std::vector<std::string> whys(const Cause& cause) {
  std::vector<std::string> out;
  for (const std::string& message : messagesOf(cause))
    addOnce(out, suggestionOf(cause) == nullptr ? message : message.substr(0, message.find("; ")));
  return out;
}

void fact(DiagnosePage& page, std::string_view name, std::string_view value) {
  if (!value.empty()) page.print("<dt>{}</dt><dd>{}</dd>\n", name, richText(value));
}

void facts(DiagnosePage& page, std::string_view name, const std::vector<std::string>& values,
           std::size_t most) {
  if (values.empty()) return;
  page.print("<dt>{}</dt><dd>", name);
  for (std::size_t i = 0; i < values.size() && i < most; ++i)
    page.print("<div>{}</div>", richText(values[i]));
  if (values.size() > most)
    page.print("<div class=\"muted\">and {} more</div>", values.size() - most);
  page.out += "</dd>\n";
}

/// What to change, how far it is verified, and its script with a button that copies it.
void fix(DiagnosePage& page, std::size_t number, const Cause& cause) {
  const Experiment* x = suggestionOf(cause);
  if (x == nullptr) {
    const bool tried =
        std::any_of(cause.entries.begin(), cause.entries.end(),
                    [](const Blocked* entry) { return !entry->experiments.empty(); });
    page.print("<p class=\"fix muted\">{}</p>\n", tried ? "No fix found." : "No fixes were tried.");
    return;
  }
  const Experiment& weakest = weakestOf(cause, *x);
  const bool command = x->python.empty() && x->language != "python";
  const bool scripted = !scriptOf(*x).empty() && !isAmong(page.report.diagnosis, *x);
  page.print("<div class=\"fix\"><p><strong>Fix:</strong> {} <span class=\"mark {}\">{}</span></p>",
             richText(cause.fix != nullptr ? cause.change : x->change), toneOf(weakest),
             verdictOf(weakest));
  if (scripted)
    page.print("<button type=\"button\" class=\"copy\" data-copy=\"fix-{}\">Copy {}</button>",
               number, command ? "command" : "Python");
  page.out += "</div>\n";
  if (!x->cost.empty() && !isOtherType(*x))
    page.print("<p class=\"muted\">{}</p>\n", richText(x->cost));
  if (scripted)
    page.print(
        "<details><summary>{}</summary><pre id=\"fix-{}\" tabindex=\"0\">{}</pre></details>\n",
        command ? "Command" : "Python", number, richLines(scriptOf(*x)));
}

/// The other experiments of all entries: one with the same change and outcome once, a reason once.
void experiments(DiagnosePage& page, const Cause& cause) {
  const Experiment* suggested = suggestionOf(cause);
  std::set<std::pair<std::string, std::string>> seen;
  std::set<std::string> said;
  if (suggested != nullptr)
    seen.emplace(weakestOf(cause, *suggested).change, verdictOf(weakestOf(cause, *suggested)));
  std::string rows = std::exchange(page.out, {});
  for (const Blocked* entry : cause.entries)
    for (const Experiment& x : entry->experiments) {
      if (suggested != nullptr && x.id == suggested->id && x.outcome == diagnose::Outcome::Passed)
        continue;
      if (!seen.emplace(x.change, verdictOf(x)).second) continue;
      page.print("<li><span class=\"mark {}\">{}</span> {}", toneOf(x), verdictOf(x),
                 richText(x.change));
      if (!x.cost.empty() && !isOtherType(x))
        page.print(" <span class=\"muted\">({})</span>", richText(x.cost));
      std::string_view reason = x.message;
      if (x.proof == diagnose::Proof::Disproved) reason = x.proofMessage;
      else if (x.outcome == diagnose::Outcome::Passed) reason = "";
      const std::string words = shortened(reason, 1, kPageColumns);
      if (!words.empty() && said.insert(words).second)
        page.print("<br><span class=\"muted\">{}</span>", richLines(words));
      page.out += "</li>\n";
    }
  std::swap(rows, page.out);
  if (rows.empty()) return;
  page.print("<div class=\"experiments\"><h4>Also tried</h4>\n<ul>\n{}</ul></div>\n", rows);
}

void nodes(DiagnosePage& page, const Cause& cause) {
  if (cause.nodes.empty()) {
    fact(page, "nodes", "not named by the engine");
    return;
  }
  page.print("<dt>{}</dt><dd class=\"places\">", counted(cause.nodes.size(), "node"));
  for (std::size_t i = 0; i < cause.nodes.size() && i < kPageNodes; ++i)
    writeNodeButton(page, cause.nodes[i]);
  if (cause.nodes.size() > kPageNodes)
    page.print("<span class=\"muted\">and {} more</span>", cause.nodes.size() - kPageNodes);
  page.out += "</dd>\n";
}

/// How the program disagrees with the operations by themselves.
std::vector<std::string> disagreements(const Cause& cause) {
  std::vector<std::string> out;
  for (const Blocked* entry : cause.entries) {
    if (entry->agreement == diagnose::Agreement::Confirmed) continue;
    addOnce(out, entry->agreementMessage.empty() ? std::string(diagnose::name(entry->agreement))
                                                 : entry->agreementMessage);
  }
  return out;
}

void details(DiagnosePage& page, const Cause& cause) {
  const std::size_t operators = operatorsOf(cause).size();
  std::vector<std::string> ops, types, tried, words, where;
  for (const Blocked* entry : cause.entries) {
    if (!entry->op.empty() && entry->op != operationOf(*entry)) addOnce(ops, entry->op);
    if (!entry->types.empty())
      addOnce(types, operators > 1 ? operationOf(*entry) + " " + entry->types : entry->types);
    for (const std::string& pattern : triedOf(*entry)) addOnce(tried, pattern);
    if (!entry->engineMessage.empty()) addOnce(words, entry->engineMessage);
  }
  for (const StopPlace& stop : stopsOf(cause))
    where.push_back(stop.passes.empty() ? stop.targets : stop.targets + ": " + stop.passes);
  const bool wrong = cause.entries.front()->kind == diagnose::Kind::WrongResult;
  page.out += "<details><summary>Details</summary>\n<dl>\n";
  nodes(page, cause);
  if (!cause.nodes.empty())
    fact(page, "module",
         sourceLocationOf(page.report.program, shownNodeOf(cause, page.report.program)).module);
  std::vector<std::string> why = whys(cause);
  if (cause.fix == nullptr) why.erase(why.begin());  // the card has it
  facts(page, "why", why, kCardMessages);
  facts(page, wrong ? "wrong in" : "stops at", where, where.size());
  fact(page, "MLIR", joined(ops));
  facts(page, "types", types, kCardTypes);
  fact(page, "tried", joined(tried));
  facts(page, "whole program", disagreements(cause), kCardMessages);
  page.out += "</dl>\n";
  experiments(page, cause);
  if (!words.empty())
    page.print("<h4>Printed by the engine</h4>\n<pre tabindex=\"0\">{}</pre>\n",
               richLines(shortened(words.front(), kCardWordLines, kPageColumns)));
  page.out += "</details>\n";
}

/// An operator's name, which may be broken after a dot or an underscore.
std::string breakable(std::string_view name) {
  std::string out;
  for (const char c : richText(name)) {
    out += c;
    if (c == '.' || c == '_') out += "<wbr>";
  }
  return out;
}

void card(DiagnosePage& page, std::size_t number, const Cause& cause) {
  const bool blocks = std::any_of(cause.entries.begin(), cause.entries.end(),
                                  [](const Blocked* entry) { return stops(*entry); });
  const std::string title = firstOf(operatorsOf(cause), kCardOperators);
  page.print(
      "<article class=\"finding{}\" id=\"finding-{}\" tabindex=\"0\" aria-labelledby=\"title-{}\"",
      blocks ? "" : " warning", number, number);
  if (!cause.nodes.empty()) page.print(" data-n=\"{}\"", nodeIndices(cause.nodes));
  page.print(
      ">\n<div class=\"top\"><span class=\"number\">{}</span><h3 id=\"title-{}\">{}</h3></div>\n<p "
      "class=\"chips\">",
      number, number, breakable(title));
  std::vector<std::string> targets;
  for (const Blocked* entry : cause.entries)
    addOnce(targets, std::string(lower::name(entry->target)));
  for (const std::string& target : targets) page.print("<span class=\"chip\">{}</span>", target);
  if (cause.nodes.size() > 1)
    page.print("<span class=\"muted\">{}</span>", counted(cause.nodes.size(), "node"));
  page.print("</p>\n<p>{}</p>\n", richText(reasonOf(cause)));
  if (cause.fix == nullptr)
    page.print("<p class=\"muted\">{}</p>\n", richText(whys(cause).front()));
  if (const auto at =
          sourceLocationOf(page.report.program, shownNodeOf(cause, page.report.program));
      at.line)
    page.print("<p class=\"code\"><span class=\"muted\" title=\"{}\">{}:{}</span> {}</p>\n",
               richText(page.report.paths.of(at.line->file)), richText(fileNameOf(at.line->file)),
               at.line->line, richText(at.line->code));
  fix(page, number, cause);
  details(page, cause);
  page.out += "</article>\n";
}

}  // namespace

void writeFindings(DiagnosePage& page) {
  page.print(
      "<section id=\"findings\" aria-labelledby=\"findings-title\">\n<div class=\"bar\"><h2 "
      "id=\"findings-title\">{}</h2>"
      "<span class=\"muted\" id=\"selection\" role=\"status\"></span></div>\n",
      page.causes.empty() ? "No findings" : counted(page.causes.size(), "finding"));
  for (std::size_t i = 0; i < page.causes.size(); ++i) card(page, i + 1, page.causes[i]);
  page.out += "</section>\n";
}

}  // namespace fxs::report
