// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report on a sweep for a terminal, and to paste into an issue.
#include <fmt/format.h>

#include <algorithm>

#include "base/safe_text.h"
#include "report/markdown.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

/// Longer cells are not aligned: one name of megabytes must not make every row as long.
constexpr std::size_t kAlignedCharacters = 80;

/// Characters, of UTF-8.
std::size_t widthOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void alignedRows(std::string& out, const SweepTable& table) {
  std::vector<std::vector<SweepCell>> rows{{}};
  for (std::size_t i = 0; i < table.head.size(); ++i)
    rows.front().push_back(
        {table.head[i], Tone::Plain, !table.rows.empty() && table.rows.front()[i].number});
  for (const auto& row : table.rows) rows.push_back(row);
  std::vector<std::size_t> widths(table.head.size());
  for (auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i].text = printable(row[i].text);
      if (const std::size_t width = widthOf(row[i].text); width <= kAlignedCharacters)
        widths[i] = std::max(widths[i], width);
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = widthOf(row[i].text);
      const std::string space(widths[i] > width ? widths[i] - width : 0, ' ');
      line += "  " + (row[i].number ? space + row[i].text : row[i].text + space);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

std::string markdownCell(const SweepCell& cell) {
  return cell.text.empty() ? " " : markdownText(cell.text);
}

}  // namespace

std::string sweepText(const SweepReport& report) {
  std::string out;
  for (const std::string& line : sweepHead(report)) out += printable(line) + "\n";
  for (const SweepTable& table : sweepTables(report)) {
    out += "\n" + table.title + "\n";
    if (!table.note.empty()) out += table.note + "\n";
    if (!table.rows.empty()) alignedRows(out, table);
  }
  return out;
}

std::string sweepMarkdown(const SweepReport& report) {
  std::string out = "## Sweep\n\n";
  for (const std::string& line : sweepHead(report)) out += "- " + markdownText(line) + "\n";
  for (const SweepTable& table : sweepTables(report)) {
    out += "\n### " + table.title + "\n\n";
    if (!table.note.empty()) out += markdownText(table.note) + "\n\n";
    if (table.rows.empty()) continue;
    for (const std::string& head : table.head) out += "| " + markdownText(head) + " ";
    out += "|\n";
    for (std::size_t i = 0; i < table.head.size(); ++i)
      out += table.rows.front()[i].number ? "| ---: " : "| --- ";
    out += "|\n";
    for (const auto& row : table.rows) {
      for (const SweepCell& cell : row) out += "| " + markdownCell(cell) + " ";
      out += "|\n";
    }
  }
  return out;
}

}  // namespace fxs::report
