// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/results.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/new_file.h"

namespace fxs::sweep {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxLineBytes = std::uint64_t{16} << 20;

/// The file is that of an option.
tl::unexpected<Error> unwritable(Error error) {
  if (error.code == ErrorCode::Io) error.code = ErrorCode::Usage;
  return tl::unexpected<Error>(std::move(error));
}
tl::unexpected<Error> unwritable(const std::string& path, int code) {
  return unwritable(writeError(path, code));
}

Result<Fd> lockedFile(const std::string& path, int flags) {
  Fd file(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | flags, 0644));
  if (!file.open()) return unwritable(path, errno);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return unwritable(path, errno);
  if (!S_ISREG(status.st_mode))
    return fail(ErrorCode::Usage, path + ": is not a regular file; results are appended to one");
  // File systems without locks let the sweep go on.
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return fail(ErrorCode::Usage,
                path + ": another sweep writes to it; give each shard a file of its own");
  return file;
}

struct Copied {
  bool all = true;  ///< every line, except one without an end
  std::uint64_t bytes = 0;
};

/// Appends the lines to keep to the file open at `to`.
Result<Copied> copyKept(ResultsReader lines, const std::function<bool(const Line&)>& keeps, int to,
                        const std::string& path, const RunContext& context) {
  Copied out;
  std::string pending;
  for (;;) {
    FXS_TRY(const auto read, lines.next(context));
    if (read && keeps(read->line)) {
      pending += read->text;
      out.bytes += read->text.size();
    } else if (read) {
      out.all = false;
    }
    if (!read || pending.size() > kChunkBytes) {
      if (const int code = writeAll(to, pending)) return unwritable(path, code);
      pending.clear();
    }
    if (!read) return out;
  }
}

}  // namespace

ResultsReader::ResultsReader(std::shared_ptr<const ByteSource> bytes, std::string label, Torn torn)
    : bytes_(std::move(bytes)), label_(std::move(label)), torn_(torn) {}

Result<std::optional<ResultsReader::Read>> ResultsReader::next(const RunContext& context) {
  ++number_;
  const std::string label = label_ + ":" + std::to_string(number_);
  Read out;
  out.number = number_;
  for (;;) {
    const std::size_t end = chunk_.find('\n', at_);
    const std::size_t part = std::min(end, chunk_.size()) - at_;
    if (out.text.size() + part > kMaxLineBytes)
      return fail(ErrorCode::InvalidInput,
                  label + ": is longer than 16 MiB; it is not a line of 'fxscope-cli sweep'");
    out.text.append(chunk_, at_, part);
    at_ += part;
    if (end != std::string::npos) break;
    const std::uint64_t left = bytes_->size() - offset_;
    if (left == 0) {
      if (out.text.empty() || torn_ == Torn::Drop) return std::optional<Read>();
      return fail(ErrorCode::InvalidInput, label +
                                               ": has no end, as if the sweep was stopped while it "
                                               "was written; finish the sweep with --resume");
    }
    FXS_TRY(chunk_, bytes_->read(offset_, std::min(left, kChunkBytes)));
    offset_ += chunk_.size();
    at_ = 0;
  }
  ++at_;
  context.spend(Resource::Text, out.text.size(), label);
  FXS_TRY(out.line, lineFrom(out.text, label, context));
  out.text += '\n';
  return std::optional<Read>(std::move(out));
}

Result<ResultsFile> ResultsFile::create(const std::string& path) {
  FXS_TRY(Fd file, lockedFile(path, O_CREAT));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return unwritable(path, errno);
  if (status.st_size > 0)
    return fail(ErrorCode::Usage,
                path + ": holds results already; go on with --resume, or write to another file");
  return ResultsFile(std::move(file), path);
}

Result<ResultsFile> ResultsFile::resume(const std::string& path,
                                        const std::function<bool(const Line&)>& keeps,
                                        const RunContext& context) {
  FXS_TRY(Fd file, lockedFile(path, O_CREAT));
  FXS_TRY(const auto bytes, openFile(path));
  NewFile next(path);
  if (auto made = next.open(); !made) return unwritable(std::move(made).error());
  ::fcntl(next.fd(), F_SETFL, O_APPEND);
  FXS_TRY(const Copied copied,
          copyKept(ResultsReader(bytes, path, Torn::Drop), keeps, next.fd(), path, context));
  if (copied.all) {
    if (copied.bytes < bytes->size() &&
        ::ftruncate(file.get(), static_cast<off_t>(copied.bytes)) != 0)
      return unwritable(path, errno);
    return ResultsFile(std::move(file), path);
  }
  struct stat status{};
  if (::fstat(file.get(), &status) == 0 && ::fchmod(next.fd(), status.st_mode & 07777) != 0)
    return unwritable(path, errno);
  ::flock(next.fd(), LOCK_EX | LOCK_NB);
  if (auto flushed = next.flush(); !flushed) return unwritable(std::move(flushed).error());
  if (auto named = next.keepAs(path); !named) return unwritable(std::move(named).error());
  return ResultsFile(next.take(), path);
}

Result<> ResultsFile::append(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) text += lineText(line);
  struct stat before{};
  if (::fstat(file_.get(), &before) != 0) return unwritable(path_, errno);
  const int code = writeAll(file_.get(), text);
  if (code == 0) return {};
  (void)!::ftruncate(file_.get(), before.st_size);
  return unwritable(path_, code);
}

}  // namespace fxs::sweep
