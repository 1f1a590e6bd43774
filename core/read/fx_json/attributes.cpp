// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of a captured module: always described, with their bytes only if the capture stored them.
#include <unordered_set>

#include "read/fx_json/graphs.h"
#include "read/fx_json/signature.h"
#include "read/fx_json/value.h"
#include "read/pt2/one_of.h"

namespace fxs::read::fx_json {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::uint64_t kCostOfWeight = 16;  // as fx/cost.h counts
const std::string kNoData =
    "the capture contains no tensor data; capture again with data=True to store it";

fx::Weight describedBy(std::string fqn, const fx::TensorMeta& meta) {
  fx::Weight out;
  out.fqn = std::move(fqn);
  out.dtype = meta.dtype;
  auto sizes = fx::staticSizes(meta.sizes), strides = fx::staticSizes(meta.strides);
  if (sizes && strides) {
    out.sizes = *std::move(sizes);
    out.strides = *std::move(strides);
  }
  out.readable = false;
  out.reason = kNoData;
  return out;
}

int base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/// nullopt if it is not base64.
std::optional<std::string> decoded(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int digit = base64Digit(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xff);
  }
  return out;
}

/// The bytes are dense and row-major already.
class StoredWeights final : public WeightReader {
 public:
  StoredWeights(std::string label, StoredData data)
      : label_(std::move(label)), data_(std::move(data)) {}

  Result<std::string> read(const fx::Weight& weight, std::uint64_t maxBytes,
                           const RunContext& context) const override {
    const std::string about = label_ + ": weight '" + weight.fqn + "' ";
    const auto found = data_.find(weight.fqn);
    if (!weight.readable || found == data_.end())
      return fail(ErrorCode::Unsupported, about + "cannot be read: " + weight.reason);
    if (found->second.size() / 4 * 3 > maxBytes + 2)
      return fail(ErrorCode::InvalidInput,
                  about + "is larger than the limit of " + std::to_string(maxBytes) + " bytes");
    context.spend(Resource::Unpacked, found->second.size(), about);
    auto bytes = decoded(found->second);
    if (!bytes) return fail(ErrorCode::InvalidInput, about + "is not valid base64");
    const std::uint64_t wanted =
        weight.elements() * static_cast<std::uint64_t>(facts(weight.dtype).bytes);
    if (bytes->size() != wanted)
      return fail(ErrorCode::InvalidInput, about + "has " + std::to_string(bytes->size()) +
                                               " bytes; its shape requires " +
                                               std::to_string(wanted));
    return *std::move(bytes);
  }

 private:
  std::string label_;
  StoredData data_;
};

Result<fx::Weight> readAttribute(const Json& json, StoredData& stored, const RunContext& context) {
  FXS_TRY(const std::string_view name, nameOf(json, "name"));
  FXS_TRY(const Json kindMember, json.at("kind"));
  FXS_TRY(const std::string_view kind, kindMember.asString());
  if (kind != "parameter" && kind != "buffer" && kind != "constant")
    return invalid(kindMember,
                   "'" + std::string(kind) + "' is not one of parameter, buffer, constant");
  FXS_TRY(const Json val, json.at("val"));
  FXS_TRY(const fx::TensorMeta meta, tensor(val, context));
  fx::Weight out = describedBy(std::string(name), meta);
  out.isParameter = kind == "parameter";
  out.requiresGrad = meta.requiresGrad;
  out.constant = kind == "constant";
  if (auto persistent = present(json, "persistent")) {
    FXS_TRY(const bool isPersistent, persistent->asBool());
    out.constant = out.constant || !isPersistent;
  }
  // Weights with the same view of one storage are the same weight.
  if (auto storage = present(json, "storage")) {
    FXS_TRY(const std::int64_t number, storage->asInt());
    out.file = "storage " + std::to_string(number);
  }
  if (meta.storageOffset.isStatic()) out.storageOffset = meta.storageOffset.value();
  if (auto bytes = present(json, "bytes")) {
    FXS_TRY(const std::int64_t count, bytes->asInt());
    out.fileBytes = count < 0 ? 0 : static_cast<std::uint64_t>(count);
  }
  const auto data = present(json, "data");
  if (!data) return out;
  FXS_TRY(const std::string_view text, data->asString());
  if (meta.dtype == DType::Unknown) return invalid(*data, "data of an unknown dtype");
  out.readable = true;
  out.reason = "";
  stored.insert_or_assign(out.fqn, std::string(text));
  return out;
}

}  // namespace

Result<> readAttributes(const Json& top, fx::Builder& builder, StoredData& stored) {
  fx::Program& program = builder.program();
  std::unordered_set<std::string> seen;
  if (const auto list = present(top, "attributes")) {
    FXS_CHECK(list->asArray());
    for (const Json json : *list) {
      builder.context().spend(Resource::Values, kCostOfWeight, "the attributes");
      FXS_TRY(fx::Weight weight, readAttribute(json, stored, builder.context()));
      if (!seen.insert(weight.fqn).second)
        return invalid(json, "attribute '" + weight.fqn + "' is listed twice");
      program.weights.push_back(std::move(weight));
    }
  }
  for (const fx::InputSpec& input : program.inputs) {
    const fx::TensorMeta* meta = builder.node(input.node).val.tensor();
    if (!isWeight(input.kind) || !seen.insert(input.target).second) continue;
    fx::Weight weight = describedBy(input.target, meta != nullptr ? *meta : fx::TensorMeta{});
    weight.isParameter = input.kind == fx::InputKind::Parameter;
    weight.requiresGrad = weight.isParameter && meta != nullptr && meta->requiresGrad;
    weight.constant = input.kind == fx::InputKind::ConstantTensor ||
                      (input.kind == fx::InputKind::Buffer && !input.persistent);
    program.weights.push_back(std::move(weight));
  }
  return {};
}

std::shared_ptr<const WeightReader> storedWeights(std::string label, StoredData data) {
  return std::make_shared<StoredWeights>(std::move(label), std::move(data));
}

}  // namespace fxs::read::fx_json
