// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pipeline_text.h"

#include <fmt/format.h>

#include "mlir/text/token_ends.h"

namespace fxs::lower {

Result<std::vector<PipelinePass>> parsePipeline(std::string_view text) {
  const auto wrong = [&](std::size_t at, std::string_view message) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("pass pipeline, character {}: {}", at, message));
  };
  std::vector<PipelinePass> out;
  std::vector<std::string> open;  // anchors, the outermost first
  std::size_t at = 0;
  while (true) {
    at = std::min(text.find_first_not_of(" \t\r\n,", at), text.size());
    if (at == text.size()) return wrong(at, "unclosed bracket");
    if (text[at] == ')') {
      if (open.empty()) return wrong(at, "unmatched ')'");
      open.pop_back();
      ++at;
      if (open.empty()) return out;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of("(){}, \t\r\n", at), text.size());
    if (end == at) return wrong(at, fmt::format("expected a pass, got '{}'", text[at]));
    const std::string name(text.substr(at, end - at));
    at = end;
    if (at < text.size() && text[at] == '(') {
      open.push_back(name);
      ++at;
      continue;
    }
    if (open.empty()) return wrong(at, "expected '(' after the outermost operation '" + name + "'");
    PipelinePass pass{{open.begin() + 1, open.end()}, name, {}};
    if (at < text.size() && text[at] == '{') {
      const std::size_t after = mlir::afterBracket(text, at);
      if (after == std::string_view::npos) return wrong(at, "unclosed '{'");
      pass.options = trimmed(text.substr(at + 1, after - at - 2));
      at = after;
    }
    out.push_back(std::move(pass));
  }
}

std::string textOf(const PipelinePass& pass) {
  std::string out;
  for (const std::string& anchor : pass.anchors) out += anchor + "(";
  out += pass.pass;
  if (!pass.options.empty()) out += "{" + pass.options + "}";
  out.append(pass.anchors.size(), ')');
  return out;
}

}  // namespace fxs::lower
