// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/source_location.h"

#include "base/private_paths.h"
#include "base/private_text.h"

namespace fxs::report {

SourceLocation sourceLocationOf(const fx::Program& program, fx::NodeId id) {
  SourceLocation location;
  if (!id.valid() || id.index() >= program.nodes.size()) return location;
  const fx::Node& node = program.node(id);
  const std::vector<fx::ModuleFrame> modules = fx::modulesOf(program, node);
  if (!modules.empty()) location.module = modules.back().path;
  const std::vector<fx::StackFrame> stack = fx::stackOf(program, node);
  if (const fx::StackFrame* frame = fx::userFrame(stack)) location.line = *frame;
  return location;
}

std::string Paths::of(const std::string& path) const {
  return full ? path : shownPath(path, folder);
}
std::string Paths::in(const std::string& text) const {
  return full ? text : PrivateText().name(text);
}

std::string fileNameOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(slash == std::string::npos ? 0 : slash + 1);
}

}  // namespace fxs::report
