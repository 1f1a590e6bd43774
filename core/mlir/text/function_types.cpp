// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/function_types.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/number_from.h"
#include "mlir/text/text_edits.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

bool isInteger(std::string_view element) {
  return !element.empty() &&
         std::all_of(element.begin(), element.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int64_t> sizeOf(std::string_view text) {
  if (text == "?") return kDynamic;
  const auto size = numberFrom<std::int64_t>(text);
  return size && *size >= 0 ? size : std::nullopt;
}

/// The operand types of a return: `return %a, %b : f32, i64` or `"func.return"(%a, %b) : (f32, i64)
/// -> ()`.
std::vector<std::string_view> returnedTypes(std::string_view head) {
  std::size_t colon = 0;
  walkTopLevel(head, 0, head.size(), [&](std::size_t i) {
    if (head[i] == ':') colon = i + 1;
    return false;
  });
  if (colon == 0) return {};
  std::string_view types = trimmed(head.substr(colon));
  if (types.starts_with('(')) {
    const std::size_t close =
        walkTopLevel(types, 1, types.size(), [](std::size_t) { return false; });
    types = types.substr(1, close - 1);
  }
  return topLevelParts(types);
}

}  // namespace

std::string_view signless(std::string_view element) {
  if ((element.starts_with("si") || element.starts_with("ui")) && isInteger(element.substr(2)))
    return element.substr(1);
  return element;
}

std::string_view symbolOf(const Module& module, const Op& op) {
  const std::string_view head = op.head.of(module.text);
  if (head.starts_with('"')) {
    constexpr std::string_view kName = "sym_name = \"";
    const std::size_t at = head.find(kName);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + kName.size();
    return head.substr(begin, head.find('"', begin) - begin);
  }
  const std::size_t at = head.find('@');
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + 1);
  if (!rest.starts_with('"')) return rest.substr(0, afterAll(rest, 0, kWord));
  return rest.substr(1, rest.find('"', 1) - 1);
}

std::optional<Function> functionOf(const Module& module, OpId id) {
  const auto regions = module.regionsOf(id);
  if (regions.empty() || module.blocksOf(regions.front()).empty()) return std::nullopt;
  const auto blocks = module.blocksOf(regions.front());
  const auto ops = module.opsOf(blocks.back());
  if (ops.empty() || module.nameOf(ops.back()) != "func.return") return std::nullopt;
  Function out;
  out.op = id;
  const Block& entry = module.block(blocks.front());
  for (std::uint32_t i = entry.arguments.begin; i < entry.arguments.end; ++i) {
    const ValueId argument(i);
    out.signature.arguments.push_back(module.typeOf(argument).of(module.text));
    out.argumentValues.push_back(argument);
  }
  const Op& last = module.op(ops.back());
  out.signature.results = returnedTypes(last.head.of(module.text));
  for (const Operand& operand : module.operandsOf(ops.back()))
    out.resultValues.push_back(operand.value);
  out.resultValues.resize(out.signature.results.size());
  return out;
}

std::optional<TensorType> tensorType(std::string_view type) {
  constexpr std::string_view kTorch = "!torch.vtensor<[";
  constexpr std::string_view kTorchMutable = "!torch.tensor<[";
  TensorType out;
  if (!type.ends_with('>')) return std::nullopt;
  if (type.starts_with(kTorch) || type.starts_with(kTorchMutable)) {
    const std::size_t open = type.find('[');
    const std::size_t close = type.find(']', open);
    if (close == std::string_view::npos || type.substr(close, 2) != "],") return std::nullopt;
    for (const std::string_view size : topLevelParts(type.substr(open + 1, close - open - 1))) {
      const auto number = sizeOf(size);
      if (!number) return std::nullopt;
      out.sizes.push_back(*number);
    }
    out.element = type.substr(close + 2, type.size() - close - 3);
  } else if (type.starts_with("tensor<") || type.starts_with("memref<")) {
    std::string_view rest = type.substr(7, type.size() - 8);
    for (std::size_t x = rest.find('x'); x != std::string_view::npos; x = rest.find('x')) {
      const auto number = sizeOf(rest.substr(0, x));
      if (!number) break;
      out.sizes.push_back(*number);
      rest.remove_prefix(x + 1);
    }
    if (rest.starts_with('*')) return std::nullopt;
    // An encoding or layout may follow.
    out.element = topLevelParts(rest).empty() ? rest : topLevelParts(rest).front();
  } else {
    return std::nullopt;
  }
  // `!torch.vtensor<[2],si64,#sparse>`
  if (const auto parts = topLevelParts(out.element); !parts.empty()) out.element = parts.front();
  return out;
}

std::optional<Function> functionIn(const Module& module, std::string_view name) {
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const OpId id(static_cast<std::uint32_t>(i));
    if (module.nameOf(id) == "func.func" && symbolOf(module, module.ops[i]) == name)
      return functionOf(module, id);
  }
  return std::nullopt;
}

}  // namespace fxs::mlir
