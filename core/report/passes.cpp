// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/passes.h"

#include <algorithm>

#include "base/joined.h"
#include "base/json_form.h"
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

namespace {

struct PassesReport {
  const std::string& tool;
  const std::vector<lower::ToolPass>& passes;
};

JsonAnswer<PassesReport> passesAnswer() {
  using lower::PassOption, lower::ToolPass;
  const JsonForm<PassOption> option = {{"name", &PassOption::name},
                                       {"value", &PassOption::value, nullIfEmpty,
                                        "what it expects, such as 'long'; null for a flag"},
                                       {"choices", &PassOption::choices},
                                       {"summary", &PassOption::summary}};
  const JsonForm<ToolPass> pass = {{"name", &ToolPass::name},
                                   {"summary", &ToolPass::summary, "empty if it has none"},
                                   {"options", &ToolPass::options, option}};
  return {"fxscope-passes/1",
          "fxscope-cli passes --json",
          {{"tool", [](const PassesReport& report) { return report.tool; }},
           {"passes", [](const PassesReport& report) -> auto& { return report.passes; }, pass}}};
}

}  // namespace

std::string passesJson(const std::string& tool, const std::vector<lower::ToolPass>& passes) {
  return passesAnswer().text({tool, passes});
}
std::string passesSchema() { return passesAnswer().schemaText(); }

}  // namespace fxs::report
