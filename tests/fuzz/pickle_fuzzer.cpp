// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pickle of a state dict: whatever its opcodes, weights that lie within their storages, or
// none.
#include "fuzz_input.h"
#include "pickle_writer.h"
#include "pt2_writer.h"
#include "read/read.h"

using namespace fxs;

namespace {

constexpr std::uint64_t kMaxBytes = 1 << 16;
constexpr std::size_t kRecordBytes = 256;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::Pt2 file;
  file.remove("data/weights/model_weights_config.json")
      .remove("data/constants/model_constants_config.json");
  file.set("data/weights/model.pt",
           test::pickle::saved(std::string(fuzz::textOf(data, size)),
                               {{"0", std::string(kRecordBytes, 'a')}, {"1", ""}}));
  const auto capture = read::readCapture(memorySource(file.bytes()), "fuzz.pt2", {}, {});
  if (!capture) return 0;
  for (const fx::Weight& weight : capture->program->weights) {
    fuzz::require(weight.readable != !weight.reason.empty(),
                  "a weight is readable, or it says why not");
    const auto dense = capture->weights->read(weight, kMaxBytes);
    if (!dense) {
      fuzz::require(dense.error().message.starts_with("fuzz.pt2: "), "an error names the file");
      continue;
    }
    fuzz::require(*dense == std::string(weight.elements() *
                                            static_cast<std::uint64_t>(facts(weight.dtype).bytes),
                                        'a'),
                  "the bytes of its storage");
  }
  return 0;
}
