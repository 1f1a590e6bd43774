// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results that depend on data: positions of elements that are not 0, as many as there are, and
// elements as numbers.
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

/// How many elements a tensor has, as a size.
std::int64_t countOf(OpBuilder& emit, const TensorType& type) {
  if (type.isStatic() || type.isEmpty()) return type.elements();
  const Arith arith(emit, DType::Int64);
  Value out = index(emit, 1);
  for (const std::int64_t size : type.sizes) out = arith.mul(out, index(emit, size));
  return emit.symbol(out);
}

/// The indices of each element that is not 0, in order: written to a tensor with a row for every
/// element, of which the first rows remain.
Handled nonzero(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  const DType dtype = call.dtypeOf(call.argument("self"));
  if (!isArithmetic(dtype))
    return refuse("elements of " + self.tensor.element + " cannot be compared with 0");
  OpBuilder& emit = call.emit;
  const Arith counts(emit, DType::Int64);
  const auto rank = static_cast<std::int64_t>(self.tensor.rank());
  const Value rows = empty(emit, {{countOf(emit, self.tensor), rank}, "i64"});
  const Values done =
      loop(emit, self.tensor.sizes, {rows, index(emit, 0)},
           [&](Elements at, Elements carried) -> Values {
             const Value found = convert(emit, extract(emit, self, at), dtype, DType::Bool);
             // A row that is not kept is written over by the next, or cut off.
             Value written = carried[0];
             for (std::int64_t d = 0; d < rank; ++d) {
               const std::vector<Value> to{carried[1], index(emit, d)};
               written = insert(emit, fromIndex(emit, at[static_cast<std::size_t>(d)], "i64"),
                                written, to);
             }
             return {written,
                     counts.add(carried[1], counts.select(found, index(emit, 1), index(emit, 0)))};
           });
  return Values{sliced(emit, done[0], {0, 0}, {emit.symbol(done[1]), rank}, {1, 1})};
}

/// The only element, as i64, f64 or i1.
Handled item(Call& call) {
  FXS_TAKE(self, call.operand("self"));
  const DType from = call.dtypeOf(call.argument("self"));
  const fx::SymValue* symbol = call.node().val.symbol();
  if (symbol == nullptr || !isArithmetic(from))
    return refuse("the element of " + self.type + " is not a number");
  DType to = DType::Bool;
  if (symbol->kind == fx::SymKind::Int) to = DType::Int64;
  else if (symbol->kind == fx::SymKind::Float) to = DType::Float64;
  const Value element = extract(call.emit, reshaped(call.emit, self, {}), std::vector<Value>{});
  return Values{convert(call.emit, element, from, to)};
}

}  // namespace

void registerLinalgDataDependent(Registries& registries) {
  registries.add("linalg", {"NonzeroOp"}, nonzero);
  registries.add("linalg", {"ItemOp"}, item);
  registries.anySizes("linalg", {"NonzeroOp", "ItemOp"});
}

}  // namespace fxs::registry
