// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/memory_format.h"

#include <array>
#include <span>

namespace fxs::normalize {
namespace {

using fx::SymInt;
enum class Tri { No, Yes, Unknown };

class Strides {
 public:
  Strides(const fx::Program& program, const fx::TensorMeta& tensor)
      : program_(program), tensor_(tensor) {}

  Tri contiguous() const {
    Tri small = fewerThanTwoElements();
    if (small == Tri::Yes) return Tri::Yes;
    std::vector<std::size_t> order;
    for (std::size_t i = tensor_.rank(); i-- > 0;) order.push_back(i);
    Tri nested = nestedIn(order);
    return nested == Tri::No && small == Tri::Unknown ? Tri::Unknown : nested;
  }
  Tri channelsLast() const {
    return tensor_.rank() == 4 ? nestedIn(std::array<std::size_t, 4>{1, 3, 2, 0}) : Tri::No;
  }
  Tri channelsLast3d() const {
    return tensor_.rank() == 5 ? nestedIn(std::array<std::size_t, 5>{1, 4, 3, 2, 0}) : Tri::No;
  }

 private:
  Tri fewerThanTwoElements() const {
    SymInt count(1);
    for (const SymInt& size : tensor_.sizes) {
      if (size.isStatic() && size.value() == 0) return Tri::Yes;
      count = count * size;
    }
    if (std::optional<std::int64_t> hint = count.hint()) return *hint < 2 ? Tri::Yes : Tri::No;
    bool anyKnownLarge = false, othersAtLeastOne = true;
    for (const SymInt& size : tensor_.sizes) {
      std::optional<std::int64_t> least = minimum(size);
      if (!least || *least < 1) othersAtLeastOne = false;
      if (least && *least > 1) anyKnownLarge = true;
    }
    return anyKnownLarge && othersAtLeastOne ? Tri::No : Tri::Unknown;
  }

  /// Strides grow from the innermost dimension of `order` outwards. An expected stride may also be
  /// written with Max(1, size) for each size, as PyTorch does for sizes that may be 0.
  Tri nestedIn(std::span<const std::size_t> order) const {
    SymInt expected(1), expectedMax(1);
    bool unsure = false;
    for (std::size_t i : order) {
      const SymInt& size = tensor_.sizes[i];
      const SymInt& stride = tensor_.strides[i];
      const Tri isOne = same(size, SymInt(1));
      if (isOne == Tri::Yes) continue;
      const Tri fits = same(stride, expected), fitsMax = same(stride, expectedMax);
      if (fits != Tri::Yes && fitsMax != Tri::Yes) {
        if (fits == Tri::No && fitsMax == Tri::No && isOne == Tri::No) return Tri::No;
        unsure = true;
      }
      expected = expected * size;
      expectedMax = expectedMax * atLeastOne(size);
    }
    return unsure ? Tri::Unknown : Tri::Yes;
  }

  SymInt atLeastOne(const SymInt& size) const {
    if (size.isStatic()) return SymInt(std::max<std::int64_t>(size.value(), 1));
    if (std::optional<std::int64_t> least = minimum(size); least && *least >= 1) return size;
    std::optional<std::int64_t> hint = size.hint();
    if (hint) hint = std::max<std::int64_t>(*hint, 1);
    return SymInt(fx::SymExpr::call("Max", {fx::SymExpr::integerOf(1), size.expr()}), hint);
  }

  Tri same(const SymInt& a, const SymInt& b) const {
    if (a == b) return Tri::Yes;
    if (a.isStatic() && b.isStatic()) return Tri::No;
    if (a.hint() && b.hint()) return *a.hint() == *b.hint() ? Tri::Yes : Tri::No;
    const SymInt& symbolic = a.isStatic() ? b : a;
    const SymInt& fixed = a.isStatic() ? a : b;
    if (!fixed.isStatic()) return Tri::Unknown;
    if (std::optional<std::int64_t> least = minimum(symbolic); least && *least > fixed.value())
      return Tri::No;
    return Tri::Unknown;
  }

  /// The lower bound of a number, or of a single symbol with a range.
  std::optional<std::int64_t> minimum(const SymInt& size) const {
    if (size.isStatic()) return size.value();
    if (size.expr()->kind != fx::SymExpr::Kind::Symbol) return std::nullopt;
    for (const fx::RangeConstraint& r : program_.ranges)
      if (r.symbol == size.expr()->name) return r.min;
    return std::nullopt;
  }

  const fx::Program& program_;
  const fx::TensorMeta& tensor_;
};

}  // namespace

std::string memoryFormat(const fx::Program& program, const fx::TensorMeta& tensor) {
  if (tensor.layout != Layout::Strided || tensor.strides.size() != tensor.sizes.size())
    return "None";
  const Strides strides(program, tensor);
  bool unsure = false;
  const std::array<std::pair<Tri, const char*>, 3> answers{
      {{strides.contiguous(), "torch.contiguous_format"},
       {strides.channelsLast(), "torch.channels_last"},
       {strides.channelsLast3d(), "torch.channels_last_3d"}}};
  for (const auto& [fits, format] : answers) {
    if (fits == Tri::Yes && !unsure) return format;
    unsure |= fits != Tri::No;
  }
  return unsure ? "unknown" : "None";
}

}  // namespace fxs::normalize
