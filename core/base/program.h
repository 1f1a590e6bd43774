// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Resolves a program's name to a path, and identifies its file, so that the file that was inspected
// is the one that runs.
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace fxs {

/// Identifies a version of a file by its metadata, to detect changes without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< st_mtim, nanoseconds since 1970
  std::int64_t changed = 0;   ///< st_ctim, likewise; programs cannot set it
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
/// std::nullopt if the file cannot be examined.
std::optional<FileIdentity> identityOf(const std::string& path);
/// Whether the file has the content that it had when it was `inspected`. Where only `changed`
/// differs, which a hard link or a new owner sets too, the content decides, if its SHA-256 is known
/// ("" if not).
bool isStill(const std::string& path, const FileIdentity& inspected, const std::string& sha256);

/// Whether the file starts with "#!"; false if it cannot be read.
bool isScript(const std::string& path);

/// The absolute path of a program: of `name` itself if it contains a slash (not checked to exist),
/// else of the first executable file of that name in `searchPath`, separated like PATH; relative
/// and empty entries are skipped. NotFound if there is none.
Result<std::string> findProgram(const std::string& name, const std::string& searchPath);

}  // namespace fxs
