// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/joined.h"
#include "base/json_form.h"
#include "report/line.h"
#include "report/markdown.h"

namespace fxs::report {
namespace {

using upstream::Problem;

/// Lines of the Markdown, and of it those for the module, which is left out if it is longer.
constexpr std::ptrdiff_t kMarkdownLines = 58;

std::ptrdiff_t linesOf(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

bool isOfIree(const Problem& problem) { return problem.signature.stage.starts_with("iree-"); }

/// What a project asks for.
struct Headings {
  std::string_view what, steps, facts, versions;
};
Headings headingsOf(const Problem& problem) {
  if (isOfIree(problem))
    return {"What happened?", "Steps to reproduce your issue", "Additional context",
            "Version information"};
  return {"What happens", "To reproduce", "What was looked up", "Versions"};
}

std::string heading(std::string_view text) { return "\n## " + std::string(text) + "\n\n"; }

std::string failurePart(const Problem& problem) {
  const std::string to = markdownCode(lower::name(problem.target));
  const std::string out =
      problem.script.empty()
          ? "A program does not lower to " + to
          : "`torch_mlir.fx.export_and_import` does not lower this module to " + to;
  return out + (problem.error.empty() ? ".\n" : ":\n\n" + markdownBlock(problem.error, ""));
}

std::string valuesPart(const Problem& problem) {
  const upstream::WrongValues& wrong = *problem.wrong;
  std::string out =
      fmt::format("{} to {}, which computes other values than {}: {}.\n",
                  problem.script.empty() ? "A program is lowered"
                                         : "`torch_mlir.fx.export_and_import` lowers this module",
                  markdownCode(lower::name(problem.target)), markdownText(wrong.expectedBy),
                  markdownText(wrong.difference));
  if (!wrong.elements.empty()) out += "\n" + markdownBlock(joined(wrong.elements, "\n") + "\n", "");
  if (!wrong.executors.empty())
    out += fmt::format("\nExecuted by {}.", markdownText(joined(wrong.executors, " and ")));
  if (!wrong.tolerance.empty())
    out += fmt::format("\nThe script compares with {}.", markdownCode(wrong.tolerance));
  return out + (wrong.executors.empty() && wrong.tolerance.empty() ? "" : "\n");
}

std::string scriptPart(const Problem& problem) {
  std::string out;
  if (!problem.script.empty()) out = markdownBlock(problem.script, "python") + "\n";
  const std::string verified = markdownText(problem.verified);
  return out + verified + (verified.ends_with(".") ? "\n" : ".\n");
}

/// At most so many lines.
std::string modulePart(const Problem& problem, std::ptrdiff_t most) {
  if (problem.module.empty() || problem.command.empty()) return "";
  const std::string shell =
      (problem.script.empty() ? "\nBy command:\n\n" : "\nThe same by command:\n\n") +
      markdownBlock(problem.command, "sh");
  const std::string module = "\n`minimal.mlir`:\n\n" + markdownBlock(problem.module, "mlir");
  if (linesOf(shell) + linesOf(module) <= most) return shell + module;
  return linesOf(shell) <= most ? shell : "";
}

std::string_view formOf(const Problem& problem) {
  if (problem.isOfPyTorch) return "pytorch/pytorch";
  return isOfIree(problem) ? "iree-org/iree" : "llvm/torch-mlir";
}

JsonAnswer<Problem> problemAnswer() {
  using S = diagnose::FailureSignature;
  const JsonForm<S> signature = {{"stage", &S::stage},
                                 {"pass", &S::pass, "empty when unknown"},
                                 {"kind", &S::kind},
                                 {"op", &S::op, "the MLIR operation; empty when unknown"},
                                 {"target", &S::fxTarget, "of the node; empty without one"}};
  using W = upstream::WrongValues;
  const JsonForm<W> wrong = {
      {"difference", &W::difference},
      {"elements", &W::elements, "with what is expected and found, the largest error first"},
      {"tolerance", &W::tolerance, absentIfEmpty, "of repro.py"},
      {"expected_by", &W::expectedBy},
      {"executors", &W::executors}};
  using File = std::pair<std::string, std::string>;
  const JsonForm<File> file = {{"name", &File::first}, {"text", &File::second}};
  return {"fxscope-report/1",
          "fxscope-cli report --json",
          {{"to", [](const Problem& p) { return lower::name(p.target); }},
           {"project", formOf, "whose tool fails"},
           {"title", &Problem::title, "of the issue"},
           {"failure", &Problem::signature, signature},
           {"message", &Problem::error, "of the tool"},
           {"wrong", &Problem::wrong, wrong, absentIfEmpty,
            "of a program that lowers and computes other values than expected"},
           {"script", [](const Problem& p) { return name(p.outcome); },
            JsonNames(upstream::ScriptOutcome::DoesNotFail, "outcome"),
            "what became of repro.py, or without one of the command, when it was run"},
           {"verified", &Problem::verified},
           {"no_script", &Problem::scriptStop, absentIfEmpty, "why there is no repro.py"},
           {"reduced", &Problem::reduced},
           {"known", &Problem::known, absentIfEmpty, "the issue that reported it before"},
           {"looked_up", &Problem::facts},
           {"versions", &Problem::versions},
           {"files", problemFiles, file}}};
}

}  // namespace

std::string problemMarkdown(const Problem& problem) {
  const Headings titles = headingsOf(problem);
  std::string head = heading(titles.what).substr(1);
  head += problem.wrong ? valuesPart(problem) : failurePart(problem);
  head += heading(titles.steps) + scriptPart(problem);
  std::string tail;
  if (!problem.facts.empty() || !problem.known.empty()) {
    tail += heading(titles.facts);
    // A link on purpose.
    if (!problem.known.empty()) tail += "- known: " + problem.known + "\n";
    for (const std::string& fact : problem.facts) tail += "- " + markdownText(fact) + "\n";
  }
  tail += heading(titles.versions) + markdownBlock(problem.versions, "");
  return head + modulePart(problem, kMarkdownLines - linesOf(head) - linesOf(tail)) + tail;
}

std::vector<std::pair<std::string, std::string>> problemFiles(const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> out{
      {"issue.md", "# " + problem.title + "\n\n" + problemMarkdown(problem)}};
  for (auto [name, text] : {std::pair<const char*, const std::string*>{"repro.py", &problem.script},
                            {"minimal.mlir", &problem.module},
                            {"test.mlir", &problem.litTest},
                            {"e2e_test.py", &problem.e2eTest}})
    if (!text->empty()) out.emplace_back(name, *text);
  return out;
}

std::string problemJson(const Problem& problem) { return problemAnswer().text(problem); }
std::string problemSchema() { return problemAnswer().schemaText(); }

}  // namespace fxs::report
