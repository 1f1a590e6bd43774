// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores whose indices are not slices of the host tensor: tensors, new dimensions, extra
// masks, and jagged tiles. A load is computed element by element, a store is a nest of loops.
// Elements beyond the end of a loop, masked ones, and those whose index is out of range are loaded
// as zeros and not stored.
#include <algorithm>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"

namespace fxs::registry {
namespace {

using linalg::Elements;
using linalg::Relation;

/// An element of `x`, broadcast from the right to the dimensions that end at `last`.
Value elementAt(OpBuilder& emit, const Value& x, Elements at, std::size_t last) {
  const std::size_t rank = x.tensor.sizes.size();
  std::vector<Value> indices;
  for (std::size_t i = 0; i < rank; ++i)
    indices.push_back(x.tensor.sizes[i] == 1 ? emit.index(0) : at[last - rank + i]);
  return linalg::extract(emit, x, indices);
}

}  // namespace

/// Whether a load or store is not one of a slice.
bool KernelLowering::isGather(const fx::Node& node, std::size_t maskAt) const {
  if (!argument(node, maskAt).isNone()) return true;
  const fx::ArgumentList* indices = argument(node, 1).list();
  if (indices == nullptr) return false;
  return std::any_of(indices->begin(), indices->end(), [&](const fx::Argument& index) {
    if (index.isNone()) return true;
    if (const auto block = blockOf(index)) {
      const auto& tile = tiles_[static_cast<std::size_t>(*block)];
      return kernel_.blocks[static_cast<std::size_t>(*block)].isJagged || (tile && tile->ends);
    }
    const fx::NodeId* id = index.node();
    const fx::TensorMeta* meta =
        id != nullptr ? recorded(program_.node(*id)).val.tensor() : nullptr;
    return meta != nullptr && !meta->sizes.empty();
  });
}

KernelLowering::Reason KernelLowering::gatherTensor(const fx::Argument& index, GatherIndex& out,
                                                    Gather& gather) {
  const auto value = tensorOf(index);
  const fx::TensorMeta* meta = recorded(program_.node(*index.node())).val.tensor();
  if (!value || meta == nullptr || meta->sizes.size() != value->tensor.sizes.size() ||
      !value->tensor.isInteger())
    return "it indexes '" + gather.host->name + "' by a tensor of integers that is not known";
  out.tensor = *value;
  out.dtype = dtypeOf(index);
  const bool isFirst = gather.tensors++ == 0;
  if (gather.isTogether && !isFirst) {
    // It is broadcast to the dimensions of the first one.
    out.last = gather.lastOfTensors;
    return std::nullopt;
  }
  const Sizes& sizes = gather.isTogether ? gather.together : value->tensor.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    gather.sizes.push_back(sizes[i]);
    gather.recorded.push_back(gather.isTogether ? gather.togetherRecorded[i] : meta->sizes[i]);
  }
  out.last = gather.lastOfTensors = gather.sizes.size();
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::gatherIndex(const fx::Argument& index, Gather& gather) {
  if (index.isNone()) {
    gather.sizes.push_back(1);
    gather.recorded.emplace_back(1);
    return std::nullopt;
  }
  if (gather.indices.size() >= gather.host->type.sizes.size())
    return "it has more indices than '" + gather.host->name + "' has dimensions";
  const std::int64_t size = gather.host->type.sizes[gather.indices.size()];
  GatherIndex& out = gather.indices.emplace_back();
  const auto addDimension = [&](std::int64_t tile, fx::SymInt recordedSize) {
    gather.sizes.push_back(tile);
    gather.recorded.push_back(std::move(recordedSize));
    out.last = gather.sizes.size();
    out.isDimension = true;
  };
  if (std::holds_alternative<fx::Slice>(index)) {
    Access whole;
    whole.host = gather.host;
    for (std::size_t i = 1; i < gather.indices.size(); ++i) whole.offsets.push_back(0);
    if (const Reason reason = addIndex(index, whole)) return reason;
    if (isSymbolic(size) || isSymbolic(whole.sizes.back()))
      return "it takes a dimension of a size that is known at run time only";
    out.offset = emit_.index(whole.offsets.back());
    addDimension(whole.sizes.back(), fx::SymInt(whole.sizes.back()));
    return std::nullopt;
  }
  const auto block = blockOf(index);
  if (block && !isGridNumber(program_.node(*index.node()))) {
    const auto at = static_cast<std::size_t>(*block);
    if (!tiles_[at] || !plan_.tiles[at])
      return "it uses the tile of '" + kernel_.blocks[at].symbol + "' outside of the loop over it";
    out.offset = tiles_[at]->offset;
    addDimension(*plan_.tiles[at], fx::SymInt(fx::SymExpr::symbol(kernel_.blocks[at].symbol)));
    return std::nullopt;
  }
  if (block && tiles_[static_cast<std::size_t>(*block)]) {
    out.offset = tiles_[static_cast<std::size_t>(*block)]->offset;
    return std::nullopt;
  }
  const fx::NodeId* id = index.node();
  const fx::TensorMeta* meta = id != nullptr ? recorded(program_.node(*id)).val.tensor() : nullptr;
  if (meta != nullptr && !meta->sizes.empty()) return gatherTensor(index, out, gather);
  const auto number = indexOf(index);
  if (!number) return "it indexes '" + gather.host->name + "' by a value that is not known";
  out.offset = *number;
  return std::nullopt;
}

/// How tensors that index together are arranged: those of rank 1 each have a dimension of their
/// own; others that stand side by side are broadcast to one another.
KernelLowering::Reason KernelLowering::arrangeTensors(const fx::ArgumentList& indices,
                                                      Gather& gather) {
  std::vector<std::size_t> at;
  bool areLines = true;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const fx::NodeId* id = indices[i].node();
    if (id == nullptr || blockOf(indices[i])) continue;
    const fx::TensorMeta* meta = recorded(program_.node(*id)).val.tensor();
    if (meta == nullptr || meta->sizes.empty()) continue;
    at.push_back(i);
    areLines &= meta->sizes.size() == 1;
    const auto value = tensorOf(indices[i]);
    if (!value || meta->sizes.size() != value->tensor.sizes.size()) continue;
    const Sizes& sizes = value->tensor.sizes;
    while (gather.together.size() < sizes.size()) {
      gather.together.insert(gather.together.begin(), 1);
      gather.togetherRecorded.insert(gather.togetherRecorded.begin(), fx::SymInt(1));
    }
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      const std::size_t to = gather.together.size() - sizes.size() + d;
      if (gather.together[to] != 1 || sizes[d] == 1) continue;
      gather.together[to] = sizes[d];
      gather.togetherRecorded[to] = meta->sizes[d];
    }
  }
  gather.isTogether = at.size() > 1 && !areLines;
  if (gather.isTogether && at.back() - at.front() + 1 != at.size())
    return "it indexes by several tensors that do not stand side by side";
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::gatherOf(const fx::Node& node, std::size_t maskAt,
                                                Gather& out) {
  out.host = hostOf(argument(node, 0));
  if (out.host == nullptr || out.host->now.name.empty())
    return "its tensor is not one of the host function whose type the file records";
  const fx::ArgumentList* indices = argument(node, 1).list();
  if (indices == nullptr) return "its indices are not a list";
  if (const Reason reason = arrangeTensors(*indices, out)) return reason;
  for (const fx::Argument& index : *indices)
    if (const Reason reason = gatherIndex(index, out)) return reason;
  if (out.indices.size() != out.host->type.sizes.size())
    return "it has " + std::to_string(out.indices.size()) + " indices, but '" + out.host->name +
           "' has " + std::to_string(out.host->type.sizes.size()) + " dimensions";
  for (const std::int64_t size : out.sizes)
    if (isSymbolic(size)) return "it has a dimension of a size that is known at run time only";
  if (!argument(node, maskAt).isNone()) {
    const auto mask = tensorOf(argument(node, maskAt));
    if (!mask || !mask->tensor.isBool() || mask->tensor.sizes.size() > out.sizes.size())
      return "its extra mask is not a tensor of bools that is known";
    out.mask = *mask;
  }
  return existsIn(out.recorded, Combined::AreAll, out.exists);
}

