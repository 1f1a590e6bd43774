// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/subsequence.h"

#include <algorithm>
#include <unordered_map>

namespace fxs::mlir {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
struct Element {
  std::uint64_t key;
  std::uint32_t at;
};

std::vector<Element> sharedWith(std::span<const std::uint64_t> mine,
                                std::span<const std::uint64_t> others, std::size_t offset) {
  std::vector<std::uint64_t> sorted(others.begin(), others.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Element> out;
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (std::binary_search(sorted.begin(), sorted.end(), mine[i]))
      out.push_back({mine[i], static_cast<std::uint32_t>(offset + i)});
  return out;
}

void longest(const std::vector<Element>& a, const std::vector<Element>& b, Pairs& out) {
  // length[i][j]: of the longest for a[i..] and b[j..]
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> length((a.size() + 1) * width);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i * width + j] =
          a[i].key == b[j].key ? length[(i + 1) * width + j + 1] + 1
                               : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].key == b[j].key) out.emplace_back(a[i++].at, b[j++].at);
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) ++i;
    else ++j;
  }
}

/// The n-th of a key in `a` with the n-th in `b`, as far as they keep their order.
void inOrder(const std::vector<Element>& a, const std::vector<Element>& b, Pairs& out) {
  std::unordered_map<std::uint64_t, std::pair<std::vector<std::uint32_t>, std::size_t>> positions;
  for (std::uint32_t i = 0; i < a.size(); ++i) positions[a[i].key].first.push_back(i);
  std::vector<std::uint32_t> placeInA, placeInB;
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    auto& [all, used] = positions[b[j].key];
    if (used < all.size()) placeInA.push_back(all[used++]), placeInB.push_back(j);
  }
  for (const std::uint32_t i : longestIncreasing(placeInA))
    out.emplace_back(a[placeInA[i]].at, b[placeInB[i]].at);
}

}  // namespace

std::vector<std::uint32_t> longestIncreasing(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t>
      tails;  // tails[n]: the element that ends the best subsequence of n + 1
  std::vector<std::uint32_t> before(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const auto position = std::lower_bound(
        tails.begin(), tails.end(), numbers[i],
        [&](std::uint32_t tail, std::uint32_t number) { return numbers[tail] < number; });
    before[i] = position == tails.begin() ? i : *(position - 1);
    if (position == tails.end()) tails.push_back(i);
    else *position = i;
  }
  std::vector<std::uint32_t> out(tails.size());
  for (std::size_t n = out.size(); n > 0; --n)
    out[n - 1] = n == out.size() ? tails.back() : before[out[n]];
  return out;
}

Pairs commonSubsequence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        std::size_t cells) {
  Pairs out;
  std::size_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) {
    out.emplace_back(static_cast<std::uint32_t>(front), static_cast<std::uint32_t>(front));
    ++front;
  }
  std::size_t back = 0;
  while (back < a.size() - front && back < b.size() - front &&
         a[a.size() - 1 - back] == b[b.size() - 1 - back])
    ++back;
  const auto middleA = a.subspan(front, a.size() - front - back);
  const auto middleB = b.subspan(front, b.size() - front - back);
  const std::vector<Element> sharedA = sharedWith(middleA, middleB, front);
  const std::vector<Element> sharedB = sharedWith(middleB, middleA, front);
  if (!sharedA.empty() && sharedA.size() <= cells / sharedB.size()) longest(sharedA, sharedB, out);
  else inOrder(sharedA, sharedB, out);
  for (std::size_t i = back; i > 0; --i)
    out.emplace_back(static_cast<std::uint32_t>(a.size() - i),
                     static_cast<std::uint32_t>(b.size() - i));
  return out;
}

}  // namespace fxs::mlir
