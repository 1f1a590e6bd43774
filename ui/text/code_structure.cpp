#include "text/code_structure.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

/// Fewer lines before the first operation (aliases, directives of an assembler) are not folded.
constexpr std::uint32_t kLeastHead = 4;

}  // namespace

std::vector<Fold> foldsOf(const mlir::Module& module) {
  std::vector<Fold> folds;
  const std::uint32_t head = module.ops.empty() ? 0 : module.ops.front().firstLine;
  const QString hidden = module.aliasBodies.empty() ? counted(head, "line") : counted(head, "alias", "aliases");
  if (head >= kLeastHead) folds.push_back({0, head - 1, FoldKind::Block, hidden, true});
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    if (module.regionsOf(mlir::OpId::of(i)).empty() || op.lastLine <= op.firstLine) continue;
    // Operations are in text order, so those in its regions directly follow it.
    const auto after = std::partition_point(module.ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, module.ops.end(),
                                            [&](const mlir::Op& other) { return other.text.begin < op.text.end; });
    const auto inside = static_cast<std::size_t>(after - module.ops.begin()) - i - 1;
    const std::string_view name = module.nameOf(mlir::OpId::of(i));
    const bool outer = name == "builtin.module" || name == "func.func";
    folds.push_back(
        {op.firstLine, op.lastLine, outer ? FoldKind::Function : FoldKind::Region, "… " + counted(inside, "operation") + " }", false});
  }
  return folds;
}

FindMatch placeOf(const CodeText& text, TextRange range) {
  const std::uint32_t line = text.lineAt(range.begin);
  const std::size_t start = text.startOf(line);
  const std::size_t end = std::min(range.end, start + text.line(line).size());
  return {line, static_cast<std::uint32_t>(range.begin - start), static_cast<std::uint32_t>(std::max(end, range.begin) - start)};
}

std::vector<FindMatch> ValuePlaces::all() const {
  std::vector<FindMatch> places{definition};
  for (const ValueUse& use : uses) places.push_back(use.place);
  std::sort(places.begin(), places.end(),
            [](const FindMatch& a, const FindMatch& b) { return a.line != b.line ? a.line < b.line : a.begin < b.begin; });
  return places;
}

std::optional<ValuePlaces> valueAt(const mlir::Module& module, const CodeText& text, std::size_t offset) {
  const mlir::ValueId id = module.valueAt(offset);
  if (!id.valid()) return std::nullopt;
  ValuePlaces places{id, placeOf(text, module.value(id).name), {}};
  for (const mlir::OperandId use : module.usesOf(id)) {
    const mlir::Operand& operand = module.operands[use.index()];
    places.uses.push_back({placeOf(text, operand.text), operand.user});
  }
  return places;
}

QString valueTip(const mlir::Module& module, const CodeText& text, std::size_t offset) {
  const std::optional<ValuePlaces> places = valueAt(module, text, offset);
  if (!places) return {};
  const mlir::Value& value = module.value(places->value);
  QString tip = ui::text(value.name.of(module.text));
  if (value.kind == mlir::ValueKind::Result && module.op(value.op).results.size() > 1) tip += '#' + QString::number(value.index);
  if (const TextRange type = module.typeOf(places->value); !type.empty()) tip += " : " + ui::text(type.of(module.text));
  const QString op = ui::text(module.nameOf(value.op));
  tip += value.kind == mlir::ValueKind::Argument ? QString("\nargument %1 of %2").arg(value.index + 1).arg(op) : "\ndefined by " + op;
  tip += QString(", line %1\n").arg(places->definition.line + 1);
  return tip + (places->uses.empty() ? QString("no uses") : counted(places->uses.size(), "use"));
}

}  // namespace fxs::ui
