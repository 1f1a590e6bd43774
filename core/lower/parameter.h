// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parameters of output types: values that the user may set without editing a file, such as the GPU
// to compile for. `${name}` in a pipeline or an argument stands for the value. A table of output
// types declares them; in a pipeline that the user gave, `${tile=8}` declares one with its default.
#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace fxs::lower {

struct Parameter {
  std::string name;      ///< "cuda-target"
  std::string value;     ///< "sm_80": the default, unless set
  std::string standard;  ///< the default
  std::string help;      ///< "the GPU: an architecture of CUDA"
  std::string pattern;   ///< a regular expression (RE2) that every value matches as a whole
  std::vector<std::string> values;  ///< usual ones
  bool isSet() const { return value != standard; }
  friend auto operator<=>(const Parameter&, const Parameter&) = default;
};
using Parameters = std::vector<Parameter>;

/// Null if there is none of that name.
const Parameter* parameterNamed(const Parameters&, std::string_view name);
/// The member "parameters" of a table; none if it is absent. InvalidInput if one is malformed, has
/// a default that is not allowed, or the name of one of `known`.
Result<Parameters> parametersAt(const Json& root, const Parameters& known);
/// Appends the member "parameters", with the values as defaults, if there are any.
void writeParameters(JsonWriter&, const Parameters&);

/// `text` with the value of each parameter.
std::string filledIn(std::string text, const Parameters&);
/// Those of `all` that the text mentions, and that `out` does not have, are appended to `out`.
void addMentioned(std::string_view text, const Parameters& all, Parameters& out);
/// Declares the `${tile=8}` of a pipeline: they become `${tile}` in it. InvalidInput, with the
/// position, if one is malformed or has no default.
Result<Parameters> declaredIn(std::string& pipeline);

/// "cuda-target=sm_89" of the command line. Usage if it is not NAME=VALUE.
struct Setting {
  std::string name, value;
};
Result<Setting> settingFrom(std::string_view text);
/// Usage, with a suggestion, if the value is not allowed.
Result<> setValue(Parameter&, const std::string& value);

}  // namespace fxs::lower
