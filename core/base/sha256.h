#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace fxs {
/// The digest as 64 lower-case hex digits; Io if the file cannot be read.
std::string sha256(std::string_view bytes);
Result<std::string> sha256OfFile(const std::string& path);
}  // namespace fxs
