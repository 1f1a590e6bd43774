// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/value_decoder.h"

#include <algorithm>
#include <limits>

#include "fx/cost.h"
#include "fx/evaluated_text.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::size_t kMaxDeviceBytes = 64;

/// An enum's number as an int; -1 if out of range.
Result<int> enumNumber(const Json& json) {
  FXS_TRY(std::int64_t number, json.asInt());
  return number < 0 || number > std::numeric_limits<std::int16_t>::max() ? -1
                                                                         : static_cast<int>(number);
}

std::string shown(const Json& json) { return std::to_string(*json.asInt()); }

bool isOffset(std::int64_t elements) {
  constexpr std::int64_t kMaxOffset = std::numeric_limits<std::int64_t>::max() / 4;
  return elements >= -kMaxOffset && elements <= kMaxOffset;
}

/// Bounds the farthest element in either direction. A symbolic size counts as 2, so that its
/// stride is bounded too.
bool canReachElements(const fx::TensorMeta& meta) {
  std::int64_t first = meta.storageOffset.isStatic() ? meta.storageOffset.value() : 0, last = first;
  if (!isOffset(first)) return false;
  for (std::size_t i = 0; i < meta.sizes.size() && i < meta.strides.size(); ++i) {
    if (!meta.strides[i].isStatic()) continue;
    const std::int64_t steps =
        meta.sizes[i].isStatic() ? std::max<std::int64_t>(meta.sizes[i].value() - 1, 1) : 1;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(steps, meta.strides[i].value(), &reach) || !isOffset(reach))
      return false;
    std::int64_t& end = reach < 0 ? first : last;
    end += reach;
    if (!isOffset(end)) return false;
  }
  return true;
}

}  // namespace

std::string extentProblem(const fx::TensorMeta& meta) {
  std::int64_t elements = std::max<std::int64_t>(facts(meta.dtype).bytes, 1);
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    if (!meta.sizes[i].isStatic()) continue;
    const std::int64_t size = meta.sizes[i].value();
    if (size < 0)
      return "size " + std::to_string(size) + " of dimension " + std::to_string(i) + " is negative";
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(size, 1), &elements))
      return "its size in bytes does not fit into 64 bits";
  }
  return canReachElements(meta) ? "" : "its strides and offset exceed 62 bits";
}

Result<> checkExtent(const Json& at, const fx::TensorMeta& meta) {
  if (std::string problem = extentProblem(meta); !problem.empty()) return invalid(at, problem);
  return {};
}

Result<DType> ValueDecoder::dtype(const Json& json) {
  FXS_TRY(int number, enumNumber(json));
  if (number == 0) return DType::Unknown;
  if (auto known = dtypeFromSerialized(number)) return *known;
  return invalid(json, shown(json) + " is not a dtype of schema version 8");
}

Result<Layout> ValueDecoder::layout(const Json& json) {
  FXS_TRY(int number, enumNumber(json));
  if (auto known = layoutFromSerialized(number)) return *known;
  return invalid(json, shown(json) + " is not a layout of schema version 8");
}

Result<MemoryFormat> ValueDecoder::memoryFormat(const Json& json) {
  FXS_TRY(int number, enumNumber(json));
  if (auto known = memoryFormatFromSerialized(number)) return *known;
  return invalid(json, shown(json) + " is not a memory format of schema version 8");
}

Result<Device> ValueDecoder::device(const Json& json) {
  Device out;
  FXS_TRY(Json type, json.at("type"));
  FXS_TRY(std::string_view name, type.asString());
  if (name.size() > kMaxDeviceBytes || !fx::isIdentifier(name))
    return invalid(type, "is not a device name");
  out.type = name;
  if (auto index = present(json, "index")) {
    FXS_TRY(int number, enumNumber(*index));
    if (number < 0) return invalid(*index, shown(*index) + " is not a device index");
    out.index = number;
  }
  return out;
}

Result<fx::SymExprPtr> ValueDecoder::expression(const Json& symExpr) {
  FXS_TRY(Json member, symExpr.at("expr_str"));
  FXS_TRY(std::string_view text, member.asString());
  auto known = expressions_.find(std::string(text));
  if (known != expressions_.end()) return known->second;
  context_.spend(Resource::Values, fx::costOfParsing(text), "the symbolic expressions");
  auto parsed = fx::parseSrepr(text);
  if (!parsed) return invalid(member, parsed.error().message);
  expressions_.emplace(text, *parsed);
  return *parsed;
}

