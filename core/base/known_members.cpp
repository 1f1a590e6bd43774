// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/known_members.h"

#include <algorithm>
#include <string>

#include "base/joined.h"

namespace fxs {
namespace {

Result<> checkKnown(const Json& object, std::span<const std::string_view> known, const auto& hint) {
  FXS_CHECK(object.asObject());
  for (const Json member : object)
    if (std::find(known.begin(), known.end(), member.key()) == known.end())
      return tl::unexpected<Error>(member.error("unknown member; " + hint()));
  return {};
}

}  // namespace

Result<> checkMembers(const Json& object, std::span<const std::string_view> known) {
  return checkKnown(object, known, [&] { return "expected " + joined(known); });
}

Result<> checkKeptMembers(const Json& object, std::initializer_list<std::string_view> known) {
  return checkKnown(object, known,
                    [] { return std::string("a newer fxscope may have written it"); });
}

}  // namespace fxs
