// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Remembers across processes that files have the checksums that they should have, for as long as
// their size, times and inode stay the same.
#include <string>
#include <utility>
#include <vector>

namespace fxs::execute {

class VerifiedFiles {
 public:
  /// `files`: paths, each with its checksum. `cacheDir`: "" to remember nothing.
  VerifiedFiles(const std::string& cacheDir,
                const std::vector<std::pair<std::string, std::string>>& files);

  /// Whether keep() was called for these very files. Not believed where another user could have
  /// written that.
  bool known() const;
  /// Remembers the files as they were when this object was made, before they were read. Write
  /// errors are ignored.
  void keep() const;

 private:
  std::string state_;  ///< of all files; "" if one cannot be examined
  std::string folder_, file_;
};

}  // namespace fxs::execute
