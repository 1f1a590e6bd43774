// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/peak_memory.h"

#include <fstream>
#include <string>

namespace fxs {

void resetPeakMemory() {
  std::ofstream file("/proc/self/clear_refs");
  file << '5';  // proc(5): resets VmHWM
}

std::uint64_t peakMemory() {
  std::ifstream file("/proc/self/status");
  std::string word;
  std::uint64_t kibibytes = 0;
  while (file >> word)
    if (word == "VmHWM:" && file >> kibibytes) return kibibytes * 1024;
  return 0;
}

}  // namespace fxs
