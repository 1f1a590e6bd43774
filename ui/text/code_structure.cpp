// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/code_structure.h"

#include <QStringList>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

/// Fewer lines before the first operation (aliases, directives of an assembler), and fewer
/// parameters or constants, are not folded.
constexpr std::uint32_t kLeastHead = 4;

/// Constants from operation `first` on, which is the first of a body; none if they are few.
std::optional<Fold> constantsFrom(const mlir::Module& module, std::size_t first) {
  std::size_t end = first, parameters = 0;
  for (; end < module.ops.size() && isConstant(module.nameOf(mlir::OpId::of(end))); ++end) {
    const std::string_view text = module.ops[end].text.of(module.text);
    parameters += text.find("dense_resource<") != std::string_view::npos ||
                          text.find(".global") != std::string_view::npos
                      ? 1
                      : 0;
  }
  if (end - first < kLeastHead) return std::nullopt;
  QStringList label;
  if (parameters > 0) label << counted(parameters, "parameter");
  if (const std::size_t others = end - first - parameters; others > 0)
    label << counted(others, "constant");
  return Fold{module.ops[first].firstLine, module.ops[end - 1].lastLine, FoldKind::Block,
              label.join(", "), true};
}

}  // namespace

bool isConstant(std::string_view operation) {
  return operation.find("const") != std::string_view::npos || operation.ends_with(".literal") ||
         operation.ends_with(".ListConstruct") || operation.ends_with(".global") ||
         operation == "tensor.empty" || operation.starts_with("torch_c.");
}

std::vector<Fold> foldsOf(const std::vector<bool>& isParameter) {
  std::vector<Fold> folds;
  for (std::size_t i = 0; i < isParameter.size(); ++i) {
    const std::size_t first = i;
    while (i < isParameter.size() && isParameter[i]) ++i;
    if (i - first < kLeastHead) continue;
    folds.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(i - 1),
                     FoldKind::Block, counted(i - first, "parameter"), true});
  }
  return folds;
}

std::vector<Fold> foldsOf(const mlir::Module& module) {
  std::vector<Fold> folds;
  const std::uint32_t head = module.ops.empty() ? 0 : module.ops.front().firstLine;
  const QString hidden =
      module.aliasBodies.empty() ? counted(head, "line") : counted(head, "alias", "aliases");
  if (head >= kLeastHead) folds.push_back({0, head - 1, FoldKind::Block, hidden, true});
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::Op& op = module.ops[i];
    if (module.regionsOf(mlir::OpId::of(i)).empty() || op.lastLine <= op.firstLine) continue;
    // Operations are in text order, so those in its regions directly follow it.
    const auto after = std::partition_point(
        module.ops.begin() + static_cast<std::ptrdiff_t>(i) + 1, module.ops.end(),
        [&](const mlir::Op& other) { return other.text.begin < op.text.end; });
    const auto inside = static_cast<std::size_t>(after - module.ops.begin()) - i - 1;
    const std::string_view name = module.nameOf(mlir::OpId::of(i));
    const bool outer = name == "builtin.module" || name == "func.func";
    const bool body = outer && inside > 0 && module.ops[i + 1].text.begin < op.text.end;
    if (auto constants = body ? constantsFrom(module, i + 1) : std::nullopt)
      folds.push_back(*std::move(constants));
    folds.push_back({op.firstLine, op.lastLine, outer ? FoldKind::Function : FoldKind::Region,
                     "… " + counted(inside, "operation") + " }", false});
  }
  return folds;
}

FindMatch positionOf(const CodeText& text, TextRange range) {
  const std::uint32_t line = text.lineAt(range.begin);
  const std::size_t start = text.startOf(line);
  const std::size_t end = std::min(range.end, start + text.line(line).size());
  return {line, static_cast<std::uint32_t>(range.begin - start),
          static_cast<std::uint32_t>(std::max(end, range.begin) - start)};
}

std::vector<FindMatch> ValuePositions::all() const {
  std::vector<FindMatch> positions{definition};
  for (const ValueUse& use : uses) positions.push_back(use.position);
  std::sort(positions.begin(), positions.end(), [](const FindMatch& a, const FindMatch& b) {
    return a.line != b.line ? a.line < b.line : a.begin < b.begin;
  });
  return positions;
}

std::optional<ValuePositions> valueAt(const mlir::Module& module, const CodeText& text,
                                      std::size_t offset) {
  const mlir::ValueId id = module.valueAt(offset);
  if (!id.valid()) return std::nullopt;
  ValuePositions positions{id, positionOf(text, module.value(id).name), {}};
  for (const mlir::OperandId use : module.usesOf(id)) {
    const mlir::Operand& operand = module.operands[use.index()];
    positions.uses.push_back({positionOf(text, operand.text), operand.user});
  }
  return positions;
}

QString valueTip(const mlir::Module& module, const CodeText& text, std::size_t offset) {
  const std::optional<ValuePositions> positions = valueAt(module, text, offset);
  if (!positions) return {};
  const mlir::Value& value = module.value(positions->value);
  QString tip = ui::text(value.name.of(module.text));
  if (value.kind == mlir::ValueKind::Result && module.op(value.op).results.size() > 1)
    tip += '#' + QString::number(value.index);
  if (const TextRange type = module.typeOf(positions->value); !type.empty())
    tip += " : " + ui::text(type.of(module.text));
  const QString op = ui::text(module.nameOf(value.op));
  tip += value.kind == mlir::ValueKind::Argument
             ? QString("\nargument %1 of %2").arg(value.index + 1).arg(op)
             : "\ndefined by " + op;
  tip += QString(", line %1\n").arg(positions->definition.line + 1);
  return tip +
         (positions->uses.empty() ? QString("no uses") : counted(positions->uses.size(), "use"));
}

QString opTip(const mlir::Module& module, mlir::OpId id) {
  constexpr qsizetype kSeenAtOnce = 80;
  if (!id.valid()) return {};
  const std::string_view head = module.op(id).head.of(module.text);
  if (head.size() <= kSeenAtOnce) return {};
  QString whole = text(head.substr(0, 4 * kLongestOp)).simplified();
  if (whole.size() <= kLongestOp && head.size() <= 4 * kLongestOp) return whole;
  return whole.left(kLongestOp) + " …";
}

}  // namespace fxs::ui
