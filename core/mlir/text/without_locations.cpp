// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/without_locations.h"

#include <algorithm>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

std::string withoutLocations(std::string_view text) {
  constexpr std::string_view kOpening = " loc(";
  constexpr std::string_view kAlias = "#loc";
  const Module module(text);
  std::vector<TextRange> left;
  const auto leaveOut = [&](TextRange body) {
    if (body.begin >= body.end || body.begin < kOpening.size()) return;
    const std::size_t begin = body.begin - kOpening.size();
    if (text.substr(begin, kOpening.size()) == kOpening) left.push_back({begin, body.end + 1});
  };
  for (const Op& op : module.ops) leaveOut(op.location);
  for (const Value& value : module.values) leaveOut(value.location);
  for (std::size_t i = 0; i < module.lineStarts.size(); ++i) {
    const std::size_t begin = module.lineStarts[i];
    const std::size_t end =
        i + 1 < module.lineStarts.size() ? module.lineStarts[i + 1] : text.size();
    if (text.substr(begin).starts_with(kAlias)) left.push_back({begin, end});
  }
  std::sort(left.begin(), left.end(),
            [](const TextRange& a, const TextRange& b) { return a.begin < b.begin; });
  std::string out;
  std::size_t at = 0;
  for (const TextRange& range : left) {
    out += text.substr(at, std::max(range.begin, at) - at);
    at = std::max(at, range.end);
  }
  return out += text.substr(at);
}

}  // namespace fxs::mlir
