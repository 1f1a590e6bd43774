// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/shown_text.h"

#include <algorithm>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// Strings and constants longer than this are shown by their size.
constexpr std::size_t kShownString = 256;
constexpr std::size_t kShownConstant = 1024;

/// Copies a line to `show` without locations, long strings and long constants.
void showLine(std::string_view line, bool resource, std::string& show) {
  const std::size_t lineStart = show.size();
  std::size_t copied = 0;  // of `line`
  bool closes =
      true;  // whether every constant so far is closed; an unclosed one makes the rest plain text
  const auto upTo = [&](std::size_t end) { show.append(line.substr(copied, end - copied)); };
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '"') {
      const std::size_t end = afterQuoted(line, i);
      if (end - i > (resource ? std::size_t{16} : kShownString)) {
        upTo(i);
        const std::string_view text = line.substr(i + 1, end - i - 2);
        const bool hex = text.starts_with("0x");
        std::size_t bytes = hex ? (text.size() - 2) / 2 : text.size();
        // A resource begins with four bytes of alignment, which do not count as data.
        if (hex && resource) bytes -= std::min<std::size_t>(4, bytes);
        show += hex ? "\"0x…\" (" + std::to_string(bytes) + " bytes)"
                    : "\"…\" (" + std::to_string(bytes) + " characters)";
        copied = end;
      }
      i = end;
    } else if (c == 'l' && line.compare(i, 4, "loc(") == 0 && i > 0 &&
               (line[i - 1] == ' ' || line[i - 1] == '(')) {
      const std::size_t end = afterBracket(line, i + 3);
      if (end == std::string_view::npos) break;
      std::size_t begin = i;
      while (begin > copied && line[begin - 1] == ' ') --begin;
      upTo(begin);
      copied = i = end;
    } else if (c == '<' && closes && i + 1 < line.size() && line[i + 1] == '[' &&
               line.size() - i > kShownConstant) {
      const std::size_t end = afterBracket(line, i + 1);
      closes = end != std::string_view::npos;
      if (closes && end - i > kShownConstant) {
        upTo(i + 1);
        const auto values = std::count(line.begin() + static_cast<std::ptrdiff_t>(i),
                                       line.begin() + static_cast<std::ptrdiff_t>(end), ',') +
                            1;
        show += "… " + std::to_string(values) + " values";
        copied = i = end;
      } else {
        ++i;
      }
    } else {
      ++i;
    }
  }
  upTo(line.size());
  while (show.size() > lineStart && (show.back() == ' ' || show.back() == '\r')) show.pop_back();
}

/// `#loc12 = loc(..)`
bool isLocationAlias(std::string_view line) {
  if (!line.starts_with("#loc")) return false;
  const std::string_view rest = line.substr(afterName(line, 0));
  return rest.starts_with(" = loc(") && afterBracket(rest, 6) != std::string_view::npos;
}

}  // namespace

std::string shownText(std::string_view text) {
  std::string show;
  show.reserve(text.size() - text.size() / 4);
  bool resources = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = endOfLine(text, begin);
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("{-#")) resources = true;
    if (resources || !isLocationAlias(line)) {
      if (!show.empty() || !line.empty()) {
        showLine(line, resources, show);
        show += '\n';
      }
    }
    if (line.starts_with("#-}")) resources = false;
  }
  while (show.ends_with("\n\n")) show.pop_back();
  return show;
}

}  // namespace fxs::mlir
