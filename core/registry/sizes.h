#pragma once
// Checked size arithmetic for handlers. The sizes recorded in a program may be inconsistent: a dimension that a
// shape does not have, a sum that overflows, a slice out of bounds. Such errors are detected here and thrown; the caller of
// a handler catches them and refuses the call with this message. A handler need not check what these functions check.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fxs::registry {

/// One clause: "its sizes overflow".
struct BadSizes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// No tensor in memory has more, so a product of two sizes and a small number does not overflow.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 40;
/// PyTorch's own limit, and the limit of intermediate tensors in handlers.
inline constexpr std::size_t kMostDimensions = 64;
inline constexpr std::size_t kMostDimensionsOnTheWay = 256;

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
  /// `dim` may be the rank: at the end.
  void insertAt(std::int64_t dim, std::int64_t size);
  void eraseAt(std::int64_t dim);

 private:
  std::size_t within(std::size_t d) const {
    if (d >= size()) noSuchDimension(d, size());
    return d;
  }
};

/// The shape that both broadcast to. Throws BadSizes where there is none.
Sizes broadcastSizes(const Sizes&, const Sizes&);
std::int64_t plus(std::int64_t, std::int64_t);
std::int64_t minus(std::int64_t, std::int64_t);
std::int64_t times(std::int64_t, std::int64_t);

}  // namespace fxs::registry
