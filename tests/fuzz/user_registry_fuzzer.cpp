// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registries as text: what is read has a name and entries, and a call through them is taken or
// refused, never anything else.
#include "fuzz_input.h"
#include "fx/text.h"
#include "registry/direct_lowering.h"
#include "registry/user_registry.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = registry::readUserRegistry(fuzz::textOf(data, size), "fuzz.fxreg");
  if (!read) {
    fuzz::require(read.error().message.starts_with("fuzz.fxreg:"), "an error names its line");
    return 0;
  }
  fuzz::require(!(*read)->name.empty() && !(*read)->handlers.empty(),
                "a registry has a name and entries");
  for (const auto& [op, handler] : (*read)->handlers) {
    const std::string target = op.find('.') == std::string::npos ? "aten.silu.default" : op;
    const auto program = fx::graphFrom("x: f32[2, 3] = placeholder\ny: f32[2, 3] = " + target +
                                       "(x=x, beta=1.5)\nreturn y");
    if (!program) continue;
    registry::DirectOptions options;
    options.user.push_back(*read);
    const auto lowered = registry::lowerByRegistries(**program, options, RunContext{});
    fuzz::require(lowered.has_value(), "a call is taken or refused");
  }
  return 0;
}
