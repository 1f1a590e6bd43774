// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/verified_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/byte_source.h"
#include "base/program.h"
#include "base/sha256.h"

namespace fxs::execute {
namespace {

constexpr std::uint64_t kMaxStateBytes = std::uint64_t{1} << 16;

bool onlyWeWrite(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

VerifiedFiles::VerifiedFiles(const std::string& cacheDir,
                             const std::vector<std::pair<std::string, std::string>>& files) {
  if (cacheDir.empty()) return;
  for (const auto& [path, checksum] : files) {
    const auto is = identityOf(path);
    if (!is) {
      state_.clear();
      return;
    }
    state_ += fmt::format("{} {} {} {} {} {} {}\n", checksum, is->device, is->inode, is->size,
                          is->modified, is->changed, path);
  }
  folder_ = cacheDir + "/verified";
  file_ = folder_ + "/" + sha256(state_);
}

bool VerifiedFiles::known() const {
  return !state_.empty() && onlyWeWrite(folder_) && onlyWeWrite(file_) &&
         readWholeFile(file_, kMaxStateBytes).value_or("") == state_;
}

void VerifiedFiles::keep() const {
  if (state_.empty()) return;
  std::error_code ignored;
  // The folder around it may be writable for a group.
  if (std::filesystem::create_directories(folder_, ignored))
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
  writeCache(file_, state_);
}

}  // namespace fxs::execute
