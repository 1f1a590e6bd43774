// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_request.h"

#include "base/number_from.h"
#include "base/take_until.h"

namespace fxs::cli {
namespace {

/// "seed:7", "set:edges", "set:edges,seed:7"
Result<> setDrawnInputs(numbers::RunOptions& options, const std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view value = takeUntil(',', rest);
    const std::string_view key = takeUntil(':', value);
    const auto seed = key == "seed" ? numberFrom<std::uint64_t>(value) : std::nullopt;
    const auto set = key == "set" ? compare::inputSetNamed(takeUntil('.', value)) : std::nullopt;
    const auto round =
        value.empty() ? std::optional<std::size_t>(0) : numberFrom<std::size_t>(value);
    if (seed) options.seed = *seed;
    else if (set && round && *set != compare::InputSetKind::Given)
      options.set = set, options.round = *round;
    else if (key == "seed")
      return fail(ErrorCode::Usage,
                  "option '--inputs': '" + text + "' is not a seed such as seed:7");
    else
      return fail(ErrorCode::Usage, "option '--inputs': '" + text +
                                        "' is not a set such as set:edges; the sets are example, "
                                        "ordinary, steps, range, edges, nonfinite "
                                        "and shifted");
  }
  return {};
}

}  // namespace

std::vector<Option> withRunOptions(std::vector<Option> own) {
  const std::vector<Option> shared{
      {"--inputs", "FILE|seed:N|set:NAME",
       "inputs from a .npy, .npz or safetensors file, by name or in order; drawn with a seed "
       "(default: seed:0); or one set, also as "
       "set:NAME,seed:N or, of those that are drawn several times, set:NAME.1: example, ordinary, "
       "steps, range, edges, nonfinite, shifted"},
      {"--size", "SYMBOL=SIZE,..", "values of symbolic sizes (s0=4); the others are chosen", true}};
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

Result<> setRunOptions(numbers::RunOptions& options, const Arguments& arguments) {
  if (const auto inputs = arguments.get("--inputs")) {
    if (inputs->starts_with("seed:") || inputs->starts_with("set:"))
      FXS_CHECK(setDrawnInputs(options, *inputs));
    else options.inputsFile = *inputs;
  }
  for (const std::string& each : arguments.all("--size")) {
    const std::size_t equals = each.find('=');
    const auto size = equals == std::string::npos
                          ? std::nullopt
                          : numberFrom<std::int64_t>(std::string_view(each).substr(equals + 1));
    if (!size || equals == 0)
      return fail(ErrorCode::Usage, "option '--size': '" + each + "' is not a size such as s0=4");
    options.sizes[each.substr(0, equals)] = *size;
  }
  if (!options.inputsFile.empty() && !options.sizes.empty())
    return fail(
        ErrorCode::Usage,
        "--size cannot be used with a file of inputs, whose sizes are those of its tensors");
  return {};
}

}  // namespace fxs::cli
