// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes JSON members that are common to several reports.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace fxs::report {

/// null for "".
inline void orNull(JsonWriter& json, std::string_view key, const std::string& value) {
  if (value.empty()) json.key(key).null();
  else json.member(key, value);
}

inline void strings(JsonWriter& json, std::string_view key,
                    const std::vector<std::string>& values) {
  json.key(key).beginArray();
  for (const std::string& v : values) json.value(v);
  json.endArray();
}

/// null for nullopt.
inline void stringsOrNull(JsonWriter& json, std::string_view key,
                          const std::optional<std::vector<std::string>>& values) {
  if (values) strings(json, key, *values);
  else json.key(key).null();
}

}  // namespace fxs::report
