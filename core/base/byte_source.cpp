// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/fd.h"
#include "base/new_file.h"

namespace fxs {

namespace {

tl::unexpected<Error> ioError(const std::string& path, const std::string& message, int code) {
  return fail(ErrorCode::Io, path + ": " + message + ": " + std::generic_category().message(code));
}

class FileSource final : public ByteSource {
 public:
  FileSource(Fd fd, std::string path, std::uint64_t size)
      : fd_(std::move(fd)), path_(std::move(path)), size_(size) {}

  std::uint64_t size() const override { return size_; }

  Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    if (offset > size_ || length > size_ - offset)
      return fail(ErrorCode::Io, path_ + ": cannot read " + std::to_string(length) +
                                     " bytes at offset " + std::to_string(offset) +
                                     ": the file has " + std::to_string(size_));
    std::string bytes(static_cast<std::size_t>(length), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      ssize_t got = ::pread(fd_.get(), bytes.data() + done, bytes.size() - done,
                            static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ioError(path_, "cannot read", errno);
      if (got == 0) return fail(ErrorCode::Io, path_ + ": was truncated while being read");
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

 private:
  Fd fd_;
  std::string path_;
  std::uint64_t size_;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    if (offset > bytes_.size() || length > bytes_.size() - offset)
      return fail(ErrorCode::Io, "cannot read " + std::to_string(length) + " bytes at offset " +
                                     std::to_string(offset) + ": the input has " +
                                     std::to_string(bytes_.size()));
    return bytes_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  }

 private:
  std::string bytes_;
};

}  // namespace

Result<std::shared_ptr<const ByteSource>> openFile(const std::string& path) {
  // Non-blocking: a named pipe without a writer must not hang the program.
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) {
    int code = errno;
    if (code == ENOENT || code == ENOTDIR)
      return fail(ErrorCode::NotFound, path + ": no such file");
    return ioError(path, "cannot open", code);
  }
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return ioError(path, "cannot open", errno);
  if (S_ISDIR(status.st_mode)) return fail(ErrorCode::Io, path + ": is a directory, not a file");
  if (!S_ISREG(status.st_mode))
    return fail(ErrorCode::Io,
                path + ": is not a regular file; for a pipe, pass '-' and use standard input");
  auto size = static_cast<std::uint64_t>(status.st_size);
  return std::shared_ptr<const ByteSource>(std::make_shared<FileSource>(std::move(fd), path, size));
}

std::shared_ptr<const ByteSource> memorySource(std::string bytes) {
  return std::make_shared<MemorySource>(std::move(bytes));
}

Result<std::string> readWholeFile(const std::string& path, std::uint64_t maxBytes) {
  FXS_TRY(auto source, openFile(path));
  if (source->size() > maxBytes)
    return fail(ErrorCode::InvalidInput, path + ": has " + std::to_string(source->size()) +
                                             " bytes, more than the limit of " +
                                             std::to_string(maxBytes));
  return source->read(0, source->size());
}

Result<> writeWholeFile(const std::string& path, const std::string& bytes) {
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return fail(ErrorCode::Io, path + ": is a directory; expected a file name");
  if (exists && !S_ISREG(old.st_mode)) {
    // A device or a pipe is written to, not replaced.
    Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    int code = fd.open() ? writeAll(fd.get(), bytes) : errno;
    if (code == 0 && fd.close() != 0) code = errno;
    if (code != 0) return tl::unexpected<Error>(writeError(path, code));
    return {};
  }
  // A link is kept: its target is replaced.
  std::string target = path;
  if (exists)
    if (char* real = ::realpath(path.c_str(), nullptr)) {
      target = real;
      std::free(real);
    }
  NewFile file(target);
  FXS_CHECK(file.write(bytes));
  if (exists && ::fchmod(file.fd(), old.st_mode & 07777) != 0)
    return tl::unexpected<Error>(writeError(target, errno));
  return file.keepAs(target);
}

void writeCache(const std::string& file, const std::string& bytes) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  (void)writeWholeFile(file, bytes);
}

Result<> writeProgram(const std::string& path, const std::string& bytes) {
  namespace fs = std::filesystem;
  FXS_CHECK(writeWholeFile(path, bytes));
  std::error_code error;
  fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, error);
  if (error) return fail(ErrorCode::Io, path + ": cannot be made executable: " + error.message());
  return {};
}

}  // namespace fxs
