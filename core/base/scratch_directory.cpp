// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/scratch_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/new_file.h"

namespace fxs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "fxscope-scratch-";

/// The directory is locked while its process lives; the kernel releases the lock when the process
/// ends for any reason.
int openDirectory(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool isOpenAs(int directory, const std::string& path) {
  struct stat opened{}, named{};
  return ::fstat(directory, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Removes directories of this user that no living process has locked.
void removeLeftOver(const std::string& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    const int directory = openDirectory(path);
    if (directory < 0) continue;
    struct stat status{};
    std::error_code ignored;
    if (::fstat(directory, &status) == 0 && status.st_uid == ::geteuid() &&
        ::flock(directory, LOCK_EX | LOCK_NB) == 0)
      fs::remove_all(path, ignored);
    ::close(directory);
  }
}

}  // namespace

std::string ScratchDirectory::shownPath(const std::string& path) {
  return path.substr(0, path.find("/" + std::string(kPrefix)));
}

Result<ScratchDirectory> ScratchDirectory::make(const std::string& parent,
                                                const std::string& subject) {
  if (parent.empty())
    return fail(ErrorCode::Io,
                "no directory for " + subject + ": no folder for temporary files; set TMPDIR");
  std::error_code error;
  fs::create_directories(parent, error);
  removeLeftOver(parent);
  for (;;) {
    std::string path = parent + "/" + std::string(kPrefix) + "XXXXXX";
    int code = 0;
    if (::mkdtemp(path.data()) == nullptr) code = error ? error.value() : errno;
    if (code == ENOSPC || code == EDQUOT) return tl::unexpected<Error>(writeError(path, code));
    if (code != 0)
      return fail(ErrorCode::Io, parent + ": no directory for " + subject +
                                     " can be created there: " + ::strerror(code));
    const int lock = openDirectory(path);
    if (lock < 0 && errno == ENOENT) continue;  // another process removed it at once
    if (lock < 0) return fail(ErrorCode::Io, path + ": cannot be opened: " + ::strerror(errno));
    // On file systems without locks, directories left over cannot be identified and stay.
    while (::flock(lock, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (isOpenAs(lock, path)) return ScratchDirectory(std::move(path), lock);
    // .. or before it was locked.
    ::close(lock);
  }
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace fxs
