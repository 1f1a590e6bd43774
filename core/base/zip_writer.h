// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes a zip archive, in memory or to a file. The bytes depend only on the members and their
// order: there are no times and no owners. Names are not checked. For reading, see zip.h.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs {

enum class ZipPacking : std::uint8_t { Stored, Deflated };
enum class ZipMode : std::uint8_t { Plain, Executable };

/// Content that is produced while it is written.
struct ZipContent {
  std::uint64_t size = 0;  ///< in bytes
  /// The bytes from `offset` on, at least one and at most `size - offset`; called with ascending
  /// offsets.
  std::function<Result<std::string>(std::uint64_t offset)> read;
};

struct ZipPart {
  std::string name;
  std::string_view bytes;  ///< must stay valid during the call
  ZipPacking packing = ZipPacking::Stored;
  ZipMode mode = ZipMode::Plain;  ///< the file mode after unpacking on POSIX systems
  ZipContent content = {};        ///< instead of `bytes`, if it has a function
};

/// Limit in bytes of all members together; below it, no archive needs Zip64 records.
inline constexpr std::uint64_t kMaxWrittenZip = std::uint64_t{2} << 30;

/// The archive's bytes. InvalidInput if two members have the same name; Unsupported beyond
/// kMaxWrittenZip.
Result<std::string> writeZip(const std::vector<ZipPart>&);
/// Replaces the file at `path`, atomically; of a member with ZipContent only a piece is in memory
/// at a time. InvalidInput if two members have the same name, and the errors of writeError() and of
/// ZipContent::read.
Result<> writeZipFile(const std::string& path, const std::vector<ZipPart>&);

}  // namespace fxs
