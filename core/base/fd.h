// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Owning file descriptor; closed on destruction.
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace fxs {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~Fd() { reset(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  int close() { return ::close(std::exchange(fd_, -1)); }
  void reset() {
    if (open()) close();
  }

 private:
  int fd_ = -1;
};

/// Writes all bytes; returns 0, or the errno of the failure.
inline int writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

}  // namespace fxs
