// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/zip.h"

#include <gtest/gtest.h>

#include <thread>

#include "counting_source.h"
#include "zip_writer.h"

namespace fxs::test {
namespace {

ZipMember member(std::string name, std::string bytes, std::uint16_t method = 0) {
  ZipMember out;
  out.name = std::move(name);
  out.bytes = std::move(bytes);
  out.method = method;
  return out;
}

std::shared_ptr<const ZipReader> opened(std::string bytes) {
  auto zip = ZipReader::open(memorySource(std::move(bytes)), "a.zip");
  if (!zip) throw std::runtime_error(toString(zip.error()));
  return *zip;
}
std::string contentOf(const ZipReader& zip, std::string_view name,
                      std::uint64_t maxBytes = 1 << 20) {
  const ZipEntry* entry = zip.find(name);
  if (!entry) return "no such member";
  auto bytes = zip.read(*entry, maxBytes);
  return bytes ? *bytes : toString(bytes.error());
}

/// "hello hello hello ..", 100 times, as zlib deflates it.
ZipMember deflatedHello() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "hello ";
  ZipMember out = member(
      "hello", std::string("\xcb\x48\xcd\xc9\xc9\x57\xc8\x18\x25\x47\x49\xaa\x92\x00", 14), 8);
  out.size = text.size();
  out.crc = crc32(text);
  return out;
}

TEST(Zip, MembersAreReadByName) {
  auto zip = opened(writeZip(
      {member("a/one", "1"), member("a/two", ""), member("three", std::string(100000, 'x'))}));
  ASSERT_EQ(zip->entries().size(), 3u);
  EXPECT_EQ(zip->entries()[2].name, "three");
  EXPECT_EQ(zip->entries()[2].size, 100000u);
  EXPECT_EQ(contentOf(*zip, "a/one"), "1");
  EXPECT_EQ(contentOf(*zip, "a/two"), "");
  EXPECT_EQ(contentOf(*zip, "three"), std::string(100000, 'x'));
  EXPECT_EQ(zip->find("a"), nullptr);
}

TEST(Zip, PartsOfAMemberAreReadAlone) {
  std::string text(100000, 'x');
  text.replace(70000, 4, "here");
  auto source = std::make_shared<SparseSource>(
      writeZip({member("m", text), member("tail", std::string(200000, 't'))}));
  auto zip = ZipReader::open(source, "a.zip");
  ASSERT_TRUE(zip);
  source->reads.clear();
  EXPECT_EQ(*(*zip)->readRange(*(*zip)->find("m"), 70000, 4), "here");
  EXPECT_LT(source->readFrom(0, source->size()), 30000u);
  EXPECT_EQ(*(*zip)->readRange(*(*zip)->find("m"), 100000, 0), "");
  EXPECT_EQ(toString((*zip)->readRange(*(*zip)->find("m"), 99999, 2).error()),
            "a.zip: member 'm' has 100000 bytes, 2 at offset 99999 are not in it");
}

TEST(Zip, Zip64RecordsAreUnderstood) {
  auto zip = opened(writeZip({member("a", "one"), member("b", "two")}, {}, true));
  EXPECT_EQ(contentOf(*zip, "a"), "one");
  EXPECT_EQ(contentOf(*zip, "b"), "two");
}

TEST(Zip, MembersPast4GibibytesAreRead) {
  constexpr std::uint64_t kGap = std::uint64_t{5} << 30;
  ZipMember large = member("large", "");
  large.size = large.packedSize = kGap;
  ZipLies lies;
  lies.gap = kGap;
  const std::string bytes = writeZip({member("small", "s"), large}, lies, true);
  auto zip = ZipReader::open(std::make_shared<SparseSource>(bytes, bytes.find("PK\x01\x02"), kGap),
                             "a.zip");
  ASSERT_TRUE(zip) << toString(zip.error());
  EXPECT_EQ((*zip)->find("large")->size, kGap);
  EXPECT_EQ(*(*zip)->readRange(*(*zip)->find("large"), kGap - 3, 3), std::string(3, '\0'));
  EXPECT_EQ(contentOf(**zip, "small"), "s");
}

TEST(Zip, LimitsAreObeyed) {
  auto zip = opened(writeZip({member("m", std::string(1000, 'x'))}));
  EXPECT_EQ(contentOf(*zip, "m", 999),
            "a.zip: member 'm' has 1000 bytes, more than the limit of 999");
  EXPECT_EQ(contentOf(*zip, "m", 1000).size(), 1000u);
}

TEST(Zip, DamageIsNamed) {
  ZipMember wrong = member("m", "content");
  wrong.crc = 1;
  EXPECT_EQ(contentOf(*opened(writeZip({wrong})), "m"), "a.zip: member 'm' is damaged: CRC error");
  ZipMember secret = member("m", "content");
  secret.flags = 1;
  EXPECT_EQ(contentOf(*opened(writeZip({secret})), "m"), "a.zip: member 'm' is encrypted");
  ZipMember lying = member("m", "content");
  lying.size = 5000;
  lying.packedSize = 5000;
  EXPECT_EQ(contentOf(*opened(writeZip({lying})), "m"),
            "a.zip: member 'm' claims 5000 bytes, compressed to 5000, in an archive of 107");
  auto control = ZipReader::open(
      memorySource(writeZip({member("two\nlines", "1"), member("two\nlines", "2")})), "a.zip");
  EXPECT_EQ(toString(control.error()), "a.zip: the archive has two members named 'two\\nlines'");
}

TEST(Zip, ReadersOfOneArchiveDoNotDisturbEachOther) {
  std::vector<ZipMember> members;
  for (int i = 0; i < 8; ++i)
    members.push_back(
        member("m" + std::to_string(i), std::string(50000, static_cast<char>('a' + i))));
  auto zip = opened(writeZip(members));
  std::vector<std::string> found(members.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < members.size(); ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; round < 20; ++round) found[i] = contentOf(*zip, members[i].name);
      });
  }
  for (std::size_t i = 0; i < members.size(); ++i) EXPECT_EQ(found[i], members[i].bytes);
}

TEST(Zip, DeflatedMembersAreUnpacked) {
  auto zip = opened(writeZip({deflatedHello()}));
  const std::string text = contentOf(*zip, "hello");
  ASSERT_EQ(text.size(), 600u) << text;
  EXPECT_EQ(text.substr(594), "hello ");
  EXPECT_EQ(*zip->readRange(*zip->find("hello"), 300, 5), "hello");
}

}  // namespace
}  // namespace fxs::test
