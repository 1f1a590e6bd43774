// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/module_of_dumps.h"

#include <optional>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// "@main" of `func.func private @main(..)`, or of `sym_name = "main"` in the generic form; "" when
/// it has none.
std::string symbolOf(std::string_view line) {
  if (const std::size_t at = line.find("sym_name = \""); at != std::string_view::npos) {
    const std::size_t begin = at + 12;
    return "@" + std::string(line.substr(begin, line.find('"', begin) - begin));
  }
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return {};
  if (at + 1 < line.size() && line[at + 1] == '"') {
    const std::size_t end = line.find('"', at + 2);
    return "@" +
           std::string(line.substr(at + 2, end == std::string_view::npos ? end : end - at - 2));
  }
  return std::string(line.substr(at, line.find_first_of("( {<", at) - at));
}

bool isModule(std::string_view op) { return op == "module" || op == "builtin.module"; }

struct Position {
  std::size_t begin, end;  // of text; equal where there is none to replace
};

std::optional<Position> positionOf(std::string_view text, std::string_view symbol) {
  const Document document(text);
  const Module& module = document.module;
  const auto offsetOf = [&](std::uint32_t line) {
    return line < module.lineStarts.size() ? module.lineStarts[line] : text.size();
  };
  for (std::uint32_t i = 0; i < module.ops.size(); ++i) {
    const Op& op = module.ops[i];
    const bool atTop = op.parent.valid() && isModule(module.nameOf(op.parent));
    if (!atTop || isModule(module.nameOf(OpId{i})) || symbolOf(document.lineOf(OpId{i})) != symbol)
      continue;
    return Position{offsetOf(op.firstLine), offsetOf(op.lastLine + 1)};
  }
  for (const OpId id : module.top)
    if (const Op& op = module.op(id); isModule(module.nameOf(id)) && op.lastLine > op.firstLine) {
      const std::size_t at = offsetOf(op.lastLine);
      return Position{at, at};
    }
  return std::nullopt;
}

/// The symbol of the single operation in a text, such as a function; "" for a module.
std::string symbolOfOne(const Document& document) {
  if (document.module.ops.empty() || isModule(document.module.nameOf(OpId{0}))) return {};
  return symbolOf(document.lineOf(OpId{0}));
}

std::string_view lineAt(const Module& module, std::size_t line) {
  const std::size_t begin = module.lineStarts[line];
  return module.text.substr(begin, endOfLine(module.text, begin) - begin);
}

}  // namespace

bool ModuleOfDumps::lacks(const Document& printed) const {
  const std::string symbol = symbolOfOne(printed);
  if (symbol.empty()) return false;
  merged_ += text_.size();
  const std::optional<Position> position = positionOf(text_, symbol);
  return !position || position->begin == position->end;
}

void ModuleOfDumps::take(const Document& printed) {
  const Module& module = printed.module;
  const std::string symbol = symbolOfOne(printed);
  // Passes on functions print without aliases; aliases from an older engine would conflict with the
  // module's.
  bool located = false;
  for (std::uint32_t i = 0; i < module.aliases.size(); ++i)
    located = located || module.aliases[i].starts_with("#loc");
  if (symbol.empty() || located) {
    text_ = std::string(module.text);
    return;
  }
  if (text_.empty()) text_ = "module {\n}\n";
  merged_ += text_.size();
  const std::optional<Position> position = positionOf(text_, symbol);
  if (!position) {
    text_ = std::string(module.text);
    return;
  }
  std::string indented;
  for (std::size_t i = 0; i < module.lineStarts.size(); ++i)
    if (const std::string_view line = lineAt(module, i); !line.empty())
      indented.append("  ").append(line).push_back('\n');
  text_.replace(position->begin, position->end - position->begin, indented);
}

}  // namespace fxs::mlir
