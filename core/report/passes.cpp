// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/passes.h"

#include <algorithm>

#include "base/joined.h"
#include "base/json.h"
#include "report/line.h"

namespace fxs::report {
namespace {

constexpr std::size_t kWidestName = 44;

std::size_t nameWidth(const std::vector<lower::ToolPass>& passes) {
  std::size_t out = 0;
  for (const lower::ToolPass& pass : passes) out = std::max(out, pass.name.size());
  return std::min(out, kWidestName);
}

std::string headOf(const lower::PassOption& option) {
  if (option.choices.empty())
    return option.name + (option.value.empty() ? "" : "=<" + option.value + ">");
  return option.name + "=" + joined(option.choices, "|");
}

}  // namespace

std::string passesText(const std::vector<lower::ToolPass>& passes, bool options) {
  std::string out;
  const std::size_t width = nameWidth(passes);
  for (const lower::ToolPass& pass : passes) {
    out += pass.summary.empty() ? line("{}\n", pass.name)
                                : line("{:{}}  {}\n", pass.name, width, pass.summary);
    if (!options) continue;
    for (const lower::PassOption& option : pass.options) {
      out += line("  {}\n", headOf(option));
      if (!option.summary.empty()) out += line("      {}\n", option.summary);
    }
  }
  return out;
}

std::string passesJson(const std::string& tool, const std::vector<lower::ToolPass>& passes) {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-passes/1").member("tool", tool);
  json.key("passes").beginArray();
  for (const lower::ToolPass& pass : passes) {
    json.beginObject().member("name", pass.name).member("summary", pass.summary);
    json.key("options").beginArray();
    for (const lower::PassOption& option : pass.options)
      json.beginObject()
          .member("name", option.name)
          .textOrNull("value", option.value)
          .member("choices", option.choices)
          .member("summary", option.summary)
          .endObject();
    json.endArray().endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
