// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/view_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ops/shapes.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

enum class StepKind : std::uint8_t {
  Reshape,
  Unsqueeze,
  Slice,
  Narrow,
  Select,
  Unbind,
  Parts,
  Diagonal,
  Permutation,
  AsStrided,
  Expand,
  DtypeView,
  ViewAsReal,
  ViewAsComplex,
  Real,
  Imag,
  Conjugate,
  Negate,
  Unsupported,
};

StepKind kindOf(std::string_view target) {
  using enum StepKind;
  static const std::unordered_map<std::string_view, StepKind> kByPacket = {
      {"view", Reshape},
      {"view_as", Reshape},
      {"reshape", Reshape},
      {"reshape_as", Reshape},
      {"_reshape_alias", Reshape},
      {"_unsafe_view", Reshape},
      {"flatten", Reshape},
      {"unflatten", Reshape},
      {"ravel", Reshape},
      {"squeeze", Reshape},
      {"squeeze_", Reshape},
      {"unsqueeze_", Reshape},
      {"atleast_1d", Reshape},
      {"atleast_2d", Reshape},
      {"atleast_3d", Reshape},
      {"unsqueeze", Unsqueeze},
      {"slice", Slice},
      {"narrow", Narrow},
      {"select", Select},
      {"unbind", Unbind},
      {"split", Parts},
      {"split_with_sizes", Parts},
      {"chunk", Parts},
      {"tensor_split", Parts},
      {"hsplit", Parts},
      {"vsplit", Parts},
      {"dsplit", Parts},
      {"unsafe_split", Parts},
      {"unsafe_split_with_sizes", Parts},
      {"unsafe_chunk", Parts},
      {"diagonal", Diagonal},
      {"linalg_diagonal", Diagonal},
      {"permute", Permutation},
      {"transpose", Permutation},
      {"transpose_", Permutation},
      {"t", Permutation},
      {"t_", Permutation},
      {"swapaxes", Permutation},
      {"swapaxes_", Permutation},
      {"swapdims", Permutation},
      {"swapdims_", Permutation},
      {"movedim", Permutation},
      {"moveaxis", Permutation},
      {"numpy_T", Permutation},
      {"mT", Permutation},
      {"mH", Permutation},
      {"adjoint", Permutation},
      {"matrix_H", Permutation},
      {"as_strided", AsStrided},
      {"as_strided_", AsStrided},
      {"expand", Expand},
      {"expand_as", Expand},
      {"broadcast_to", Expand},
      {"view_as_real", ViewAsReal},
      {"view_as_complex", ViewAsComplex},
      {"real", Real},
      {"imag", Imag},
      {"conj", Conjugate},
      {"_conj", Conjugate},
      {"_neg_view", Negate},
  };
  if (target == "aten.view.dtype") return DtypeView;
  const auto found = kByPacket.find(packetOf(target));
  return found == kByPacket.end() ? Unsupported : found->second;
}

/// An integer argument of the view; nullopt if it is symbolic or absent.
std::optional<std::int64_t> integerOf(const fx::Node& node, std::string_view name) {
  const fx::Argument value = argumentOf(node, name);
  const std::int64_t* number = value.integer();
  return number ? std::optional(*number) : std::nullopt;
}

std::optional<std::size_t> dimOf(const fx::Node& node, std::string_view name, std::size_t rank) {
  const std::optional<std::int64_t> dim = integerOf(node, name);
  return dim ? ops::wrapIndex(*dim, rank) : std::nullopt;
}

std::vector<std::size_t> dimsOf(const fx::Argument& argument, std::size_t rank) {
  std::vector<std::size_t> dims;
  const auto add = [&](const fx::Argument& item) {
    const std::int64_t* dim = item.integer();
    if (const auto wrapped = dim ? ops::wrapIndex(*dim, rank) : std::nullopt)
      dims.push_back(*wrapped);
  };
  if (const fx::ArgumentList* items = argument.list())
    for (const fx::Argument& item : *items) add(item);
  else add(argument);
  return dims;
}

