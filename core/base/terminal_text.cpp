// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/terminal_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/safe_text.h"
#include "base/take_until.h"

namespace fxs {
namespace {

using Range = std::pair<char32_t, char32_t>;
/// East_Asian_Width W and F of Unicode 15, in blocks; what has no character yet counts as wide.
constexpr std::array<Range, 24> kWide{
    {{0x1100, 0x115f}, {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23f3},  {0x25fd, 0x25fe},
     {0x2614, 0x2615}, {0x2648, 0x2653},   {0x267f, 0x26ff},   {0x2705, 0x2705},  {0x270a, 0x270b},
     {0x2728, 0x2757}, {0x2795, 0x27bf},   {0x2b1b, 0x2b55},   {0x2e80, 0x303e},  {0x3041, 0xa4cf},
     {0xa960, 0xa97c}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe6b},  {0xff01, 0xff60},
     {0xffe0, 0xffe6}, {0x16fe0, 0x18d08}, {0x1aff0, 0x1b2fb}, {0x1f004, 0x3fffd}}};
/// Combining marks of common scripts; others count as one column, so that lines only get shorter.
constexpr std::array<Range, 6> kCombining{{{0x300, 0x36f},
                                           {0x483, 0x489},
                                           {0x1ab0, 0x1aff},
                                           {0x1dc0, 0x1dff},
                                           {0x20d0, 0x20ff},
                                           {0xfe20, 0xfe2f}}};

template <std::size_t n>
bool isIn(const std::array<Range, n>& ranges, char32_t character) {
  const auto next =
      std::upper_bound(ranges.begin(), ranges.end(), character,
                       [](char32_t c, const Range& range) { return c < range.first; });
  return next != ranges.begin() && character <= std::prev(next)->second;
}

/// SGR of ECMA-48.
std::string_view sequenceOf(Tone tone) {
  switch (tone) {
    case Tone::Plain: return "\x1b[0m";
    case Tone::Code: return "\x1b[36m";
    case Tone::Good: return "\x1b[32m";
    case Tone::Warning: return "\x1b[33m";
    case Tone::Bad: return "\x1b[31m";
    case Tone::Muted: return "\x1b[2m";
  }
  return {};
}

/// One character of a line.
struct Cell {
  std::string_view bytes;
  std::size_t columns;
  Tone tone;
  bool isBlank() const { return bytes == " "; }
};

std::vector<Cell> cellsOf(const TonedLine& line) {
  std::vector<Cell> out;
  for (const TonedText& part : line) {
    std::string_view rest = part.text;
    while (!rest.empty()) {
      const Utf8Character character = utf8At(rest);
      const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
      out.push_back({rest.substr(0, bytes), columnsOf(character.code), part.tone});
      rest.remove_prefix(bytes);
    }
  }
  return out;
}

/// Writes rows of cells; a row that ends is without blanks and colour at its end.
class RowWriter {
 public:
  explicit RowWriter(bool colours) : colours_(colours) {}

  void row(const Cell* begin, const Cell* end, std::size_t indent) {
    while (end != begin && (end - 1)->isBlank()) --end;
    if (begin != end) out_.append(indent, ' ');
    for (const Cell* cell = begin; cell != end; ++cell) {
      // A blank has no colour of its own.
      if (!cell->isBlank()) setTone(cell->tone);
      out_ += cell->bytes;
    }
    setTone(Tone::Plain);
    out_ += '\n';
  }
  std::string take() { return std::move(out_); }

 private:
  void setTone(Tone tone) {
    if (!colours_ || tone == tone_) return;
    if (tone_ != Tone::Plain) out_ += sequenceOf(Tone::Plain);
    if (tone != Tone::Plain) out_ += sequenceOf(tone);
    tone_ = tone;
  }

