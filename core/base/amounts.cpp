// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/amounts.h"

#include <fmt/format.h>

#include <span>

namespace fxs {
namespace {

/// One digit after the point, in the first of the units that leaves fewer than `step`, else in the
/// last.
std::string inUnits(std::uint64_t count, double step, std::span<const char* const> units) {
  auto amount = static_cast<double>(count) / step;
  std::size_t unit = 0;
  for (; amount >= step && unit + 1 < units.size(); ++unit) amount /= step;
  return fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace

std::string bytesText(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB"};
  if (bytes >= 1024) return inUnits(bytes, 1024, kUnits);
  return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
}

std::string amountText(std::uint64_t count) {
  constexpr const char* kUnits[] = {"K", "M", "G", "T", "P"};
  return count < 1000 ? std::to_string(count) : inUnits(count, 1000, kUnits);
}

std::string groupedText(std::uint64_t count) {
  std::string out = std::to_string(count);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

}  // namespace fxs
