// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printed MLIR as data: whatever the text, what the reader says of it agrees with itself, and so do
// its locations, its tokens, and the diff of two texts.
#include <algorithm>
#include <vector>

#include "canonical_text.h"
#include "fuzz_input.h"
#include "mlir/compare/diff.h"
#include "mlir/text/document.h"
#include "mlir/text/lexer.h"
#include "mlir/text/module.h"
#include "mlir/text/name_uses.h"
#include "mlir/text/shown_text.h"
#include "module_dump.h"

using namespace fxs;

namespace {

void checkLines(std::string_view text) {
  const std::string shown = mlir::shownText(text);
  fuzz::require(std::count(shown.begin(), shown.end(), '\n') <=
                    std::count(text.begin(), text.end(), '\n') + 1,
                "no line is made up");
  const mlir::Document document(text);
  for (std::size_t i = 0; i < document.module.ops.size(); ++i)
    fuzz::require(document.nodesOf(mlir::OpId::of(i)).size() <= mlir::kMaxPositionsOfLocation,
                  "a location has no more places than are kept");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    std::size_t last = 0;
    for (const mlir::Token& token : mlir::lexLine(line)) {
      fuzz::require(last <= token.range.begin && token.range.begin < token.range.end &&
                        token.range.end <= line.size(),
                    "tokens are in order and in the line");
      last = token.range.end;
    }
    begin = end + 1;
  }
}

void checkNames(const mlir::Module& module) {
  const std::size_t size = module.text.size();
  for (const std::size_t at :
       {std::size_t{0}, size / 3, size / 2, size - std::min<std::size_t>(size, 2)}) {
    const auto found = mlir::nameUsesAt(module, at);
    if (!found) continue;
    std::vector<TextRange> all = found->definitions;
    all.insert(all.end(), found->uses.begin(), found->uses.end());
    const bool isFound =
        std::any_of(all.begin(), all.end(), [&](TextRange range) { return range.contains(at); });
    fuzz::require(isFound, "a name is among its definitions and uses");
    for (const TextRange range : all) fuzz::require(range.end <= size, "names are in the text");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  checkLines(fuzz::textOf(data, size));
  const mlir::Module module = mlir::readModule(fuzz::textOf(data, size));
  fuzz::require(module.values.size() <= 2 * size && module.ops.size() <= size,
                "a module is no larger than its text");
  const std::string wrong = test::problemOf(module);
  fuzz::require(wrong.empty(), wrong);

  checkNames(module);

  fuzz::require(mlir::diff(module, module).empty(), "a module does not differ from itself");
  // A line `=====` stands between two texts.
  const std::string_view text = module.text;
  const std::size_t middle = std::min(text.find("\n=====\n"), text.size() / 2);
  const mlir::Module first = mlir::readModule(text.substr(0, middle));
  const mlir::Module second = mlir::readModule(text.substr(middle));
  const mlir::Diff changes = mlir::diff(first, second);
  fuzz::require(changes.pairs.size() == first.ops.size() + changes.added &&
                    changes.pairs.size() == second.ops.size() + changes.removed,
                "every operation is in one pair");
  fuzz::require(test::applied(first, second, changes) == test::canonicalText(second),
                "a diff applied to the first text gives the second");
  for (const mlir::OpPair& pair : changes.pairs)
    for (const TextRange range : mlir::wordMarks(first, second, pair).b)
      fuzz::require(range.end <= second.text.size(), "marks are in the text");
  return 0;
}
