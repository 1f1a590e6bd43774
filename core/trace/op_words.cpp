// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/op_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/joined.h"
#include "base/number_from.h"
#include "mlir/text/function_types.h"
#include "mlir/text/token_ends.h"

namespace fxs::trace {
namespace {

/// Longer constants are shown by their type.
constexpr std::size_t kLongestConstant = 16;
constexpr std::size_t kBodyOps = 4;
constexpr std::size_t kListItems = 4;
constexpr std::string_view kResource = "dense_resource<", kDense = "dense<";

std::optional<DType> dtypeOf(std::string_view element) {
  const std::string torch = element.starts_with('i') && element != "i1" ? "s" + std::string(element)
                                                                        : std::string(element);
  for (auto i = static_cast<std::uint8_t>(DType::UInt8);
       i <= static_cast<std::uint8_t>(DType::Float8E8M0FNU); ++i)
    if (facts(static_cast<DType>(i)).mlir == torch) return static_cast<DType>(i);
  return std::nullopt;
}

std::string_view withoutDialect(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// The text between the operation's name and its type.
std::string_view middleOf(const mlir::Module& module, const mlir::Op& op) {
  std::string_view text = module.text.substr(op.name.end, op.head.end - op.name.end);
  if (const std::size_t colon = text.rfind(" : "); colon != std::string_view::npos)
    text = text.substr(0, colon);
  while (!text.empty() && (mlir::is(text.front(), mlir::kBlank) || text.front() == '"'))
    text.remove_prefix(1);
  while (!text.empty() && mlir::is(text.back(), mlir::kBlank)) text.remove_suffix(1);
  return text;
}

/// The dimensions of `iterator_types = ["parallel", "reduction"]` that are reductions: "d1".
std::string reducedDimensions(std::string_view head) {
  const std::size_t begin = head.find("iterator_types");
  if (begin == std::string_view::npos) return {};
  std::string_view list = head.substr(begin);
  list = list.substr(0, list.find(']'));
  std::vector<std::string> reduced;
  std::size_t dimension = 0;
  for (std::size_t comma = 0; comma != std::string_view::npos; ++dimension) {
    comma = list.find(',');
    if (list.substr(0, comma).find("reduction") != std::string_view::npos)
      reduced.push_back("d" + std::to_string(dimension));
    if (comma != std::string_view::npos) list.remove_prefix(comma + 1);
  }
  return joined(reduced);
}

/// A constant without operands.
std::string simpleText(const mlir::Module& module, mlir::OpId id) {
  const std::string_view name = withoutDialect(module.nameOf(id));
  std::string_view text = middleOf(module, module.op(id));
  if (const std::size_t resource = text.find(kResource); resource != std::string_view::npos) {
    text = text.substr(resource + kResource.size());
    text = text.substr(0, text.find('>'));
    return std::string(text.substr(text.rfind('.') + 1));
  }
  if (const std::size_t dense = text.find(kDense); dense != std::string_view::npos) {
    text = text.substr(dense + kDense.size());
    text = text.substr(0, text.find('>'));
  }
  if (text.empty() || text.size() > kLongestConstant ||
      text.find_first_of("%{(") != std::string_view::npos)
    return std::string(name);
  const auto number = numberFrom<double>(text);
  return number ? fmt::format("{:g}", *number) : std::string(text);
}

}  // namespace

fx::Value valueOfType(std::string_view type) {
  if (type.empty()) return fx::Unknown{};
  if (const auto tensor = mlir::tensorType(type); tensor)
    if (const auto dtype = dtypeOf(tensor->element)) {
      fx::TensorMeta out;
      out.dtype = *dtype;
      for (const std::int64_t size : tensor->sizes)
        out.sizes.push_back(size == mlir::kDynamic ? fx::SymInt(fx::SymExpr::symbol("?"))
                                                   : fx::SymInt(size));
      return out;
    }
  return fx::CustomObject{std::string(type)};
}

std::string constantText(const mlir::Module& module, mlir::OpId id) {
  const std::string_view name = withoutDialect(module.nameOf(id));
  if (name == "fill" || name == "ListConstruct") {
    std::vector<std::string> parts;
    for (const mlir::Operand& operand : module.operandsOf(id)) {
      const bool isResult =
          operand.value.valid() && module.value(operand.value).kind == mlir::ValueKind::Result;
      parts.push_back(isResult ? simpleText(module, module.value(operand.value).op) : "?");
      if (name == "fill") return "fill " + parts.front();
      if (parts.size() > kListItems) return "list";
    }
    return "[" + joined(parts) + "]";
  }
  return simpleText(module, id);
}

std::string bodyText(const mlir::Module& module, mlir::OpId id) {
  std::vector<std::string> names;
  bool more = false;
  bool hasBody = false;
  for (const mlir::RegionId region : module.regionsOf(id))
    for (const mlir::BlockId block : module.blocksOf(region))
      for (const mlir::OpId inner : module.opsOf(block)) {
        const std::string name(withoutDialect(module.nameOf(inner)));
        hasBody = true;
        if (name == "yield" || name == "return" || name == "constant" ||
            std::find(names.begin(), names.end(), name) != names.end())
          continue;
        if (names.size() == kBodyOps) more = true;
        else names.push_back(name);
      }
  std::string out = joined(names) + (more ? " …" : "");
  if (out.empty() && hasBody) out = "copy";
  if (const std::string reduced = reducedDimensions(module.op(id).head.of(module.text));
      !reduced.empty())
    out += (out.empty() ? "reduces " : "; reduces ") + reduced;
  return out;
}

}  // namespace fxs::trace
