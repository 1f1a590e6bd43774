#pragma once
// Children by parent in one array: `of(parent)` are the numbers of the children, in their own order.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fxs::mlir {

template <class Id>
class Grouped {
 public:
  std::span<const Id> of(std::size_t parent) const {
    if (parent + 1 >= begins_.size()) return {};
    return {items_.data() + begins_[parent], begins_[parent + 1] - begins_[parent]};
  }

  /// `parentOf(i)` is the parent's index of child `i`, or `parents` and above for a child that has none.
  template <class ParentOf>
  void group(std::size_t parents, std::size_t children, ParentOf parentOf) {
    begins_.assign(parents + 1, 0);
    std::size_t grouped = 0;
    for (std::size_t i = 0; i < children; ++i)
      if (const std::size_t parent = parentOf(i); parent < parents) ++begins_[parent], ++grouped;
    std::uint32_t before = 0;
    for (std::uint32_t& begin : begins_) before += std::exchange(begin, before);
    items_.resize(grouped);
    for (std::size_t i = 0; i < children; ++i)
      if (const std::size_t parent = parentOf(i); parent < parents) items_[begins_[parent]++] = Id{static_cast<std::uint32_t>(i)};
    // Each begin stands now where its group ends, which is where the next one begins.
    for (std::size_t i = parents; i > 0; --i) begins_[i] = begins_[i - 1];
    begins_[0] = 0;
  }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<Id> items_;
};

}  // namespace fxs::mlir
