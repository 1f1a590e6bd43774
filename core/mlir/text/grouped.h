// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Children grouped by parent in one array; `of(parent)` are the ids of its children, ascending.
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

  /// `parentOf(i)` is the index of the parent of child `i`; at least `parents` if it has none.
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
      if (const std::size_t parent = parentOf(i); parent < parents)
        items_[begins_[parent]++] = Id{static_cast<std::uint32_t>(i)};
    // Each entry is now the end of its group, which is the beginning of the next one.
    for (std::size_t i = parents; i > 0; --i) begins_[i] = begins_[i - 1];
    begins_[0] = 0;
  }

 private:
  std::vector<std::uint32_t> begins_;
  std::vector<Id> items_;
};

}  // namespace fxs::mlir
