// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/line.h"

#include <tuple>

#include "base/json_form.h"

namespace fxs::sweep {
namespace {

constexpr JsonLimits kLineLimits{std::uint64_t{16} << 20, 16};

JsonForm<Line> lineForm() {
  return JsonForm<Line>{{"program", &Line::program, "relative to the path that was swept"}}
      .with(outcomeForm("to", {{"id", &Fix::id}}))
      .with({{"nodes", &Line::nodes, "of the program; 0 if it is unreadable"},
             {"sha256", &Line::sha256, nullIfEmpty, "of the file"},
             {"options", &Line::options, "what else the outcome depends on"},
             {"fxscope", &Line::fxscope, "version"},
             {"engine", itself,
              JsonForm<Line>{{"version", &Line::engine}, {"sha256", &Line::engineSha256}}},
             {"seconds", &Line::seconds, timesForm(),
              "reading and diagnosing are done for all output types of a program together"},
             {"peak_memory", &Line::peakMemory, nullIfEmpty,
              "bytes: the largest resident size of fxscope or the engine"}});
}

}  // namespace

bool sameOutcome(const Line& a, const Line& b) {
  const auto said = [](const Line& l) {
    return std::tie(l.program, l.to, l.status, l.stage, l.message, l.blockers, l.complete,
                    l.fixedLowers, l.nodes, l.sha256, l.options, l.fxscope, l.engine,
                    l.engineSha256);
  };
  return said(a) == said(b);
}

JsonForm<Line> outcomeForm(std::string_view typeKey, JsonForm<Fix> fix) {
  fix = std::move(fix).with(
      {{"change", &Fix::change, "decompose aten.gelu.default"},
       {"verified", &Fix::verified, JsonNames{"by-itself", "whole-lowers", "whole-computes"}}});
  const JsonForm<Blocker> blocker = {
      {"operator", &Blocker::fxTarget, "aten.diff.default; the MLIR operation if no node is known"},
      {"class", &Blocker::kind, "as kind in diagnose.schema.json"},
      {"nodes", &Blocker::nodes},
      {"operations", &Blocker::operations, "distinct operations among the nodes"},
      {"fix", &Blocker::fix, fix, "the best verified one"},
      {"lines", &Blocker::lines,
       JsonForm<SourceLine>{
           {"file", &SourceLine::file, "relative to the folder in which the sweep ran"},
           {"line", &SourceLine::line, atLeast(1)}},
       absentIfEmpty, "the innermost lines of Python in the folder in which the sweep ran"}};
  return {
      {typeKey, &Line::to, "the output type"},
      {"status", &Line::status, JsonNames(Status::Abandoned, "status"),
       "breach: lowered to a text that does not keep the contract of the output type; abandoned: "
       "not known, because fxscope or the engine exceeded a limit, was killed or gave no answer"},
      {"stage", &Line::stage, nullIfEmpty, "where it stopped"},
      {"message", &Line::message, nullIfEmpty, "the first error"},
      {"blockers", &Line::blockers, blocker},
      {"complete", &Line::complete, "whether the rest lowers without the blockers"},
      {"fixed_lowers", &Line::fixedLowers, "whether the whole program lowers with the fixes"}};
}

JsonForm<LineTimes> timesForm() {
  return {
      {"read", &LineTimes::read}, {"lower", &LineTimes::lower}, {"diagnose", &LineTimes::diagnose}};
}

const JsonAnswer<Line>& lineAnswer() {
  static const JsonAnswer<Line> answer{
      kLineSchema, "One line of fxscope-cli sweep: a program and an output type", lineForm()};
  return answer;
}

std::string lineText(const Line& line) { return onOneLine(lineAnswer().text(line)); }

Result<Line> lineFrom(std::string_view text, const std::string& label, const RunContext& context) {
  FXS_TRY(const auto document, JsonDocument::parse(text, label, kLineLimits, context));
  if (document->root().textOrEmpty("schema") != kLineSchema)
    return fail(ErrorCode::InvalidInput,
                label + ": is not a line of " + std::string(kLineSchema) +
                    ", which 'fxscope-cli sweep' writes; pass its results");
  Line out;
  FXS_CHECK(lineAnswer().form.read(document->root(), out));
  return out;
}

}  // namespace fxs::sweep
