#pragma once
// Makes text from files safe to print. Untrusted text may contain terminal escape sequences, bidirectional controls, line breaks that forge
// lines of our output, and markup. All text for a terminal, log, label or page must be escaped here.
#include <string>
#include <string_view>

namespace fxs {

/// As part of one line: control characters (line ends and tabs too), characters that order or hide text (bidirectional controls, line
/// and paragraph separators, zero-width ones) and bytes that are no UTF-8 are shown as \n, \x1b, \u{202e}. Everything else stays.
std::string printable(std::string_view text);
/// As lines of its own: line ends and tabs stay.
std::string printableLines(std::string_view text);
/// printable(), then &, <, >, " and ' as entities: for rich text, HTML and SVG.
std::string richText(std::string_view text);
/// printableLines(), then the same entities.
std::string richLines(std::string_view text);
/// A name as part of a message: printable(), between single quotes, a long one without its end.
std::string printableName(std::string_view name);
/// A word for a shell to paste: as it is when it is plain, else between single quotes.
std::string shellWord(std::string_view word);

/// Nothing but printable ASCII, line ends and tabs: printableLines() would change nothing. Made for megabytes.
bool isPlainLines(std::string_view text);

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8 here
};
/// The character at the start of a text that is not empty; RFC 3629: no surrogates, no overlong forms.
Utf8Character utf8At(std::string_view text);
/// Whether printable() shows the character as an escape: controls of C0 and C1, and the format characters of Unicode that reorder, join
/// or hide what is around them.
bool isDeceptive(char32_t code);

}  // namespace fxs
