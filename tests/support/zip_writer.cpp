// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zip_writer.h"

#include <array>
#include <limits>

namespace fxs::test {

namespace {

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}
void put16(std::string& out, std::uint64_t value) { put(out, value, 2); }
void put32(std::string& out, std::uint64_t value) { put(out, value, 4); }
void put64(std::string& out, std::uint64_t value) { put(out, value, 8); }

struct Sizes {
  std::uint64_t size, packed;
  bool large;
};
Sizes sizesOf(const ZipMember& member, bool zip64) {
  Sizes sizes{member.size.value_or(member.bytes.size()),
              member.packedSize.value_or(member.bytes.size()), zip64};
  sizes.large = zip64 || sizes.size >= kMax32 || sizes.packed >= kMax32;
  return sizes;
}

/// Version, flags, method, time, CRC, sizes and name length: what both headers share.
void putCommon(std::string& out, const ZipMember& member, const Sizes& sizes) {
  put16(out, sizes.large ? 45 : 20);
  put16(out, member.flags);
  put16(out, member.method);
  put32(out, 0);
  put32(out, member.crc.value_or(crc32(member.bytes)));
  put32(out, sizes.large ? kMax32 : sizes.packed);
  put32(out, sizes.large ? kMax32 : sizes.size);
  put16(out, member.name.size());
}

void putZip64Sizes(std::string& out, const Sizes& sizes) {
  if (!sizes.large) return;
  put16(out, 1);
  put16(out, 16);
  put64(out, sizes.size);
  put64(out, sizes.packed);
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> rows{};
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0u);
      rows[i] = value;
    }
    return rows;
  }();
  std::uint32_t crc = ~0u;
  for (char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

std::string writeZip(const std::vector<ZipMember>& members, const ZipLies& lies, bool zip64) {
  std::string out, directory;
  for (const ZipMember& member : members) {
    const Sizes sizes = sizesOf(member, zip64);
    const std::uint64_t offset = out.size();
    put32(out, 0x04034b50);
    putCommon(out, member, sizes);
    put16(out, (sizes.large ? 20u : 0u) + member.localExtra);
    out += member.name;
    putZip64Sizes(out, sizes);
    if (member.localExtra >= 4) {
      put16(out, 0x4246);
      put16(out, member.localExtra - 4u);
      out.append(member.localExtra - 4u, 'Z');
    }
    out += member.bytes;

    put32(directory, 0x02014b50);
    put16(directory, 45);
    putCommon(directory, member, sizes);
    put16(directory, sizes.large ? 20u : 0u);
    put16(directory, 0);
    put16(directory, 0);
    put16(directory, 0);
    put32(directory, 0);
    put32(directory, offset);
    directory += member.name;
    putZip64Sizes(directory, sizes);
  }
  const std::uint64_t count = lies.entryCount.value_or(members.size());
  const std::uint64_t at = lies.directoryOffset.value_or(out.size() + lies.gap);
  out += directory;
  if (zip64 || count > 0xffff) {
    const std::uint64_t recordAt = out.size() + lies.gap;
    put32(out, 0x06064b50);
    put64(out, 44);
    put16(out, 45);
    put16(out, 45);
    put32(out, 0);
    put32(out, 0);
    put64(out, count);
    put64(out, count);
    put64(out, directory.size());
    put64(out, at);
    put32(out, 0x07064b50);
    put32(out, 0);
    put64(out, recordAt);
    put32(out, 1);
  }
  put32(out, 0x06054b50);
  put32(out, 0);
  const std::uint64_t shownCount = zip64 || count > 0xffff ? 0xffffu : count;
  put16(out, shownCount);
  put16(out, shownCount);
  put32(out, directory.size());
  put32(out, zip64 ? kMax32 : at);
  put16(out, 0);
  return out;
}

}  // namespace fxs::test
