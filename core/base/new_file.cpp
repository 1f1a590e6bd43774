#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/fd.h"

namespace fxs {
namespace {

tl::unexpected<Error> unwritten(const std::string& path, const char* what, int code) {
  return fail(ErrorCode::Io, path + ": " + what + ": " + std::strerror(code));
}

}  // namespace

NewFile::~NewFile() {
  if (made_) ::unlink(partial_.c_str());
}

Result<> NewFile::write(const std::string& bytes) {
  Fd file(made_ ? ::open(partial_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC) : ::mkostemp(partial_.data(), O_CLOEXEC));
  if (!file.open()) return unwritten(path_, "cannot be written", errno);
  if (!made_) ::fchmod(file.get(), 0644);
  made_ = true;
  int code = writeAll(file.get(), bytes);
  // Some file systems report only now that the disk is full.
  if (code == 0 && ::fsync(file.get()) != 0 && errno != EINVAL) code = errno;
  if (code == 0 && file.close() != 0) code = errno;
  if (code != 0) return unwritten(path_, "cannot be written completely", code);
  return {};
}

Result<> NewFile::keepAs(const std::string& path) {
  if (::rename(partial_.c_str(), path.c_str()) != 0) return unwritten(path_, "cannot be written", errno);
  made_ = false;
  return {};
}

}  // namespace fxs
