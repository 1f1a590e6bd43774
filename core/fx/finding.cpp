// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/finding.h"

namespace fxs::fx {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: break;
  }
  return "error";
}

Finding findingAt(const Program& program, const Node& node, std::string kind, std::string message) {
  const Node& own = program.originOf(node);
  Finding out;
  out.node = own.id;
  out.nodeName = own.name;
  out.target = own.target;
  out.kind = std::move(kind);
  out.message = std::move(message);
  return out;
}

}  // namespace fxs::fx
