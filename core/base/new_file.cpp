// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/new_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/scratch_directory.h"

namespace fxs {
namespace {

constexpr mode_t kUsualMode = 0644;

bool isNameOf(const std::string& path, int fd) {
  struct stat opened{}, named{};
  return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void lock(int fd) {
  while (::flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
}

/// Removes a file that a killed process left; waits for one that another process still has. False
/// if the name stays taken.
bool removeUnowned(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.open()) return errno == ENOENT;
  lock(fd.get());
  return !isNameOf(path, fd.get()) || ::unlink(path.c_str()) == 0;
}

/// Opens `path` for this process alone. A file that is there was left by a killed process, unless
/// it is locked.
Fd lockedFile(const std::string& path) {
  for (;;) {
    Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kUsualMode));
    if (!fd.open()) return fd;
    lock(fd.get());
    // Another process may have named or removed it before it was locked.
    if (isNameOf(path, fd.get())) return fd;
  }
}

std::string folderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Error writeError(const std::string& path, int code) {
  std::string message =
      ScratchDirectory::shownPath(path) + ": cannot be written: " + ::strerror(code);
  if (code != ENOSPC && code != EDQUOT) return {ErrorCode::Io, std::move(message), {}};
  return {ErrorCode::DiskFull,
          std::move(message) + "; free some space there, or use another folder (-o, TMPDIR)",
          {}};
}

NewFile::~NewFile() {
  if (isHidden_) ::unlink(hidden().c_str());
}

std::string NewFile::hidden() const {
  const std::filesystem::path path(path_);
  return (path.parent_path() / ("." + path.filename().string() + ".fxscope-part")).string();
}

Result<> NewFile::open() {
  if (fd_.open()) return {};
  fd_ = Fd(::open(folderOf(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kUsualMode));
  if (!fd_.open() && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    fd_ = lockedFile(hidden());
    isHidden_ = fd_.open();
  }
  if (!fd_.open()) return tl::unexpected<Error>(writeError(path_, errno));
  ::fchmod(fd_.get(), kUsualMode);
  return {};
}

Result<> NewFile::write(std::string_view bytes) {
  FXS_CHECK(open());
  int code = ::ftruncate(fd_.get(), 0) != 0 || ::lseek(fd_.get(), 0, SEEK_SET) != 0 ? errno : 0;
  if (code == 0) code = writeAll(fd_.get(), bytes);
  // Network file systems report only at a close that the disk is full.
  if (code == 0 && Fd(::dup(fd_.get())).close() != 0) code = errno;
  if (code != 0) return tl::unexpected<Error>(writeError(path_, code));
  return {};
}

Result<> NewFile::flush() {
  if (::fsync(fd_.get()) != 0 && errno != EINVAL)
    return tl::unexpected<Error>(writeError(path_, errno));
  return {};
}

Result<> NewFile::keepAs(const std::string& path) {
  const auto link = [this](const std::string& name) {
    return ::linkat(AT_FDCWD, openPath().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  for (;;) {
    if (!isHidden_) {
      if (link(path)) return {};
      if (errno != EEXIST) return tl::unexpected<Error>(writeError(path_, errno));
      // Only a file with a name can replace another. The lock says that the name has an owner.
      lock(fd_.get());
      if (!link(hidden())) {
        if (errno != EEXIST || !removeUnowned(hidden()))
          return tl::unexpected<Error>(writeError(path_, errno));
        continue;
      }
    }
    if (::rename(hidden().c_str(), path.c_str()) == 0) {
      isHidden_ = false;
      return {};
    }
    const int code = errno;
    if (!isHidden_) ::unlink(hidden().c_str());
    return tl::unexpected<Error>(writeError(path_, code));
  }
}

}  // namespace fxs
