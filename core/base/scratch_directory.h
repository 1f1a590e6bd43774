// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A temporary directory that its destructor removes. Those left behind by killed processes are
// removed when the next one is created.
#include <string>

#include "base/result.h"

namespace fxs {

class ScratchDirectory {
 public:
  /// Creates a directory in `parent`, accessible to this user only; creates `parent` if missing.
  /// `subject` says in errors what it is for ("the snapshots of a trace"). Io if it cannot be
  /// created or `parent` is "".
  static Result<ScratchDirectory> make(const std::string& parent, const std::string& subject);
  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();
  /// What messages say for a path: of one in such a directory, the folder that has the directory.
  static std::string shownPath(const std::string& path);
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  ScratchDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;
};

}  // namespace fxs
