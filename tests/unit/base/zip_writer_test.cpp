// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/zip_writer.h"

#include <gtest/gtest.h>

#include "base/zip.h"

namespace fxs {
namespace {

TEST(ZipWriter, MembersReadBackInOrder) {
  const std::string large(100'000, 'x');
  const auto bytes = writeZip({{"a/one", "1"},
                               {"run.sh", large, ZipPacking::Deflated, ZipMode::Executable},
                               {"empty", ""}});
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), 2'000u);
  const auto zip = ZipReader::open(memorySource(*bytes), "t");
  ASSERT_TRUE(zip);
  std::vector<std::string> names;
  for (const ZipEntry& entry : (*zip)->entries()) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a/one", "run.sh", "empty"}));
  EXPECT_EQ((*zip)->read(*(*zip)->find("a/one"), 10).value(), "1");
  EXPECT_EQ((*zip)->read(*(*zip)->find("run.sh"), 1 << 20).value(), large);
  EXPECT_EQ((*zip)->read(*(*zip)->find("empty"), 10).value(), "");
}

TEST(ZipWriter, TheSameMembersGiveTheSameBytes) {
  const std::vector<ZipPart> parts{{"a", "some text, some text", ZipPacking::Deflated},
                                   {"b", "other"}};
  EXPECT_EQ(writeZip(parts).value(), writeZip(parts).value());
}

TEST(ZipWriter, TwoMembersOfOneNameAreRefused) {
  const auto bytes = writeZip({{"a", "1"}, {"a", "2"}});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "a zip archive with two members named 'a'");
}

}  // namespace
}  // namespace fxs
