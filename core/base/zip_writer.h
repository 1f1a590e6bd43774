#pragma once
// A zip archive in memory whose bytes depend on its members alone: no times, no owners, the order of the calls. Names are the
// caller's own; reading is zip.h.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs {

enum class ZipPacking : std::uint8_t { Stored, Deflated };
enum class ZipMode : std::uint8_t { Plain, Executable };

struct ZipPart {
  std::string name;
  std::string_view bytes;  ///< outlives the call of writeZip
  ZipPacking packing = ZipPacking::Stored;
  ZipMode mode = ZipMode::Plain;  ///< what unpacking on a POSIX system gives the file
};

/// What all members together may have, so that no archive needs the records of over 4 GiB.
inline constexpr std::uint64_t kMaxWrittenZip = std::uint64_t{2} << 30;

/// The archive's bytes. InvalidInput when two members have one name; Unsupported past kMaxWrittenZip.
Result<std::string> writeZip(const std::vector<ZipPart>&);

}  // namespace fxs
