// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/weights_as_arguments.h"

#include <map>

#include "mlir/text/function_types.h"
#include "mlir/text/module.h"
#include "mlir/text/text_edits.h"
#include "mlir/text/token_ends.h"

namespace fxs::execute {
namespace {

constexpr std::string_view kResource = "dense_resource<";

/// The handle in a constant's text, without quotes; empty if it has none.
std::string_view handleIn(std::string_view head) {
  const std::size_t at = head.find(kResource);
  if (at == std::string_view::npos) return {};
  const std::size_t open = at + kResource.size() - 1;
  const std::size_t end = mlir::afterBracket(head, open);
  if (end == std::string_view::npos) return {};
  std::string_view handle = head.substr(open + 1, end - open - 2);
  if (handle.size() >= 2 && handle.front() == '"') handle = handle.substr(1, handle.size() - 2);
  return handle;
}

bool isConstant(std::string_view name) {
  return name == "arith.constant" || name == "tosa.const" || name == "stablehlo.constant" ||
         name == "torch.vtensor.literal";
}

mlir::OpId functionAround(const mlir::Module& module, mlir::OpId id) {
  while (id.valid() && module.nameOf(id) != "func.func") id = module.op(id).parent;
  return id;
}

}  // namespace

Result<TextWithArguments> weightsAsArguments(std::string_view text, std::string_view function) {
  const mlir::Module module(text);
  const auto main = mlir::functionIn(module, function);
  if (!main)
    return fail(ErrorCode::Unsupported,
                "the module has no function '" + std::string(function) + "'");
  TextWithArguments out;
  mlir::TextEdits edits;
  std::map<std::string, std::string, std::less<>> argumentOf;  // by handle
  std::string added;
  for (std::uint32_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(i);
    if (!isConstant(module.nameOf(id))) continue;
    const mlir::Op& op = module.op(id);
    const std::string_view handle = handleIn(op.head.of(text));
    if (handle.empty() || op.results.size() != 1) continue;
    if (functionAround(module, id) != main->op)
      return fail(ErrorCode::Unsupported, "the weight '" + std::string(handle) +
                                              "' is used outside of '" + std::string(function) +
                                              "'");
    const mlir::ValueId result(op.results.begin);
    const std::string_view type = module.typeOf(result).of(text);
    if (type.empty())
      return fail(ErrorCode::Unsupported,
                  "the type of the weight '" + std::string(handle) + "' is not known");
    // Equal handles of different types are different views of one weight, which a program does not
    // have.
    const auto [known, isNew] =
        argumentOf.try_emplace(std::string(handle) + " " + std::string(type), "");
    if (isNew) {
      known->second = "%fxscope_weight_" + std::to_string(out.handles.size());
      out.handles.emplace_back(handle);
      added += ", " + known->second + ": " + std::string(type);
    }
    edits.replace(op.text.begin, op.text.end, "");
    for (const mlir::OperandId use : module.usesOf(result)) {
      const TextRange range = module.operands[use.index()].text;
      edits.replace(range.begin, range.end, known->second);
    }
  }
  if (out.handles.empty()) {
    out.text = text;
    return out;
  }
  const mlir::Op& op = module.op(main->op);
  const std::size_t open = text.find('(', op.head.begin);
  const std::size_t close =
      open < op.head.end ? mlir::afterBracket(text, open) : std::string_view::npos;
  if (close == std::string_view::npos || op.head.of(text).starts_with('"'))
    return fail(ErrorCode::Unsupported,
                "the signature of '" + std::string(function) + "' cannot be extended");
  if (main->signature.arguments.empty()) added.erase(0, 2);
  edits.insert(close - 1, added);
  out.text = edits.applied(text);
  return out;
}

}  // namespace fxs::execute
