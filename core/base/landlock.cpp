// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/landlock.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fxs::landlock {
namespace {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1;
constexpr int kPathBeneath = 1;

constexpr std::uint64_t kExecute = 1, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3,
                        kRemoveFolder = 1 << 4, kRemoveFile = 1 << 5, kMakeFolder = 1 << 7,
                        kMakeFile = 1 << 8, kRename = 1 << 13, kTruncate = 1 << 14,
                        kControlDevice = 1 << 15;
constexpr std::uint64_t kOfFirstVersion = (1 << 13) - 1;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControlDevice;
constexpr std::uint64_t kBindAndConnect = 3, kSocketsAndSignals = 3;

struct Ruleset {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t parent;
};

std::uint64_t known(int version) {
  return kOfFirstVersion | (version >= kRenaming ? kRename : 0) |
         (version >= kTruncation ? kTruncate : 0) | (version >= kDevices ? kControlDevice : 0);
}

std::uint64_t bits(Access access) {
  constexpr std::uint64_t kRead = kExecute | kReadFile | kReadFolder;
  switch (access) {
    case Access::Read: return kRead;
    case Access::Change:
      return kRead | kWriteFile | kRemoveFolder | kRemoveFile | kMakeFolder | kMakeFile | kRename |
             kTruncate;
    case Access::Device: break;
  }
  return kReadFile | kWriteFile | kTruncate | kControlDevice;
}

}  // namespace

int version() {
  const long found = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return static_cast<int>(std::max(found, 0L));
}

Result<int> makeRuleset(int version) {
  const Ruleset all{known(version), version >= kNetwork ? kBindAndConnect : 0,
                    version >= kScopes ? kSocketsAndSignals : 0};
  // Older kernels accept a longer structure if the rest is zero.
  const long ruleset = ::syscall(kCreateRuleset, &all, sizeof all, 0);
  if (ruleset < 0)
    return fail(ErrorCode::Io,
                std::string("cannot create a Landlock ruleset: ") + ::strerror(errno));
  return static_cast<int>(ruleset);
}

Result<> allow(int ruleset, const std::string& path, Access access, int version) {
  const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return fail(missing ? ErrorCode::NotFound : ErrorCode::Io, path + ": " + ::strerror(errno));
  }
  struct stat status{};
  PathRule rule{bits(access) & known(version), file};
  if (::fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed &= kOfFiles;
  const long done = ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0);
  const int error = errno;
  ::close(file);
  if (done != 0)
    return fail(ErrorCode::Io, path + ": cannot add a Landlock rule: " + ::strerror(error));
  return {};
}

bool allow(int ruleset, int folder, Access access, int version) {
  const PathRule rule{bits(access) & known(version), folder};
  return ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0;
}

bool enter(int ruleset) { return ::syscall(kRestrictSelf, ruleset, 0) == 0; }

}  // namespace fxs::landlock
