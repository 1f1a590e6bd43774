#pragma once
// Starts, watches and ends a child process with system calls.
#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/subprocess.h"

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
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

std::string reason(int error);  ///< of errno, in words

struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> makePipe();

/// A started child, killed with its group and reaped at the latest here.
class Child {
 public:
  /// Becomes the command, with these as its standard streams. NotFound and Io when it cannot.
  static Result<Child> start(const Command&, const CageExceptions&, int in, int out, int err);
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), handle_(std::move(other.handle_)), status_(other.status_) {}
  Child& operator=(Child&&) = delete;
  ~Child() { reap(); }
  int handle() const { return handle_.get(); }
  /// SIGABRT to the thread that has used the most processor time: in a program that hangs, the one that hangs.
  void interrupt() const;
  /// The processes of its group, itself among them.
  std::size_t processes() const;
  /// The group is killed while the child is still unreaped, so that its number cannot belong to someone else.
  int reap();

 private:
  explicit Child(pid_t pid);

  pid_t pid_;
  Fd handle_;
  int status_ = 0;
};

}  // namespace fxs
