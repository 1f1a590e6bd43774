#include "run_request.h"

#include <charconv>

namespace fxs::cli {
namespace {

template <class Number>
std::optional<Number> numberIn(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<Option> withRunOptions(std::vector<Option> own) {
  const std::vector<Option> shared{
      {"--inputs", "FILE|seed:N",
       "inputs from a .npy, .npz or safetensors file, by name or in order; or drawn with a seed (default: seed:0)"},
      {"--size", "SYMBOL=SIZE,..", "values of symbolic sizes (s0=4); the others are chosen", true}};
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

Result<> setRunOptions(session::RunOptions& options, const Arguments& arguments) {
  if (const auto inputs = arguments.get("--inputs")) {
    if (inputs->starts_with("seed:")) {
      const auto seed = numberIn<std::uint64_t>(std::string_view(*inputs).substr(5));
      if (!seed) return fail(ErrorCode::Usage, "option '--inputs': '" + *inputs + "' is not a seed such as seed:7");
      options.seed = *seed;
    } else {
      options.inputsFile = *inputs;
    }
  }
  for (const std::string& each : arguments.all("--size")) {
    const std::size_t equals = each.find('=');
    const auto size = equals == std::string::npos ? std::nullopt : numberIn<std::int64_t>(std::string_view(each).substr(equals + 1));
    if (!size || equals == 0) return fail(ErrorCode::Usage, "option '--size': '" + each + "' is not a size such as s0=4");
    options.sizes[each.substr(0, equals)] = *size;
  }
  if (!options.inputsFile.empty() && !options.sizes.empty())
    return fail(ErrorCode::Usage, "--size cannot be used with a file of inputs, whose sizes are those of its tensors");
  return {};
}

}  // namespace fxs::cli
