// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zip archives: members that are read have the size that the directory says.
#include "base/zip.h"
#include "fuzz_input.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto zip = ZipReader::open(memorySource(std::string(fuzz::textOf(data, size))), "fuzz");
  if (!zip) return 0;
  std::size_t read = 0;
  for (const ZipEntry& entry : (*zip)->entries()) {
    if (++read > 50) break;
    auto bytes = (*zip)->read(entry, 1 << 20);
    if (bytes) fuzz::require(bytes->size() == entry.size, "a member has its size");
    if (entry.size == 0) continue;
    auto part = (*zip)->readRange(entry, entry.size / 2,
                                  std::min<std::uint64_t>(entry.size - entry.size / 2, 1000));
    if (bytes && part)
      fuzz::require(bytes->substr(entry.size / 2, 1000) == *part,
                    "a part of a member is what the whole has there");
  }
  return 0;
}
