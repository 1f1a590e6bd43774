// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A folder of the fuzzer's own, emptied before each input and gone with the process.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fxs::fuzz {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fxscope-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() { remove(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  /// An empty folder in it.
  std::string emptied(const std::string& name) const {
    const std::string folder = path_ + "/" + name;
    remove(folder);
    std::filesystem::create_directories(folder);
    return folder;
  }
  static void write(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

 private:
  static void remove(const std::string& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path_;
};

}  // namespace fxs::fuzz
