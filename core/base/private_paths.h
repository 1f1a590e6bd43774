// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Finds file paths in text, and the public part of a path: the part below site-packages or Python's
// standard library, else the file name. Used by PrivateText for text that is shared, and by reports
// for file names.
#include <cstdint>
#include <string>
#include <string_view>

namespace fxs {

/// The end offset of the path that starts at `at`, or `at` if none does. Recognizes absolute POSIX
/// and Windows paths, `~/..`, `~name/..` and `\\host\share`, also in quotes and with spaces or
/// brackets in folder names. URLs are not paths.
std::size_t endOfPath(std::string_view text, std::size_t at);
/// The end offset of a path whose beginning, up to `at`, is already known.
std::size_t restOfPath(std::string_view text, std::size_t at);

/// The part of an absolute path that reveals nothing about the machine; "" for a home folder.
std::string_view publicPart(std::string_view path);
/// Whether the path has the form of a path in a home folder; the file system is not accessed.
bool isInAHome(std::string_view path);

/// A path as reports show it: relative to `folder` if it is below it ("" for none), else its
/// publicPart(), or "(a home folder)". Relative paths without ".." are returned unchanged.
std::string shownPath(std::string_view path, std::string_view folder);

}  // namespace fxs
