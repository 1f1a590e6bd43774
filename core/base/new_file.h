#pragma once
// Writes a file atomically: to a temporary file in the same folder, where it can be checked before it is renamed. writeWholeFile does
// all of it in one call.
#include <string>

#include "base/result.h"

namespace fxs {

class NewFile {
 public:
  /// The temporary file is created next to `path`; error messages name `path`.
  explicit NewFile(std::string path) : path_(std::move(path)), partial_(path_ + ".XXXXXX") {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Replaces the whole content of the temporary file. Io.
  Result<> write(const std::string& bytes);
  const std::string& partial() const { return partial_; }  ///< path of the temporary file, once written
  Result<> keepAs(const std::string& path);                ///< renames the temporary file, which is otherwise removed by the destructor; Io

 private:
  std::string path_;
  std::string partial_;
  bool made_ = false;
};

}  // namespace fxs
