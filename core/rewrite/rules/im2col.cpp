// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding windows as columns: im2col, and tensor unfold with its inverse sums. Each window position
// is read by an index.
#include "rewrite/emit.h"
#include "rewrite/pytorch_forms.h"

namespace fxs::rewrite {
namespace {

/// Positions kernel * dilation + window * stride, shape [kernel, windows]; windows start before
/// `end`.
Tensor windowPositions(Emitter& e, std::int64_t kernel, const Size& end, std::int64_t dilation,
                       std::int64_t stride) {
  const Tensor inside = e.unsqueeze(e.arange(0, kernel * dilation, dilation), 1);
  const Tensor starts = e.unsqueeze(e.arange(end, stride), 0);
  return e.add(inside, starts);
}

struct Windows {
  std::vector<std::int64_t> kernel, dilation, padding, stride;
};
Windows windowsOf(Emitter& e) {
  Windows w{e.integers("kernel_size"), e.integers("dilation"), e.integers("padding"),
            e.integers("stride")};
  for (std::vector<std::int64_t>* list : {&w.kernel, &w.dilation, &w.padding, &w.stride}) {
    if (list->size() == 1) list->push_back(list->front());
    e.require(list->size() == 2);
    for (const std::int64_t v : *list) e.require(v >= (list == &w.padding ? 0 : 1) && v <= 1 << 20);
  }
  return w;
}

std::int64_t windowCount(const Windows& w, std::size_t i, std::int64_t size) {
  return (size + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1) / w.stride[i] + 1;
}

Tensor paddedFor(Emitter& e, const Tensor& x, const Windows& w) {
  return e.pad(x, {w.padding[1], w.padding[1], w.padding[0], w.padding[0]}, 0);
}

/// Dimension `dim` becomes two: the positions in a window, and the windows. Of a symbolic size,
/// position k of all windows is a slice.
Tensor windowed(Emitter& e, const Tensor& x, std::size_t dim, const Windows& w, std::size_t i) {
  const std::int64_t kernel = w.kernel[i], dilation = w.dilation[i], stride = w.stride[i];
  if (x.meta.sizes[dim].isStatic()) {
    const std::int64_t reach = dilation * (kernel - 1), size = x.meta.sizes[dim].value();
    e.require(size > reach);
    const Size end = Size::of(((size - reach - 1) / stride + 1) * stride);
    return e.indexAt(x, dim, windowPositions(e, kernel, end, dilation, stride));
  }
  e.expectNodes(2 * static_cast<std::uint64_t>(kernel));
  std::vector<Tensor> slices;
  for (std::int64_t k = 0; k < kernel; ++k) {
    const std::int64_t end = (k + 1 - kernel) * dilation;
    slices.push_back(e.slice(x, dim, k * dilation, end == 0 ? kToEnd : end, stride));
  }
  return e.stack(slices, dim);
}

Results im2col(Emitter& e) {
  const Tensor self = e.tensor("self");
  const Windows w = windowsOf(e);
  e.require(self.rank() == 3 || self.rank() == 4);
  Tensor x = self.rank() == 3 ? e.unsqueeze(self, 0) : self;
  x = paddedFor(e, x, w);
  // [N, C, kernelH, rows, W], then [N, C, kernelH, rows, kernelW, columns].
  x = windowed(e, windowed(e, x, 2, w, 0), 4, w, 1);
  const Size windows = e.times(e.size(x, 3), e.size(x, 5));
  x = e.permute(x, {0, 1, 2, 4, 3, 5});
  const Size depth = e.times(e.size(self, self.rank() - 3), Size::of(w.kernel[0] * w.kernel[1]));
  Sizes shape{depth, windows};
  if (self.rank() == 4) shape.insert(shape.begin(), e.size(self, 0));
  return one(e.reshape(x, shape));
}

/// The sum of all windows at their places: an accumulating index_put into zeros.
Results col2im(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::int64_t> out = e.integers("output_size");
  const Windows w = windowsOf(e);
  e.require((self.rank() == 2 || self.rank() == 3) && out.size() == 2);
  const std::int64_t rows = windowCount(w, 0, out[0]), columns = windowCount(w, 1, out[1]);
  const std::int64_t area = w.kernel[0] * w.kernel[1];
  const bool batched = self.rank() == 3;
  const std::int64_t depth = e.fixed(self, batched ? 1 : 0);
  e.require(rows > 0 && columns > 0 && area > 0 && depth % area == 0 &&
            e.fixed(self, self.rank() - 1) == saturated(rows, columns));
  const Size batch = batched ? e.size(self, 0) : Size::of(1), channels = Size::of(depth / area);
  Tensor x = e.reshape(self, {batch, channels, Size::of(w.kernel[0]), Size::of(w.kernel[1]),
                              Size::of(rows), Size::of(columns)});
  x = e.permute(x, {0, 1, 2, 4, 3, 5});
  const std::int64_t height = out[0] + 2 * w.padding[0], width = out[1] + 2 * w.padding[1];
  const auto positions = [&](std::size_t i, std::int64_t windows) {
    return windowPositions(e, w.kernel[i], Size::of(windows * w.stride[i]), w.dilation[i],
                           w.stride[i]);
  };
  const Tensor row = e.reshape(positions(0, rows),
                               {Size::of(w.kernel[0]), Size::of(rows), Size::of(1), Size::of(1)});
  const Tensor column = positions(1, columns);
  const Tensor position = e.flatten(e.add(e.mul(row, width), column));
  const Tensor values = e.reshape(x, {batch, channels, Size::of(saturated(area, rows * columns))});
  const Tensor zeros = e.zeros({batch, channels, Size::of(saturated(height, width))}, self.dtype());
  const Tensor index = e.expandAs(
      e.reshape(position, {Size::of(1), Size::of(1), Size::of(saturated(area, rows * columns))}),
      values);
  Tensor sum = e.op("aten.scatter_add.default",
                    {zeros.value, std::int64_t{2}, index.value, values.value}, zeros.meta);
  sum = e.reshape(sum, {batch, channels, Size::of(height), Size::of(width)});
  sum = e.slice(e.slice(sum, 2, w.padding[0], w.padding[0] + out[0]), 3, w.padding[1],
                w.padding[1] + out[1]);
  return one(batched ? sum : e.squeeze(sum, 0));
}

/// Windows of `size`, every `step`, in a new last dimension.
Results unfold(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dimension"), x);
  const std::int64_t size = e.integer("size"), step = e.integer("step");
  e.require(x.rank() > 0 && size > 0 && step > 0);
  const std::int64_t count = e.fixed(x, dim);
  e.require(count >= size);
  const Tensor starts = e.unsqueeze(e.arange(0, ((count - size) / step + 1) * step, step), 1);
  const Tensor windows = e.indexAt(x, dim, e.add(starts, e.unsqueeze(e.arange(Size::of(size)), 0)));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < windows.rank(); ++i)
    if (i != dim + 1) order.push_back(i);
  order.push_back(dim + 1);
  return one(e.permute(windows, order));
}

}  // namespace

