// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors: the length of a JSON header in eight bytes, the header, then the elements
// (github.com/huggingface/safetensors).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/json.h"
#include "base/safe_text.h"
#include "tensor/formats.h"

namespace fxs::tensor {
namespace {

constexpr std::uint64_t kLengthBytes = 8,
                        kMaxHeader = 100'000'000;  // the limit of the reference implementation
constexpr std::uint32_t kMaxHeaderDepth = 8;
constexpr std::string_view kMetadata = "__metadata__";
constexpr std::uint64_t kCostOfTensor = 16;

struct SafetensorsType {
  std::string_view name;
  DType dtype;
};
constexpr std::array<SafetensorsType, 19> kSafetensorsTypes{{{"BOOL", DType::Bool},
                                                             {"U8", DType::UInt8},
                                                             {"I8", DType::Int8},
                                                             {"U16", DType::UInt16},
                                                             {"I16", DType::Int16},
                                                             {"U32", DType::UInt32},
                                                             {"I32", DType::Int32},
                                                             {"U64", DType::UInt64},
                                                             {"I64", DType::Int64},
                                                             {"F16", DType::Float16},
                                                             {"BF16", DType::BFloat16},
                                                             {"F32", DType::Float32},
                                                             {"F64", DType::Float64},
                                                             {"C64", DType::Complex64},
                                                             {"F8_E4M3", DType::Float8E4M3FN},
                                                             {"F8_E5M2", DType::Float8E5M2},
                                                             {"F8_E4M3FNUZ", DType::Float8E4M3FNUZ},
                                                             {"F8_E5M2FNUZ", DType::Float8E5M2FNUZ},
                                                             {"F8_E8M0", DType::Float8E8M0FNU}}};

struct ByteRange {
  std::uint64_t begin = 0, end = 0;  // in the data
};

class Safetensors final : public NamedTensors {
 public:
  Safetensors(std::shared_ptr<const ByteSource> source, std::string label)
      : NamedTensors(std::move(label)), source_(std::move(source)) {}

