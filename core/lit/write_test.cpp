// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/write_test.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "lit/check_lines.h"
#include "lit/checks.h"
#include "lit/directives.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

/// A word of a RUN line, in which `%s` is the test and any other `%` itself.
std::string wordOfRun(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    out += word[i];
    if (word[i] == '%' && word.substr(i + 1, 1) != "s") out += '%';
  }
  return out == "%s" ? out : shellWord(out);
}

Result<std::string> runLine(const std::vector<std::string>& argv, std::string_view prefix,
                            bool hasChecks) {
  if (argv.empty() || argv.front().empty())
    return fail(ErrorCode::Usage, "a lit test needs a program; name one, such as mlir-opt");
  std::string out = "// RUN:";
  bool namesTest = false;
  for (const std::string& word : argv) {
    if (word.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos)
      return fail(ErrorCode::Usage, "the argument " + printableName(word) +
                                        " has a line break, which a RUN line cannot have");
    out += " " + wordOfRun(word);
    namesTest = namesTest || word.find("%s") != std::string::npos;
  }
  if (!namesTest) out += " %s";
  if (!hasChecks) return out + "\n";
  out += " | FileCheck %s";
  if (prefix != "CHECK") out += " --check-prefix=" + std::string(prefix);
  return out + "\n";
}

/// The input without the lines of another test. InvalidInput if it cannot be a part of one.
Result<std::string> inputWithoutTest(std::string_view input) {
  std::string out;
  std::string problem;
  forEachLine(input, [&](const Line& line) {
    const std::string_view shown = line.range.of(input);
    const bool isComment = trimmed(shown).starts_with("//");
    if (isComment && (hasDirective(shown) || !checksOf(shown).empty())) return true;
    if (hasDirective(shown))
      problem = "line " + std::to_string(line.number) +
                " of the input would be read as a directive of lit; remove its `RUN:` or the like";
    out.append(shown).append("\n");
    return problem.empty();
  });
  if (!problem.empty()) return fail(ErrorCode::InvalidInput, problem);
  return out.substr(std::min(out.find_first_not_of('\n'), out.size()));
}

/// "CHECK", or the first of "CHECK2", "CHECK3" .. that the input does not have.
std::string freePrefix(std::string_view input) {
  constexpr std::size_t kMostTried = 32;
  std::string out = "CHECK";
  for (std::size_t i = 2; i < kMostTried && !checksOf(input, {out}).empty(); ++i)
    out = "CHECK" + std::to_string(i);
  return out;
}

}  // namespace

Result<std::string> writeTest(const TestParts& parts) {
  if (parts.output.size() > kMaxTestOutputBytes)
    return fail(ErrorCode::InvalidInput,
                "the output is larger than " + std::to_string(kMaxTestOutputBytes >> 20) +
                    " MiB, the most that a test is made of; reduce the program");
  FXS_TRY(const std::string input, inputWithoutTest(parts.input));
  const std::string prefix = freePrefix(input);
  const std::string checks = checkLinesFor(parts.output, prefix);
  FXS_TRY(std::string out, runLine(parts.argv, prefix, !checks.empty()));
  if (!checks.empty()) out += "\n" + checks;
  return out + "\n" + input;
}

}  // namespace fxs::lit
