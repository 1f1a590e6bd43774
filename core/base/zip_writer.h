#pragma once
// Writes a zip archive in memory. The bytes depend only on the members and their order: there are no times and no owners. Names are
// not checked. For reading, see zip.h.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs {

enum class ZipPacking : std::uint8_t { Stored, Deflated };
enum class ZipMode : std::uint8_t { Plain, Executable };

struct ZipPart {
  std::string name;
  std::string_view bytes;  ///< must stay valid during writeZip
  ZipPacking packing = ZipPacking::Stored;
  ZipMode mode = ZipMode::Plain;  ///< the file mode after unpacking on POSIX systems
};

/// Limit in bytes of all members together; below it, no archive needs Zip64 records.
inline constexpr std::uint64_t kMaxWrittenZip = std::uint64_t{2} << 30;

/// The archive's bytes. InvalidInput if two members have the same name; Unsupported beyond kMaxWrittenZip.
Result<std::string> writeZip(const std::vector<ZipPart>&);

}  // namespace fxs
