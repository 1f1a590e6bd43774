// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Escapes text for GitHub Flavored Markdown, to paste into an issue: a name must neither end the
// enclosing construct nor become a link, image or mention.
#include <string>
#include <string_view>

namespace fxs::report {

/// A code span on one line that the text cannot end. Not for tables, where '|' ends a cell even in
/// code.
std::string markdownCode(std::string_view text);
/// Prose on one line, in which nothing is markup, a mention or a link, even at the start of a line.
std::string markdownText(std::string_view text);
/// A fenced code block that the text cannot close.
std::string markdownBlock(std::string_view text, std::string_view language);

}  // namespace fxs::report