  Result<> readHeader(const RunContext& context) {
    FXS_TRY(const std::string length, source_->read(0, kLengthBytes));
    std::uint64_t headerBytes = 0;
    for (std::size_t i = length.size(); i-- > 0;)
      headerBytes = headerBytes << 8 | static_cast<unsigned char>(length[i]);
    if (headerBytes > kMaxHeader)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: its safetensors header has {} bytes, more than the limit of {}",
                              label(), headerBytes, kMaxHeader));
    if (headerBytes > source_->size() - kLengthBytes)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: is cut off: its safetensors header has {} bytes, the file {}",
                              label(), headerBytes, source_->size()));
    spendJsonText(headerBytes, label(), context);
    FXS_TRY(const std::string text, source_->read(kLengthBytes, headerBytes));
    FXS_TRY(const std::shared_ptr<const JsonDocument> json,
            JsonDocument::parse(text, label(), {kMaxHeader, kMaxHeaderDepth}, context));
    FXS_TRY(const Json all, json->root().asObject());
    dataAt_ = kLengthBytes + headerBytes;
    for (const Json tensor : all) {
      if (tensor.key() == kMetadata) continue;
      context.spend(Resource::Values, kCostOfTensor + tensor.key().size() / 8, label());
      FXS_CHECK(addTensor(tensor));
    }
    return {};
  }

  Result<Tensor> read(const StoredTensor& wanted, std::uint64_t maxBytes,
                      const RunContext& context) const override {
    FXS_TRY(const std::size_t at, positionOf(wanted));
    const std::uint64_t bytes = ranges_[at].end - ranges_[at].begin;
    const std::string about = label() + ": tensor " + printableName(wanted.name);
    FXS_CHECK(checkSize(bytes, maxBytes, about));
    context.spend(Resource::Unpacked, bytes, about);
    FXS_TRY(std::string elements, source_->read(dataAt_ + ranges_[at].begin, bytes));
    Tensor out{tensors()[at].dtype, tensors()[at].sizes, std::move(elements)};
    normalizeBools(out);
    return out;
  }

 private:
  Result<> addTensor(const Json& tensor) {
    FXS_TRY(const Json dtypeName, tensor.at("dtype"));
    FXS_TRY(const std::string_view name, dtypeName.asString());
    const auto type = std::find_if(kSafetensorsTypes.begin(), kSafetensorsTypes.end(),
                                   [&](const SafetensorsType& t) { return t.name == name; });
    if (type == kSafetensorsTypes.end())
      return tl::unexpected(
          dtypeName.error("the dtype " + printableName(name) +
                          " is not supported; save the tensor with another dtype"));
    StoredTensor out{std::string(tensor.key()), type->dtype, {}};
    FXS_TRY(const Json shape, tensor.arrayAt("shape"));
    if (shape.size() > kMaxRank)
      return tl::unexpected(shape.error(fmt::format("has more than {} dimensions", kMaxRank)));
    for (const Json size : shape) {
      FXS_TRY(const std::int64_t number, size.asInt());
      out.sizes.push_back(number);
    }
    FXS_TRY(const Json offsets, tensor.arrayAt("data_offsets"));
    std::vector<std::int64_t> ends;
    for (const Json end : offsets) {
      if (ends.size() == 2) break;
      FXS_TRY(const std::int64_t number, end.asInt());
      ends.push_back(number);
    }
    const std::uint64_t there = source_->size() - dataAt_;
    if (offsets.size() != 2 || ends[0] < 0 || ends[1] < ends[0] ||
        static_cast<std::uint64_t>(ends[1]) > there)
      return tl::unexpected(offsets.error(fmt::format(
          "expected where the tensor begins and ends in the {} bytes after the header", there)));
    const ByteRange range{static_cast<std::uint64_t>(ends[0]), static_cast<std::uint64_t>(ends[1])};
    const auto itemBytes = static_cast<std::uint64_t>(facts(out.dtype).bytes);
    const auto count = elementCount(out.sizes);
    if (!count) return tl::unexpected(shape.error("no tensor has this shape"));
    if ((range.end - range.begin) % itemBytes != 0 ||
        *count != (range.end - range.begin) / itemBytes)
      return tl::unexpected(offsets.error(fmt::format(
          "{} bytes do not hold {}", range.end - range.begin, typeText(out.dtype, out.sizes))));
    FXS_CHECK(add(std::move(out)));
    ranges_.push_back(range);
    return {};
  }

  std::shared_ptr<const ByteSource> source_;
  std::uint64_t dataAt_ = 0;
  std::vector<ByteRange> ranges_;
};

}  // namespace

Result<TensorFilePtr> openSafetensors(std::shared_ptr<const ByteSource> source, std::string label,
                                      const RunContext& context) {
  auto file = std::make_shared<Safetensors>(std::move(source), std::move(label));
  FXS_CHECK(file->readHeader(context));
  return TensorFilePtr(std::move(file));
}

Result<std::string> safetensorsBytes(const std::vector<NamedTensor>& tensors) {
  std::string header = "{", elements;
  std::unordered_set<std::string> names{std::string(kMetadata)};
  for (const NamedTensor& named : tensors) {
    const Tensor& tensor = named.tensor;
    const auto type =
        std::find_if(kSafetensorsTypes.begin(), kSafetensorsTypes.end(),
                     [&](const SafetensorsType& t) { return t.dtype == tensor.dtype; });
    if (type == kSafetensorsTypes.end())
      return fail(ErrorCode::Unsupported,
                  fmt::format("tensor {}: safetensors has no {}; write .npy",
                              printableName(named.name), facts(tensor.dtype).torchName));
    if (!names.insert(named.name).second)
      return fail(ErrorCode::InvalidInput,
                  "safetensors cannot have another tensor named " + printableName(named.name));
    header += fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                          header.size() > 1 ? "," : "", jsonQuote(named.name), type->name,
                          fmt::join(tensor.sizes, ","), elements.size(),
                          elements.size() + tensor.bytes.size());
    elements += tensor.bytes;
  }
  header += '}';
  header.append((kLengthBytes - header.size() % kLengthBytes) % kLengthBytes, ' ');
  std::string out;
  for (std::uint64_t i = 0; i < kLengthBytes; ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return out + header + elements;
}

}  // namespace fxs::tensor