  bool colours_;
  Tone tone_ = Tone::Plain;
  std::string out_;
};

/// The end of the row that begins at `begin`: before the last blank at which it fits, else where
/// it has to be broken.
const Cell* rowEnd(const Cell* begin, const Cell* end, std::size_t columns) {
  std::size_t used = 0;
  const Cell* blank = nullptr;
  bool hasText = false;
  for (const Cell* cell = begin; cell != end; ++cell) {
    used += cell->columns;
    if (used > columns && !cell->isBlank()) {
      if (blank != nullptr) return blank;
      return cell == begin ? cell + 1 : cell;
    }
    if (cell->isBlank() && hasText) blank = cell;
    hasText |= !cell->isBlank();
  }
  return end;
}

std::string joinedLine(const TonedLine& line) {
  std::string out;
  for (const TonedText& part : line) out += part.text;
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

/// Where what follows a break of the line begins.
std::size_t hangingOf(std::string_view line, std::size_t columns) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::size_t out = indent + 2;
  for (std::size_t gap = line.find("  ", indent); gap != std::string_view::npos;) {
    const std::size_t next = line.find_first_not_of(' ', gap);
    if (next == std::string_view::npos) break;
    const std::size_t column = columnsOf(line.substr(0, next));
    if (column > columns / 2) break;
    out = column;
    gap = line.find("  ", next);
  }
  return out;
}

/// The first word of a command, with its quotes, and the blank after it.
std::string_view takeWord(std::string_view& rest) {
  bool isQuoted = false;
  std::size_t end = 0;
  for (; end < rest.size() && (isQuoted || rest[end] != ' '); ++end)
    if (rest[end] == '\'' && (end == 0 || rest[end - 1] != '\\')) isQuoted = !isQuoted;
  const std::string_view out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

/// Appends a word; one that is longer than a line continues at the beginning of the next, where
/// the shell removes a backslash and the end of the line. The columns that are used then.
std::size_t appendBroken(std::string& out, std::string_view word, std::size_t used,
                         std::size_t columns) {
  bool isQuoted = false;
  while (!word.empty()) {
    const Utf8Character character = utf8At(word);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    // What is escaped stays together: \'
    const std::size_t taken = word.starts_with("\\'") ? 2 : bytes;
    const std::size_t width = columnsOf(word.substr(0, taken));
    if (used + width > columns) {
      out += isQuoted ? "'\\\n'" : "\\\n";
      used = isQuoted ? 1 : 0;
    }
    if (taken == 1 && word.front() == '\'') isQuoted = !isQuoted;
    out += word.substr(0, taken);
    used += width;
    word.remove_prefix(taken);
  }
  return used;
}

}  // namespace

std::size_t columnsOf(char32_t character) {
  if (character < 0x300) return 1;
  if (isIn(kCombining, character)) return 0;
  return isIn(kWide, character) ? 2 : 1;
}

std::size_t columnsOf(std::string_view text) {
  std::size_t out = 0;
  while (!text.empty()) {
    const Utf8Character character = utf8At(text);
    out += columnsOf(character.code);
    text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
  }
  return out;
}

std::string laidOut(const TonedLine& line, std::size_t hanging, const TextLayout& layout) {
  if (layout.columns == 0 && !layout.colours) return joinedLine(line);
  const std::vector<Cell> cells = cellsOf(line);
  RowWriter out(layout.colours);
  const Cell* begin = cells.data();
  const Cell* const end = begin + cells.size();
  if (layout.columns == 0 || begin == end) {
    out.row(begin, end, 0);
    return out.take();
  }
  // A narrow terminal loses its width to the indentation.
  if (hanging > layout.columns / 2) hanging = std::min<std::size_t>(4, layout.columns / 4);
  for (std::size_t indent = 0; begin != end; indent = hanging) {
    const Cell* const stop = rowEnd(begin, end, layout.columns - indent);
    out.row(begin, stop, indent);
    begin = std::find_if(stop, end, [](const Cell& cell) { return !cell.isBlank(); });
  }
  return out.take();
}

std::string codeLaidOut(std::string_view lines, const TextLayout& layout) {
  if (layout.columns == 0 || layout.wide) return std::string(lines);
  std::string out;
  while (!lines.empty()) {
    const bool isEnded = lines.find('\n') != std::string_view::npos;
    const std::string_view line = takeUntil('\n', lines);
    std::size_t used = 0, bytes = 0, kept = 0;
    while (bytes < line.size() && used <= layout.columns) {
      const Utf8Character character = utf8At(line.substr(bytes));
      // Of tabs only the most is known here.
      used += character.code == '\t' ? 8 : columnsOf(character.code);
      bytes += std::max<std::size_t>(character.bytes, 1);
      if (used < layout.columns) kept = bytes;
    }
    if (used <= layout.columns) out += line;
    else (out += line.substr(0, kept)) += "…";
    if (isEnded) out += '\n';
  }
  return out;
}

std::string commandLaidOut(std::string_view line, const TextLayout& layout) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  // One for the backslash, and one for a quote.
  constexpr std::size_t kEnd = 2;
  if (layout.columns <= indent + kEnd || columnsOf(line) <= layout.columns)
    return std::string(line) + "\n";
  std::string out(indent, ' ');
  std::size_t used = indent;
  for (std::string_view rest = line.substr(indent); !rest.empty();) {
    std::string_view word = takeWord(rest);
    const std::size_t width = columnsOf(word);
    if (used > indent + 2 && used + 1 + width + kEnd > layout.columns) {
      out += " \\\n" + std::string(indent + 2, ' ');
      used = indent + 2;
    } else if (used > indent) {
      out += ' ';
      ++used;
    }
    used = appendBroken(out, word, used, layout.columns - kEnd);
  }
  return out + "\n";
}

std::string textLaidOut(std::string_view lines, const TextLayout& layout) {
  if (layout.columns == 0) return std::string(lines);
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = takeUntil('\n', lines);
    if (columnsOf(line) <= layout.columns) (out += line) += '\n';
    else out += laidOut({{std::string(line)}}, hangingOf(line, layout.columns), layout);
  }
  return out;
}

}  // namespace fxs
