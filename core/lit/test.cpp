// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/test.h"

#include <utility>

#include "lit/definitions.h"
#include "lit/directives.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

std::string inLine(std::uint32_t line, std::string_view message) {
  return "line " + std::to_string(line) + ": " + std::string(message);
}

/// `%if`, which `%%if` is not.
bool hasCondition(std::string_view text) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos;
       at = text.find('%', at + (text.substr(at).starts_with("%%") ? 2 : 1)))
    if (text.substr(at).starts_with("%if ")) return true;
  return false;
}

class TestReader {
 public:
  Test read(std::string_view text) {
    for (const Directive& directive : directivesOf(text)) take(directive);
    return std::move(out_);
  }

 private:
  void take(const Directive& directive) {
    switch (directive.kind) {
      case DirectiveKind::Run: return run(directive);
      case DirectiveKind::Define:
      case DirectiveKind::Redefine:
        if (const std::string message = definitions_.take(directive); !message.empty())
          out_.messages.push_back(inLine(
              directive.line, "the " + std::string(name(directive.kind)) + ": line " + message));
        return;
      case DirectiveKind::Requires: return condition(Condition::Kind::Requires, directive);
      case DirectiveKind::Unsupported: return condition(Condition::Kind::Unsupported, directive);
      case DirectiveKind::Xfail: return condition(Condition::Kind::Xfail, directive);
    }
  }

  void condition(Condition::Kind kind, const Directive& directive) {
    if (out_.conditions.size() < kMaxConditions)
      out_.conditions.push_back({kind, directive.line, directive.text});
  }

  void run(const Directive& directive) {
    if (out_.runs.size() == kMaxRunLines) {
      if (!std::exchange(tooMany_, true))
        out_.messages.push_back(inLine(directive.line, "more than " + std::to_string(kMaxRunLines) +
                                                           " RUN lines; the rest is not read"));
      return;
    }
    RunLine& line = out_.runs.emplace_back();
    line.line = directive.line;
    line.lastLine = directive.lastLine;
    std::string message = directive.message;
    Definitions::Expanded expanded = definitions_.expand(directive.text);
    line.text = directive.text;
    if (expanded.message.empty()) line.text = std::move(expanded.text);
    if (message.empty()) message = std::move(expanded.message);
    if (message.empty() && hasCondition(line.text)) message = "has a condition (%if)";
    if (message.empty()) {
      ShellLine shell = parseShellLine(line.text);
      line.pipelines = std::move(shell.pipelines);
      message = std::move(shell.message);
    }
    if (!message.empty())
      line.message = inLine(line.line, "the RUN: line " + message + "; it is not run");
  }

  Definitions definitions_;
  Test out_;
  bool tooMany_ = false;
};

}  // namespace

Test parseTest(std::string_view text) { return TestReader().read(text); }

std::vector<std::size_t> runsFor(const Test& test, std::size_t run) {
  const auto namesTemporary = [&](std::size_t i) {
    return test.runs[i].text.find("%t") != std::string::npos;
  };
  std::vector<std::size_t> out;
  if (namesTemporary(run))
    for (std::size_t i = 0; i < run; ++i)
      if (namesTemporary(i)) out.push_back(i);
  out.push_back(run);
  return out;
}

}  // namespace fxs::lit
