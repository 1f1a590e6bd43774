// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/parts.h"

#include <algorithm>

#include "base/ascii.h"
#include "lit/limits.h"
#include "lit/lines.h"

namespace fxs::lit {
namespace {

bool isMarker(std::string_view line, std::string_view marker) {
  line = trimmed(line);
  return !marker.empty() && line.starts_with(marker) &&
         !line.substr(marker.size()).starts_with("//");
}

}  // namespace

std::vector<Part> partsOf(std::string_view text, std::string_view marker) {
  marker = trimmed(marker);
  std::vector<Part> out{{{0, text.size()}, 1}};
  forEachLine(text, [&](const Line& line) {
    if (!isMarker(line.range.of(text), marker)) return true;
    out.back().text.end = line.range.begin;
    const std::size_t next = std::min(text.find('\n', line.range.end), text.size());
    out.push_back({{std::min(next + 1, text.size()), text.size()}, line.number + 1});
    return out.size() < kMaxParts;
  });
  return out;
}

}  // namespace fxs::lit
