#pragma once
// Text as part of Markdown (CommonMark, and what GitHub adds): to paste into an issue, where a name must neither end what is around it
// nor link, load or call anybody.
#include <string>
#include <string_view>

namespace fxs::report {

/// Code on one line that no text can end. Not for tables, where a bar ends it all the same.
std::string markdownCode(std::string_view text);
/// Prose on one line: nothing in it is markup, a mention or a link, at the start of a line neither.
std::string markdownText(std::string_view text);
/// A block of code with a fence that the text cannot close.
std::string markdownBlock(std::string_view text, std::string_view language);

}  // namespace fxs::report
