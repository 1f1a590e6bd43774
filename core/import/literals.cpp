// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/literals.h"

#include <limits>

#include "fx/shared_weights.h"
#include "import/constants.h"

namespace fxs::import {
namespace {

/// The engine folds conversions of constants of this many elements. TOSA takes no longer ones with
/// unsigned elements inline.
constexpr std::uint64_t kFoldedElements = 16;

// torch-mlir stores booleans as bytes.
DType storedAs(DType dtype) { return dtype == DType::Bool ? DType::UInt8 : dtype; }

/// Number of elements; nullopt if a size is symbolic or negative, or on overflow.
std::optional<std::uint64_t> elementsOf(const fx::TensorMeta& meta) {
  std::uint64_t count = 1;
  for (const fx::SymInt& size : meta.sizes) {
    if (!size.isStatic() || size.value() < 0) return std::nullopt;
    if (size.value() == 0) return 0;
    const auto extent = static_cast<std::uint64_t>(size.value());
    if (count > std::numeric_limits<std::uint64_t>::max() / 16 / extent) return std::nullopt;
    count *= extent;
  }
  return count;
}

/// Elements up to which lowering writes a weight inline, with elements of type `written`.
std::uint64_t mostInlined(DType dtype, DType written) {
  if (!isIntegral(written)) return 1;
  if (written != DType::UInt8) return kInlineElements;
  return dtype == DType::Bool ? kFoldedElements : 1;
}

std::string_view elementType(DType dtype) {
  return dtype == DType::Unknown ? std::string_view("i8") : facts(dtype).mlir;
}

std::string tensorType(const fx::TensorMeta& meta, std::string_view element) {
  std::string out = "tensor<";
  for (const fx::SymInt& size : meta.sizes) out += std::to_string(size.value()) + "x";
  out += element;
  return out + ">";
}

void appendHex(std::string& out, std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  const std::size_t start = out.size();
  out.resize(start + bytes.size() * 2);
  char* to = out.data() + start;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *to++ = kHex[byte >> 4];
    *to++ = kHex[byte & 15];
  }
}

std::string integerAt(std::string_view bytes, std::size_t index, const DTypeFacts& type) {
  std::uint64_t bits = 0;
  const auto width = static_cast<std::size_t>(type.bytes);
  for (std::size_t i = 0; i < width; ++i)
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[index * width + i])} << (8 * i);
  if (type.mlir.starts_with("ui")) return std::to_string(bits);
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

/// `[[1, 2], [3, 4]]`: row-major, a bracket for each dimension.
std::string nestedIntegers(std::string_view bytes, const fx::TensorMeta& meta,
                           const DTypeFacts& type, std::uint64_t count) {
  std::string out;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t span = 1;
    std::string opened;
    std::string closed;
    for (std::size_t d = meta.sizes.size(); d-- > 0;) {
      span *= static_cast<std::uint64_t>(meta.sizes[d].value());
      if (i % span == 0) opened += '[';
      if ((i + 1) % span == 0) closed += ']';
    }
    if (i != 0) out += ", ";
    out += opened + integerAt(bytes, static_cast<std::size_t>(i), type) + closed;
  }
  return out;
}

/// The inside of `dense<..>`.
std::string denseElements(std::string_view bytes, const fx::TensorMeta& meta, std::uint64_t count) {
  if (count == 0) return {};
  const DType stored = storedAs(meta.dtype);
  if (isIntegral(stored)) return nestedIntegers(bytes, meta, facts(stored), count);
  std::string out = "\"0x";
  appendHex(out, bytes);
  return out + '"';
}

}  // namespace

WeightLiterals::WeightLiterals(const fx::Program& program, const ImportOptions& options)
    : options_(options) {
  for (const fx::Weight& weight : program.weights) weights_.emplace(weight.fqn, &weight);
}

std::optional<std::string> WeightLiterals::read(std::string_view fqn, const fx::Weight* weight,
                                                std::uint64_t wantedBytes) {
  std::string reason;
  if (!options_.weights) return std::nullopt;
  if (weight == nullptr) {
    reason = "the file does not contain this weight";
  } else if (!weight->readable) {
    reason = weight->reason;
  } else if (Result<std::string> bytes = options_.weights(*weight); !bytes) {
    reason = bytes.error().message;
  } else if (bytes->size() != wantedBytes) {
    // The engine never checks a blob against its type and would misread it silently.
    reason = "it has " + std::to_string(bytes->size()) + " bytes, but its type requires " +
             std::to_string(wantedBytes);
  } else {
    return *std::move(bytes);
  }
  unread_.emplace_back(fqn, std::move(reason));
  return std::nullopt;
}

