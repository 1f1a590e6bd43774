// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/signature.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mlir/text/function_types.h"
#include "mlir/text/module.h"

namespace fxs::execute {
namespace {

/// The dtype of a signless element type; integers are taken as signed.
DType dtypeOf(std::string_view element, bool isUnsigned) {
  if (element == "i8") return isUnsigned ? DType::UInt8 : DType::Int8;
  if (element == "i16") return isUnsigned ? DType::UInt16 : DType::Int16;
  if (element == "i32") return isUnsigned ? DType::UInt32 : DType::Int32;
  if (element == "i64") return isUnsigned ? DType::UInt64 : DType::Int64;
  static constexpr std::array<std::pair<std::string_view, DType>, 8> kOthers{
      {{"i1", DType::Bool},
       {"f16", DType::Float16},
       {"bf16", DType::BFloat16},
       {"f32", DType::Float32},
       {"f64", DType::Float64},
       {"complex<f32>", DType::Complex64},
       {"complex<f64>", DType::Complex128},
       {"index", DType::Int64}}};
  for (const auto& [name, dtype] : kOthers)
    if (name == element) return dtype;
  return DType::Unknown;
}

}  // namespace

Result<ValueType> valueTypeOf(std::string_view type) {
  ValueType out;
  std::string_view element = type;
  if (type == "!torch.int") {
    element = "i64";
    out.number = true;
  } else if (type == "!torch.float") {
    element = "f64";
    out.number = true;
  } else if (type == "!torch.bool") {
    element = "i1";
    out.number = true;
  } else if (auto tensor = mlir::tensorType(type)) {
    out.sizes = std::move(tensor->sizes);
    element = tensor->element;
  } else {
    out.number = true;
  }
  out.element = mlir::signless(element);
  out.dtype = dtypeOf(out.element, element.starts_with("ui"));
  if (out.element == "index") out.element = "i64";
  if (out.dtype == DType::Unknown)
    return fail(ErrorCode::Unsupported,
                "values of type " + std::string(type) + " cannot be passed");
  return out;
}

Result<Signature> signatureOf(std::string_view text, std::string_view function) {
  const mlir::Module module(text);
  const auto found = mlir::functionIn(module, function);
  if (!found)
    return fail(ErrorCode::Unsupported,
                "the module has no function '" + std::string(function) + "'");
  Signature out;
  for (const std::string_view type : found->signature.arguments) {
    FXS_TRY(out.arguments.emplace_back(), valueTypeOf(type));
  }
  for (const std::string_view type : found->signature.results) {
    FXS_TRY(out.results.emplace_back(), valueTypeOf(type));
  }
  const std::vector<mlir::ValueId>& arguments = found->argumentValues;
  for (const mlir::ValueId result : found->resultValues) {
    const auto argument =
        result.valid() ? std::find(arguments.begin(), arguments.end(), result) : arguments.end();
    const bool isReturned = argument != arguments.end() && module.usesOf(result).size() > 1;
    out.returned.push_back(isReturned ? std::optional<std::size_t>(argument - arguments.begin())
                                      : std::nullopt);
  }
  return out;
}

}  // namespace fxs::execute
