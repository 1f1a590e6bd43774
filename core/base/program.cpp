// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/sha256.h"

namespace fxs {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool isProgram(const std::string& path) {
  struct stat file{};
  return ::stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<FileIdentity> identityOf(const std::string& path) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return FileIdentity{file.st_dev, file.st_ino, file.st_size, nanoseconds(file.st_mtim),
                      nanoseconds(file.st_ctim)};
}

bool isStill(const std::string& path, const FileIdentity& inspected, const std::string& sha256) {
  std::optional<FileIdentity> now = identityOf(path);
  if (now == inspected) return true;
  if (!now || sha256.empty()) return false;
  now->changed = inspected.changed;
  return now == inspected && sha256OfFile(path) == sha256;
}

bool isScript(const std::string& path) {
  char begin[2] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, sizeof begin) == "#!";
}

Result<std::string> findProgram(const std::string& name, const std::string& searchPath) {
  if (name.find('/') != std::string::npos) {
    std::error_code ignored;
    return std::filesystem::absolute(name, ignored).string();
  }
  for (std::size_t begin = 0; begin <= searchPath.size();) {
    const std::size_t end = std::min(searchPath.find(':', begin), searchPath.size());
    const std::string folder = searchPath.substr(begin, end - begin);
    begin = end + 1;
    if (folder.starts_with('/') && isProgram(folder + "/" + name)) return folder + "/" + name;
  }
  return fail(ErrorCode::NotFound, name + ": no such program in PATH");
}

}  // namespace fxs
