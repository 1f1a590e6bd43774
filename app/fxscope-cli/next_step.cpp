// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "next_step.h"

#include <algorithm>
#include <array>

#include "base/safe_text.h"

namespace fxs::cli {
namespace {

/// Options of an answer or of one command, which the next one does without.
constexpr std::array<std::string_view, 20> kOwnOptions{"--as",
                                                       "--color",
                                                       "--wide",
                                                       "--coverage",
                                                       "--export-test",
                                                       "--fix",
                                                       "--format",
                                                       "--full-paths",
                                                       "--inputs",
                                                       "--json",
                                                       "--no-experiments",
                                                       "--numbers",
                                                       "--python",
                                                       "--size",
                                                       "--stub",
                                                       "--timings",
                                                       "--via",
                                                       "--weights",
                                                       "--yes",
                                                       "-o"};
/// Of these, what a comparison takes over: how values are computed.
constexpr std::array<std::string_view, 4> kNumberOptions{"--inputs", "--python", "--size", "--via"};

template <std::size_t n>
bool has(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Option* optionNamed(const std::vector<Option>& options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

bool comparesNumbers(const std::vector<std::string>& arguments) {
  return arguments.front() == "compare" ||
         std::find(arguments.begin(), arguments.end(), "--wrong") != arguments.end();
}

/// Whether it is a file that the command wrote: `fix --python FIXED.py`.
bool isWritten(std::string_view option, std::string_view value) {
  return option == "--python" && value.ends_with(".py");
}

/// The options of the command that the arguments begin with.
std::vector<Option> optionsOfNext(const std::vector<std::string>& arguments) {
  Commands commands;
  registerAllCommands(commands);
  for (const Command& command : commands.commands())
    if (command.name == arguments.front()) return optionsOf(command);
  return {};
}

}  // namespace

std::optional<diagnose::NextStep> withOptions(std::optional<diagnose::NextStep> step,
                                              const Arguments& given) {
  if (!step) return std::nullopt;
  const std::vector<std::string> own = step->arguments;
  const std::vector<Option> known = optionsOfNext(own);
  const bool isNumeric = comparesNumbers(own);
  const auto isInStep = [&](std::string_view name) {
    return std::find(own.begin(), own.end(), name) != own.end();
  };
  // What defines the output types is in the step's own.
  const bool hasTypes = isInStep("--to");
  for (const auto& [name, values] : given.given()) {
    const bool isOption = name.starts_with("-");
    const bool isOfTypes = hasTypes && (name == "--set" || name == "--output-types");
    if (!isOption || isInStep(name) || isOfTypes) continue;
    const bool isTaken = !has(kOwnOptions, name) || (isNumeric && has(kNumberOptions, name));
    if (!isTaken) continue;
    const Option* option = optionNamed(known, name);
    if (option == nullptr) return std::nullopt;
    if (option->value.empty()) step->arguments.push_back(name);
    for (const std::string& value : values)
      if (!isWritten(name, value)) step->arguments.insert(step->arguments.end(), {name, value});
  }
  return step;
}

std::string nextLines(const std::optional<diagnose::NextStep>& step, const TextLayout& layout) {
  if (!step) return {};
  return "\n" + laidOut({{"next:", Tone::Good}, {" " + printable(step->message)}}, 2, layout) +
         commandLaidOut("  fxscope-cli " + shellWords(step->arguments), layout);
}

}  // namespace fxs::cli
