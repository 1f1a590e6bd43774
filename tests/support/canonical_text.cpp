// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "canonical_text.h"

#include <fmt/format.h>

#include "mlir/compare/correspondence.h"
#include "mlir/text/op_text_writer.h"

namespace fxs::test {
namespace {

using namespace mlir;

void writeUse(std::string& out, const Operand& use) {
  if (use.value.valid()) fmt::format_to(std::back_inserter(out), "%{}", use.value.value);
  else out += "%?";
}
void writeSuccessor(std::string& out, const Module& m, const Successor& next) {
  if (next.block.valid()) fmt::format_to(std::back_inserter(out), "^{}", m.block(next.block).index);
  else out += "^?";
}

/// Values by their numbers in their own module.
struct OwnNumbers {
  const Module& m;
  void define(std::string& out, ValueId id) const {
    fmt::format_to(std::back_inserter(out), "%{}", id.value);
  }
  void use(std::string& out, std::uint32_t operand) const { writeUse(out, m.operands[operand]); }
  void successor(std::string& out, std::uint32_t index) const {
    writeSuccessor(out, m, m.successors[index]);
  }
};

/// An operation of `a` that is kept, with the numbers of `b`.
struct NumbersOfB {
  const Module& a;
  const Module& b;
  const Correspondence& same;
  OpId opA, opB;

  void define(std::string& out, ValueId id) const {
    if (const ValueId there = same.valueOfA[id.index()]; there.valid())
      fmt::format_to(std::back_inserter(out), "%{}", there.value);
    else out += "%?";
  }
  void use(std::string& out, std::uint32_t operand) const {
    const std::uint32_t index = operand - a.op(opA).operands.begin;
    if (index >= b.op(opB).operands.size()) return;
    Operand there = b.operandsOf(opB)[index];
    const ValueId from = a.operands[operand].value;
    // If both producers are kept, the operand is that of `a`; else the one of `b`.
    if (from.valid() && there.value.valid() && same.valueOfA[from.index()].valid() &&
        same.valueOfB[there.value.index()].valid())
      there.value = same.valueOfA[from.index()];
    writeUse(out, there);
  }
  void successor(std::string& out, std::uint32_t index) const {
    const std::uint32_t there = b.op(opB).successors.begin + (index - a.op(opA).successors.begin);
    if (there < b.op(opB).successors.end) writeSuccessor(out, b, b.successors[there]);
  }
};

/// Writes each operation's line with writeOp(id, out), blocks by their number, nested ones
/// indented. No recursion.
template <class WriteOp>
std::string writeAll(const Module& m, WriteOp writeOp) {
  std::string out;
  std::vector<std::size_t> depth(m.ops.size());
  for (std::size_t i = 0; i < m.ops.size(); ++i) {
    const Op& op = m.ops[i];
    depth[i] = op.parent.valid() ? depth[op.parent.index()] + 1 : 0;
    // Deep nesting must not make the text quadratic.
    const std::string indent(2 * std::min<std::size_t>(depth[i], 32), ' ');
    if (op.block.valid() && m.opsOf(op.block)[0].index() == i && m.block(op.block).index > 0)
      fmt::format_to(std::back_inserter(out), "{}^{}:\n", indent.substr(2),
                     m.block(op.block).index);
    out += indent;
    if (depth[i] > 32) fmt::format_to(std::back_inserter(out), "({}) ", depth[i]);
    writeOp(OpId::of(i), out);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string canonicalText(const mlir::Module& m) {
  const ExpandedAliases aliases(m);
  return writeAll(
      m, [&](OpId id, std::string& out) { OpTextWriter(m, aliases, id, OwnNumbers{m}, out); });
}

std::string applied(const mlir::Module& a, const mlir::Module& b, const mlir::Diff& changes) {
  const ExpandedAliases aliasesA(a);
  const ExpandedAliases aliasesB(b);
  std::vector<OpId> ofA(a.ops.size());
  for (const OpPair& pair : changes.pairs)
    if (pair.a.valid()) ofA[pair.a.index()] = pair.b;
  const Correspondence same = correspondence(a, b, ofA);
  return writeAll(b, [&](OpId id, std::string& out) {
    const OpPair& pair = changes.pairs[changes.pairOfB[id.index()]];
    if (pair.change == OpChange::Same || pair.change == OpChange::Moved)
      OpTextWriter(a, aliasesA, pair.a, NumbersOfB{a, b, same, pair.a, id}, out);
    else OpTextWriter(b, aliasesB, id, OwnNumbers{b}, out);
  });
}

}  // namespace fxs::test
