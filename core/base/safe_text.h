// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Makes text from files safe to print. Untrusted text may contain terminal escape sequences,
// bidirectional controls, line breaks that forge lines of our output, and markup. All text for a
// terminal, log, label or page must be escaped here.
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// For use within a line: escapes control characters (including line ends and tabs), characters
/// that reorder or hide text (bidirectional controls, line and paragraph separators, zero-width
/// characters) and invalid UTF-8 as \n, \x1b, \u{202e}.
std::string printable(std::string_view text);
/// For whole lines: like printable(), but keeps line ends and tabs.
std::string printableLines(std::string_view text);
/// printable(), then &, <, >, " and ' as entities: for rich text, HTML and SVG.
std::string richText(std::string_view text);
/// printableLines(), then the same entities.
std::string richLines(std::string_view text);
/// The text, or as many of its first bytes as are whole characters of UTF-8.
std::string_view utf8Prefix(std::string_view text, std::size_t bytes);
/// A name for a message: printable(), in single quotes, truncated if long.
std::string printableName(std::string_view name);
/// A word quoted for a POSIX shell, in single quotes unless it is plain.
std::string shellWord(std::string_view word);
/// Words quoted for a POSIX shell, with blanks between them.
std::string shellWords(const std::vector<std::string>& words);

/// Whether the text has only printable ASCII, line ends and tabs, so that printableLines() would
/// not change it. Vectorized.
bool isPlainLines(std::string_view text);

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< encoded length; 0: invalid UTF-8
};
/// Decodes the first character of a nonempty text by RFC 3629: surrogates and overlong forms are
/// invalid.
Utf8Character utf8At(std::string_view text);
/// Whether printable() escapes the character: C0 and C1 controls, and Unicode format characters
/// that reorder, join or hide adjacent text.
bool isDeceptive(char32_t code);

}  // namespace fxs
