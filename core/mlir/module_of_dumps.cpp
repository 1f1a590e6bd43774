#include "mlir/module_of_dumps.h"

#include <optional>

#include "mlir/op_scan.h"

namespace fxs::mlir {
namespace {

/// "@main" of `func.func private @main(..)`, or of `sym_name = "main"` in the generic form; "" when it has none.
std::string symbolOf(std::string_view line) {
  if (const std::size_t at = line.find("sym_name = \""); at != std::string_view::npos) {
    const std::size_t begin = at + 12;
    return "@" + std::string(line.substr(begin, line.find('"', begin) - begin));
  }
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return {};
  if (at + 1 < line.size() && line[at + 1] == '"') {
    const std::size_t end = line.find('"', at + 2);
    return "@" + std::string(line.substr(at + 2, end == std::string_view::npos ? end : end - at - 2));
  }
  return std::string(line.substr(at, line.find_first_of("( {<", at) - at));
}

bool isModule(std::string_view op) { return op == "module" || op == "builtin.module"; }

struct Place {
  std::size_t begin, end;  // of text; equal where there is none to replace
};

std::size_t offsetOf(std::string_view text, const ScannedText& scanned, std::uint32_t line) {
  return line < scanned.lines.size() ? static_cast<std::size_t>(scanned.lines[line].text.data() - text.data()) : text.size();
}

std::optional<Place> placeOf(std::string_view text, std::string_view symbol) {
  const ScannedText scanned = scanOps(text);
  for (const ScannedOp& op : scanned.ops) {
    const bool atTop = op.parent != ScannedOp::kNone && isModule(scanned.ops[op.parent].name);
    if (!atTop || isModule(op.name) || symbolOf(op.line) != symbol) continue;
    return Place{offsetOf(text, scanned, op.firstLine), offsetOf(text, scanned, op.lastLine + 1)};
  }
  for (const ScannedOp& op : scanned.ops)
    if (op.parent == ScannedOp::kNone && isModule(op.name) && op.lastLine > op.firstLine) {
      const std::size_t at = offsetOf(text, scanned, op.lastLine);
      return Place{at, at};
    }
  return std::nullopt;
}

}  // namespace

bool ModuleOfDumps::lacks(std::string_view printed) const {
  const ScannedText scanned = scanOps(printed);
  if (scanned.ops.empty() || isModule(scanned.ops.front().name)) return false;
  const std::string symbol = symbolOf(scanned.ops.front().line);
  if (symbol.empty()) return false;
  merged_ += text_.size();
  const std::optional<Place> place = placeOf(text_, symbol);
  return !place || place->begin == place->end;
}

void ModuleOfDumps::take(std::string_view printed) {
  const ScannedText scanned = scanOps(printed);
  const bool one = !scanned.ops.empty() && !isModule(scanned.ops.front().name);
  const std::string symbol = one ? symbolOf(scanned.ops.front().line) : std::string();
  // Passes on functions print without aliases; those of an older engine would clash with the module's.
  bool aliases = false;
  for (const ScannedLine& line : scanned.lines) aliases = aliases || line.kind == LineKind::Alias;
  if (symbol.empty() || aliases) {
    text_ = std::string(printed);
    return;
  }
  if (text_.empty()) text_ = "module {\n}\n";
  merged_ += text_.size();
  const std::optional<Place> place = placeOf(text_, symbol);
  if (!place) {
    text_ = std::string(printed);
    return;
  }
  std::string indented;
  for (const ScannedLine& line : scanned.lines) {
    if (line.text.empty()) continue;
    indented.append("  ").append(line.text).push_back('\n');
  }
  text_.replace(place->begin, place->end - place->begin, indented);
}

}  // namespace fxs::mlir
