// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/op_keys.h"

#include <utility>

#include "mlir/compare/hash.h"
#include "mlir/text/op_text_writer.h"

namespace fxs::mlir {
namespace {

enum Mark : std::uint64_t { kArgument = 1, kOutside, kUnknown, kNear };

std::uint64_t ordinal(const Module& m, BlockId block) {
  return block.valid() ? m.block(block).index : 0;
}

Keys ownKeys(const Module& m) {
  Keys out;
  out.reserve(m.ops.size());
  const ExpandedAliases aliases(m);
  std::string text;
  for (std::size_t i = 0; i < m.ops.size(); ++i) {
    text.clear();
    OpTextWriter(m, aliases, OpId::of(i), NoNames{}, text);
    Hash own;
    own.add(text);
    out.push_back(own.value());
  }
  return out;
}

/// Adds an operand of operation `i` to the hash of the region around it: connections within the
/// region only.
void addConnection(Hash& around, const Module& m, std::size_t i, const Operand& use) {
  if (!use.value.valid()) return around.add(kUnknown);
  const OpId parent = m.ops[i].parent;
  const Value& value = m.value(use.value);
  if (value.kind == ValueKind::Argument && value.op == parent) {
    around.add(kArgument);
    around.add(ordinal(m, value.block) << 32 | value.index);
  } else if (value.kind == ValueKind::Result && m.op(value.op).parent == parent) {
    around.add(kNear);
    around.add(i - value.op.index());
    around.add(value.index);
  } else {
    around.add(kOutside);
  }
}

Keys deepKeys(const Module& m, const Keys& own) {
  Keys out(own.size());
  std::vector<Hash> held(own.size());
  // In reverse, because nested operations follow their parent.
  for (std::size_t i = own.size(); i-- > 0;) {
    Hash deep(own[i]);
    deep.add(held[i].value());
    out[i] = deep.value();
    const Op& op = m.ops[i];
    if (!op.parent.valid()) continue;
    Hash& around = held[op.parent.index()];
    around.add(out[i]);
    around.add(ordinal(m, op.block));
    for (const Operand& use : m.operandsOf(OpId::of(i))) addConnection(around, m, i, use);
  }
  return out;
}

Keys coneKeys(const Module& m, const Keys& deep) {
  Keys out(deep.size());
  for (std::size_t i = 0; i < deep.size(); ++i) {
    Hash cone(deep[i]);
    for (const Operand& use : m.operandsOf(OpId::of(i))) {
      if (!use.value.valid()) {
        cone.add(kUnknown);
        continue;
      }
      const Value& value = m.value(use.value);
      cone.add(value.index);
      // An argument is identified by its position; uses of later values (blocks in any order)
      // contribute less.
      if (value.kind == ValueKind::Argument) cone.add(kArgument), cone.add(ordinal(m, value.block));
      else cone.add(value.op.index() < i ? out[value.op.index()] : kOutside);
    }
    out[i] = cone.value();
  }
  return out;
}

}  // namespace

OpKeys keysOf(const Module& m, Keys alike) {
  OpKeys out;
  out.own = ownKeys(m);
  out.deep = deepKeys(m, out.own);
  out.cone = coneKeys(m, out.deep);
  if (alike.empty()) return out;
  out.alike = std::move(alike);
  out.alikeCone = coneKeys(m, deepKeys(m, out.alike));
  return out;
}

}  // namespace fxs::mlir
