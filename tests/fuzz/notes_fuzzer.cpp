// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of notes: what is read is printed, read again as the same, and merged without loss.
#include "fuzz_input.h"
#include "notes/notes.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = notes::parse(fuzz::textOf(data, size), "fuzz");
  if (!read) {
    fuzz::require(read.error().message.starts_with("fuzz: "), "an error names the file");
    return 0;
  }
  const auto again = notes::parse(notes::print(*read), "printed");
  fuzz::require(again && *again == *read, "what is printed reads as the same");
  notes::Notes merged;
  for (const auto& [name, note] : *read) notes::apply({name, std::nullopt, note}, merged);
  fuzz::require(merged == *read, "what is applied to nothing is all");
  return 0;
}
