// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes zip archives for tests, right ones and wrong ones: every field that a header claims can be
// given.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::test {

struct ZipMember {
  std::string name;
  std::string bytes;                        ///< as they lie in the archive
  std::uint16_t method = 0;                 ///< 0 stored, 8 deflated
  std::uint16_t flags = 0;                  ///< bit 0: encrypted
  std::optional<std::uint32_t> crc;         ///< of the unpacked bytes; computed when absent
  std::optional<std::uint64_t> size;        ///< claimed, unpacked
  std::optional<std::uint64_t> packedSize;  ///< claimed
  std::uint16_t localExtra =
      0;  ///< bytes of padding in the local header, as PyTorch aligns records
};

struct ZipLies {
  std::optional<std::uint64_t> entryCount;  ///< claimed by the end record
  std::optional<std::uint64_t> directoryOffset;
  std::uint64_t gap =
      0;  ///< bytes that a sparse source puts between the last member and the directory
};

/// Zip64 records are written for members whose claimed sizes need them, and always when `zip64` is
/// set.
std::string writeZip(const std::vector<ZipMember>& members, const ZipLies& lies = {},
                     bool zip64 = false);

std::uint32_t crc32(std::string_view bytes);

}  // namespace fxs::test
