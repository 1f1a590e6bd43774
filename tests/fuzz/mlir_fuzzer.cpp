// Printed MLIR as data: whatever the text, what the reader says of it agrees with itself.
#include "fuzz_input.h"
#include "mlir/module.h"
#include "module_dump.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const mlir::Module module = mlir::readModule(fuzz::textOf(data, size));
  fuzz::require(module.values.size() <= 2 * size && module.ops.size() <= size, "a module is no larger than its text");
  const std::string wrong = test::whatIsWrong(module);
  fuzz::require(wrong.empty(), wrong);
  return 0;
}