/// The dimension of the viewed value for each dimension of the view; nullopt for unexpected
/// arguments.
std::optional<std::vector<std::size_t>> permutationOf(const ViewStep& step) {
  const fx::Node& node = *step.view;
  const std::size_t rank = step.from->rank();
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  const std::string_view packet = packetOf(node.target);
  const auto swap = [&](std::optional<std::size_t> a,
                        std::optional<std::size_t> b) -> std::optional<std::vector<std::size_t>> {
    if (rank == 0) return order;
    if (!a || !b) return std::nullopt;
    std::swap(order[*a], order[*b]);
    return order;
  };
  if (packet == "permute") {
    std::vector<std::size_t> dims = dimsOf(argumentOf(node, "dims"), rank);
    return dims.size() == rank ? std::optional(std::move(dims)) : std::nullopt;
  }
  if (packet == "t" || packet == "t_") return rank == 2 ? swap(0, 1) : order;
  if (packet == "mT" || packet == "mH" || packet == "adjoint" || packet == "matrix_H")
    return rank >= 2 ? swap(rank - 2, rank - 1) : std::nullopt;
  if (packet == "numpy_T") {
    std::reverse(order.begin(), order.end());
    return order;
  }
  if (packet == "movedim" || packet == "moveaxis") {
    const std::vector<std::size_t> from = dimsOf(argumentOf(node, "source"), rank),
                                   to = dimsOf(argumentOf(node, "destination"), rank);
    if (from.size() != to.size()) return std::nullopt;
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < rank; ++i)
      if (std::find(from.begin(), from.end(), i) == from.end()) rest.push_back(i);
    auto next = rest.begin();
    for (std::size_t i = 0; i < rank; ++i) {
      const auto moved = std::find(to.begin(), to.end(), i);
      if (moved != to.end()) order[i] = from[static_cast<std::size_t>(moved - to.begin())];
      else if (next != rest.end()) order[i] = *next++;
    }
    return order;
  }
  if (packet.starts_with("swapaxes"))
    return swap(dimOf(node, "axis0", rank), dimOf(node, "axis1", rank));
  return swap(dimOf(node, "dim0", rank), dimOf(node, "dim1", rank));
}

/// The dimension that is split into parts.
std::optional<std::size_t> partedDim(const ViewStep& step) {
  const std::string_view packet = packetOf(step.view->target);
  const std::size_t rank = step.from->rank();
  if (packet == "hsplit") return rank == 1 ? 0 : 1;
  if (packet == "vsplit") return 0;
  if (packet == "dsplit") return 2;
  return dimOf(*step.view, "dim", rank);
}

/// The offset of part `step.part`; nullopt if the size of an earlier part is symbolic.
std::optional<std::int64_t> partStart(const ViewStep& step, std::size_t dim) {
  const fx::ValueList* parts = step.view->val.list();
  if (!parts || step.part >= parts->size()) return std::nullopt;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < step.part; ++i) {
    const fx::TensorMeta* part = (*parts)[i].tensor();
    if (!part || dim >= part->rank() || !part->sizes[dim].isStatic()) return std::nullopt;
    if (__builtin_add_overflow(start, part->sizes[dim].value(), &start)) return std::nullopt;
  }
  return start;
}

bool isLastPart(const ViewStep& step) { return step.part + 1 == step.view->val.list()->size(); }

/// Whether the expand repeats no element: only dimensions of size 1 are added.
bool expandsNothing(const ViewStep& step) {
  const std::size_t added = step.to->rank() - step.from->rank();
  for (std::size_t i = 0; i < step.to->rank(); ++i) {
    if (i < added ? !(step.to->sizes[i] == fx::SymInt(1))
                  : !(step.to->sizes[i] == step.from->sizes[i - added]))
      return false;
  }
  return true;
}

fx::Argument reshapeTo(Transcription& step, const fx::Argument& value, const fx::TensorMeta& meta,
                       const fx::Argument& like) {
  fx::ArgumentList shape;
  for (std::size_t i = 0; i < meta.rank(); ++i) shape.push_back(step.size(like, meta, i));
  return step.emit("aten.reshape.default",
                   {{"self", value, false}, {"shape", std::move(shape), false}}, freshMeta(meta));
}

bool isRowMajor(const fx::TensorMeta& meta) {
  return meta.storageOffset == fx::SymInt(0) && isContiguous(meta).value_or(false);
}

