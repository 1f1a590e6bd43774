#pragma once
// Resolves a program's name to one path, once; the file that was inspected is the one that runs.
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace fxs {

/// Detects whether a file was changed, without reading it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  std::int64_t changed = 0;   ///< the same of the inode; no program can set it back
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
/// std::nullopt when there is no such file.
std::optional<FileIdentity> identityOf(const std::string& path);

/// Whether another program runs it: it begins with "#!".
bool isScript(const std::string& path);

/// The one absolute path of a program: `name` itself where it has a slash, else the first executable file of that name in the folders of
/// `searchPath` (as PATH has them; relative and empty ones are passed over). NotFound otherwise.
Result<std::string> findProgram(const std::string& name, const std::string& searchPath);

}  // namespace fxs