Result<fx::SymInt> ValueDecoder::symInt(const Json& json) {
  FXS_TRY(OneOf choice, oneOf(json));
  if (choice.kind == "as_int") {
    FXS_TRY(std::int64_t number, choice.value.asInt());
    return fx::SymInt(number);
  }
  if (choice.kind != "as_expr")
    return invalid(choice.value, "is not a kind of SymInt; expected as_int or as_expr");
  FXS_TRY(fx::SymExprPtr expr, expression(choice.value));
  std::optional<std::int64_t> hint;
  if (auto given = present(choice.value, "hint")) {
    FXS_TRY(OneOf hintChoice, oneOf(*given));
    FXS_TRY(hint, hintChoice.value.asInt());
  }
  // A size that was specialized late is serialized as the expression Integer(4).
  if (expr->kind == fx::SymExpr::Kind::Integer) return fx::SymInt(expr->integer);
  return fx::SymInt(std::move(expr), hint);
}

Result<fx::SymValue> ValueDecoder::symValue(fx::SymKind kind, const Json& json) {
  fx::SymValue out;
  out.kind = kind;
  FXS_TRY(OneOf choice, oneOf(json));
  auto constant = [&](const Json& value) -> Result<> {
    switch (kind) {
      case fx::SymKind::Int: {
        FXS_TRY(out.constant, value.asInt());
        break;
      }
      case fx::SymKind::Float: {
        FXS_TRY(out.constant, value.asFloat());
        break;
      }
      case fx::SymKind::Bool: {
        FXS_TRY(out.constant, value.asBool());
        break;
      }
    }
    return {};
  };
  if (choice.kind == "as_expr") {
    FXS_TRY(out.expr, expression(choice.value));
    if (auto hint = present(choice.value, "hint")) {
      FXS_TRY(OneOf hintChoice, oneOf(*hint));
      FXS_CHECK(constant(hintChoice.value));
    }
    return out;
  }
  std::string_view expected = kind == fx::SymKind::Float ? "as_float" : "as_bool";
  if (kind == fx::SymKind::Int) expected = "as_int";
  if (choice.kind != expected)
    return invalid(choice.value, "is not a kind of symbolic value; expected " +
                                     std::string(expected) + " or as_expr");
  FXS_CHECK(constant(choice.value));
  return out;
}

Result<std::vector<fx::SymInt>> ValueDecoder::symInts(const Json& list) {
  FXS_CHECK(list.asArray());
  if (list.size() > kMaxRank)
    return invalid(list, std::to_string(list.size()) + " dimensions; PyTorch has at most " +
                             std::to_string(kMaxRank));
  std::vector<fx::SymInt> out;
  out.reserve(list.size());
  for (Json item : list) {
    FXS_TRY(fx::SymInt value, symInt(item));
    out.push_back(std::move(value));
  }
  return out;
}

Result<fx::TensorMeta> ValueDecoder::tensorMeta(const Json& json) {
  FXS_CHECK(json.asObject());
  fx::TensorMeta meta;
  FXS_TRY(Json dtypeMember, json.at("dtype"));
  FXS_TRY(meta.dtype, dtype(dtypeMember));
  FXS_TRY(Json sizes, json.at("sizes"));
  FXS_TRY(meta.sizes, symInts(sizes));
  FXS_TRY(Json strides, json.at("strides"));
  FXS_TRY(meta.strides, symInts(strides));
  if (meta.sizes.size() != meta.strides.size())
    return invalid(json, std::to_string(meta.sizes.size()) + " sizes but " +
                             std::to_string(meta.strides.size()) + " strides");
  if (auto offset = present(json, "storage_offset")) {
    FXS_TRY(meta.storageOffset, symInt(*offset));
  }
  if (auto grad = present(json, "requires_grad")) {
    FXS_TRY(meta.requiresGrad, grad->asBool());
  }
  FXS_TRY(Json deviceMember, json.at("device"));
  FXS_TRY(meta.device, device(deviceMember));
  FXS_TRY(Json layoutMember, json.at("layout"));
  FXS_TRY(meta.layout, layout(layoutMember));
  FXS_CHECK(checkExtent(json, meta));
  return meta;
}

}  // namespace fxs::read::pt2