Results im2colForm(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (x.rank() != 4) return std::nullopt;
  const Windows w = windowsOf(e);
  const auto along = [&](std::size_t i) {
    const std::int64_t room = 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1);
    const Size blocks = e.plus(e.size(x, i + 2), Size::of(room));
    e.require(!blocks.isStatic() || blocks.value.value() > 0);
    return windowPositions(e, w.kernel[i], blocks, w.dilation[i], w.stride[i]);
  };
  Tensor rows = along(0);
  const Tensor columns = along(1), padded = paddedFor(e, x, w);
  const fx::SymInt kernelRows = rows.meta.sizes[0], kernelColumns = columns.meta.sizes[0];
  const Size windows = e.times(e.size(rows, 1), e.size(columns, 1));
  rows = e.unsqueeze(e.unsqueeze(rows, 2), 3);
  const Tensor read =
      e.op("aten.index.Tensor",
           {padded.value, fx::ArgumentList{fx::None{}, fx::None{}, rows.value, columns.value}},
           x.dtype(),
           {x.meta.sizes[0], x.meta.sizes[1], kernelRows, rows.meta.sizes[1], kernelColumns,
            columns.meta.sizes[1]});
  const Size depth = e.times(
      e.size(x, 1), Size{kernelRows * kernelColumns, kernelRows.value() * kernelColumns.value()});
  return one(e.reshape(e.permute(read, {0, 1, 2, 4, 3, 5}), {e.size(x, 0), depth, windows}));
}

void registerIm2col(RewriteRules& rules) {
  rules.add({"aten.im2col.default",
             "becomes an index of each window's positions; no backend lowers the op", true,
             im2col});
  rules.add({"aten.col2im.default", "becomes an accumulating scatter", true, col2im});
  rules.add({"aten.unfold.default",
             "becomes an index of each window's positions",
             false,
             unfold,
             {},
             "    dim = dimension % self.dim()\n"
             "    count = (self.shape[dim] - size) // step + 1\n"
             "    at = (torch.arange(count) * step).unsqueeze(1) + torch.arange(size)\n"
             "    read = self.index_select(dim, at.reshape(-1)).unflatten(dim, [count, size])\n"
             "    return read.movedim(dim + 1, -1)\n"});
}

}  // namespace fxs::rewrite