/// The indices of an element of the host tensor, and whether it exists.
KernelLowering::GatherPlace KernelLowering::placeOf(const Gather& gather, Elements at) {
  const linalg::Arith arith(emit_, DType::Int64);
  GatherPlace out;
  out.exists = existsAt(gather.exists, at);
  const auto require = [&](const Value& condition) {
    out.exists = out.exists ? arith.both(*out.exists, condition) : condition;
  };
  if (gather.mask) require(elementAt(emit_, *gather.mask, at, gather.sizes.size()));
  for (std::size_t i = 0; i < gather.indices.size(); ++i) {
    const GatherIndex& index = gather.indices[i];
    const std::int64_t size = gather.host->type.sizes[i];
    if (index.tensor) {
      // A dimension of size 1 is broadcast.
      if (size == 1) {
        out.indices.push_back(emit_.index(0));
        continue;
      }
      const Value element = linalg::toIndex(
          emit_, linalg::convert(emit_, elementAt(emit_, *index.tensor, at, index.last),
                                 index.dtype, DType::Int64));
      require(arith.compare(Relation::LessEqual, emit_.index(0), element));
      require(arith.compare(Relation::Less, element, emit_.index(size)));
      out.indices.push_back(element);
    } else if (index.isDimension) {
      const Value place = arith.add(index.offset, at[index.last - 1]);
      require(arith.compare(Relation::Less, place, emit_.index(size)));
      out.indices.push_back(place);
    } else {
      out.indices.push_back(index.offset);
    }
  }
  return out;
}

