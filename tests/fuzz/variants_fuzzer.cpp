// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of variants: what is read is printed, and read again as the same.
#include "fuzz_input.h"
#include "variant/variants.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = variant::parse(fuzz::textOf(data, size), "fuzz");
  if (!read) {
    fuzz::require(read.error().message.starts_with("fuzz: "), "an error names the file");
    return 0;
  }
  const std::string printed = variant::print(*read);
  const auto again = variant::parse(printed, "printed");
  fuzz::require(again && variant::print(*again) == printed, "what is printed reads as the same");
  fuzz::require(variant::print(variant::merged({}, *again, *read).all) == printed,
                "merged with itself it is the same");
  return 0;
}
