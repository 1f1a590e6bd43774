#pragma once
// A temporary directory. It is removed with its object; one left by a killed process is removed when the next is created.
#include <string>

#include "base/result.h"

namespace fxs {

class ScratchDirectory {
 public:
  /// A new one, for this user only, in `parent`, which is made where it is missing. `what`: what it is for, for the error ("the snapshots
  /// of a trace"). Io when there can be none, or `parent` is "".
  static Result<ScratchDirectory> make(const std::string& parent, const std::string& what);
  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  ScratchDirectory(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;
};

}  // namespace fxs
