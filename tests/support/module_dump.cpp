// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module_dump.h"

namespace fxs::test {
namespace {

using namespace mlir;

std::string named(const Module& m, ValueId id) {
  return std::string(m.value(id).name.of(m.text)) + "[" + std::to_string(id.value) + "]";
}

std::string defined(const Module& m, std::uint32_t id) {
  const Value& value = m.values[id];
  std::string out = named(m, ValueId{id});
  if (const TextRange type = m.typeOf(ValueId{id}); !type.empty())
    out += ":" + std::string(type.of(m.text));
  if (!value.location.empty()) out += "@" + std::string(value.location.of(m.text));
  return out;
}

void dumpOp(const Module& m, OpId id, std::string indent, std::string& out) {
  const Op& op = m.op(id);
  out += indent + std::string(m.nameOf(id));
  for (const Operand& use : m.operandsOf(id)) {
    out += ' ';
    if (!use.value.valid()) out += "?" + std::string(use.text.of(m.text));
    else out += named(m, use.value);
  }
  for (std::uint32_t i = op.results.begin; i < op.results.end; ++i)
    out += (i == op.results.begin ? " -> " : ", ") + defined(m, i);
  for (std::uint32_t i = op.successors.begin; i < op.successors.end; ++i) {
    const Successor& next = m.successors[i];
    out += next.block.valid() ? " ^" + std::to_string(next.block.value)
                              : " ?" + std::string(next.text.of(m.text));
  }
  if (!op.location.empty()) out += " @" + std::string(op.location.of(m.text));
  out += '\n';
  for (const RegionId region : m.regionsOf(id)) {
    out += indent + "{\n";
    for (const BlockId block : m.blocksOf(region)) {
      if (!m.block(block).label.empty() || m.block(block).arguments.size() > 0) {
        out += indent + "^" + std::to_string(block.value) +
               std::string(m.block(block).label.of(m.text));
        for (std::uint32_t i = m.block(block).arguments.begin; i < m.block(block).arguments.end;
             ++i)
          out += " " + defined(m, i);
        out += '\n';
      }
      for (const OpId inner : m.opsOf(block)) dumpOp(m, inner, indent + "  ", out);
    }
    out += indent + "}\n";
  }
}

bool inside(TextRange inner, TextRange outer) {
  return outer.begin <= inner.begin && inner.begin <= inner.end && inner.end <= outer.end;
}

std::string wrongWithOp(const Module& m, OpId id) {
  const Op& op = m.op(id);
  const TextRange around = op.parent.valid() ? m.op(op.parent).text : TextRange{0, m.text.size()};
  if (op.parent.valid() && op.parent.index() >= id.index()) return "its parent comes after it";
  if (op.parent.valid() != op.block.valid()) return "a parent without a block";
  if (op.block.valid() && m.region(m.block(op.block).region).op != op.parent)
    return "its block is not its parent's";
  if (!inside(op.text, around) || op.text.empty()) return "its text is outside of its parent's";
  if (!inside(op.head, op.text) || op.head.begin != op.text.begin)
    return "its head does not begin its text";
  if (!inside(op.name, op.head) || op.name.empty()) return "its name is not in its head";
  if (!op.location.empty() && !inside(op.location, op.text))
    return "its location is outside of its text";
  if (m.nameOf(id).find(op.name.of(m.text)) == std::string_view::npos)
    return "its full name does not hold the printed one";
  if (op.firstLine != m.lineOf(op.text.begin) || op.lastLine != m.lineOf(op.text.end - 1))
    return "its lines are wrong";
  if (op.results.end > m.values.size() || op.operands.end > m.operands.size() ||
      op.successors.end > m.successors.size())
    return "a range leaves its vector";
  std::size_t before = op.text.begin;
  for (const Operand& use : m.operandsOf(id)) {
    if (use.user != id || !inside(use.text, op.text) || use.text.begin < before)
      return "an operand is not its own";
    before = use.text.end;
    if (use.value.valid() && use.value.index() >= m.values.size()) return "an operand of no value";
  }
  for (std::uint32_t i = op.results.begin; i < op.results.end; ++i)
    if (m.values[i].op != id || m.values[i].kind != ValueKind::Result ||
        m.values[i].index != i - op.results.begin)
      return "a result is not its own";
  before = op.text.begin;
  for (const RegionId region : m.regionsOf(id)) {
    if (m.region(region).op != id || !inside(m.region(region).text, op.text) ||
        m.region(region).text.begin < before)
      return "a region is not its own";
    before = m.region(region).text.end;
  }
  if (const OpId found = m.opAt(op.name.begin); found != id) return "opAt does not find it";
  if (const OpId found = m.opOfLine(op.firstLine);
      !found.valid() || m.op(found).firstLine > op.firstLine)
    return "opOfLine does not find it";
  return {};
}

std::string wrongWithValue(const Module& m, ValueId id) {
  const Value& value = m.value(id);
  if (!value.op.valid() || value.op.index() >= m.ops.size()) return "no operation";
  if (!inside(value.name, m.op(value.op).text) || value.name.empty() ||
      m.text[value.name.begin] != '%')
    return "its name is not in its operation";
  if (value.block.valid()) {
    const Block& block = m.block(value.block);
    if (m.region(block.region).op != value.op) return "its block is not its operation's";
    if (id.value < block.arguments.begin || id.value >= block.arguments.end ||
        value.index != id.value - block.arguments.begin)
      return "not an argument of its block";
  }
  if (const ValueId at = m.valueAt(value.name.begin); !at.valid() || m.value(at).name != value.name)
    return "valueAt does not find it";
  if (const TextRange type = m.typeOf(id); !type.empty() && !inside(type, m.op(value.op).text))
    return "its type is not in its operation";
  for (const OperandId use : m.usesOf(id))
    if (m.operands[use.index()].value != id) return "a use of another value";
  return {};
}

}  // namespace

std::string dump(const Module& m) {
  std::string out;
  for (const OpId id : m.top) dumpOp(m, id, "", out);
  return out;
}

std::string problemOf(const Module& m) {
  std::size_t uses = 0, used = 0, ops = m.top.size(), regions = 0, blocks = 0;
  for (std::size_t i = 0; i < m.ops.size(); ++i) {
    if (i > 0 && m.ops[i].text.begin <= m.ops[i - 1].text.begin) return "operations out of order";
    if (const std::string wrong = wrongWithOp(m, OpId::of(i)); !wrong.empty())
      return "op " + std::to_string(i) + ": " + wrong;
    regions += m.regionsOf(OpId::of(i)).size();
  }
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    if (const std::string wrong = wrongWithValue(m, ValueId::of(i)); !wrong.empty())
      return "value " + std::to_string(i) + ": " + wrong;
    uses += m.usesOf(ValueId::of(i)).size();
  }
  for (const Operand& operand : m.operands) {
    used += operand.value.valid();
    if (operand.value.valid() && m.valueAt(operand.text.begin) != operand.value)
      return "valueAt does not find a use";
  }
  if (uses != used) return "uses and operands differ in number";
  for (std::size_t i = 0; i < m.regions.size(); ++i) blocks += m.blocksOf(RegionId::of(i)).size();
  for (std::size_t i = 0; i < m.blocks.size(); ++i) ops += m.opsOf(BlockId::of(i)).size();
  if (regions != m.regions.size() || blocks != m.blocks.size() || ops != m.ops.size())
    return "an operation, block or region is in no parent";
  for (const Successor& next : m.successors)
    if (next.block.valid() && next.block.index() >= m.blocks.size())
      return "a successor is no block";
  return {};
}

}  // namespace fxs::test
