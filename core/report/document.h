// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A report as a value: what it says, and of what kind each part is. Each answer makes one; text,
// Markdown and HTML are renderings of it, which escape all text. What a page has besides, such as
// pictures and lists of lines, is not in it.
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/terminal_text.h"
#include "fx/argument.h"

namespace fxs::report {

struct Span {
  std::string text;
  Tone tone = Tone::Plain;
  std::string link = {};               ///< id of the section that it leads to
  std::string hint = {};               ///< shown by HTML on request
  std::vector<fx::NodeId> nodes = {};  ///< HTML selects them
  std::string swatch = {};  ///< "level2", "class3": HTML shows this colour of graphPalette()
  friend bool operator==(const Span&, const Span&) = default;
};

/// Text within a line.
struct Inline {
  Inline() = default;
  Inline(Span span) { *this += std::move(span); }
  Inline(std::string text, Tone tone = Tone::Plain) : Inline(Span{std::move(text), tone}) {}
  Inline(std::string_view text, Tone tone = Tone::Plain) : Inline(std::string(text), tone) {}
  Inline(const char* text, Tone tone = Tone::Plain) : Inline(std::string(text), tone) {}
  Inline& operator+=(Span span) {
    if (!span.text.empty()) spans.push_back(std::move(span));
    return *this;
  }
  Inline& operator+=(const Inline& other) {
    spans.insert(spans.end(), other.spans.begin(), other.spans.end());
    return *this;
  }
  friend Inline operator+(Inline a, const Inline& b) { return a += b; }
  bool empty() const { return spans.empty(); }
  friend bool operator==(const Inline&, const Inline&) = default;

  std::vector<Span> spans;  ///< none is empty
};

struct Paragraph {
  bool empty() const { return text.empty(); }
  Inline text;
};

/// Lines as they are.
struct Code {
  bool empty() const { return text.empty(); }
  std::string text;
  std::string language = {};
};

struct Fact {
  Inline label;
  std::vector<Inline> lines;
  Code code = {};  ///< after the lines; empty for none
};
/// Labels with their values.
struct Facts {
  /// Leaves out what is empty.
  void add(Inline label, Inline value) {
    if (!value.empty()) rows.push_back({std::move(label), {std::move(value)}});
  }
  void add(Inline label, std::vector<Inline> lines) {
    if (!lines.empty()) rows.push_back({std::move(label), std::move(lines)});
  }
  bool empty() const { return rows.empty(); }
  std::vector<Fact> rows;
  std::size_t labelWidth = 0;  ///< of text, at least
};

struct Item {
  Inline text;
  std::vector<Inline> lines = {};
};
struct List {
  bool empty() const { return items.empty(); }
  std::vector<Item> items;
};

struct Column {
  std::string title;
  bool isNumber = false;
};
struct Row {
  std::vector<Inline> cells;  ///< one for each column
  std::vector<fx::NodeId> nodes = {};
};
struct Table {
  std::vector<Column> columns;  ///< without titles there is no head
  std::vector<Row> rows;
  bool empty() const { return rows.empty(); }
  bool hasHead() const;
};
/// Without a head; the first row has all columns.
Table tableOf(std::vector<Row> rows);

struct Block;
/// Not a vector, whose constexpr destructor clang wants where Block is not complete yet.
using Blocks = std::list<Block>;

/// Folded in Markdown and HTML, left out of text.
struct Details {
  bool empty() const;
  std::string summary;
  Blocks blocks;
};

enum class Folds : std::uint8_t { No, Open, Closed };
struct Section {
  bool empty() const;  ///< without lead, and all blocks are
  Inline title;
  Inline lead = {};  ///< continues the title
  Blocks blocks = {};
  std::string id = {};     ///< "" if nothing leads to it
  std::size_t number = 0;  ///< 0 for none
  bool isWarning = false;
  Folds folds = Folds::No;  ///< in HTML
  std::vector<fx::NodeId> nodes = {};
};

struct Block : std::variant<Paragraph, Code, Facts, List, Table, Details, Section> {
  using variant::variant;
};

/// Nothing is shown of an empty block.
bool isEmpty(const Block&);

struct Document {
  Inline title;
  std::vector<Inline> head = {};  ///< lines below the title
  Blocks blocks = {};
};

/// Escaped; for a terminal with escape sequences of its own, if the layout has colours.
std::string renderText(const Document&, const TextLayout& = {});
std::string renderText(const Block&, const TextLayout& = {});
std::string renderMarkdown(const Document&);
/// Sections have headings such as "###".
std::string renderMarkdown(const Blocks&, std::string_view heading);
/// Title and head; and blocks, with headings from `level`.
std::string renderHtmlHead(const Document&);
std::string renderHtml(const Blocks&, int level = 2);

/// "3 4", the value of data-n, by which the script of a page finds what shows a node.
std::string nodeIndices(const std::vector<fx::NodeId>&);

}  // namespace fxs::report
