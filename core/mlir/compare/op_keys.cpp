// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/op_keys.h"

#include "mlir/compare/hash.h"
#include "mlir/text/op_text_writer.h"

namespace fxs::mlir {
namespace {

enum Mark : std::uint64_t { kArgument = 1, kOutside, kUnknown, kNear };

std::uint64_t ordinal(const Module& m, BlockId block) {
  return block.valid() ? m.block(block).index : 0;
}

}  // namespace

OpKeys keysOf(const Module& m) {
  const std::size_t count = m.ops.size();
  OpKeys out{std::vector<std::uint64_t>(count), std::vector<std::uint64_t>(count),
             std::vector<std::uint64_t>(count)};
  const ExpandedAliases aliases(m);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text.clear();
    OpTextWriter(m, aliases, OpId::of(i), NoNames{}, text);
    Hash own;
    own.add(text);
    out.own[i] = own.value();
  }

  // In reverse, because nested operations follow their parent.
  std::vector<Hash> held(count);
  for (std::size_t i = count; i-- > 0;) {
    Hash deep(out.own[i]);
    deep.add(held[i].value());
    out.deep[i] = deep.value();
    const Op& op = m.ops[i];
    if (!op.parent.valid()) continue;
    Hash& around = held[op.parent.index()];
    around.add(out.deep[i]);
    around.add(ordinal(m, op.block));
    // Hash the connections within the region only.
    for (const Operand& use : m.operandsOf(OpId::of(i))) {
      if (!use.value.valid()) {
        around.add(kUnknown);
      } else if (const Value& value = m.value(use.value);
                 value.kind == ValueKind::Argument && value.op == op.parent) {
        around.add(kArgument);
        around.add(ordinal(m, value.block) << 32 | value.index);
      } else if (value.kind == ValueKind::Result && m.op(value.op).parent == op.parent) {
        around.add(kNear);
        around.add(i - value.op.index());
        around.add(value.index);
      } else {
        around.add(kOutside);
      }
    }
  }

  for (std::size_t i = 0; i < count; ++i) {
    Hash cone(out.deep[i]);
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
      else cone.add(value.op.index() < i ? out.cone[value.op.index()] : kOutside);
    }
    out.cone[i] = cone.value();
  }
  return out;
}

}  // namespace fxs::mlir