/// The dimensions by descending stride, those of size 1 first, if the elements fill a block of
/// storage without gaps.
std::optional<std::vector<std::size_t>> storageOrder(const fx::TensorMeta& meta) {
  std::vector<std::size_t> order(meta.rank());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    if (!meta.sizes[i].isStatic() || !meta.strides[i].isStatic()) return std::nullopt;
  }
  const auto large = std::stable_partition(
      order.begin(), order.end(), [&](std::size_t d) { return meta.sizes[d] == fx::SymInt(1); });
  std::stable_sort(large, order.end(), [&](std::size_t a, std::size_t b) {
    return meta.strides[a].value() > meta.strides[b].value();
  });
  std::int64_t expected = 1;
  for (auto d = order.end(); d != large;) {
    --d;
    if (meta.strides[*d].value() != expected ||
        __builtin_mul_overflow(expected, meta.sizes[*d].value(), &expected))
      return std::nullopt;
  }
  return order;
}

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::optional<std::int64_t> offsetAdded(const ViewStep& step) {
  if (step.same) return 0;
  if (!step.from) return std::nullopt;
  const fx::Node& node = *step.view;
  const fx::TensorMeta& from = *step.from;
  /// The offset of element `index` of a dimension; indices may count from the end.
  const auto elementsTo = [&](std::optional<std::int64_t> index,
                              std::optional<std::size_t> dim) -> std::optional<std::int64_t> {
    if (!index || !dim || *dim >= from.rank() || *dim >= from.strides.size() ||
        !from.strides[*dim].isStatic())
      return std::nullopt;
    if (*index < 0 && !from.sizes[*dim].isStatic()) return std::nullopt;
    const std::int64_t at =
        *index < 0 ? std::max<std::int64_t>(0, *index + from.sizes[*dim].value()) : *index;
    std::int64_t offset = 0;
    return __builtin_mul_overflow(at, from.strides[*dim].value(), &offset) ? std::nullopt
                                                                           : std::optional(offset);
  };
  switch (kindOf(node.target)) {
    case StepKind::Reshape:
    case StepKind::Unsqueeze:
    case StepKind::Permutation:
    case StepKind::Expand: return 0;
    case StepKind::Slice: {
      const fx::Argument start = argumentOf(node, "start");
      return elementsTo(start.isNone() ? std::optional<std::int64_t>(0) : integerOf(node, "start"),
                        dimOf(node, "dim", from.rank()));
    }
    case StepKind::Narrow:
      return elementsTo(integerOf(node, "start"), dimOf(node, "dim", from.rank()));
    case StepKind::Select:
      return elementsTo(integerOf(node, "index"), dimOf(node, "dim", from.rank()));
    case StepKind::Unbind:
      return elementsTo(static_cast<std::int64_t>(step.part), dimOf(node, "dim", from.rank()));
    case StepKind::Parts: {
      const std::optional<std::size_t> dim = partedDim(step);
      return dim ? elementsTo(partStart(step, *dim), dim) : std::nullopt;
    }
    case StepKind::Diagonal: {
      const bool linalg = packetOf(node.target) == "linalg_diagonal";
      const std::optional<std::int64_t> offset = integerOf(node, "offset");
      const std::string_view name = offset && *offset < 0 ? "dim1" : "dim2";
      if (!offset || (linalg && !given(node, name))) return std::nullopt;
      return elementsTo(*offset < 0 ? -*offset : *offset, dimOf(node, name, from.rank()));
    }
    default:
      return packetOf(node.target) == "unfold" ? std::optional<std::int64_t>(0) : std::nullopt;
  }
}

/// `base` in the memory layout of the viewed value, on which as_strided depends; its dimensions are
/// permuted if that is not row-major. A finding if that has gaps.
fx::Argument laidOut(Transcription& step, const fx::Argument& base, const fx::TensorMeta& meta) {
  const fx::TensorMeta* has = step.tensor(base);
  if (!has || (has->strides == meta.strides && has->storageOffset == meta.storageOffset))
    return base;
  if (isRowMajor(*has) && isRowMajor(meta)) return base;
  fx::Argument ordered = base;
  fx::TensorMeta to = freshMeta(meta);
  if (!isRowMajor(meta)) {
    const auto order = storageOrder(meta);
    if (!order || !(meta.storageOffset == fx::SymInt(0))) {
      step.finding("not-functionalized",
                   "it addresses the memory of a tensor that was written to and is not row-major");
      return base;
    }
    fx::TensorMeta permuted = *has;
    fx::ArgumentList dims;
    for (std::size_t i = 0; i < order->size(); ++i) {
      dims.emplace_back(static_cast<std::int64_t>((*order)[i]));
      permuted.sizes[i] = has->sizes[(*order)[i]];
      permuted.strides[i] = has->strides[(*order)[i]];
    }
    to = permuted;
    to.strides = fx::contiguousStrides(to.sizes);
    to.storageOffset = 0;
    ordered =
        step.emit("aten.permute.default", {{"self", base, false}, {"dims", std::move(dims), false}},
                  std::move(permuted));
  }
  return step.emit("aten.clone.default",
                   {{"self", ordered, false}, {"memory_format", MemoryFormat::Contiguous, true}},
                   std::move(to));
}

