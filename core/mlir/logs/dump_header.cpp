// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/logs/dump_header.h"

#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

constexpr std::string_view kEnd = "//----- //";

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text))
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  return out;
}

/// ` ('func.func' operation: @main)` at the end is taken off.
void takeOperation(std::string_view& text, DumpHeader& header) {
  const std::size_t at = text.rfind(" ('");
  if (at == std::string_view::npos || !text.ends_with(')')) return;
  const std::string_view description = text.substr(at + 3, text.size() - at - 4);
  const std::size_t quote = description.find("' operation");
  if (quote == std::string_view::npos) return;
  header.anchor = std::string(description.substr(0, quote));
  if (const std::size_t symbol = description.find(": @", quote); symbol != std::string_view::npos)
    header.symbol = std::string(description.substr(symbol + 3));
  text = text.substr(0, at);
}

/// The end of the class that `text` begins with, which may be a template or in an anonymous
/// namespace: before ` Failed`, `: ` or ` (`, outside of `<..>`.
std::size_t classEnd(std::string_view text) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t end = text.starts_with(kAnonymous) ? kAnonymous.size() : 0;
  for (int depth = 0; end < text.size(); ++end) {
    if (text[end] == '<') ++depth;
    else if (text[end] == '>') --depth;
    else if (depth <= 0 && (text[end] == ' ' || text.substr(end, 2) == ": ")) break;
  }
  return end;
}

/// `: name` or ` (name)`, with options in braces.
void takePass(std::string_view text, DumpHeader& header) {
  std::string_view pass;
  if (text.starts_with(": ")) pass = trimmed(text.substr(2));
  else if (text.starts_with(" (") && text.ends_with(')'))
    pass = trimmed(text.substr(2, text.size() - 3));
  const std::size_t brace = pass.find('{');
  header.pass = std::string(trimmed(pass.substr(0, brace)));
  if (brace == std::string_view::npos) return;
  const std::size_t close = afterBracket(pass, brace);
  const std::size_t stop = close == std::string_view::npos ? pass.size() : close - 1;
  header.options = folded(pass.substr(brace + 1, stop - brace - 1));
}

}  // namespace

std::optional<DumpHeader> parseDumpHeader(std::string_view line) {
  if (!line.starts_with(kDumpMark)) return std::nullopt;
  line.remove_prefix(kDumpMark.size());
  DumpHeader header;
  if (line.starts_with("Before ")) header.before = true;
  else if (!line.starts_with("After ")) return std::nullopt;
  line.remove_prefix(header.before ? 7 : 6);
  line = trimmed(line);
  // If the end is missing, the line, and perhaps the name, is truncated.
  if (!line.ends_with(kEnd)) return std::nullopt;
  line.remove_suffix(kEnd.size());
  line = trimmed(line);
  takeOperation(line, header);
  const std::size_t end = classEnd(line);
  if (end == 0) return std::nullopt;
  header.passClass = std::string(line.substr(0, end));
  line = line.substr(end);
  if (line.starts_with(" Failed")) {
    header.failed = true;
    line.remove_prefix(7);
  }
  takePass(line, header);
  return header;
}

}  // namespace fxs::mlir
