// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pass_timing.h"

#include "base/json.h"

namespace fxs::lower {
namespace {

/// Whether an entry is a pass; the report also lists other things.
bool isPass(std::string_view name) {
  for (const std::string_view other : {"Parser", "Output", "Rest", "Total", "root"})
    if (name == other) return false;
  return !name.starts_with("(A) ");
}

bool isPipeline(std::string_view name) {
  return name.starts_with('\'') && name.ends_with("' Pipeline");
}

/// Collects the `passes` of the outermost list or of a pipeline. Nested passes count towards the
/// time of their pass.
void collect(const Json& list, std::vector<PassTime>& out, int depth) {
  constexpr int kMaxDepth = 16;
  if (depth > kMaxDepth) return;
  for (const Json entry : list) {
    const auto nameOf = entry.find("name");
    if (!nameOf) continue;
    const std::string_view name = nameOf->asString().value_or("");
    if (isPipeline(name)) {
      if (const auto passes = entry.find("passes")) collect(*passes, out, depth + 1);
    } else if (isPass(name)) {
      const auto wall = entry.find("wall");
      const auto duration = wall ? wall->find("duration") : std::nullopt;
      out.push_back({std::string(name),
                     std::chrono::duration<double>(duration ? duration->asFloat().value_or(0) : 0),
                     name == "LocationSnapshot"});
    }
  }
}

}  // namespace

std::vector<PassTime> passTimes(std::string_view text) {
  constexpr std::string_view kBegin = "[\n{\"wall\"";
  std::size_t at = text.rfind(kBegin);
  if (at == std::string_view::npos) return {};
  const std::size_t end = text.find("\n]", at);
  if (end == std::string_view::npos) return {};
  const auto document = JsonDocument::parse(text.substr(at, end + 2 - at), "timing");
  std::vector<PassTime> out;
  if (document) collect((*document)->root(), out, 0);
  return out;
}

}  // namespace fxs::lower