std::string whyNotUndone(const ViewStep& view) {
  if (view.same) return {};
  const std::string_view target = view.view->target;
  if (!view.from || !view.to)
    return fmt::format("the shapes of {} are not recorded", view.view->name);
  switch (kindOf(target)) {
    case StepKind::Unsupported: return fmt::format("{} has no inverse here", target);
    case StepKind::Expand:
      return expandsNothing(view) ? "" : fmt::format("{} repeats elements", view.view->name);
    case StepKind::Permutation:
      if (isComplex(view.from->dtype) && (target.find("mH") != std::string_view::npos ||
                                          target.find("adjoint") != std::string_view::npos ||
                                          target.find("matrix_H") != std::string_view::npos))
        return fmt::format("{} conjugates", target);
      return permutationOf(view) ? ""
                                 : fmt::format("the dimensions of {} are unknown", view.view->name);
    case StepKind::Parts: {
      const std::optional<std::size_t> dim = partedDim(view);
      if (!dim || *dim >= view.to->rank() || !partStart(view, *dim))
        return fmt::format("the start of part {} of {} is unknown", view.part, view.view->name);
      return view.to->sizes[*dim].isStatic() || isLastPart(view)
                 ? ""
                 : fmt::format("the end of part {} of {} is unknown", view.part, view.view->name);
    }
    case StepKind::Narrow: {
      const fx::Argument start = argumentOf(*view.view, "start");
      if (start.node() && target == "aten.narrow.Tensor")
        return fmt::format("the start of {} is data-dependent", view.view->name);
      return start.integer() && *start.integer() < 0
                 ? fmt::format("{} counts from the end", view.view->name)
                 : "";
    }
    case StepKind::AsStrided:
      return isRowMajor(*view.from)
                 ? ""
                 : fmt::format("{} addresses the memory of a tensor that is not row-major",
                               view.view->name);
    default: return {};
  }
}

bool undoNeedsBase(const ViewStep& step) {
  if (step.same) return false;
  switch (kindOf(step.view->target)) {
    case StepKind::Slice:
    case StepKind::Narrow:
    case StepKind::Select:
    case StepKind::Unbind:
    case StepKind::Parts:
    case StepKind::Diagonal:
    case StepKind::AsStrided:
    case StepKind::Real:
    case StepKind::Imag: return true;
    default: return false;
  }
}

