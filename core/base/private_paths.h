#pragma once
// Texts that leave this machine name no folders of it.
#include <string>
#include <string_view>

namespace fxs {

/// Absolute paths in `text` (of POSIX and of Windows, also within quotes) shortened to what does not tell about the machine: the part below
/// site-packages or Python's own library, else the file's name. Web addresses stay.
std::string withoutPrivatePaths(std::string_view text);

}  // namespace fxs
