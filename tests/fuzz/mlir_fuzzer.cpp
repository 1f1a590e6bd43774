// Printed MLIR as data: whatever the text, what the reader says of it agrees with itself, and so do its lines' origins, its tokens, and
// the diff of two texts.
#include <algorithm>

#include "fuzz_input.h"
#include "mlir/diff.h"
#include "mlir/lexer.h"
#include "mlir/located_text.h"
#include "mlir/module.h"
#include "module_dump.h"

using namespace fxs;

namespace {

void checkLines(std::string_view text) {
  const mlir::LocatedText located = mlir::locate(text);
  const auto breaks = static_cast<std::size_t>(std::count(located.show.begin(), located.show.end(), '\n'));
  fuzz::require(located.lines.size() <= breaks + 1, "no more origins than lines");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    std::size_t last = 0;
    for (const mlir::Token& token : mlir::lexLine(line)) {
      fuzz::require(last <= token.range.begin && token.range.begin < token.range.end && token.range.end <= line.size(),
                    "tokens are in order and in the line");
      last = token.range.end;
    }
    begin = end + 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  checkLines(fuzz::textOf(data, size));
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
