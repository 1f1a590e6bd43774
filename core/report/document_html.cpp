// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document as parts of an HTML page; see page_head.h for its style.
#include <fmt/format.h>

#include "base/safe_text.h"
#include "report/document.h"

namespace fxs::report {

std::string nodeIndices(const std::vector<fx::NodeId>& nodes) {
  std::string out;
  for (const fx::NodeId id : nodes) out += fmt::format("{}{}", out.empty() ? "" : " ", id.index());
  return out;
}

namespace {

std::string_view classOf(Tone tone) {
  switch (tone) {
    case Tone::Plain:
    case Tone::Warning:
    case Tone::Code: break;
    case Tone::Good: return "good";
    case Tone::Bad: return "bad";
    case Tone::Muted: return "muted";
  }
  return "";
}

/// ` name="value"`; "" without a value.
std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, richText(value));
}

std::string htmlOf(const Span& span) {
  if (!span.nodes.empty())
    return fmt::format("<button type=\"button\" class=\"node\" data-n=\"{}\"{}>{}</button>",
                       nodeIndices(span.nodes), attribute("title", span.hint), richText(span.text));
  if (!span.link.empty())
    return fmt::format("<a href=\"#{}\">{}</a>", richText(span.link), richText(span.text));
  if (!span.swatch.empty())
    return fmt::format("<span class=\"swatch {}\">{}</span>", span.swatch, richText(span.text));
  const bool isPlain = span.tone == Tone::Plain || span.tone == Tone::Warning;
  if (isPlain && span.hint.empty()) return richText(span.text);
  return fmt::format("<{0}{1}{2}>{3}</{0}>", span.tone == Tone::Code ? "code" : "span",
                     attribute("class", classOf(span.tone)), attribute("title", span.hint),
                     richText(span.text));
}

std::string htmlOf(const Inline& text) {
  std::string out;
  for (const Span& span : text.spans) out += htmlOf(span);
  return out;
}

constexpr std::string_view kNumberClass = " class=\"number\"";

struct HtmlRenderer {
  int level;

  std::string operator()(const Paragraph& paragraph) const {
    return fmt::format("<p>{}</p>\n", htmlOf(paragraph.text));
  }

  std::string operator()(const Code& code) const {
    return fmt::format(
        "<div class=\"listing\"><button type=\"button\" class=\"copy\">Copy</button><pre "
        "tabindex=\"0\">{}</pre></div>\n",
        richLines(code.text));
  }

  std::string operator()(const Facts& facts) const {
    std::string out = "<dl>\n";
    for (const Fact& fact : facts.rows) {
      out += fmt::format("<dt>{}</dt><dd>", htmlOf(fact.label));
      for (const Inline& line : fact.lines) out += fmt::format("<div>{}</div>", htmlOf(line));
      if (!fact.code.empty()) out += (*this)(fact.code);
      out += "</dd>\n";
    }
    return out + "</dl>\n";
  }

  std::string operator()(const List& list) const {
    std::string out = "<ul>\n";
    for (const Item& item : list.items) {
      out += "<li>" + htmlOf(item.text);
      for (const Inline& line : item.lines) out += fmt::format("<div>{}</div>", htmlOf(line));
      out += "</li>\n";
    }
    return out + "</ul>\n";
  }

  std::string operator()(const Table& table) const {
    std::string out = "<div class=\"scroll\" tabindex=\"0\"><table>\n";
    if (table.hasHead()) {
      out += "<thead><tr>";
      for (const Column& column : table.columns)
        out += fmt::format("<th scope=\"col\"{}>{}</th>", column.isNumber ? kNumberClass : "",
                           richText(column.title));
      out += "</tr></thead>\n";
    }
    out += "<tbody>\n";
    for (const Row& row : table.rows) {
      out += fmt::format("<tr{}>", attribute("data-n", nodeIndices(row.nodes)));
      for (std::size_t i = 0; i < row.cells.size(); ++i)
        out += fmt::format("<td{}>{}</td>", table.columns[i].isNumber ? kNumberClass : "",
                           htmlOf(row.cells[i]));
      out += "</tr>\n";
    }
    return out + "</tbody>\n</table></div>\n";
  }

  std::string operator()(const Details& details) const {
    return fmt::format("<details><summary>{}</summary>\n{}</details>\n", richText(details.summary),
                       renderHtml(details.blocks, level));
  }

  std::string operator()(const Section& section) const {
    if (section.number > 0) return numbered(section);
    const std::string heading =
        fmt::format("<h{0}>{1}{2}</h{0}>", level, htmlOf(section.title),
                    section.lead.empty() ? "" : ": " + htmlOf(section.lead));
    const std::string blocks = renderHtml(section.blocks, level + 1);
    const std::string id = attribute("id", section.id);
    if (section.folds == Folds::No)
      return fmt::format("<section{}>\n{}\n{}</section>\n", id, heading, blocks);
    return fmt::format(
        "<section{}>\n<details{}>\n<summary>{}</summary>\n{}</details>\n</section>\n", id,
        section.folds == Folds::Open ? " open" : "", heading, blocks);
  }

  std::string numbered(const Section& section) const {
    return fmt::format(
        "<article class=\"finding{0}\" id=\"{1}\" tabindex=\"0\" aria-labelledby=\"{1}-title\"{2}>"
        "\n<div class=\"top\"><span class=\"number\">{3}</span><h{4} id=\"{1}-title\">{5}</h{4}>"
        "</div>\n<p>{6}</p>\n{7}</article>\n",
        section.isWarning ? " warning" : "", richText(section.id),
        attribute("data-n", nodeIndices(section.nodes)), section.number, level,
        htmlOf(section.title), htmlOf(section.lead), renderHtml(section.blocks, level + 1));
  }
};

}  // namespace

std::string renderHtmlHead(const Document& document) {
  std::string out = fmt::format("<h1>{}</h1>\n", htmlOf(document.title));
  for (const Inline& line : document.head)
    out += fmt::format("<p class=\"muted\">{}</p>\n", htmlOf(line));
  return out;
}

std::string renderHtml(const Blocks& blocks, int level) {
  std::string out;
  for (const Block& block : blocks)
    if (!isEmpty(block)) out += std::visit(HtmlRenderer{level}, block);
  return out;
}

}  // namespace fxs::report