fx::Argument undo(Transcription& step, const ViewStep& view, const fx::Argument& base,
                  const fx::Argument& written) {
  if (view.same) return written;
  const fx::TensorMeta& from = *view.from;
  const fx::Node call = view.written.valid() ? step.draft().node(view.written) : *view.view;
  const auto scatterInto = [&](const fx::Argument& into, std::string_view target,
                               std::vector<fx::NodeArgument> where) -> fx::Argument {
    std::vector<fx::NodeArgument> args = {{"self", into, false}, {"src", written, false}};
    args.insert(args.end(), where.begin(), where.end());
    return step.emit(target, std::move(args), freshMeta(from));
  };
  const auto scatter = [&](std::string_view target, std::vector<fx::NodeArgument> where) {
    return scatterInto(base, target, std::move(where));
  };
  const auto sliceOf = [&](std::size_t dim, fx::Argument start, fx::Argument end) {
    return scatter("aten.slice_scatter.default", {{"dim", static_cast<std::int64_t>(dim), false},
                                                  {"start", std::move(start), false},
                                                  {"end", std::move(end), false}});
  };
  const auto unary = [&](std::string_view target, fx::TensorMeta meta) -> fx::Argument {
    return step.emit(target, {{"self", written, false}}, std::move(meta));
  };
  switch (kindOf(view.view->target)) {
    case StepKind::Reshape:
    case StepKind::Expand: return reshapeTo(step, written, from, base);
    case StepKind::Unsqueeze: {
      const std::optional<std::size_t> dim = dimOf(call, "dim", view.to->rank());
      if (!dim) return reshapeTo(step, written, from, base);
      return step.emit("aten.squeeze.dim",
                       {{"self", written, false}, {"dim", static_cast<std::int64_t>(*dim), false}},
                       freshMeta(from));
    }
    case StepKind::Slice:
      return scatter("aten.slice_scatter.default", {{"dim", argumentOf(call, "dim"), false},
                                                    {"start", argumentOf(call, "start"), false},
                                                    {"end", argumentOf(call, "end"), false},
                                                    {"step", argumentOf(call, "step"), false}});
    case StepKind::Narrow: {
      const std::size_t dim = dimOf(call, "dim", from.rank()).value_or(0);
      const fx::Argument start = argumentOf(call, "start"), length = argumentOf(call, "length");
      std::int64_t stop = 0;
      if (start.integer() && length.integer() &&
          !__builtin_add_overflow(*start.integer(), *length.integer(), &stop))
        return sliceOf(dim, start, stop);
      if (start.integer() && *start.integer() == 0) return sliceOf(dim, start, length);
      const fx::NodeId end = step.emit("_operator.add", {{"a", start, false}, {"b", length, false}},
                                       fx::SymValue{fx::SymKind::Int, {}, {}});
      return sliceOf(dim, start, end);
    }
    case StepKind::Select:
      return scatter("aten.select_scatter.default", {{"dim", argumentOf(call, "dim"), false},
                                                     {"index", argumentOf(call, "index"), false}});
    case StepKind::Unbind:
      return scatter("aten.select_scatter.default",
                     {{"dim", argumentOf(call, "dim"), false},
                      {"index", static_cast<std::int64_t>(view.part), false}});
    case StepKind::Parts: {
      const std::size_t dim = *partedDim(view);
      const std::int64_t start = *partStart(view, dim);
      std::int64_t end = kEnd;
      if (view.to->sizes[dim].isStatic() &&
          __builtin_add_overflow(start, view.to->sizes[dim].value(), &end))
        end = kEnd;
      return sliceOf(dim, start, end);
    }
    case StepKind::Diagonal: {
      const bool linalg = packetOf(call.target) == "linalg_diagonal";
      return scatter("aten.diagonal_scatter.default",
                     {{"offset", argumentOf(call, "offset"), false},
                      {"dim1",
                       linalg && !given(call, "dim1") ? fx::Argument(std::int64_t{-2})
                                                      : argumentOf(call, "dim1"),
                       false},
                      {"dim2",
                       linalg && !given(call, "dim2") ? fx::Argument(std::int64_t{-1})
                                                      : argumentOf(call, "dim2"),
                       false}});
    }
    case StepKind::Permutation: {
      const std::vector<std::size_t> order = *permutationOf(view);
      fx::ArgumentList inverse(order.size(), std::int64_t{0});
      for (std::size_t i = 0; i < order.size(); ++i)
        inverse[order[i]] = static_cast<std::int64_t>(i);
      return step.emit("aten.permute.default",
                       {{"self", written, false}, {"dims", std::move(inverse), false}},
                       freshMeta(from));
    }
    case StepKind::AsStrided:
      return scatterInto(laidOut(step, base, from), "aten.as_strided_scatter.default",
                         {{"size", argumentOf(call, "size"), false},
                          {"stride", argumentOf(call, "stride"), false},
                          {"storage_offset", argumentOf(call, "storage_offset"), false}});
    case StepKind::DtypeView:
      return step.emit("aten.view.dtype", {{"self", written, false}, {"dtype", from.dtype, false}},
                       freshMeta(from));
    case StepKind::ViewAsReal: return unary("aten.view_as_complex.default", freshMeta(from));
    case StepKind::ViewAsComplex: return unary("aten.view_as_real.default", freshMeta(from));
    case StepKind::Real:
    case StepKind::Imag: {
      const bool isReal = kindOf(view.view->target) == StepKind::Real;
      const fx::NodeId other = step.emit(isReal ? "aten.imag.default" : "aten.real.default",
                                         {{"self", base, false}}, freshMeta(*view.to));
      return step.emit("aten.complex.default",
                       {{"real", isReal ? written : fx::Argument(other), false},
                        {"imag", isReal ? fx::Argument(other) : written, false}},
                       freshMeta(from));
    }
    case StepKind::Conjugate: return unary("aten.conj_physical.default", freshMeta(from));
    case StepKind::Negate: return unary("aten.neg.default", freshMeta(from));
    case StepKind::Unsupported: break;
  }
  return written;
}

fx::Argument takeAnew(Transcription& step, const ViewStep& view, const fx::Argument& base) {
  if (view.same) return base;
  const fx::Node call = step.draft().node(view.written);
  std::vector<fx::NodeArgument> args = call.args;
  args[view.base].value = kindOf(view.view->target) == StepKind::AsStrided && view.from
                              ? laidOut(step, base, *view.from)
                              : base;
  return step.emit(call.target, std::move(args), call.val);
}

}  // namespace fxs::rewrite
