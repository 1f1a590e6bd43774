// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a tile exist: those before the end of its loop, and in a jagged tile, before
// the end of their row.
#include <algorithm>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"

namespace fxs::registry {

/// The dimension of a tensor whose size is this symbol.
std::optional<std::size_t> KernelLowering::dimensionOf(const std::vector<fx::SymInt>& sizes,
                                                       std::string_view symbol) {
  for (std::size_t dim = 0; dim < sizes.size(); ++dim)
    if (!sizes[dim].isStatic() && sizes[dim].text() == symbol) return dim;
  return std::nullopt;
}

/// Whether the sizes have a dimension for each of the rows by which a jagged tile ends.
bool KernelLowering::findRows(const Tile& tile, const std::vector<fx::SymInt>& sizes,
                              JaggedEnd& out) {
  for (const std::string& row : tile.rows) {
    const auto at = dimensionOf(sizes, row);
    if (!at) return false;
    out.rows.push_back(*at);
  }
  return true;
}

/// Where the dimensions end that may be only partly before the end of their loop.
KernelLowering::Reason KernelLowering::existsIn(const std::vector<fx::SymInt>& sizes,
                                                Combined combined, Exists& out) {
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim].isStatic()) continue;
    Reason reason;
    fx::collectSymbols(*sizes[dim].expr(), [&](const std::string& name) {
      const Tile* tile = partialTile(name);
      if (tile == nullptr || reason) return;
      if (sizes[dim].text() != name) {
        if (combined == Combined::AreAll) return;
        reason =
            "dimension " + std::to_string(dim) +
            " combines tiles, of which the last is not whole; choose block sizes that divide the "
            "extents";
        return;
      }
      if (!tile->ends) {
        out.ends.emplace_back(dim, emit_.index(tile->valid));
        return;
      }
      JaggedEnd jagged{dim, tile->offset, *tile->ends, tile->endsDtype, {}};
      if (findRows(*tile, sizes, jagged)) out.jagged.push_back(std::move(jagged));
      else reason = "it uses the jagged tile of '" + name + "' without the tile of its rows";
    });
    if (reason) return reason;
  }
  return std::nullopt;
}

/// Whether the element at these indices exists; nullopt if all do.
std::optional<Value> KernelLowering::existsAt(const Exists& exists, linalg::Elements at) {
  const linalg::Arith arith(emit_, DType::Int64);
  std::optional<Value> out;
  const auto require = [&](const Value& condition) {
    out = out ? arith.both(*out, condition) : condition;
  };
  for (const auto& [dim, end] : exists.ends)
    require(arith.compare(linalg::Relation::Less, at[dim], end));
  for (const JaggedEnd& jagged : exists.jagged) {
    std::vector<Value> row;
    for (const std::size_t dim : jagged.rows) row.push_back(at[dim]);
    const Value end =
        linalg::toIndex(emit_, linalg::convert(emit_, linalg::extract(emit_, jagged.ends, row),
                                               jagged.dtype, DType::Int64));
    require(arith.compare(linalg::Relation::Less, arith.add(jagged.offset, at[jagged.dim]), end));
  }
  return out;
}

Value KernelLowering::masked(const Value& x, const Exists& exists, const Value& replacement) {
  const linalg::Arith arith(emit_, DType::Int64);
  return linalg::pointwise(emit_, x.tensor, std::span(&x, 1), [&](linalg::Elements in) {
    const std::string type = "index";
    std::vector<Value> at;
    for (std::size_t dim = 0; dim < x.tensor.sizes.size(); ++dim)
      at.push_back(emit_
                       .ops("linalg.index", {}, std::span(&type, 1),
                            "dim = " + std::to_string(dim) + " : i64")
                       .front());
    const auto all = existsAt(exists, at);
    return all ? arith.select(*all, in[0], replacement) : in[0];
  });
}

/// What is beyond the end of a loop becomes a number.
KernelLowering::Reason KernelLowering::maskTo(const fx::Node& node) {
  const fx::NodeId* of = argument(node, 0).node();
  const auto x = tensorOf(argument(node, 0));
  if (!x) return "its operand is not known";
  const fx::TensorMeta* meta = recorded(program_.node(*of)).val.tensor();
  if (meta == nullptr || meta->sizes.size() != x->tensor.sizes.size())
    return "the file does not record the type of its operand";
  Exists exists;
  if (const Reason reason = existsIn(meta->sizes, Combined::AreRefused, exists)) return reason;
  if (exists.ends.empty() && exists.jagged.empty()) return take(node, {*x});
  const std::optional<Scalar> number = numberAsScalar(argument(node, 1));
  if (!number) return "it masks with what is not a number";
  return take(node, {masked(*x, exists, emit_.scalar(x->tensor.element, *number))});
}

}  // namespace fxs::registry
