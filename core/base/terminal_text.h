// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text for the width and the colours of a terminal. This is the only place that writes escape
// sequences into an answer; the text itself is escaped before (base/safe_text.h).
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// What a part of a text means; a terminal shows it by its colour.
enum class Tone : std::uint8_t { Plain, Code, Good, Warning, Bad, Muted };

/// How an answer is laid out. The default is for files and pipes: lines as they are.
struct TextLayout {
  std::size_t columns = 0;  ///< lines are not longer; 0: as long as they are
  bool colours = false;
  bool wide = false;  ///< code is not cut at `columns`
};

/// Columns that a character takes: 2 for wide East Asian ones and emoji, 0 for combining marks.
std::size_t columnsOf(char32_t character);
std::size_t columnsOf(std::string_view text);

/// A part of a line, escaped already.
struct TonedText {
  std::string text;
  Tone tone = Tone::Plain;
};
using TonedLine = std::vector<TonedText>;

/// The line, ended: with escape sequences for its tones if the layout has colours, and broken at
/// blanks if it is too long; what follows a break begins at column `hanging`.
std::string laidOut(const TonedLine&, std::size_t hanging, const TextLayout&);
/// Lines of code: cut at the end, with "…", where they are too long.
std::string codeLaidOut(std::string_view lines, const TextLayout&);
/// A command of a POSIX shell, which stays one where it is broken: with a backslash at the end.
std::string commandLaidOut(std::string_view line, const TextLayout&);
/// Other lines of text: broken as laidOut() does, where what follows a break begins below the last
/// column of a table or below the text of a list.
std::string textLaidOut(std::string_view lines, const TextLayout&);

}  // namespace fxs
