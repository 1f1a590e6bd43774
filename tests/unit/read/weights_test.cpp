// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "counting_source.h"
#include "opened.h"
#include "pt2_writer.h"
#include "read/read.h"
#include "weight_values.h"

namespace fxs::test {
namespace {

std::string ints(const std::vector<std::string>& unions) {
  std::string out;
  for (const std::string& u : unions) out += (out.empty() ? "" : ", ") + u;
  return "[" + out + "]";
}
std::string asInts(const std::vector<std::int64_t>& values) {
  std::vector<std::string> out;
  for (std::int64_t v : values) out.push_back("{\"as_int\": " + std::to_string(v) + "}");
  return ints(out);
}

struct Entry {
  std::string fqn;
  std::string file;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset = 0;
  int dtype = 7;
  bool pickled = false;
};

std::string configOf(const std::vector<Entry>& entries) {
  std::string out;
  for (const Entry& e : entries)
    out += (out.empty() ? "\"" : ", \"") + e.fqn + R"(": {"path_name": ")" + e.file +
           R"(", "is_param": true, "use_pickle": )" + (e.pickled ? "true" : "false") +
           R"(, "tensor_meta": {"dtype": )" + std::to_string(e.dtype) + R"(, "sizes": )" +
           asInts(e.sizes) + R"(, "strides": )" + asInts(e.strides) +
           R"(, "storage_offset": {"as_int": )" + std::to_string(e.offset) +
           R"(}, "requires_grad": true, "device": {"type": "cpu", "index": null}, "layout": 7}})";
  return "{\"config\": {" + out + "}}";
}

read::Capture openedWith(const std::vector<Entry>& entries, std::string record) {
  return opened(
      Pt2().set(kWeightsConfig, configOf(entries)).set("data/weights/weight_0", std::move(record)));
}
std::string errorOf(const read::Capture& capture, std::string_view fqn,
                    std::uint64_t maxBytes = 1 << 20) {
  auto bytes = capture.weights->read(weight(capture, fqn), maxBytes);
  return bytes ? "read " + std::to_string(bytes->size()) + " bytes" : toString(bytes.error());
}

TEST(Weights, AreGatheredByOffsetAndStrides) {
  auto capture = openedWith({{"w", "weight_0", {2, 3}, {3, 1}},
                             {"transposed", "weight_0", {3, 2}, {1, 3}},
                             {"row", "weight_0", {3}, {1}, 4},
                             {"expanded", "weight_0", {2, 2}, {0, 0}, 7},
                             {"everyOther", "weight_0", {4}, {2}, 0},
                             {"scalar", "weight_0", {}, {}, 5},
                             {"none", "weight_0", {0, 4}, {4, 1}}},
                            kRecord);
  EXPECT_EQ(valuesOf(capture, "w"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(valuesOf(capture, "transposed"), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(valuesOf(capture, "row"), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(valuesOf(capture, "expanded"), (std::vector<float>{7, 7, 7, 7}));
  EXPECT_EQ(valuesOf(capture, "everyOther"), (std::vector<float>{0, 2, 4, 6}));
  EXPECT_EQ(valuesOf(capture, "scalar"), (std::vector<float>{5}));
  EXPECT_EQ(valuesOf(capture, "none"), std::vector<float>{});
}

TEST(Weights, TiedWeightsShareOneRecordThatIsCountedOnce) {
  auto capture = openedWith({{"w", "weight_0", {8}, {1}}, {"tied", "weight_0", {8}, {1}}}, kRecord);
  EXPECT_EQ(capture.program->weights.size(), 2u);
  EXPECT_EQ(capture.weightBytes, kRecord.size());
  EXPECT_EQ(valuesOf(capture, "w"), valuesOf(capture, "tied"));
}

TEST(Weights, PastTheirRecordAreErrors) {
  auto capture = openedWith({{"w", "weight_0", {9}, {1}},
                             {"late", "weight_0", {2}, {1}, 7},
                             {"early", "weight_0", {2}, {-1}, 0}},
                            kRecord);
  EXPECT_EQ(errorOf(capture, "w"),
            "t.pt2: weight 'w' exceeds its record: data/weights/weight_0 holds 8 elements, offset "
            "and strides require element 8");
  EXPECT_EQ(errorOf(capture, "late"),
            "t.pt2: weight 'late' exceeds its record: data/weights/weight_0 holds 8 elements, "
            "offset and strides require element 8");
  EXPECT_EQ(errorOf(capture, "early"),
            "t.pt2: weight 'early' exceeds its record: data/weights/weight_0 holds 8 elements, "
            "offset and strides require others");
}

TEST(Weights, LargerThanTheLimitAreNotRead) {
  auto capture = openedWith(
      {{"w", "weight_0", {8}, {1}}, {"huge", "weight_0", {1000000, 1000000}, {0, 0}}}, kRecord);
  EXPECT_EQ(errorOf(capture, "w", 31),
            "t.pt2: weight 'w' has 8 elements of 4 bytes, more than the limit of 31 bytes");
  EXPECT_EQ(errorOf(capture, "huge"),
            "t.pt2: weight 'huge' has 1000000000000 elements of 4 bytes, more than the limit of "
            "1048576 bytes");
}

TEST(Weights, WithoutDataSayWhy) {
  auto fake = openedWith({{"w", "weight_0", {8}, {1}}}, "");
  EXPECT_EQ(errorOf(fake, "w"),
            "t.pt2: weight 'w' cannot be read: exported with fake weights: its record is empty");
  EXPECT_EQ(fake.notes, std::vector<std::string>{
                            "1 weights have no data: the program was exported with fake weights"});

  auto pickled = openedWith({{"w", "weight_0", {8}, {1}, 0, 7, true}}, kRecord);
  EXPECT_EQ(errorOf(pickled, "w"),
            "t.pt2: weight 'w' cannot be read: a tensor subclass, stored as a pickle, which "
            "fxscope never opens");

  auto absent = openedWith({{"w", "weight_9", {8}, {1}}}, kRecord);
  EXPECT_EQ(errorOf(absent, "w"),
            "t.pt2: weight 'w' cannot be read: the archive has no member data/weights/weight_9");

  auto unlisted = openedWith({}, kRecord);
  EXPECT_EQ(errorOf(unlisted, "w"),
            "t.pt2: weight 'w' cannot be read: the archive's config files have no entry for it");
  EXPECT_EQ(weight(unlisted, "w").sizes, std::vector<std::int64_t>{3});
}

TEST(Weights, OfABigEndianMachineAreTurnedRound) {
  std::string record = kRecord;
  for (std::size_t i = 0; i < record.size(); i += 4)
    std::reverse(record.begin() + static_cast<std::ptrdiff_t>(i),
                 record.begin() + static_cast<std::ptrdiff_t>(i + 4));
  auto capture = opened(Pt2()
                            .set("byteorder", "big")
                            .set(kWeightsConfig, configOf({{"w", "weight_0", {8}, {1}}}))
                            .set("data/weights/weight_0", record));
  EXPECT_EQ(valuesOf(capture, "w"), floatsIn(kRecord));
}

TEST(Weights, NoneIsReadToOpenAProgram) {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  Pt2 file;
  file.set("data/weights/weight_0", std::string(kSize, 'w'));
  const std::string bytes = file.bytes();
  const std::size_t record = bytes.find(std::string(kSize, 'w'));
  auto source = std::make_shared<SparseSource>(bytes);
  ASSERT_TRUE(read::readCapture(source, "t.pt2", {}, {}));
  // The end record of a zip may be followed by a comment of 64 KiB, so that much is looked at.
  EXPECT_EQ(source->readFrom(record + 4096, record + kSize - (1 << 17)), 0u);
}

TEST(Weights, AFileOfThirtyGigabytesOpensByReadingAFewKilobytes) {
  constexpr std::uint64_t kGap = std::uint64_t{30} << 30;
  Pt2 file;
  ZipMember record = file.members.front();
  file.remove(record.name);
  file.set(kWeightsConfig,
           configOf({{"w", "weight_0", {2, std::int64_t{kGap} / 8}, {std::int64_t{kGap} / 8, 1}},
                     {"corner", "weight_0", {3}, {1}, std::int64_t{kGap} / 4 - 3}}));
  record.bytes.clear();
  record.size = record.packedSize = kGap;
  file.members.push_back(record);
  ZipLies lies;
  lies.gap = kGap;
  const std::string bytes = writeZip(file.prefixed(), lies, true);
  auto source = std::make_shared<SparseSource>(bytes, bytes.find("PK\x01\x02"), kGap);

  auto capture = read::readCapture(source, "t.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->weightBytes, kGap);
  EXPECT_EQ(weight(*capture, "w").fileBytes, kGap);
  EXPECT_EQ(valuesOf(*capture, "corner"), (std::vector<float>{0, 0, 0}));
  EXPECT_LT(source->readFrom(0, source->size()), std::size_t{1} << 20);
  EXPECT_EQ(
      errorOf(*capture, "w"),
      "t.pt2: weight 'w' has 8053063680 elements of 4 bytes, more than the limit of 1048576 bytes");
}

}  // namespace
}  // namespace fxs::test
