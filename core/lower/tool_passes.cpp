// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/tool_passes.h"

#include <algorithm>

#include "base/safe_text.h"
#include "lower/engine_program.h"

namespace fxs::lower {
namespace {

constexpr std::uint64_t kHelpOutput = std::uint64_t{4} << 20;
/// How far LLVM's --help indents passes, their options, and the values of an option.
constexpr std::size_t kPassIndent = 6, kOptionIndent = 8, kValueIndent = 4;

/// `--name=<value>   - summary`, without the indentation.
struct HelpEntry {
  std::string name, value, summary;
};

HelpEntry entryIn(std::string_view line) {
  HelpEntry out;
  line.remove_prefix(2);
  const std::size_t end = std::min(line.find_first_of(" =["), line.size());
  std::string_view name = line.substr(0, end);
  // A long name has no space before the dash.
  if (name.ends_with('-')) name.remove_suffix(1);
  out.name = name;
  if (const std::size_t open = line.find("=<"); open == end)
    out.value = line.substr(open + 2, line.find('>', open) - open - 2);
  if (const std::size_t dash = line.find("- ", name.size()); dash != std::string_view::npos) {
    const std::size_t begin = line.find_first_not_of(' ', dash + 1);
    if (begin != std::string_view::npos) out.summary = printable(line.substr(begin));
  }
  return out;
}

}  // namespace

std::vector<ToolPass> passesInHelp(std::string_view help) {
  std::vector<ToolPass> out;
  bool isPass = false;
  for (std::size_t begin = 0; begin < help.size();) {
    const std::size_t end = std::min(help.find('\n', begin), help.size());
    const std::string_view line = help.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = line.substr(indent);
    if (text.starts_with('=') && indent == kValueIndent) {
      if (isPass && !out.back().options.empty())
        out.back().options.back().choices.emplace_back(text.substr(1, text.find(' ') - 1));
    } else if (text.starts_with("--") && indent >= kOptionIndent) {
      if (!isPass) continue;
      HelpEntry entry = entryIn(text);
      out.back().options.push_back(
          {std::move(entry.name), std::move(entry.value), std::move(entry.summary), {}});
    } else if (text.starts_with("--") && indent == kPassIndent) {
      HelpEntry entry = entryIn(text);
      out.push_back({std::move(entry.name), std::move(entry.summary), {}});
      isPass = true;
    } else {
      isPass = false;
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const ToolPass& a, const ToolPass& b) { return a.name < b.name; });
  return out;
}

const ToolPass* passNamed(const std::vector<ToolPass>& passes, std::string_view name) {
  const auto found =
      std::lower_bound(passes.begin(), passes.end(), name,
                       [](const ToolPass& a, std::string_view b) { return a.name < b; });
  return found == passes.end() || found->name != name ? nullptr : &*found;
}

Result<std::vector<ToolPass>> passesOfTool(const Engine& tool, const Limits& limits,
                                           CommandRunner& runner, const RunContext& context) {
  Command command = engineProgram(tool, {"--help"});
  command.timeout = limits.timeout;
  command.outputLimit = kHelpOutput;
  FXS_TRY(const Exit help, runner.run(command, context.stop));
  if (!help.ok()) return fail(ErrorCode::EngineFailed, tool.path + ": --help did not end well");
  return passesInHelp(help.out);
}

}  // namespace fxs::lower
