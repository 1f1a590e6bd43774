// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/sizes.h"

#include <algorithm>

#include "ops/shapes.h"

namespace fxs::registry {
namespace {

std::string listText(const Sizes& sizes) {
  std::string out = "[";
  for (const std::int64_t size : sizes)
    out += (out.size() == 1 ? "" : ", ") + (isSymbolic(size) ? "?" : std::to_string(size));
  return out + "]";
}

[[noreturn]] void overflows() { throw BadSizes("its sizes overflow"); }

void checkNumbers(std::int64_t a, std::int64_t b) {
  if (isSymbolic(a) || isSymbolic(b)) throw BadSizes("it computes with a symbolic size");
}

}  // namespace

void noSuchDimension(std::size_t dimension, std::size_t rank) {
  const bool fromEnd = dimension > kMostDimensionsOnTheWay;  // a computed index, below 0
  throw BadSizes(
      "incompatible sizes: " +
      (fromEnd ? std::string("a negative dimension") : "dimension " + std::to_string(dimension)) +
      " is out of range for rank " + std::to_string(rank));
}

void Sizes::insertAt(std::int64_t dim, std::int64_t size) {
  if (dim < 0 || static_cast<std::size_t>(dim) > this->size())
    noSuchDimension(static_cast<std::size_t>(dim), this->size());
  insert(begin() + dim, size);
}

void Sizes::eraseAt(std::int64_t dim) {
  erase(begin() + static_cast<std::ptrdiff_t>(within(static_cast<std::size_t>(dim))));
}

Sizes broadcastSizes(const Sizes& a, const Sizes& b) {
  auto sizes = ops::broadcastShapes<std::int64_t>(a, b);
  if (sizes) return *std::move(sizes);
  const std::string both = listText(a) + " and " + listText(b);
  throw BadSizes(std::ranges::any_of(a, isSymbolic) || std::ranges::any_of(b, isSymbolic)
                     ? "it is not known whether " + both + " broadcast"
                     : "incompatible sizes: " + both + " do not broadcast");
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  checkNumbers(a, b);
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) overflows();
  return out;
}

std::int64_t minus(std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  if (a == b) return 0;
  checkNumbers(a, b);
  std::int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) overflows();
  return out;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a == 1) return b;
  if (b == 1) return a;
  checkNumbers(a, b);
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) overflows();
  return out;
}

}  // namespace fxs::registry
