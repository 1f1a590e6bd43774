// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "base/safe_text.h"
#include "base/take_until.h"
#include "report/document.h"

namespace fxs::report {
namespace {

/// Longer cells are not aligned: one name of megabytes must not make every row as long.
constexpr std::size_t kAlignedCharacters = 80;
constexpr std::size_t kIndent = 2;  // of a section
constexpr std::size_t kNumberedIndent = 5;

std::string plainText(const Inline& text) {
  std::string out;
  for (const Span& span : text.spans) out += printable(span.text);
  return out;
}

/// Characters, of UTF-8.
std::size_t widthOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class TextRenderer {
 public:
  std::string out;

  void line(std::string_view text) {
    out.append(indent_, ' ');
    out += text;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }

  void operator()(const Paragraph& paragraph) { line(plainText(paragraph.text)); }

  void operator()(const Code& code) {
    std::string_view rest = code.text;
    while (rest.ends_with('\n')) rest.remove_suffix(1);
    while (!rest.empty()) line(printableLines(takeUntil('\n', rest)));
  }

  void operator()(const Facts& facts) {
    std::size_t width = facts.labelWidth;
    for (const Fact& fact : facts.rows) width = std::max(width, widthOf(plainText(fact.label)));
    for (const Fact& fact : facts.rows) {
      std::string label = plainText(fact.label);
      label.append(width + 2 - widthOf(label), ' ');
      for (const Inline& each : fact.lines)
        line(std::exchange(label, std::string(width + 2, ' ')) + plainText(each));
      indented(width + 2, [&] { (*this)(fact.code); });
    }
  }

  void operator()(const List& list) {
    for (const Item& item : list.items) {
      line(plainText(item.text));
      indented(4, [&] {
        for (const Inline& each : item.lines) line(plainText(each));
      });
    }
  }

  void operator()(const Table& table) {
    std::vector<std::vector<std::string>> rows;
    if (table.hasHead())
      for (auto* head = &rows.emplace_back(); const Column& column : table.columns)
        head->push_back(printable(column.title));
    for (const Row& row : table.rows)
      for (auto* cells = &rows.emplace_back(); const Inline& cell : row.cells)
        cells->push_back(plainText(cell));
    std::vector<std::size_t> widths(table.columns.size());
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        if (const std::size_t width = widthOf(row[i]); width <= kAlignedCharacters)
          widths[i] = std::max(widths[i], width);
    for (const auto& row : rows) {
      std::string text;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string space(widths[i] - std::min(widths[i], widthOf(row[i])), ' ');
        text += i == 0 ? "" : "  ";
        text += table.columns[i].isNumber ? space + row[i] : row[i] + space;
      }
      line(text);
    }
  }

  void operator()(const Details&) {}

  void operator()(const Section& section) {
    const std::string number =
        section.number > 0 ? fmt::format("{:>3}. ", section.number) : std::string();
    line(number + plainText(section.title) + (section.lead.empty() ? "" : ": ") +
         plainText(section.lead));
    indented(section.number > 0 ? kNumberedIndent : kIndent, [&] {
      for (const Block& block : section.blocks)
        if (!isEmpty(block)) std::visit(*this, block);
    });
  }

 private:
  template <class Write>
  void indented(std::size_t by, Write write) {
    indent_ += by;
    write();
    indent_ -= by;
  }

  std::size_t indent_ = 0;
};

}  // namespace

bool Table::hasHead() const {
  return std::any_of(columns.begin(), columns.end(),
                     [](const Column& column) { return !column.title.empty(); });
}

Table tableOf(std::vector<Row> rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().cells.size();
  return {std::vector<Column>(columns), std::move(rows)};
}

bool isEmpty(const Block& block) {
  return std::visit([](const auto& each) { return each.empty(); }, block);
}
bool Details::empty() const { return std::all_of(blocks.begin(), blocks.end(), isEmpty); }
bool Section::empty() const {
  return lead.empty() && std::all_of(blocks.begin(), blocks.end(), isEmpty);
}

std::string renderText(const Block& block) {
  TextRenderer text;
  if (!isEmpty(block)) std::visit(text, block);
  return std::move(text.out);
}

std::string renderText(const Document& document) {
  TextRenderer text;
  text.line(plainText(document.title));
  for (const Inline& each : document.head) text.line(plainText(each));
  std::string out = std::move(text.out);
  for (const Block& block : document.blocks)
    if (const std::string part = renderText(block); !part.empty()) out += "\n" + part;
  return out;
}

}  // namespace fxs::report
