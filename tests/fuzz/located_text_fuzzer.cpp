// MLIR text with locations, and its tokens.
#include <algorithm>

#include "fuzz_input.h"
#include "mlir/lexer.h"
#include "mlir/located_text.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
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
  return 0;
}
