// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Unions of PyTorch's export schema: JSON objects with one member, whose name is the kind:
// {"as_int": 3}.
#include <string_view>

#include "base/json.h"

namespace fxs::read::pt2 {

struct OneOf {
  std::string_view kind;
  Json value;
};

inline Result<OneOf> oneOf(const Json& json) {
  FXS_TRY(Json object, json.asObject());
  if (object.size() != 1)
    return tl::unexpected<Error>(object.error("expected one member that names the kind, got " +
                                              std::to_string(object.size())));
  Json member = *object.begin();
  return OneOf{member.key(), member};
}

inline tl::unexpected<Error> invalid(const Json& at, std::string message) {
  return tl::unexpected<Error>(at.error(std::move(message)));
}

/// The member; std::nullopt if it is absent or null.
inline std::optional<Json> present(const Json& object, std::string_view key) {
  auto member = object.find(key);
  return member && !member->isNull() ? member : std::nullopt;
}

}  // namespace fxs::read::pt2