KernelLowering::Reason KernelLowering::loadGathered(const fx::Node& node, std::size_t maskAt) {
  Gather gather;
  if (const Reason reason = gatherOf(node, maskAt, gather)) return reason;
  const TensorType type{gather.sizes, gather.host->type.element};
  for (const std::int64_t size : gather.host->type.sizes)
    if (size == 0) return "its tensor has no elements";
  const linalg::Arith arith(emit_, gather.host->dtype);
  const Value zero =
      emit_.scalar(type.element, registry::numberOf(std::int64_t{0}, gather.host->dtype));
  return take(node, {linalg::generate(emit_, type, [&](Elements at) {
                GatherPlace place = placeOf(gather, at);
                if (!place.exists) return linalg::extract(emit_, gather.host->now, place.indices);
                for (Value& index : place.indices)
                  index = arith.select(*place.exists, index, emit_.index(0));
                return arith.select(*place.exists,
                                    linalg::extract(emit_, gather.host->now, place.indices), zero);
              })});
}

/// The tensor or number that is stored, of the host tensor's type.
KernelLowering::Reason KernelLowering::storedValue(const fx::Node& node, const Gather& gather,
                                                   Value& out) {
  const fx::Argument& given = argument(node, 2);
  const TensorType one{{}, gather.host->type.element};
  if (given.node() == nullptr) {
    const auto number = numberAsScalar(given);
    if (!number) return "it stores what is neither a tensor nor a number";
    out = linalg::filled(emit_, one, emit_.scalar(one.element, *number));
    return std::nullopt;
  }
  const auto value = tensorOf(given);
  if (!value || value->tensor.sizes.size() > gather.sizes.size())
    return "the value that it stores is not known";
  out = linalg::converted(emit_, *value, dtypeOf(given), gather.host->dtype);
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::storeGathered(const fx::Node& node, std::size_t maskAt,
                                                     bool adds) {
  Gather gather;
  if (const Reason reason = gatherOf(node, maskAt, gather)) return reason;
  Value value;
  if (const Reason reason = storedValue(node, gather, value)) return reason;
  const linalg::Arith arith(emit_, gather.host->dtype);
  const std::string type = gather.host->now.type;
  const auto write = [&](const Value& host, Elements at, const GatherPlace& place) {
    Value element = elementAt(emit_, value, at, gather.sizes.size());
    if (adds) element = arith.add(linalg::extract(emit_, host, place.indices), element);
    return linalg::insert(emit_, element, host, place.indices);
  };
  gather.host->now =
      linalg::loop(emit_, gather.sizes, {gather.host->now}, [&](Elements at, Elements carried) {
        const GatherPlace place = placeOf(gather, at);
        if (!place.exists) return Values{write(carried[0], at, place)};
        auto open = emit_.begin("scf.if", std::span(&*place.exists, 1), std::span(&type, 1));
        for (const bool exists : {true, false}) {
          emit_.beginRegion(open, {});
          const Value next = exists ? write(carried[0], at, place) : carried[0];
          emit_.ops("scf.yield", std::span(&next, 1), {});
          emit_.endRegion(open);
        }
        return emit_.finish(open);
      }).front();
  return std::nullopt;
}

}  // namespace fxs::registry
