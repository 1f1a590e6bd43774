// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Objects of JSON in which a member that is not known is an error: in what users write it is
// usually misspelt; in files that are replaced, what is not known would be lost.
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace fxs {

/// InvalidInput at the first member that is not among `known`, which it lists, or if `object` is
/// not an object.
Result<> checkMembers(const Json& object, std::span<const std::string_view> known);
/// The same for a file that this program writes: a newer one may have written the member.
Result<> checkKeptMembers(const Json& object, std::initializer_list<std::string_view> known);

}  // namespace fxs
