#pragma once
// Where a path begins and ends in a text, and the part of it that is public: what is below site-packages or Python's own library, else the
// file's name. PrivateText uses it for texts that leave this machine, reports for the files that they name.
#include <cstdint>
#include <string>
#include <string_view>

namespace fxs {

/// Where the path that begins at `at` ends: an absolute one of POSIX or Windows, `~/..`, `~name/..`, `\\host\share`, also within quotes,
/// and with spaces or brackets in its folders' names; `at` when none begins there. Web addresses are none.
std::size_t endOfPath(std::string_view text, std::size_t at);
/// Where a path that was found by other means, up to `at`, ends.
std::size_t restOfPath(std::string_view text, std::size_t at);

/// The part of an absolute path that says nothing about the machine; "" of a home folder itself.
std::string_view publicPart(std::string_view path);
/// Whether it lies in somebody's home folder, by its shape.
bool isInAHome(std::string_view path);

/// How reports name files: below `folder` ("" for none) relative to it, else as publicPart does; a path that is relative already and does
/// not climb stays.
std::string shownPath(std::string_view path, std::string_view folder);

}  // namespace fxs
