#pragma once
// Reads members of a zip archive by random access: opening reads the central directory only. Supports Zip64, stored and deflated members.
// Names are never used as paths on disk. Unpacked bytes, including skipped ones, are charged as Resource::Unpacked in advance, and a stop
// request ends a read between two chunks.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"
#include "base/run_context.h"

namespace fxs {

struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;  ///< bytes when unpacked
  std::uint64_t compressedSize = 0;
  std::uint64_t index = 0;  ///< position in the archive's directory
  bool possible = true;     ///< sizes that its packing can have; a member with others is never read
  bool stored = true;       ///< not compressed: parts can be read directly
};

/// Bytes of a member.
struct ZipRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class ZipReader {
 public:
  /// `label` opens every message. InvalidInput when the bytes are no zip, are cut off, or have absurd counts.
  static Result<std::shared_ptr<const ZipReader>> open(std::shared_ptr<const ByteSource>, std::string label);
  virtual ~ZipReader() = default;
  virtual const std::vector<ZipEntry>& entries() const = 0;  ///< in the order of the archive
  virtual const ZipEntry* find(std::string_view name) const = 0;
  /// The member's bytes, CRC checked; InvalidInput when it is larger than `maxBytes` or damaged. Safe from several threads.
  virtual Result<std::string> read(const ZipEntry&, std::uint64_t maxBytes, const RunContext& = {}) const = 0;
  /// Ranges of the member, ascending and apart, in one pass over it; of a stored member nothing else is read. No CRC is checked.
  /// InvalidInput when the member is shorter. Safe from several threads.
  virtual Result<std::vector<std::string>> readRanges(const ZipEntry&, const std::vector<ZipRange>&, const RunContext& = {}) const = 0;
  /// The same for one range.
  Result<std::string> readRange(const ZipEntry&, std::uint64_t offset, std::uint64_t length, const RunContext& = {}) const;
};

}  // namespace fxs
