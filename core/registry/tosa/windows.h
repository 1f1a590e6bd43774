// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Windows that slide over the last dimensions of a tensor: what pooling and convolution are made
// of, for any number of dimensions.
#include "registry/handler.h"

namespace fxs::registry::tosa {

/// One entry for each dimension that the window has.
struct Window {
  Sizes kernel, stride, before, after, dilation;
  std::size_t rank() const { return kernel.size(); }
};

/// A list argument with one entry a dimension; a single entry applies to all.
tl::expected<Sizes, Refusal> perDimension(Call&, std::string_view name, std::size_t rank);
/// kernel_size, stride (the kernel's when empty), padding and dilation of a pooling operator of
/// `rank` dimensions.
tl::expected<Window, Refusal> poolingWindow(Call&, std::size_t rank);
/// The elements, padding counted, that `outputs` windows along dimension `i` pass over.
std::int64_t reachOf(const Window&, std::size_t i, std::int64_t outputs);
/// How much padding behind `sizes` makes room for `outputs` windows in each dimension, at least 0;
/// may be more or less than `before`.
Sizes paddingAfter(const Window&, const Sizes& sizes, const Sizes& outputs);

/// x: [N, sizes..], already padded -> [N, outputs..]: op over each window, from `start`.
/// "arith.maximumf" and the like.
Value slide(OpBuilder&, const Value& x, const Window&, const Sizes& outputs, std::string_view op,
            Scalar start);
/// x: [N, G, C, sizes..], already padded; weight: [G, O, C, kernel..] -> [N, G, O, outputs..].
Value convolve(OpBuilder&, const Value& x, const Value& weight, const Window&,
               const Sizes& outputs);

}  // namespace fxs::registry::tosa
