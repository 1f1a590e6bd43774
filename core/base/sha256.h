// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace fxs {
/// The digest as 64 lower-case hex digits; Io if the file cannot be read.
std::string sha256(std::string_view bytes);
Result<std::string> sha256OfFile(const std::string& path);
/// The first 12 digits of a digest, by which messages and reports name it.
inline std::string shortSha256(std::string_view digest) {
  return std::string(digest.substr(0, 12));
}
}  // namespace fxs
