// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helion's own operators on whole tiles: what changes their shape, and products of matrices.
#include <algorithm>

#include "ops/promotion.h"
#include "ops/shapes.h"
#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/linalg/products.h"

namespace fxs::registry {

std::optional<Value> KernelLowering::tensorOf(const fx::Argument& argument) const {
  const auto value = valueOf(argument);
  return value && !value->tensor.element.empty() ? value : std::nullopt;
}

/// The dtype of a tensor that a node gives.
DType KernelLowering::dtypeOf(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  const fx::TensorMeta* meta = id != nullptr ? program_.node(*id).val.tensor() : nullptr;
  return meta != nullptr ? meta->dtype : DType::Unknown;
}

/// x[:, None]: the dimensions of x, and new ones.
KernelLowering::Reason KernelLowering::subscript(const fx::Node& node) {
  const auto x = tensorOf(argument(node, 0));
  if (!x) return "its operand is not known";
  const fx::ArgumentList* indices = argument(node, 1).list();
  if (indices == nullptr) return "its indices are not a list";
  const Sizes& from = x->tensor.sizes;
  Sizes to;
  std::size_t next = 0;
  for (const fx::Argument& index : *indices) {
    if (index.isNone()) to.push_back(1);
    else if (!isWholeDimension(index)) return "it selects a part of a tile; use ':' and None";
    else if (next < from.size()) to.push_back(from[next++]);
    else return "it has more indices than its operand has dimensions";
  }
  for (; next < from.size(); ++next) to.push_back(from[next]);
  return take(node, {linalg::reshaped(emit_, *x, to)});
}

/// The two halves of the last dimension, which has size 2.
KernelLowering::Reason KernelLowering::split(const fx::Node& node) {
  const auto x = tensorOf(argument(node, 0));
  if (!x) return "its operand is not known";
  Sizes sizes = x->tensor.sizes;
  if (sizes.empty() || sizes.back() != 2) return "the last dimension does not have size 2";
  sizes.pop_back();
  const Sizes kept = sizes;
  Sizes offsets(Sizes::Base(kept.size() + 1, 0));
  sizes.push_back(1);
  const Sizes strides(Sizes::Base(sizes.size(), 1));
  Values parts;
  for (const std::int64_t at : {0, 1}) {
    offsets[kept.size()] = at;
    parts.push_back(
        linalg::reshaped(emit_, linalg::sliced(emit_, *x, offsets, sizes, strides), kept));
  }
  return take(node, std::move(parts));
}

/// Two tensors along a new last dimension.
KernelLowering::Reason KernelLowering::join(const fx::Node& node) {
  const auto a = tensorOf(argument(node, 0)), b = tensorOf(argument(node, 1));
  const auto type = tensorTypeOf(node.val, &symbols_);
  if (!a || !b) return "its operands are not known";
  if (!type || type->sizes.empty() || type->sizes.back() != 2 ||
      a->tensor.element != type->element || b->tensor.element != type->element)
    return "the file does not record the type of its result";
  Sizes part = type->sizes, offsets(Sizes::Base(part.size(), 0));
  part.pop_back();
  const Sizes strides(Sizes::Base(offsets.size(), 1));
  Value out = linalg::empty(emit_, *type);
  for (const std::int64_t at : {0, 1}) {
    const Value whole = linalg::broadcast(emit_, at == 0 ? *a : *b, part);
    Sizes one = part;
    one.push_back(1);
    offsets[part.size()] = at;
    out = linalg::overwritten(emit_, linalg::reshaped(emit_, whole, one), out, offsets, strides);
  }
  return take(node, {out});
}

/// start, start + step .., where the start is a number that is known at run time only.
KernelLowering::Reason KernelLowering::iota(const fx::Node& node) {
  const fx::NodeArgument *start = node.find("start"), *step = node.find("step");
  const auto type = tensorTypeOf(node.val, &symbols_);
  const auto first = start != nullptr ? indexOf(start->value) : std::nullopt;
  const auto by = step != nullptr ? indexOf(step->value) : std::nullopt;
  if (!type || type->rank() != 1 || !type->isInteger() || !first || !by)
    return "its start, step or type is not known";
  const linalg::Arith arith(emit_, DType::Int64);
  return take(node, {linalg::generate(emit_, *type, [&](linalg::Elements at) {
                return linalg::fromIndex(emit_, arith.add(*first, arith.mul(at[0], *by)),
                                         type->element);
              })});
}

/// A factor of a product with batches, which may be missing or of size 1.
Value KernelLowering::batched(const Value& factor, std::int64_t batches) {
  Sizes sizes = factor.tensor.sizes;
  if (sizes.size() == 2) sizes.insert(sizes.begin(), 1);
  const Value out = linalg::reshaped(emit_, factor, sizes);
  sizes[0] = batches;
  return linalg::broadcast(emit_, out, sizes);
}

/// hl.dot: acc + a @ b, of elements whose types may differ.
KernelLowering::Reason KernelLowering::dot(const fx::Node& node) {
  const fx::Argument &first = argument(node, 0), &second = argument(node, 1);
  const auto a = tensorOf(first), b = tensorOf(second);
  const fx::TensorMeta* meta = node.val.tensor();
  if (!a || !b) return "its operands are not known";
  if (meta == nullptr) return "the file does not record the type of its result";
  const std::int64_t rank = std::max(a->tensor.rank(), b->tensor.rank());
  if (rank > 3 || std::min(a->tensor.rank(), b->tensor.rank()) < 2)
    return "its operands are not matrices";
  const DType sum = ops::computationType(meta->dtype);
  if (!linalg::isArithmetic(sum) || sum == DType::Bool)
    return "products of this type are not assembled";
  linalg::Factor left{*a, dtypeOf(first)}, right{*b, dtypeOf(second)};
  if (rank == 3) {
    const auto batchesOf = [](const Value& x) {
      return x.tensor.rank() == 3 ? x.tensor.sizes.front() : std::int64_t{1};
    };
    const std::int64_t batches = batchesOf(*a) == 1 ? batchesOf(*b) : batchesOf(*a);
    left.value = batched(*a, batches);
    right.value = batched(*b, batches);
  }
  const Value ab =
      linalg::converted(emit_, linalg::product(emit_, left, right, sum), sum, meta->dtype);
  if (argument(node, 2).isNone()) return take(node, {ab});
  const auto acc = tensorOf(argument(node, 2));
  const auto* outType = std::get_if<DType>(&argument(node, 3));
  if (!acc || acc->type != ab.type) return "it adds to a value of another type than its result";
  if (outType != nullptr && *outType != meta->dtype)
    return "it multiplies in another type than it adds in";
  const linalg::Arith arith(emit_, sum);
  const std::vector<Value> terms{*acc, ab};
  const Value added = linalg::pointwise(emit_, ab.tensor, terms, [&](linalg::Elements x) {
    return linalg::convert(emit_,
                           arith.add(linalg::convert(emit_, x[0], meta->dtype, sum),
                                     linalg::convert(emit_, x[1], meta->dtype, sum)),
                           sum, meta->dtype);
  });
  return take(node, {added});
}

}  // namespace fxs::registry
