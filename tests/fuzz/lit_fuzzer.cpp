// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lit tests as data: whatever the text, its parts lie in it, only programs that the settings know
// are planned and only files in the folder are written, what FileCheck is said to say is read, and
// a test that is written is read back as the command that it was made from.
#include <algorithm>

#include "fuzz_input.h"
#include "lit/checks.h"
#include "lit/expectations.h"
#include "lit/limits.h"
#include "lit/matches.h"
#include "lit/parts.h"
#include "lit/plan.h"
#include "lit/reproducer.h"
#include "lit/test.h"
#include "lit/write_test.h"

using namespace fxs;

namespace {

void checkInside(TextRange range, std::string_view text) {
  fuzz::require(range.begin <= range.end && range.end <= text.size(), "a range is in the text");
}

void checkText(std::string_view text) {
  for (const lit::Check& check : lit::checksOf(text, {"CHECK", "OTHER"})) {
    checkInside(check.directive, text);
    checkInside(check.pattern, text);
  }
  for (const lit::Expectation& expectation : lit::expectationsOf(text))
    checkInside(expectation.text, text);
  std::uint32_t last = 0;
  for (const lit::Part& part : lit::partsOf(text)) {
    checkInside(part.text, text);
    fuzz::require(last < part.line, "parts are in order");
    last = part.line;
  }
  if (const auto found = lit::reproducerOf(text))
    fuzz::require(found->pipeline.size() <= text.size(), "a pipeline is a part of the text");
}

bool isInFolder(const lit::Sink& sink) {
  const bool isFile = sink.kind == lit::Sink::Kind::File || sink.kind == lit::Sink::Kind::Append;
  return !isFile || sink.file == "/dev/null" ||
         (!sink.file.starts_with('/') && !sink.file.starts_with("../") &&
          sink.file.find("/../") == std::string::npos);
}

void checkPlan(const lit::Test& test) {
  lit::Settings settings;
  settings.programs = {{"mlir-opt", "/b/opt"}, {"FileCheck", "/b/FileCheck"}, {"cat", "/b/cat"}};
  settings.file = "/t/x.mlir";
  const lit::Plan plan = lit::plan(test, settings);
  fuzz::require(plan.stages.size() <= lit::kMaxStages, "a plan is bounded");
  for (const lit::Stage& stage : plan.stages) {
    fuzz::require(stage.argv.front().starts_with("/b/"), "a program of the settings is run");
    fuzz::require(isInFolder(stage.out) && isInFolder(stage.err), "files stay in the folder");
  }
  for (const lit::RunLine& run : test.runs)
    fuzz::require(run.message.empty() != run.pipelines.empty(), "a line is understood or refused");
}

void checkWritten(std::string_view text, std::string_view output) {
  const auto written =
      lit::writeTest({.input = text,
                      .argv = {"mlir-opt", std::string(output.substr(0, 64)), "%s"},
                      .output = output});
  if (!written) return;
  const lit::Test test = lit::parseTest(*written);
  fuzz::require(test.runs.size() == 1 && test.messages.empty() && test.conditions.empty(),
                "a written test has one RUN line and no other directive");
  fuzz::require(test.runs.front().message.empty(), "a written RUN line is understood");
  fuzz::require(test.runs.front().pipelines.front().front().argv.size() == 3,
                "a written RUN line has the words that it was made from");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all = fuzz::textOf(data, size);
  std::string_view rest = all;
  const std::string_view text = fuzz::takeMember(rest);
  const lit::Test test = lit::parseTest(all);
  checkText(all);
  checkPlan(test);
  const lit::Matches matches = lit::readFileCheck(all);
  fuzz::require(matches.all.size() <= size, "a match has a line");
  for (const lit::Match& match : matches.all)
    if (match.input) checkInside(lit::rangeIn(text, *match.input), text);
  checkWritten(text, rest);
  return 0;
}
