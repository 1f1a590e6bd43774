// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The members of an output type's definition that say which program runs its stage: "tool",
// "prepare" and "writes".
#include <string>

#include "base/json.h"
#include "lower/output_types.h"

namespace fxs::lower {

/// A list of arguments; `lists` are filled in. InvalidInput, naming the member.
Result<std::vector<std::string>> argumentsIn(const Json&, const ArgumentLists& lists);
/// Sets tool, preparations and form of `stage`. `folder`: for relative paths. InvalidInput, naming
/// the member.
Result<> toolAt(const Json& object, const std::string& folder, const ArgumentLists&,
                StageSpec& stage);
/// Writes those members that are not the defaults.
void writeTool(JsonWriter&, const StageSpec&);

}  // namespace fxs::lower
