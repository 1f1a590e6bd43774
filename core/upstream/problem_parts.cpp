// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/problem_parts.h"

#include <fmt/format.h>

#include "base/joined.h"
#include "base/safe_text.h"
#include "lower/known_engines.h"

namespace fxs::upstream {

std::string commandText(
    const std::vector<lower::StageSpec>& stages,
    const std::function<std::vector<std::string>(const lower::StageSpec&)>& wordsOf) {
  std::vector<std::string> lines;
  for (const lower::StageSpec& stage : stages) {
    if (stage.pipeline.empty() && &stage != &stages.back()) continue;
    std::string line = shellWords(wordsOf(stage));
    if (!stage.pipeline.empty()) line += " -pass-pipeline=" + shellWord(stage.pipeline);
    lines.push_back(line + (lines.empty() ? " minimal.mlir" : ""));
  }
  return joined(lines, " \\\n  | ");
}

std::string versionsOf(const session::Snapshot& s) {
  const std::string known =
      s.engine->sha256 == lower::pinnedEngineSha256() ? lower::pinnedEngineWheel() + ", " : "";
  std::string out = fmt::format("torch-mlir: {}{}\n", known, s.engine->version);
  if (const std::string& torch = s.capture->program->torchVersion; !torch.empty())
    out += "PyTorch: " + torch + "\n";
  return out;
}

void clean(Problem& problem, const Identity& identity) {
  PrivateText filter{identity};
  for (std::string* text : {&problem.error, &problem.module, &problem.litTest, &problem.script,
                            &problem.e2eTest, &problem.command})
    *text = filter.name(*text);
  for (std::string* text : {&problem.title, &problem.verified, &problem.versions})
    *text = filter.text(*text);
  for (std::string& fact : problem.facts) fact = filter.text(printable(fact));
  if (!problem.wrong) return;
  for (std::string* text : {&problem.wrong->difference, &problem.wrong->expectedBy})
    *text = filter.text(printable(*text));
  for (std::string& executor : problem.wrong->executors)
    executor = filter.text(printable(executor));
}

}  // namespace fxs::upstream
