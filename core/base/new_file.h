#pragma once
// A file that takes its name only when it is whole: written beside it, looked at there, then renamed. writeWholeFile does all of that at
// once.
#include <string>

#include "base/result.h"

namespace fxs {

class NewFile {
 public:
  /// In the folder of `path`, which messages name.
  explicit NewFile(std::string path) : path_(std::move(path)), partial_(path_ + ".XXXXXX") {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Writes it all; again: instead of what was written.
  Result<> write(const std::string& bytes);
  const std::string& partial() const { return partial_; }
  Result<> keepAs(const std::string& path);

 private:
  std::string path_;
  std::string partial_;
  bool made_ = false;
};

}  // namespace fxs
