// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads members of a zip archive by random access: opening reads only the central directory.
// Supports Zip64, stored and deflated members. Names are never used as paths on disk. Unpacked
// bytes, including skipped ones, are spent in advance as Resource::Unpacked, and a stop request
// ends a read between two chunks.
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
  std::uint64_t size = 0;   ///< in bytes, unpacked
  std::uint64_t index = 0;  ///< position in the central directory
  bool possible =
      true;  ///< false if the sizes contradict the compression method; such a member is never read
  bool stored = true;  ///< uncompressed: ranges can be read directly
};

/// A range of a member's unpacked bytes.
struct ZipRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class ZipReader {
 public:
  /// `label` starts every error message. InvalidInput if the bytes are not a zip archive, are
  /// truncated, or have implausible counts.
  static Result<std::shared_ptr<const ZipReader>> open(std::shared_ptr<const ByteSource>,
                                                       std::string label);
  virtual ~ZipReader() = default;
  virtual const std::vector<ZipEntry>& entries() const = 0;  ///< in the order of the archive
  virtual const ZipEntry* find(std::string_view name) const = 0;
  /// The member's bytes, with the CRC checked; InvalidInput if it is larger than `maxBytes` or
  /// damaged. Thread-safe.
  virtual Result<std::string> read(const ZipEntry&, std::uint64_t maxBytes,
                                   const RunContext& = {}) const = 0;
  /// Reads ascending, disjoint ranges in one pass; of a stored member, only the ranges are read.
  /// The CRC is not checked. InvalidInput if the member is shorter. Thread-safe.
  virtual Result<std::vector<std::string>> readRanges(const ZipEntry&, const std::vector<ZipRange>&,
                                                      const RunContext& = {}) const = 0;
  /// Like readRanges, for one range.
  Result<std::string> readRange(const ZipEntry&, std::uint64_t offset, std::uint64_t length,
                                const RunContext& = {}) const;
};

}  // namespace fxs
