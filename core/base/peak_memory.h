// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The largest resident size of this process since the last reset, as Linux counts it.
#include <cstdint>

namespace fxs {

/// Also resets what a vforked child inherits, see Exit::peakMemory. Without effect where /proc does
/// not allow it.
void resetPeakMemory();
std::uint64_t peakMemory();  ///< bytes; 0 if not known

}  // namespace fxs
