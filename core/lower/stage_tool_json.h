// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The members of an output type's definition that say which program runs its stage: "tool",
// "prepare" and "writes".
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "lower/output_types.h"

namespace fxs::lower {

inline constexpr std::string_view kOutputTypesSchema = "fxscope-output-types/1";

/// A list of arguments; those that stand for lists are filled in. InvalidInput, naming the member.
Result<std::vector<std::string>> argumentsIn(const Json&, const Placeholders&);
/// Sets tool, preparations and form of `stage`. `folder`: for relative paths. InvalidInput, naming
/// the member.
Result<> toolAt(const Json& object, const std::string& folder, const Placeholders&,
                StageSpec& stage);
/// The first `${` of a text at which neither one of `own` ("${input}") nor a parameter is; npos if
/// there is none.
std::size_t unknownPlaceholder(std::string_view text, std::span<const std::string_view> own,
                               const Parameters&);
/// Writes those members that are not the defaults.
void writeTool(JsonWriter&, const StageSpec&);

}  // namespace fxs::lower
