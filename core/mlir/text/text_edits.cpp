// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/text_edits.h"

#include <algorithm>

#include "base/ascii.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

std::string TextEdits::applied(std::string_view text) const {
  std::vector<TextEdit> edits = edits_;
  std::stable_sort(edits.begin(), edits.end(),
                   [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    if (edit.begin < at) continue;
    out.append(text.substr(at, edit.begin - at)).append(edit.text);
    at = edit.end;
  }
  return out.append(text.substr(std::min(at, text.size())));
}

std::vector<std::string_view> topLevelParts(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    if (const std::string_view part = trimmed(text.substr(begin, end - begin)); !part.empty())
      out.push_back(part);
    begin = end + 1;
  };
  walkTopLevel(text, 0, text.size(), [&](std::size_t i) {
    if (text[i] == ',') take(i);
    return false;
  });
  take(text.size());
  return out;
}

}  // namespace fxs::mlir
