// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/opt_pipeline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/safe_text.h"
#include "base/take_until.h"
#include "lit/run.h"

namespace fxs::lit {
namespace {

constexpr std::string_view kDumped = "Pass Manager with ";

/// Without line breaks, and blanks beside braces, brackets and commas.
std::string joinedPipeline(std::string_view dumped) {
  constexpr std::string_view kTight = "(){},";
  std::string out;
  for (const char c : dumped) {
    const bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (isBlank && (out.empty() || out.back() == ' ' || kTight.find(out.back()) != kTight.npos))
      continue;
    if (kTight.find(c) != kTight.npos && !out.empty() && out.back() == ' ') out.pop_back();
    out += isBlank ? ' ' : c;
  }
  return std::string(trimmed(out));
}

/// What follows the heading of --dump-pass-pipeline, up to its closing parenthesis; "" if the text
/// has none.
std::string_view dumpedIn(std::string_view err) {
  const std::size_t at = err.find(kDumped);
  if (at == std::string_view::npos) return {};
  std::string_view rest = err.substr(at);
  takeUntil('\n', rest);
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '(') ++depth;
    if (rest[i] == ')' && --depth == 0) return rest.substr(0, i + 1);
  }
  return {};
}

}  // namespace

bool runsPasses(const Stage& stage) { return stage.kind == ProgramKind::Opt; }

Result<std::string> pipelineOf(const Plan& plan, std::size_t index, CommandRunner& runner,
                               const RunContext& context) {
  if (!runsPasses(plan.stages[index]))
    return fail(ErrorCode::Usage,
                printable(plan.stages[index].argv.front()) + " runs no pass pipeline");
  Plan ask = plan;
  ask.stages = {plan.stages[index]};
  Stage& stage = ask.stages.front();
  stage.argv.emplace_back("--dump-pass-pipeline");
  if (stage.input != Stage::Input::None) {
    stage.input = Stage::Input::File;
    stage.inputFile = plan.testFile;
  }
  stage.out = {Sink::Kind::Output, {}};
  stage.err = {Sink::Kind::Errors, {}};
  stage.endsPipeline = true;
  // -split-input-file runs nothing on a file without a byte.
  FXS_TRY(const TestRun asked, run(ask, "\n", runner, context));
  const StageRun& said = asked.stages.front();
  std::string pipeline = joinedPipeline(dumpedIn(said.err));
  if (!pipeline.empty() && !pipeline.ends_with("()")) return pipeline;
  if (!pipeline.empty())
    return fail(ErrorCode::Usage, printable(stage.argv.front()) + " runs no passes in this line");
  std::string_view err = said.err;
  return fail(ErrorCode::InvalidInput,
              printable(stage.argv.front()) + " does not print its pipeline" +
                  (err.empty() ? "" : ": " + printable(takeUntil('\n', err))));
}

}  // namespace fxs::lit
