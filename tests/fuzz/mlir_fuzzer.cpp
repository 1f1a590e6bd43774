// Printed MLIR as data: whatever the text, what the reader says of it agrees with itself, and so does the diff of two texts.
#include <algorithm>

#include "fuzz_input.h"
#include "mlir/diff.h"
#include "mlir/module.h"
#include "module_dump.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const mlir::Module module = mlir::readModule(fuzz::textOf(data, size));
  fuzz::require(module.values.size() <= 2 * size && module.ops.size() <= size, "a module is no larger than its text");
  const std::string wrong = test::whatIsWrong(module);
  fuzz::require(wrong.empty(), wrong);

  fuzz::require(mlir::diff(module, module).empty(), "a module does not differ from itself");
  // A line `=====` stands between two texts.
  const std::string_view text = module.text;
  const std::size_t middle = std::min(text.find("\n=====\n"), text.size() / 2);
  const mlir::Module first = mlir::readModule(text.substr(0, middle));
  const mlir::Module second = mlir::readModule(text.substr(middle));
  const mlir::Diff changes = mlir::diff(first, second);
  fuzz::require(changes.pairs.size() == first.ops.size() + changes.added && changes.pairs.size() == second.ops.size() + changes.removed,
                "every operation is in one pair");
  fuzz::require(mlir::applied(first, second, changes) == mlir::canonicalText(second), "a diff applied to the first text gives the second");
  for (const mlir::OpPair& pair : changes.pairs)
    for (const TextRange range : mlir::wordMarks(first, second, pair).b)
      fuzz::require(range.end <= second.text.size(), "marks are in the text");
  return 0;
}
