// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of output types: what is read leads from raw over stages with passes to ids that can be
// names of files, and is read as the same when it is written.
#include "fuzz_input.h"
#include "lower/output_types.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const lower::OutputTypes& known = lower::OutputTypes::builtin();
  const auto read = known.with(fuzz::textOf(data, size), "fuzz.json", {});
  if (!read) {
    fuzz::require(read.error().message.starts_with("fuzz.json: "), "an error names its file");
    return 0;
  }
  for (std::size_t i = known.all().size(); i < read->all().size(); ++i) {
    const lower::OutputType& type = read->all()[i];
    fuzz::require(name(type).find_first_of("/. \n") == std::string_view::npos,
                  "an id is a name for a file");
    const std::vector<lower::OutputType> way = lower::pathTo(type);
    fuzz::require(way.size() > 1 && name(way.front()) == "raw", "a way begins with RAW");
    fuzz::require(!lower::passesOf(type->stage).empty(), "a stage has passes");
    const std::string written = lower::userDefinitionsFor(type);
    const auto again = known.with(written, "again", {});
    fuzz::require(again && lower::userDefinitionsFor(again->all().back()) == written,
                  "what is written is read as the same");
  }
  return 0;
}
