// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's stderr.
#include "fuzz_input.h"
#include "mlir/logs/diagnostics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)fxs::mlir::parseEngineLog(fxs::fuzz::textOf(data, size));
  return 0;
}
