// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/nearest.h"

#include <algorithm>
#include <utility>

namespace fxs {

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit) {
  std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  // Three rows of the table are enough, because a transposition refers to two rows back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    // Pointers avoid index checks, which would double the time; all indices are in range.
    std::size_t* const now = row.data();
    const std::size_t* const above = last.data();
    const char *const x = a.data(), *const y = b.data();
    now[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] =
          std::min({above[j] + 1, now[j - 1] + 1, above[j - 1] + (x[i - 1] == y[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
      best = std::min(best, now[j]);
    }
    if (best > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::vector<std::string> nearest(std::string_view wanted, std::span<const std::string_view> names,
                                 std::size_t count) {
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> close;
  for (std::string_view candidate : names)
    if (std::size_t distance = editDistance(wanted, candidate, limit); distance <= limit)
      close.emplace_back(distance, candidate);
  std::sort(close.begin(), close.end());
  close.erase(std::unique(close.begin(), close.end()), close.end());
  std::vector<std::string> out;
  for (const auto& [distance, candidate] : close) {
    if (out.size() == count) break;
    out.emplace_back(candidate);
  }
  return out;
}

}  // namespace fxs
