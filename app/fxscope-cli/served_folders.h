// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The folders of a server: what is not below them is neither read nor written. Links are followed.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace fxs::cli {

class ServedFolders {
 public:
  /// Absolute and resolved, at least one; relative paths are below the first.
  explicit ServedFolders(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  const std::vector<std::string>& all() const { return folders_; }
  const std::string& first() const { return folders_.front(); }
  /// The path without links; Usage if it is not below a folder.
  Result<std::string> resolved(const std::string& path) const;
  /// Whether all paths that a word of an argument may have stay in the folders: "NAME=PATH" and
  /// lists are taken apart.
  Result<> check(const std::string& argument) const;

 private:
  std::vector<std::string> folders_;
};

}  // namespace fxs::cli
