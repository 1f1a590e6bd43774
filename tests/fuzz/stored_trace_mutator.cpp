// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer's changes of bytes, and changes of the document that leave it readable.
#include <cstring>

#include "mutation/mutations.h"

extern "C" {
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed);
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                    unsigned seed) {
  fxs::fuzz::Chance chance(seed);
  const std::string text(fxs::fuzz::textOf(data, size));
  const std::string changed = chance.oneIn(4) ? text : fxs::fuzz::mutatedMembers(text, "", chance);
  if (changed == text || changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
