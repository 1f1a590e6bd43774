// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A document for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/safe_text.h"
#include "base/take_until.h"
#include "report/document.h"

namespace fxs::report {
namespace {

/// Longer cells are not aligned: one name of megabytes must not make every row as long.
constexpr std::size_t kAlignedCharacters = 80;
constexpr std::size_t kIndent = 2;  // of a section
constexpr std::size_t kNumberedIndent = 5;

/// A table whose last column would begin further to the right is broken as lines of text.
constexpr std::size_t kLeastLastColumn = 20;

TonedLine toned(const Inline& text) {
  TonedLine out;
  for (const Span& span : text.spans) out.push_back({printable(span.text), span.tone});
  return out;
}

/// A cell of a table, of a label or of a line, and the blanks beside it.
void append(TonedLine& line, TonedLine text, std::size_t before = 0, std::size_t after = 0) {
  if (before > 0) line.push_back({std::string(before, ' ')});
  std::move(text.begin(), text.end(), std::back_inserter(line));
  if (after > 0) line.push_back({std::string(after, ' ')});
}

class TextRenderer {
 public:
  explicit TextRenderer(const TextLayout& layout) : layout_(layout) {}
  std::string out;

  /// What follows a break begins `hanging` columns to the right.
  void line(TonedLine text, std::size_t hanging = 2) {
    TonedLine whole;
    append(whole, std::move(text), indent_);
    out += laidOut(whole, indent_ + hanging, layout_);
  }
  void line(const Inline& text, std::size_t hanging = 2) { line(toned(text), hanging); }

  void operator()(const Paragraph& paragraph) { line(paragraph.text); }

  void operator()(const Code& code) {
    std::string_view rest = code.text;
    while (rest.ends_with('\n')) rest.remove_suffix(1);
    while (!rest.empty()) {
      std::string text = std::string(indent_, ' ') + printableLines(takeUntil('\n', rest));
      text.erase(text.find_last_not_of(' ') + 1);
      out += isCommand(code) ? commandLaidOut(text, layout_) : codeLaidOut(text + "\n", layout_);
    }
  }

  void operator()(const Facts& facts) {
    std::size_t width = facts.labelWidth;
    for (const Fact& fact : facts.rows) width = std::max(width, widthOf(toned(fact.label)));
    // Long labels stand above what they label.
    const std::size_t hanging = width + 2 > layout_.columns / 3 ? 4 : width + 2;
    for (const Fact& fact : facts.rows) {
      TonedLine label = toned(fact.label);
      label.push_back({std::string(width + 2 - widthOf(label), ' ')});
      for (const Inline& each : fact.lines) {
        append(label, toned(each));
        line(std::exchange(label, {{std::string(width + 2, ' ')}}), hanging);
      }
      indented(width + 2, [&] { (*this)(fact.code); });
    }
  }

  void operator()(const List& list) {
    for (const Item& item : list.items) {
      line(item.text);
      indented(4, [&] {
        for (const Inline& each : item.lines) line(each);
      });
    }
  }

  void operator()(const Table& table) {
    std::vector<std::vector<TonedLine>> rows;
    if (table.hasHead())
      for (auto* head = &rows.emplace_back(); const Column& column : table.columns)
        head->push_back({{printable(column.title), Tone::Muted}});
    for (const Row& row : table.rows)
      for (auto* cells = &rows.emplace_back(); const Inline& cell : row.cells)
        cells->push_back(toned(cell));
    std::vector<std::size_t> widths(table.columns.size());
    for (const auto& row : rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        if (const std::size_t width = widthOf(row[i]); width <= kAlignedCharacters)
          widths[i] = std::max(widths[i], width);
    std::size_t last = 0;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) last += widths[i] + 2;
    if (indent_ + last + kLeastLastColumn > layout_.columns) last = 4;
    for (auto& row : rows) {
      TonedLine text;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t space = widths[i] - std::min(widths[i], widthOf(row[i]));
        const std::size_t gap = i == 0 ? 0 : 2;
        if (table.columns[i].isNumber) append(text, std::move(row[i]), gap + space);
        else append(text, std::move(row[i]), gap, space);
      }
      line(std::move(text), last);
    }
  }

  void operator()(const Details&) {}

  void operator()(const Section& section) {
    const std::string number =
        section.number > 0 ? fmt::format("{:>3}. ", section.number) : std::string();
    const std::size_t hanging = section.number > 0 ? kNumberedIndent : kIndent;
    line(Inline(number) + section.title + (section.lead.empty() ? "" : ": ") + section.lead,
         hanging);
    indented(hanging, [&] {
      for (const Block& block : section.blocks)
        if (!isEmpty(block)) std::visit(*this, block);
    });
  }

 private:
  /// A command is broken, so that all of it can be read.
  static bool isCommand(const Code& code) { return code.language == "sh"; }

  /// Characters; of a terminal, its columns.
  std::size_t widthOf(const TonedLine& line) const {
    std::size_t columns = 0;
    for (const TonedText& part : line)
      columns += layout_.columns > 0 ? columnsOf(part.text) : charactersOf(part.text);
    return columns;
  }
  static std::size_t charactersOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
  }

  template <class Write>
  void indented(std::size_t by, Write write) {
    indent_ += by;
    write();
    indent_ -= by;
  }

  TextLayout layout_;
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

std::string renderText(const Block& block, const TextLayout& layout) {
  TextRenderer text(layout);
  if (!isEmpty(block)) std::visit(text, block);
  return std::move(text.out);
}

std::string renderText(const Document& document, const TextLayout& layout) {
  TextRenderer text(layout);
  text.line(document.title);
  for (const Inline& each : document.head) text.line(each);
  std::string out = std::move(text.out);
  for (const Block& block : document.blocks)
    if (const std::string part = renderText(block, layout); !part.empty()) out += "\n" + part;
  return out;
}

}  // namespace fxs::report
