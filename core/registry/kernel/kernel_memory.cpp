// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and masks of tiles, and what changes their shape.
#include <algorithm>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/slices.h"

namespace fxs::registry {
namespace {

constexpr std::size_t kMaskArgument = 2, kStoreMaskArgument = 3, kNoArgumentAt = 1024;

/// An integer part of a slice; `otherwise` for None.
std::optional<std::int64_t> partOf(const fx::Slice& slice, std::size_t at, std::int64_t otherwise) {
  if (at >= slice.parts.size() || slice.parts[at].isNone()) return otherwise;
  const std::int64_t* number = slice.parts[at].integer();
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

}  // namespace

bool KernelLowering::isWholeDimension(const fx::Argument& argument) {
  const auto* slice = std::get_if<fx::Slice>(&argument);
  return slice != nullptr && std::all_of(slice->parts.begin(), slice->parts.end(),
                                         [](const fx::Argument& part) { return part.isNone(); });
}

std::optional<Scalar> KernelLowering::numberAsScalar(const fx::Argument& argument) {
  if (const auto* flag = std::get_if<bool>(&argument)) return *flag;
  if (const std::int64_t* integer = argument.integer()) return *integer;
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  return std::nullopt;
}

void KernelLowering::Access::add(std::int64_t offset, std::int64_t size,
                                 std::optional<std::int64_t> tile) {
  offsets.push_back(offset);
  sizes.push_back(size);
  if (!tile) return;
  valid.push_back(size);
  full.push_back(*tile);
}

KernelLowering::Reason KernelLowering::addSlice(const fx::Slice& slice, Access& access) {
  const std::int64_t size = access.nextSize();
  const auto begin = partOf(slice, 0, 0), end = partOf(slice, 1, size), step = partOf(slice, 2, 1);
  if (!begin || !end || *begin < 0 || isSymbolic(size) || *end > size || *begin > *end || step != 1)
    return "it slices '" + access.host->name +
           "' by something other than numbers within its size, with a step of 1";
  access.add(*begin, *end - *begin, *end - *begin);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::addTile(const fx::Node& node, std::int64_t block,
                                               Access& access) {
  const auto at = static_cast<std::size_t>(block);
  const fx::KernelBlock& runs = kernel_.blocks[at];
  if (!tiles_[at] || !plan_.tiles[at])
    return "it uses the tile of '" + runs.symbol + "' outside of the loop over it";
  access.blocks.insert(block);
  const std::int64_t offset = emit_.symbol(tiles_[at]->offset), size = access.nextSize();
  const std::optional<std::int64_t> end = tiles_[at]->end;
  if (end && !isSymbolic(size) && *end > size)
    return "the loop over '" + runs.symbol + "' runs to " + std::to_string(*end) +
           ", but dimension " + std::to_string(access.offsets.size()) + " of '" +
           access.host->name + "' has size " + std::to_string(size);
  if (isGridNumber(node)) access.add(offset, 1, std::nullopt);
  else access.add(offset, tiles_[at]->valid, plan_.tiles[at]);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::addNumber(const fx::Argument& index, const Value& value,
                                                 Access& access) {
  const std::int64_t* number = index.integer();
  const std::int64_t size = access.nextSize();
  if (number != nullptr && (*number < 0 || (!isSymbolic(size) && *number >= size)))
    return "index " + std::to_string(*number) + " is out of range for dimension " +
           std::to_string(access.offsets.size()) + " of '" + access.host->name + "'";
  access.add(number != nullptr ? *number : emit_.symbol(value), 1, std::nullopt);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::addIndex(const fx::Argument& index, Access& access) {
  if (access.offsets.size() >= access.host->type.sizes.size())
    return "it has more indices than '" + access.host->name + "' has dimensions";
  if (index.isNone()) return "it adds a dimension; index the tile after the load";
  if (isWholeDimension(index)) {
    access.add(0, access.nextSize(), access.nextSize());
    return std::nullopt;
  }
  if (const auto* slice = std::get_if<fx::Slice>(&index)) return addSlice(*slice, access);
  if (const auto block = blockOf(index))
    return addTile(program_.node(*index.node()), *block, access);
  if (const auto value = indexOf(index)) return addNumber(index, *value, access);
  return "it indexes '" + access.host->name +
         "' by a tensor, or by a value that is not known; index by tiles, numbers and whole "
         "dimensions";
}

KernelLowering::Reason KernelLowering::access(const fx::Node& node, Access& access) {
  access.host = hostOf(argument(node, 0));
  if (access.host == nullptr || access.host->now.name.empty())
    return "its tensor is not one of the host function whose type the file records";
  const fx::ArgumentList* indices = argument(node, 1).list();
  if (indices == nullptr) return "its indices are not a list";
  for (const fx::Argument& index : *indices)
    if (const Reason reason = addIndex(index, access)) return reason;
  if (access.offsets.size() != access.host->type.sizes.size())
    return "it has " + std::to_string(access.offsets.size()) + " indices, but '" +
           access.host->name + "' has " + std::to_string(access.host->type.sizes.size()) +
           " dimensions";
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::load(const fx::Node& node) {
  if (hostOf(argument(node, 0)) == nullptr && tensorOf(argument(node, 0)) &&
      argument(node, kMaskArgument).isNone())
    return subscript(node);  // of a tile
  if (isGather(node, kMaskArgument)) return loadGathered(node, kMaskArgument);
  Access part;
  if (const Reason reason = access(node, part)) return reason;
  const Value slice = linalg::slicedTo(emit_, part.host->now, part.offsets, part.sizes, part.valid);
  return take(node, {linalg::padded(emit_, slice, part.full)});
}

/// The stored value without what is beyond the end of a loop.
KernelLowering::Reason KernelLowering::storedPart(const fx::Node& node, const Access& to,
                                                  Value& part) {
  const fx::Argument& given = argument(node, 2);
  const TensorType type{to.full, to.host->type.element};
  const fx::NodeId* id = given.node();
  if (id == nullptr) {
    const std::optional<Scalar> number = numberAsScalar(given);
    if (!number) return "it stores what is neither a tensor nor a number";
    part = linalg::filled(emit_, {to.valid, type.element}, emit_.scalar(type.element, *number));
    return std::nullopt;
  }
  const fx::TensorMeta* meta = program_.node(*id).val.tensor();
  const Values& values = values_[id->index()];
  if (meta == nullptr || values.size() != 1 || values.front().tensor.element.empty())
    return "the value that it stores is not known";
  part = linalg::converted(emit_, values.front(), meta->dtype, to.host->dtype);
  part = linalg::broadcast(emit_, part, to.full);
  if (to.valid != to.full)
    part = linalg::slicedTo(emit_, part, Sizes(Sizes::Base(to.full.size(), 0)), to.valid, to.valid);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::store(const fx::Node& node) {
  const bool adds = node.target.ends_with("atomic_add");
  if (adds && !users_[node.id.index()].empty()) return "the value before it is used; load it first";
  const std::size_t maskAt = adds ? kNoArgumentAt : kStoreMaskArgument;
  if (parallel_ == nullptr && isGather(node, maskAt)) return storeGathered(node, maskAt, adds);
  Access to;
  if (const Reason reason = access(node, to)) return reason;
  Value part;
  if (const Reason reason = storedPart(node, to, part)) return reason;
  if (parallel_ != nullptr) {
    parallel_->push_back({&node, to.host, part, to.offsets, to.sizes});
    return std::nullopt;
  }
  if (adds) {
    const std::vector<Value> terms{
        linalg::slicedTo(emit_, to.host->now, to.offsets, to.sizes, to.valid), part};
    const linalg::Arith arith(emit_, to.host->dtype);
    part = linalg::pointwise(emit_, part.tensor, terms,
                             [&](linalg::Elements x) { return arith.add(x[0], x[1]); });
  }
  to.host->now = linalg::overwrittenAt(emit_, part, to.host->now, to.offsets, to.sizes);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::full(const fx::Node& node) {
  const auto type = tensorTypeOf(node.val, &symbols_);
  if (!type) return type.error().message;
  const fx::Argument& value = argument(node, 1);
  const std::optional<Scalar> number = numberAsScalar(value);
  if (!number) return "its value is not a constant number";
  return take(node, {linalg::filled(emit_, *type, emit_.scalar(type->element, *number))});
}

}  // namespace fxs::registry
