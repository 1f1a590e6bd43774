// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stack_trace: parses the traceback into frames, and finds the user's own line.
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

void normalizeStackTrace(const Values& values, const fx::Node& node, NodeMetadata& out,
                         std::vector<MetadataChange>& changes) {
  const std::optional<std::string_view> text = values.program().meta(node, "stack_trace");
  if (!text) return;
  out.stack = fx::parseStackTrace(*text);
  const fx::StackFrame* user = fx::userFrame(out.stack);
  if (user) out.userLine = *user;
  const std::string after = user ? user->file + ":" + std::to_string(user->line) + " in " +
                                       user->function + " (frame " +
                                       std::to_string(user - out.stack.data() + 1) + " of " +
                                       std::to_string(out.stack.size()) + ")"
                                 : "unknown";
  std::string reason;
  if (!user)
    reason = out.stack.empty() ? "the text is not a Python traceback"
                               : "all its frames are PyTorch's own";
  changes.push_back({"stack_trace", shortened(*text), after, "", reason});
}

}  // namespace

void registerStackTrace(NormalizeRules& rules) {
  rules.add({"stack-trace", "the user's line is the innermost frame outside PyTorch", 60,
             normalizeStackTrace});
}

}  // namespace fxs::normalize
