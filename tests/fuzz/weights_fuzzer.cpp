// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A weight's bytes: whatever its shape, strides, offset and type, those that a plain reading finds,
// or none.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fuzz_input.h"
#include "mutation/chance.h"
#include "pt2_writer.h"
#include "read/read.h"

using namespace fxs;

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 16;
constexpr std::size_t kRecordBytes = 512;

__extension__ typedef __int128 Wide;

class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : rest_(bytes) {}
  std::size_t byte() {
    if (rest_.empty()) return 0;
    const auto out = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return out;
  }
  /// Of a byte: a small number, or one at a border.
  std::int64_t number() {
    const std::size_t b = byte();
    return b < 128 ? static_cast<std::int64_t>(b) - 16
                   : fuzz::kBorders[b % std::size(fuzz::kBorders)];
  }

 private:
  std::string_view rest_;
};

std::string jsonInts(const std::vector<std::int64_t>& values) {
  std::string out;
  for (const std::int64_t value : values)
    out += fmt::format("{}{{\"as_int\": {}}}", out.empty() ? "" : ", ", value);
  return "[" + out + "]";
}

/// One element after the other, in numbers that do not overflow; nothing where one lies outside of
/// the record.
std::optional<std::string> plainReading(const fx::Weight& weight, const std::string& record,
                                        bool bigEndian) {
  const auto item = static_cast<std::size_t>(facts(weight.dtype).bytes);
  std::string out;
  std::vector<std::int64_t> index(weight.sizes.size(), 0);
  for (std::uint64_t done = 0, all = weight.elements(); done < all; ++done) {
    Wide at = weight.storageOffset;
    for (std::size_t d = 0; d < index.size(); ++d)
      at += static_cast<Wide>(index[d]) * weight.strides[d];
    if (at < 0 || (at + 1) * static_cast<Wide>(item) > static_cast<Wide>(record.size()))
      return std::nullopt;
    std::string element = record.substr(static_cast<std::size_t>(at) * item, item);
    const std::size_t unit = isComplex(weight.dtype) ? item / 2 : item;
    for (std::size_t part = 0; bigEndian && part < item; part += unit)
      std::reverse(element.begin() + static_cast<std::ptrdiff_t>(part),
                   element.begin() + static_cast<std::ptrdiff_t>(part + unit));
    out += element;
    for (std::size_t d = index.size(); d-- > 0; index[d] = 0)
      if (++index[d] < weight.sizes[d]) break;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(fuzz::textOf(data, size));
  const std::size_t flags = numbers.byte();
  const bool bigEndian = (flags & 1) != 0;
  std::vector<std::int64_t> sizes, strides;
  const std::int64_t dtype = static_cast<std::int64_t>(numbers.byte() % 48),
                     offset = numbers.number();
  for (std::size_t rank = numbers.byte() % 70; rank > 0; --rank) {
    sizes.push_back(numbers.number());
    strides.push_back(numbers.number());
  }
  if ((flags & 2) != 0 && !strides.empty()) strides.pop_back();

  std::string record;
  for (std::size_t i = 0; i < numbers.byte() + kRecordBytes - 255; ++i)
    record += static_cast<char>(i * 7 % 251);
  test::Pt2 file;
  file.set("data/weights/weight_0", record);
  file.set("byteorder", bigEndian ? "big" : "little");
  file.set(
      "data/weights/model_weights_config.json",
      fmt::format(
          R"({{"config": {{"w": {{"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {{"dtype": {}, )"
          R"("sizes": {}, "requires_grad": true, "device": {{"type": "cpu", "index": null}}, "strides": {}, )"
          R"("storage_offset": {{"as_int": {}}}, "layout": 7}}}}}}}})",
          dtype, jsonInts(sizes), jsonInts(strides), offset));
  const auto capture = read::readCapture(memorySource(file.bytes()), "fuzz.pt2", {}, {});
  if (!capture) return 0;
  for (const fx::Weight& weight : capture->program->weights) {
    const auto dense = capture->weights->read(weight, kMaxBytes);
    if (!dense) {
      fuzz::require(dense.error().message.starts_with("fuzz.pt2: "), "an error names the file");
      continue;
    }
    fuzz::require(
        dense->size() == weight.elements() * static_cast<std::uint64_t>(facts(weight.dtype).bytes),
        "as many bytes as its shape asks for");
    fuzz::require(plainReading(weight, record, bigEndian) == *dense,
                  "the bytes of a plain reading");
  }
  return 0;
}
