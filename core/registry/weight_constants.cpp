// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/weight_constants.h"

#include "fx/shared_weights.h"
#include "registry/linalg/loops.h"

namespace fxs::registry {
namespace {

void appendHex(std::string& out, std::string_view bytes) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
}

std::uint64_t bitsAt(std::string_view bytes, std::size_t index, std::size_t width) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i)
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[index * width + i])} << (8 * i);
  return bits;
}

std::vector<Scalar> integersIn(std::string_view bytes, std::size_t width) {
  std::vector<Scalar> out;
  const auto unused = static_cast<unsigned>(64 - 8 * width);
  for (std::size_t i = 0; i < bytes.size() / width; ++i)
    out.emplace_back(static_cast<std::int64_t>(bitsAt(bytes, i, width) << unused) >> unused);
  return out;
}

/// Negative on overflow.
std::int64_t bytesOf(std::int64_t elements, DType dtype) {
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(elements, std::int64_t{facts(dtype).bytes}, &bytes) ? -1 : bytes;
}

}  // namespace

WeightConstants::WeightConstants(const fx::Program& program, const DirectOptions& options,
                                 std::string op)
    : program_(program), options_(options), op_(std::move(op)) {}

std::optional<std::string> WeightConstants::read(const fx::Weight* weight, std::string_view fqn,
                                                 std::int64_t bytes) {
  if (!options_.weights) return std::nullopt;
  std::string reason;
  if (bytes < 0) {
    reason = "its type does not fit in memory";
  } else if (weight == nullptr) {
    reason = "the file does not contain this weight";
  } else if (!weight->readable) {
    reason = weight->reason;
  } else if (Result<std::string> read = options_.weights(*weight); !read) {
    reason = read.error().message;
  } else if (read->size() != static_cast<std::size_t>(bytes)) {
    // MLIR never checks a blob against its type and would misread it silently.
    reason = "it has " + std::to_string(read->size()) + " bytes, but its type requires " +
             std::to_string(bytes);
  } else {
    return *std::move(read);
  }
  unread_.emplace(fqn, std::move(reason));
  return std::nullopt;
}

std::string WeightConstants::handle(const OpBuilder& emit, const fx::Weight* weight,
                                    std::string_view fqn, std::int64_t elements, DType dtype) {
  const std::string view = weight != nullptr ? fx::storedView(*weight) : std::string();
  std::string key = view.empty() ? std::string(fqn) : keys_.try_emplace(view, fqn).first->second;
  if (options_.embedWeights && !resources_.contains(key)) {
    if (const auto bytes = read(weight, fqn, bytesOf(elements, dtype))) {
      // A blob opens with its alignment, a little-endian u32.
      std::string blob(4, '\0');
      blob[0] = static_cast<char>(facts(dtype).bytes);
      emit.spend(2 * bytes->size());
      std::string& hex = resources_[key];
      hex = "0x";
      hex.reserve(2 + 2 * (bytes->size() + 4));
      appendHex(hex, blob);
      appendHex(hex, *bytes);
    }
  }
  return "dense_resource<" + quoted(key) + ">";
}

Value WeightConstants::write(OpBuilder& emit, std::string_view fqn, const TensorType& type,
                             DType dtype) {
  const fx::Weight* weight = program_.findWeight(fqn);
  const std::int64_t elements = type.elements();
  if (elements == 0) return emit.constant(type, {}, "arith.constant");
  const bool isInteger = isIntegral(dtype) || dtype == DType::Bool;
  // Booleans are stored as bytes, and MLIR packs i1; compilers take no complex constants as data,
  // but their parts.
  TensorType stored = type;
  if (dtype == DType::Bool) stored.element = "i8";
  if (isComplex(dtype)) {
    stored.sizes.push_back(2);
    stored.element = type.element.substr(8, type.element.size() - 9);
  }
  const std::string attribute = op_ == "arith.constant" ? "value = " : "values = ";
  const auto finished = [&](const Value& value) {
    return isComplex(dtype) ? linalg::complexOf(emit, value) : value;
  };
  if (elements == 1 || (isInteger && elements <= kInlineElements)) {
    const auto width = static_cast<std::size_t>(facts(dtype).bytes);
    if (const auto bytes = read(weight, fqn, bytesOf(elements, dtype))) {
      if (isInteger) return emit.constant(type, integersIn(*bytes, width), op_);
      std::string data = attribute + "dense<\"0x";
      appendHex(data, *bytes);
      return finished(emit.op(op_, {}, stored, data + "\"> : " + stored.text()));
    }
  }
  const Value value =
      emit.op(op_, {}, stored,
              attribute + handle(emit, weight, fqn, elements, dtype) + " : " + stored.text());
  return dtype == DType::Bool ? emit.op("arith.trunci", {value}, type) : finished(value);
}

std::string WeightConstants::resources() const {
  if (resources_.empty()) return {};
  std::string out = "{-#\n  dialect_resources: {\n    builtin: {";
  bool first = true;
  for (const auto& [key, hex] : resources_) {
    out += first ? "\n      " : ",\n      ";
    first = false;
    out += quoted(key) + ": \"" + hex + '"';
  }
  return out + "\n    }\n  }\n#-}\n";
}

}  // namespace fxs::registry
