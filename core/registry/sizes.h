// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Checked size arithmetic for handlers. The sizes recorded in a program may be inconsistent: a
// dimension out of range, a sum that overflows, a slice out of bounds. These functions throw
// BadSizes then; the caller of the handler catches it and refuses the call with its message, so
// that handlers need no checks of their own.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fxs::registry {

/// what() is one clause: "its sizes overflow".
struct BadSizes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Maximum number of elements of a tensor. A limit well below 2^63, so that small multiples of it
/// do not overflow.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 40;
/// Maximum rank of a tensor of the program (PyTorch's limit), and of intermediate tensors in
/// handlers.
inline constexpr std::size_t kMostDimensions = 64;
inline constexpr std::size_t kMostDimensionsOnTheWay = 256;

/// A symbolic size stands among numbers as one of 2^32 that no program means: the n-th symbol of
/// the OpBuilder, which knows its value. Equal ones are equal sizes, and arithmetic on others
/// throws.
inline constexpr std::int64_t kFirstSymbol = -0x6D0A'3C5B'0000'0000;
constexpr bool isSymbolic(std::int64_t size) {
  return size >= kFirstSymbol && size < kFirstSymbol + (std::int64_t{1} << 32);
}

[[noreturn]] void noSuchDimension(std::size_t dimension, std::size_t rank);

class Sizes : public std::vector<std::int64_t> {
 public:
  using Base = std::vector<std::int64_t>;
  using Base::Base;
  Sizes(Base sizes) : Base(std::move(sizes)) {}
  std::int64_t& operator[](std::size_t d) { return Base::operator[](within(d)); }
  const std::int64_t& operator[](std::size_t d) const { return Base::operator[](within(d)); }
  const std::int64_t& front() const { return (*this)[0]; }
  const std::int64_t& back() const { return (*this)[size() - 1]; }
  /// 0 <= dim <= rank, else throws BadSizes; dim == rank appends.
  void insertAt(std::int64_t dim, std::int64_t size);
  void eraseAt(std::int64_t dim);

 private:
  std::size_t within(std::size_t d) const {
    if (d >= size()) noSuchDimension(d, size());
    return d;
  }
};

/// The broadcast shape, as by torch.broadcast_shapes. Throws BadSizes if the shapes do not
/// broadcast.
Sizes broadcastSizes(const Sizes&, const Sizes&);
std::int64_t plus(std::int64_t, std::int64_t);  ///< plus, minus and times throw BadSizes on
                                                ///< overflow and where the result is symbolic
std::int64_t minus(std::int64_t, std::int64_t);
std::int64_t times(std::int64_t, std::int64_t);

}  // namespace fxs::registry
