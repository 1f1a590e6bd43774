#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace fxs {
/// 64 lower-case hex digits.
std::string sha256(std::string_view bytes);
Result<std::string> sha256OfFile(const std::string& path);
}  // namespace fxs
