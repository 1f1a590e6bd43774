// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/view_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ops/operators.h"
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

StepKind kindNamed(std::string_view name) {
  using enum StepKind;
  static const std::unordered_map<std::string_view, StepKind> kKinds = {
      {"reshape", Reshape},
      {"unsqueeze", Unsqueeze},
      {"slice", Slice},
      {"narrow", Narrow},
      {"select", Select},
      {"unbind", Unbind},
      {"parts", Parts},
      {"diagonal", Diagonal},
      {"permutation", Permutation},
      {"as-strided", AsStrided},
      {"expand", Expand},
      {"as-real", ViewAsReal},
      {"as-complex", ViewAsComplex},
      {"real", Real},
      {"imaginary", Imag},
      {"conjugate", Conjugate},
      {"negative", Negate},
  };
  const auto found = kKinds.find(name);
  return found == kKinds.end() ? Unsupported : found->second;
}

StepKind kindOf(std::string_view target) {
  if (target == "aten.view.dtype") return StepKind::DtypeView;
  return kindNamed(ops::operatorNamed(packetOf(target)).rule(ops::Rule::View));
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

/// The viewed dimension for each dimension of a view.
using DimOrder = std::vector<std::size_t>;

DimOrder unchangedOrder(std::size_t rank) {
  DimOrder order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::optional<DimOrder> swappedOrder(std::size_t rank, std::optional<std::size_t> a,
                                     std::optional<std::size_t> b) {
  DimOrder order = unchangedOrder(rank);
  if (rank == 0) return order;
  if (!a || !b) return std::nullopt;
  std::swap(order[*a], order[*b]);
  return order;
}

std::optional<DimOrder> movedOrder(const fx::Node& node, std::size_t rank) {
  const DimOrder from = dimsOf(argumentOf(node, "source"), rank),
                 to = dimsOf(argumentOf(node, "destination"), rank);
  if (from.size() != to.size()) return std::nullopt;
  DimOrder order = unchangedOrder(rank), rest;
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

bool swapsLastDims(std::string_view packet) {
  return packet == "mT" || packet == "mH" || packet == "adjoint" || packet == "matrix_H";
}

/// std::nullopt for unexpected arguments.
std::optional<DimOrder> permutationOf(const ViewStep& step) {
  const fx::Node& node = *step.view;
  const std::size_t rank = step.from->rank();
  const std::string_view packet = packetOf(node.target);
  if (packet == "permute") {
    DimOrder dims = dimsOf(argumentOf(node, "dims"), rank);
    return dims.size() == rank ? std::optional(std::move(dims)) : std::nullopt;
  }
  if (packet == "t" || packet == "t_")
    return rank == 2 ? swappedOrder(rank, 0, 1) : unchangedOrder(rank);
  if (swapsLastDims(packet))
    return rank >= 2 ? swappedOrder(rank, rank - 2, rank - 1) : std::nullopt;
  if (packet == "numpy_T") {
    DimOrder order = unchangedOrder(rank);
    std::reverse(order.begin(), order.end());
    return order;
  }
  if (packet == "movedim" || packet == "moveaxis") return movedOrder(node, rank);
  const bool isAxes = packet.starts_with("swapaxes");
  return swappedOrder(rank, dimOf(node, isAxes ? "axis0" : "dim0", rank),
                      dimOf(node, isAxes ? "axis1" : "dim1", rank));
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

/// The offset of element `index` of a dimension; indices may count from the end.
std::optional<std::int64_t> offsetOf(const fx::TensorMeta& meta, std::optional<std::int64_t> index,
                                     std::optional<std::size_t> dim) {
  if (!index || !dim || *dim >= meta.rank() || *dim >= meta.strides.size() ||
      !meta.strides[*dim].isStatic())
    return std::nullopt;
  std::int64_t at = *index;
  if (at < 0) {
    if (!meta.sizes[*dim].isStatic()) return std::nullopt;
    at = std::max<std::int64_t>(0, at + meta.sizes[*dim].value());
  }
  std::int64_t offset = 0;
  return __builtin_mul_overflow(at, meta.strides[*dim].value(), &offset) ? std::nullopt
                                                                         : std::optional(offset);
}

std::optional<std::int64_t> sliceStart(const fx::Node& slice) {
  return argumentOf(slice, "start").isNone() ? std::optional<std::int64_t>(0)
                                             : integerOf(slice, "start");
}

std::optional<std::int64_t> diagonalOffset(const fx::Node& node, const fx::TensorMeta& from) {
  const bool linalg = packetOf(node.target) == "linalg_diagonal";
  const std::optional<std::int64_t> offset = integerOf(node, "offset");
  if (!offset) return std::nullopt;
  const std::string_view name = *offset < 0 ? "dim1" : "dim2";
  if (linalg && !given(node, name)) return std::nullopt;
  return offsetOf(from, *offset < 0 ? -*offset : *offset, dimOf(node, name, from.rank()));
}

bool conjugates(std::string_view target) {
  return target.find("mH") != std::string_view::npos ||
         target.find("adjoint") != std::string_view::npos ||
         target.find("matrix_H") != std::string_view::npos;
}

// Messages of whyNotUndone(), by kind.

std::string permutationMessage(const ViewStep& view) {
  if (isComplex(view.from->dtype) && conjugates(view.view->target))
    return fmt::format("{} conjugates", view.view->target);
  return permutationOf(view) ? ""
                             : fmt::format("the dimensions of {} are unknown", view.view->name);
}

std::string partMessage(const ViewStep& view) {
  const std::optional<std::size_t> dim = partedDim(view);
  if (!dim || *dim >= view.to->rank() || !partStart(view, *dim))
    return fmt::format("the start of part {} of {} is unknown", view.part, view.view->name);
  return view.to->sizes[*dim].isStatic() || isLastPart(view)
             ? ""
             : fmt::format("the end of part {} of {} is unknown", view.part, view.view->name);
}

std::string narrowMessage(const ViewStep& view) {
  const fx::Argument start = argumentOf(*view.view, "start");
  if (start.node() && view.view->target == "aten.narrow.Tensor")
    return fmt::format("the start of {} is data-dependent", view.view->name);
  return start.integer() && *start.integer() < 0
             ? fmt::format("{} counts from the end", view.view->name)
             : "";
}

/// The inverse of one step.
class Inversion {
 public:
  Inversion(Transcription& step, const ViewStep& view, const fx::Argument& base,
            const fx::Argument& written)
      : step_(step),
        view_(view),
        from_(*view.from),
        call_(view.written.valid() ? step.draft().node(view.written) : *view.view),
        base_(base),
        written_(written) {}

  /// For a view of all elements.
  fx::Argument mappedBack() {
    switch (kindOf(view_.view->target)) {
      case StepKind::Reshape:
      case StepKind::Expand: return reshapeTo(step_, written_, from_, base_);
      case StepKind::Unsqueeze: return squeezed();
      case StepKind::Permutation: return permutedBack();
      case StepKind::DtypeView:
        return ofWritten("aten.view.dtype", {{"dtype", from_.dtype, false}});
      case StepKind::ViewAsReal: return ofWritten("aten.view_as_complex.default");
      case StepKind::ViewAsComplex: return ofWritten("aten.view_as_real.default");
      case StepKind::Conjugate: return ofWritten("aten.conj_physical.default");
      case StepKind::Negate: return ofWritten("aten.neg.default");
      default: return written_;
    }
  }

  /// For a view of some elements, or of a part of each: the others are those of the base.
  fx::Argument mergedIntoBase() {
    switch (kindOf(view_.view->target)) {
      case StepKind::Slice:
        return scattered(base_, "aten.slice_scatter.default",
                         passed({"dim", "start", "end", "step"}));
      case StepKind::Narrow: return narrowed();
      case StepKind::Select:
        return scattered(base_, "aten.select_scatter.default", passed({"dim", "index"}));
      case StepKind::Unbind:
        return scattered(base_, "aten.select_scatter.default",
                         {{"dim", argumentOf(call_, "dim"), false},
                          {"index", static_cast<std::int64_t>(view_.part), false}});
      case StepKind::Parts: return parted();
      case StepKind::Diagonal: return diagonal();
      case StepKind::AsStrided:
        return scattered(laidOut(step_, base_, from_), "aten.as_strided_scatter.default",
                         passed({"size", "stride", "storage_offset"}));
      case StepKind::Real: return complexOf(written_, partOfBase("aten.imag.default"));
      case StepKind::Imag: return complexOf(partOfBase("aten.real.default"), written_);
      default: return written_;
    }
  }

 private:
  fx::Argument ofWritten(std::string_view target, std::vector<fx::NodeArgument> others = {}) {
    others.insert(others.begin(), {"self", written_, false});
    return step_.emit(target, std::move(others), freshMeta(from_));
  }

  fx::Argument squeezed() {
    const std::optional<std::size_t> dim = dimOf(call_, "dim", view_.to->rank());
    if (!dim) return reshapeTo(step_, written_, from_, base_);
    return ofWritten("aten.squeeze.dim", {{"dim", static_cast<std::int64_t>(*dim), false}});
  }

  fx::Argument permutedBack() {
    const std::vector<std::size_t> order = *permutationOf(view_);
    fx::ArgumentList inverse(order.size(), std::int64_t{0});
    for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = static_cast<std::int64_t>(i);
    return ofWritten("aten.permute.default", {{"dims", std::move(inverse), false}});
  }

  /// Arguments of the call by name.
  std::vector<fx::NodeArgument> passed(std::initializer_list<std::string_view> names) const {
    std::vector<fx::NodeArgument> args;
    for (const std::string_view name : names)
      args.push_back({std::string(name), argumentOf(call_, name), false});
    return args;
  }

  fx::Argument scattered(const fx::Argument& into, std::string_view target,
                         std::vector<fx::NodeArgument> position) {
    std::vector<fx::NodeArgument> args = {{"self", into, false}, {"src", written_, false}};
    args.insert(args.end(), position.begin(), position.end());
    return step_.emit(target, std::move(args), freshMeta(from_));
  }

  fx::Argument sliceScattered(std::size_t dim, fx::Argument start, fx::Argument end) {
    return scattered(base_, "aten.slice_scatter.default",
                     {{"dim", static_cast<std::int64_t>(dim), false},
                      {"start", std::move(start), false},
                      {"end", std::move(end), false}});
  }

  fx::Argument narrowed() {
    const std::size_t dim = dimOf(call_, "dim", from_.rank()).value_or(0);
    const fx::Argument start = argumentOf(call_, "start"), length = argumentOf(call_, "length");
    std::int64_t stop = 0;
    if (start.integer() && length.integer() &&
        !__builtin_add_overflow(*start.integer(), *length.integer(), &stop))
      return sliceScattered(dim, start, stop);
    if (start.integer() && *start.integer() == 0) return sliceScattered(dim, start, length);
    const fx::NodeId end = step_.emit("_operator.add", {{"a", start, false}, {"b", length, false}},
                                      fx::SymValue{fx::SymKind::Int, {}, {}});
    return sliceScattered(dim, start, end);
  }

  fx::Argument parted() {
    const std::size_t dim = *partedDim(view_);
    const std::int64_t start = *partStart(view_, dim);
    std::int64_t end = kEnd;
    if (view_.to->sizes[dim].isStatic() &&
        __builtin_add_overflow(start, view_.to->sizes[dim].value(), &end))
      end = kEnd;
    return sliceScattered(dim, start, end);
  }

  fx::Argument diagonal() {
    // Its default dimensions are others than those of aten.diagonal_scatter.
    const bool linalg = packetOf(call_.target) == "linalg_diagonal";
    const auto dim = [&](std::string_view name, std::int64_t linalgDefault) {
      return linalg && !given(call_, name) ? fx::Argument(linalgDefault) : argumentOf(call_, name);
    };
    return scattered(base_, "aten.diagonal_scatter.default",
                     {{"offset", argumentOf(call_, "offset"), false},
                      {"dim1", dim("dim1", -2), false},
                      {"dim2", dim("dim2", -1), false}});
  }

  fx::Argument partOfBase(std::string_view target) {
    return step_.emit(target, {{"self", base_, false}}, freshMeta(*view_.to));
  }

  fx::Argument complexOf(const fx::Argument& real, const fx::Argument& imaginary) {
    return step_.emit("aten.complex.default", {{"real", real, false}, {"imag", imaginary, false}},
                      freshMeta(from_));
  }

  Transcription& step_;
  const ViewStep& view_;
  const fx::TensorMeta& from_;
  const fx::Node call_;  ///< the view, with operands of the draft
  const fx::Argument& base_;
  const fx::Argument& written_;
};

}  // namespace

bool isViewKind(std::string_view name) { return kindNamed(name) != StepKind::Unsupported; }

std::optional<std::int64_t> offsetAdded(const ViewStep& step) {
  if (step.same) return 0;
  if (!step.from) return std::nullopt;
  const fx::Node& node = *step.view;
  const fx::TensorMeta& from = *step.from;
  switch (kindOf(node.target)) {
    case StepKind::Reshape:
    case StepKind::Unsqueeze:
    case StepKind::Permutation:
    case StepKind::Expand: return 0;
    case StepKind::Slice: return offsetOf(from, sliceStart(node), dimOf(node, "dim", from.rank()));
    case StepKind::Narrow:
      return offsetOf(from, integerOf(node, "start"), dimOf(node, "dim", from.rank()));
    case StepKind::Select:
      return offsetOf(from, integerOf(node, "index"), dimOf(node, "dim", from.rank()));
    case StepKind::Unbind:
      return offsetOf(from, static_cast<std::int64_t>(step.part), dimOf(node, "dim", from.rank()));
    case StepKind::Parts: {
      const std::optional<std::size_t> dim = partedDim(step);
      return dim ? offsetOf(from, partStart(step, *dim), dim) : std::nullopt;
    }
    case StepKind::Diagonal: return diagonalOffset(node, from);
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

std::string undoObstacle(const ViewStep& view) {
  if (view.same) return {};
  if (!view.from || !view.to)
    return fmt::format("the shapes of {} are not recorded", view.view->name);
  switch (kindOf(view.view->target)) {
    case StepKind::Unsupported: return fmt::format("{} has no inverse here", view.view->target);
    case StepKind::Expand:
      return expandsNothing(view) ? "" : fmt::format("{} repeats elements", view.view->name);
    case StepKind::Permutation: return permutationMessage(view);
    case StepKind::Parts: return partMessage(view);
    case StepKind::Narrow: return narrowMessage(view);
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
  Inversion inversion(step, view, base, written);
  return undoNeedsBase(view) ? inversion.mergedIntoBase() : inversion.mappedBack();
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
