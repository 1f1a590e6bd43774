// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/callee.h"

#include <algorithm>

#include "mlir/text/token_ends.h"
#include "node_lab/type_text.h"

namespace fxs::node_lab {
namespace {

constexpr std::string_view kAttributes = " attributes {";

/// The result types that a return's text lists after its operands: `: T, U`, or of the generic form
/// `) : (T, U) -> ()`.
std::vector<std::string> typesAfterOperands(std::string_view rest) {
  for (std::size_t at = 0; at < rest.size();) {
    if (rest[at] == '{' || rest[at] == '<') {
      at = std::min(mlir::afterBracket(rest, at), rest.size());
    } else if (rest[at] == ':') {
      at = mlir::afterAll(rest, at + 1, mlir::kBlank);
      if (at >= rest.size() || rest[at] != '(')
        return splitAtCommas(rest.substr(std::min(at, rest.size())));
      const std::size_t end = std::min(mlir::afterBracket(rest, at), rest.size());
      return splitAtCommas(rest.substr(at + 1, end - std::min(end, at + 2)));
    } else {
      ++at;
    }
  }
  return {};
}

bool isNestedTooDeeply(const mlir::Module& module) {
  std::vector<std::uint16_t> depths(module.ops.size(), 0);
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    if (const mlir::OpId parent = module.ops[i].parent; parent.valid())
      depths[i] = static_cast<std::uint16_t>(depths[parent.index()] + 1);
    if (depths[i] > kMaxDepthOfRegions) return true;
  }
  return false;
}

/// The operations in the regions of `op`, without those nested deeper.
std::vector<mlir::OpId> directlyIn(const mlir::Module& module, mlir::OpId op) {
  std::vector<mlir::OpId> out;
  for (const mlir::RegionId region : module.regionsOf(op))
    for (const mlir::BlockId block : module.blocksOf(region))
      out.insert(out.end(), module.opsOf(block).begin(), module.opsOf(block).end());
  return out;
}

}  // namespace

Result<std::unique_ptr<const Callee>> Callee::read(std::string_view text,
                                                   std::string_view function) {
  std::unique_ptr<Callee> out(new Callee(text, function));
  FXS_CHECK(out->find());
  FXS_CHECK(out->readSignature());
  FXS_CHECK(out->readReturn());
  return std::unique_ptr<const Callee>(std::move(out));
}

Result<> Callee::find() {
  if (isNestedTooDeeply(module))
    return fail(ErrorCode::InvalidInput,
                "its regions are nested deeper than " + std::to_string(kMaxDepthOfRegions));
  std::vector<mlir::OpId> around = module.top;
  if (around.size() == 1 && module.nameOf(around[0]) == "builtin.module") {
    moduleOp = around[0];
    moduleAttributes = attributesIn(module.op(moduleOp).head);
    around = directlyIn(module, moduleOp);
  }
  for (const mlir::OpId id : around) {
    const std::string symbol = transcript.symbolOf(id);
    if (!function.valid() && module.nameOf(id) == "func.func" && symbol == name) function = id;
    else beside.push_back({id, symbol, !function.valid()});
  }
  if (!function.valid())
    return fail(ErrorCode::InvalidInput, "the module has no function " + symbolText(name));
  const auto regions = module.regionsOf(function);
  if (regions.empty() || module.blocksOf(regions[0]).empty() ||
      module.opsOf(module.blocksOf(regions[0]).back()).empty())
    return fail(ErrorCode::InvalidInput, "function " + symbolText(name) + " has no body");
  severalBlocks = module.blocksOf(regions[0]).size() > 1;
  attributes = attributesIn(module.op(function).head);
  return {};
}

Result<> Callee::readSignature() {
  const mlir::Block& entry = module.block(module.blocksOf(module.regionsOf(function)[0])[0]);
  for (std::uint32_t i = entry.arguments.begin; i < entry.arguments.end; ++i) {
    const mlir::ValueId argument{i};
    const TextRange type = module.typeOf(argument);
    if (type.empty())
      return fail(ErrorCode::InvalidInput, "argument " + std::to_string(arguments.size()) + " of " +
                                               symbolText(name) + " has an unreadable type");
    FXS_TRY(std::string text, transcript.of(type, {}));
    arguments.push_back(argument);
    argumentTypes.push_back(std::move(text));
  }
  return {};
}

Result<> Callee::readReturn() {
  for (const mlir::BlockId block : module.blocksOf(module.regionsOf(function)[0])) {
    const auto ops = module.opsOf(block);
    if (ops.empty() || module.nameOf(ops.back()) != "func.return") continue;
    returned = ops.back();
    if (!severalBlocks) body.assign(ops.begin(), ops.end() - 1);
    break;
  }
  if (!returned.valid())
    return fail(ErrorCode::InvalidInput,
                "function " + symbolText(name) + " does not end in a return");
  const mlir::Op& op = module.op(returned);
  for (const mlir::Operand& operand : module.operandsOf(returned)) {
    if (!operand.value.valid())
      return fail(ErrorCode::InvalidInput, "function " + symbolText(name) + " returns " +
                                               std::string(operand.text.of(module.text)) +
                                               ", which is not defined");
    results.push_back(operand.value);
    resultNames.push_back(operand.text);
  }
  if (results.empty()) return {};
  FXS_TRY(const std::string rest, transcript.of({resultNames.back().end, op.head.end}, {}));
  resultTypes = typesAfterOperands(rest);
  if (resultTypes.size() != results.size())
    return fail(ErrorCode::InvalidInput,
                "function " + symbolText(name) + " returns values of unreadable types");
  return {};
}

std::vector<std::string> Callee::attributesIn(TextRange head) const {
  const std::string_view text = head.of(module.text);
  const std::size_t at = text.rfind(kAttributes);
  if (at == std::string_view::npos) return {};
  const std::size_t open = at + kAttributes.size() - 1;
  const std::size_t end = mlir::afterBracket(text, open);
  if (end != text.size() || !text.ends_with('}')) return {};
  const auto expanded = transcript.of({head.begin + open + 1, head.begin + end - 1}, {});
  return expanded ? splitAtCommas(*expanded) : std::vector<std::string>{};
}

}  // namespace fxs::node_lab
