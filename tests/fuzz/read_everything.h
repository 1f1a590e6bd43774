#pragma once
// What every front end does with an opened file, for fuzzers.
#include "fuzz_input.h"
#include "fx/text.h"
#include "read/read.h"
#include "report/inspect.h"

namespace fxs::fuzz {

inline void readEverything(std::string bytes) {
  read::ReadOptions options;
  options.maxModelBytes = 1 << 20;
  auto capture = read::readCapture(memorySource(std::move(bytes)), "fuzz.pt2", options, {});
  if (!capture) {
    require(capture.error().message.starts_with("fuzz.pt2: "), "an error names the file");
    return;
  }
  require(fx::verify(*capture->program).has_value(), "a program that is read is well formed");
  require(!fx::dump(*capture->program).empty(), "a program can be printed");
  require(!report::inspectText(*capture).empty() && !report::inspectJson(*capture).empty(), "a program can be described");
  for (const fx::Weight& weight : capture->program->weights) {
    auto dense = capture->weights->read(weight, 1 << 20);
    if (dense)
      require(dense->size() == weight.elements() * static_cast<std::uint64_t>(facts(weight.dtype).bytes),
              "a weight has as many bytes as its shape asks for");
  }
}

}  // namespace fxs::fuzz
