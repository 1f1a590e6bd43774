// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/file_beside.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/byte_source.h"

namespace fxs {
namespace {

constexpr int kLockTries = 100, kLockPauseMs = 10;

}  // namespace

std::string pathBeside(std::string program, std::string_view suffix) {
  while (program.size() > 1 && program.back() == '/') program.pop_back();
  return program.append(suffix);
}

Result<Fd> lockForChange(const std::string& program, std::string_view title) {
  Fd fd(::open(program.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  for (int i = 0; fd.open() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
       ++i) {
    if (i == kLockTries)
      return fail(ErrorCode::Io, program + ": another program has locked it, or is changing its " +
                                     std::string(title));
    ::poll(nullptr, 0, kLockPauseMs);
  }
  return fd;
}

Result<> replaceFile(const std::string& file, const std::optional<std::string>& text,
                     std::uint64_t maxBytes) {
  if (!text) {
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error) return fail(ErrorCode::Io, file + ": cannot be removed: " + error.message());
    return {};
  }
  if (text->size() > maxBytes)
    return fail(ErrorCode::InvalidInput, file + ": would have " + std::to_string(text->size()) +
                                             " bytes, more than the limit of " +
                                             std::to_string(maxBytes));
  return writeWholeFile(file, *text);
}

Result<std::optional<std::string>> readIfThere(const std::string& file, std::uint64_t maxBytes) {
  auto text = readWholeFile(file, maxBytes);
  if (!text && text.error().code == ErrorCode::NotFound) return std::nullopt;
  if (!text) return tl::unexpected<Error>(std::move(text.error()));
  return std::move(*text);
}

}  // namespace fxs
