// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document in Markdown, to paste into an issue.
#include <fmt/format.h>

#include "base/safe_text.h"
#include "base/take_until.h"
#include "report/document.h"
#include "report/markdown.h"

namespace fxs::report {
namespace {

std::string markdownOf(const Inline& text) {
  std::string out;
  for (const Span& span : text.spans)
    out += span.tone == Tone::Code ? markdownCode(span.text) : markdownText(span.text);
  return out;
}

/// Not as code, in which '|' would end the cell.
std::string markdownCell(const Inline& text) {
  std::string out;
  for (const Span& span : text.spans) out += markdownText(span.text);
  return out.empty() ? " " : out;
}

std::string itemOf(std::string_view text, const std::vector<Inline>& lines, std::size_t from) {
  std::string out = fmt::format("- {}\n", text);
  for (std::size_t i = from; i < lines.size(); ++i)
    out += fmt::format("  - {}\n", markdownOf(lines[i]));
  return out;
}

/// `heading`: the marker of a section.
struct MarkdownRenderer {
  std::string_view heading;

  std::string operator()(const Paragraph& paragraph) const {
    return markdownOf(paragraph.text) + "\n";
  }
  std::string operator()(const Code& code) const { return markdownBlock(code.text, code.language); }

  std::string operator()(const Facts& facts) const {
    std::string out;
    for (const Fact& fact : facts.rows) {
      const std::string first = fact.lines.empty() ? std::string() : markdownOf(fact.lines.front());
      out += itemOf(markdownOf(fact.label) + ": " + first, fact.lines, 1);
      if (fact.code.empty()) continue;
      const std::string code = (*this)(fact.code);
      out += '\n';
      for (std::string_view rest = code; !rest.empty();)
        out += fmt::format("  {}\n", takeUntil('\n', rest));
    }
    return out;
  }

  std::string operator()(const List& list) const {
    std::string out;
    for (const Item& item : list.items) out += itemOf(markdownOf(item.text), item.lines, 0);
    return out;
  }

  std::string operator()(const Table& table) const {
    std::string out;
    for (const Column& column : table.columns) out += "| " + markdownCell(column.title) + " ";
    out += "|\n";
    for (const Column& column : table.columns) out += column.isNumber ? "| ---: " : "| --- ";
    out += "|\n";
    for (const Row& row : table.rows) {
      for (const Inline& cell : row.cells) out += "| " + markdownCell(cell) + " ";
      out += "|\n";
    }
    return out;
  }

  std::string operator()(const Details& details) const {
    return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n",
                       richText(details.summary), renderMarkdown(details.blocks, heading));
  }

  std::string operator()(const Section& section) const {
    const std::string number =
        section.number > 0 ? fmt::format("{}. ", section.number) : std::string();
    return fmt::format("{} {}{}{}{}\n\n{}", heading, number, markdownOf(section.title),
                       section.lead.empty() ? "" : ": ", markdownOf(section.lead),
                       renderMarkdown(section.blocks, "####"));
  }
};

}  // namespace

std::string renderMarkdown(const Blocks& blocks, std::string_view heading) {
  std::string out;
  for (const Block& block : blocks)
    if (!isEmpty(block))
      out += (out.empty() ? "" : "\n") + std::visit(MarkdownRenderer{heading}, block);
  return out;
}

std::string renderMarkdown(const Document& document) {
  std::string out = fmt::format("## {}\n\n", markdownOf(document.title));
  for (const Inline& line : document.head) out += itemOf(markdownOf(line), {}, 0);
  const std::string blocks = renderMarkdown(document.blocks, "###");
  return out + (document.head.empty() || blocks.empty() ? "" : "\n") + blocks;
}

}  // namespace fxs::report
