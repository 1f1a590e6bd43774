// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON: every value of a document that parses can be reached, read and named.
#include "base/json.h"
#include "fuzz_input.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto document =
      JsonDocument::parse(fuzz::textOf(data, size), "fuzz", {.maxBytes = 1 << 20, .maxDepth = 64});
  if (!document) {
    fuzz::require(document.error().message.starts_with("fuzz: "), "an error names the document");
    return 0;
  }
  std::vector<Json> pending{(*document)->root()};
  while (!pending.empty()) {
    Json value = pending.back();
    pending.pop_back();
    std::size_t members = 0;
    for (Json member : value) {
      ++members;
      if (value.isObject())
        fuzz::require(value.find(member.key()).has_value(), "a member is found by its key");
      if (members < 100) pending.push_back(member);
    }
    fuzz::require(members == value.size(), "an object's size counts its members");
    const bool readable = value.asBool() || value.asInt() || value.asFloat() || value.asString() ||
                          value.isArray() || value.isObject() || value.isNull();
    fuzz::require(readable || value.kind() == JsonKind::UInt, "a value reads as its kind");
    if (value.isString())
      fuzz::require(!jsonQuote(*value.asString()).empty(), "a string can be written");
  }
  return 0;
}