bool isWrittenInline(const fx::Weight& weight) {
  return weight.elements() == 1 ||
         (isIntegral(storedAs(weight.dtype)) && weight.elements() <= kInlineElements);
}

WeightLiterals::Literal WeightLiterals::make(OpWriter& writer, std::string_view fqn,
                                             const fx::TensorMeta& meta, const fx::Weight* weight,
                                             bool isConverted) {
  const bool lowering = options_.mode == Mode::Lowering;
  const bool widens = lowering && isConverted && meta.dtype == DType::UInt8;
  const DType written = widens ? DType::Int32 : storedAs(meta.dtype);
  fx::TensorMeta stored = meta;
  stored.dtype = storedAs(meta.dtype);
  const auto elementBytes = static_cast<std::uint64_t>(facts(stored.dtype).bytes);
  const std::uint64_t count = elementsOf(meta).value_or(std::numeric_limits<std::uint64_t>::max());
  const std::uint64_t wantedBytes = count * elementBytes;
  const bool small = count <= (lowering ? mostInlined(meta.dtype, written) : 1);
  std::optional<std::string> bytes;
  if (small && wantedBytes > 0) bytes = read(fqn, weight, wantedBytes);
  if (bytes) stored.dtype = written;
  const std::string end = "> : " + tensorType(meta, elementType(stored.dtype));
  Literal literal{"value = ", writer.types().tensor(stored)};
  if (count == 0 || bytes) {
    literal.attribute += "dense<" + denseElements(bytes.value_or(""), meta, count) + end;
    return literal;
  }
  std::string key = keyOf(fqn, weight);
  literal.attribute += "dense_resource<";
  appendQuoted(literal.attribute, key);
  literal.attribute += end;
  if (options_.embedWeights && !small && key == fqn && wantedBytes > 0)
    if (auto data = read(fqn, weight, wantedBytes))
      resources_.push_back(
          {std::move(key), *std::move(data), static_cast<std::size_t>(elementBytes)});
  return literal;
}

/// Records without bytes all share one file name, so only stored data show that two weights are
/// the same.
std::string WeightLiterals::keyOf(std::string_view fqn, const fx::Weight* weight) {
  const std::string view = weight != nullptr ? fx::storedView(*weight) : std::string();
  return view.empty() ? std::string(fqn) : keys_.try_emplace(view, fqn).first->second;
}

Value WeightLiterals::write(OpWriter& writer, std::string_view fqn, const fx::TensorMeta& meta,
                            bool isConverted) {
  const std::pair<std::string, bool> form(fqn, isConverted);
  auto found = made_.find(form);
  if (found == made_.end()) {
    const auto weight = weights_.find(fqn);
    found =
        made_
            .emplace(form, make(writer, fqn, meta,
                                weight == weights_.end() ? nullptr : weight->second, isConverted))
            .first;
  }
  const Value literal =
      writer.op("torch.vtensor.literal", {}, found->second.type, found->second.attribute);
  if (meta.dtype != DType::Bool) return literal;
  const Value dtype = constantInt(writer, facts(DType::Bool).torchInt);
  return writer.op("torch.prims.convert_element_type", {literal, dtype},
                   writer.types().tensor(meta));
}

void WeightLiterals::appendResources(std::string& out) const {
  if (resources_.empty()) return;
  std::size_t total = 0;
  for (const Resource& resource : resources_)
    total += resource.bytes.size() * 2 + resource.key.size() + 32;
  out.reserve(out.size() + total + 128);
  out += "{-#\n  dialect_resources: {\n    builtin: {\n";
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const Resource& resource = resources_[i];
    out += "      ";
    appendQuoted(out, resource.key);
    out += ": \"0x";
    // A blob opens with its alignment, a little-endian u32.
    std::string alignment(4, '\0');
    for (std::size_t byte = 0; byte < 4; ++byte)
      alignment[byte] = static_cast<char>((resource.alignment >> (8 * byte)) & 0xFF);
    appendHex(out, alignment);
    appendHex(out, resource.bytes);
    out += i + 1 < resources_.size() ? "\",\n" : "\"\n";
  }
  out += "    }\n  }\n#-}\n";
}

}  // namespace fxs::import
