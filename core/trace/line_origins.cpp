// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "trace/origins.h"

namespace fxs::trace {

void LineOrigins::index() {
  linesByNode.clear();
  std::size_t count = 0;
  for (const LineOrigin& line : lines)
    for (const fx::NodeId id : line.nodes) count = std::max(count, id.index() + 1);
  linesByNode.resize(count);
  for (std::uint32_t i = 0; i < lines.size(); ++i)
    for (const fx::NodeId id : lines[i].nodes) linesByNode[id.index()].push_back(i);
}

LineOrigins lineOrigins(const OpenText& text) {
  const mlir::Module& module = *text.module;
  LineOrigins out;
  std::uint32_t lines = static_cast<std::uint32_t>(module.lineStarts.size());
  if (module.lineStarts.back() == module.text.size()) --lines;  // nothing follows the last newline
  out.lines.resize(lines);
  mlir::OpId innermost;  // of those that began on an earlier line
  std::size_t next = 0;
  for (std::uint32_t line = 0; line < lines; ++line) {
    while (innermost.valid() && module.op(innermost).lastLine < line)
      innermost = module.op(innermost).parent;
    const bool begins = next < module.ops.size() && module.ops[next].firstLine == line;
    const mlir::OpId op = begins ? mlir::OpId::of(next) : innermost;
    for (; next < module.ops.size() && module.ops[next].firstLine == line; ++next)
      if (module.ops[next].lastLine > line) innermost = mlir::OpId::of(next);
    if (!op.valid() || op.index() >= text.origins->size()) continue;
    const OpOrigin origin = text.origins->of(op);
    out.lines[line] = {origin.link, {origin.nodes.begin(), origin.nodes.end()}};
  }
  out.index();
  return out;
}

}  // namespace fxs::trace
