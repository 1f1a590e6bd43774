// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "served_folders.h"

#include <filesystem>

#include "base/joined.h"
#include "base/safe_text.h"

namespace fxs::cli {
namespace {

bool isBelow(const std::string& path, const std::string& folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

}  // namespace

Result<std::string> ServedFolders::resolved(const std::string& path) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path resolved = fs::weakly_canonical(fs::path(folders_.front()) / path, error);
  if (!error && path.find('\0') == std::string::npos)
    for (const std::string& folder : folders_)
      if (isBelow(resolved.string(), folder)) return resolved.string();
  return fail(ErrorCode::Usage, printableName(path) + " is not below " + joined(folders_, " or ") +
                                    ", the folders of this server");
}

Result<> ServedFolders::check(const std::string& argument) const {
  std::string piece;
  for (const char c : argument + ",") {
    if (c != ',' && c != '=') {
      piece += c;
      continue;
    }
    if (!piece.empty() && piece != "-") FXS_CHECK(resolved(piece));
    piece.clear();
  }
  return {};
}

}  // namespace fxs::cli
