// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Large numbers for people.
#include <cstdint>
#include <string>

namespace fxs {

/// "812 bytes", "1.6 KiB", "3.0 GiB"; in powers of 1024.
std::string bytesText(std::uint64_t bytes);
/// "812", "124.4 M", "4.1 G"; in powers of 1000.
std::string amountText(std::uint64_t count);
/// "124,439,808".
std::string groupedText(std::uint64_t count);

}  // namespace fxs
