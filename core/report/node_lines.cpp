// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/joined.h"
#include "base/safe_text.h"
#include "report/trace.h"

namespace fxs::report {
namespace {

/// The snapshot with the text of a stage, or the last one.
Result<std::size_t> snapshotOf(const lower::PassTrace& trace, const std::string& stage) {
  const int last =
      stage.empty() ? static_cast<int>(trace.snapshots.size()) - 1 : trace.lastOf(stage);
  if (last >= 0) return static_cast<std::size_t>(last);
  std::vector<std::string> stages;
  for (const lower::IrSnapshot& snapshot : trace.snapshots)
    if (std::find(stages.begin(), stages.end(), snapshot.stage) == stages.end())
      stages.push_back(snapshot.stage);
  return fail(ErrorCode::Usage, "option '--stage': the trace has no text of '" + printable(stage) +
                                    "'; it has " + joined(stages));
}

/// The 0-based lines of the node. What a whole dispatch computes says little of one line.
std::vector<std::uint32_t> linesOf(const trace::LineOrigins& lines, fx::NodeId node) {
  if (node.index() >= lines.linesByNode.size()) return {};
  std::vector<std::uint32_t> out = lines.linesByNode[node.index()];
  std::erase_if(
      out, [&](std::uint32_t line) { return lines.lines[line].link == trace::Link::Dispatch; });
  return out;
}

}  // namespace

Result<std::string> nodeLinesText(const NodeLinesReport& report) {
  const lower::PassTrace& passes = report.trace.passes();
  FXS_TRY(const std::size_t snapshot, snapshotOf(passes, report.stage));
  FXS_TRY(const auto text, report.trace.open(snapshot));
  const trace::LineOrigins origins = trace::lineOrigins(*text);
  const std::vector<std::uint32_t> lines = linesOf(origins, report.node);
  std::string out =
      fmt::format("{}: {} at {}, {} of {}\n\n", printable(report.input),
                  report.trace.nodeNames()[report.node.index()], passes.snapshots[snapshot].stage,
                  lines.size(), counted(origins.lines.size(), "line"));
  const std::vector<std::size_t>& starts = text->module->lineStarts;
  const std::string_view all = text->text;
  const std::size_t width = std::to_string(origins.lines.size()).size();
  for (const std::uint32_t line : lines) {
    const std::string_view rest = all.substr(starts[line]);
    out += fmt::format("{:>{}}  {}\n", line + 1, width,
                       printableLines(rest.substr(0, rest.find('\n'))));
  }
  return out;
}

}  // namespace fxs::report
