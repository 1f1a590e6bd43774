#pragma once
// Members of a zip archive by random access: the central directory is read at
// opening, a member only when it is asked for. Zip64, stored and deflated. Names
// are never turned into paths on disk.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_source.h"

namespace fxs {

struct ZipEntry {
  std::string name;
  std::uint64_t size = 0;            ///< bytes when unpacked
  std::uint64_t compressedSize = 0;
  std::uint64_t index = 0;           ///< position in the archive's directory
};

class ZipReader {
 public:
  /// `label` opens every message. InvalidInput when the bytes are no zip, are cut off, or have absurd counts.
  static Result<std::shared_ptr<const ZipReader>> open(std::shared_ptr<const ByteSource>, std::string label);
  virtual ~ZipReader() = default;
  virtual const std::vector<ZipEntry>& entries() const = 0;   ///< in the order of the archive
  virtual const ZipEntry* find(std::string_view name) const = 0;
  /// The member's bytes, CRC checked; InvalidInput when it is larger than `maxBytes` or damaged. Safe from several threads.
  virtual Result<std::string> read(const ZipEntry&, std::uint64_t maxBytes) const = 0;
  /// `length` bytes of the member from `offset`; of a stored member nothing else is read, and no CRC is checked.
  /// InvalidInput when the member is shorter. Safe from several threads.
  virtual Result<std::string> readRange(const ZipEntry&, std::uint64_t offset, std::uint64_t length) const = 0;
};

}  // namespace fxs
