// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A file that gets its name when it is complete, so that neither a full disk nor a killed process
// leaves a part of it under that name. Until then it has none where the file system allows that
// (O_TMPFILE), and is hidden next to its place elsewhere; one that a killed process left there is
// replaced by the next write. writeWholeFile does all of it in one call.
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace fxs {

/// The error of a write to `path` that failed with this errno: DiskFull where there is no room,
/// with a way out; otherwise Io. A file in a scratch directory is named by the folder of that
/// directory.
Error writeError(const std::string& path, int code);

class NewFile {
 public:
  /// A file for `path`, which is only created by write() or open(); error messages name `path`.
  explicit NewFile(std::string path) : path_(std::move(path)) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Creates the file without a name, once. Errors are those of writeError().
  Result<> open();
  /// Replaces the whole content. Creates the file if needed.
  Result<> write(std::string_view bytes);
  /// Writes what is buffered to the disk: some file systems report only then that it is full.
  Result<> flush();
  /// Names the file `path`, in the same folder; replaces what is there.
  Result<> keepAs(const std::string& path);

  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }
  /// A path under which this process, and no other, can open the file until it has a name.
  std::string openPath() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }
  /// The open file, which is the caller's from now on.
  Fd take() { return std::move(fd_); }

 private:
  std::string hidden() const;

  std::string path_;
  Fd fd_;
  bool isHidden_ = false;  ///< it is at hidden(), locked
};

}  // namespace fxs
