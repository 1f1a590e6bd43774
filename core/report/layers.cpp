// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/counted.h"
#include "base/safe_text.h"
#include "notes/notes.h"

namespace fxs::report {
namespace {

constexpr std::size_t kLegendBytes = 40;  // of a text in a legend; the table has all of it

std::string briefly(const std::string& text) {
  if (text.size() <= kLegendBytes) return text;
  return std::string(utf8Prefix(text, kLegendBytes - 2)) + "..";
}

std::string titled(const layer::Layer& layer) {
  return layer.title + (layer.unit.empty() ? "" : ", " + layer.unit);
}

Span swatched(std::string text, const layer::Levels& levels, std::size_t level) {
  Span out{std::move(text)};
  out.swatch = fmt::format("{}{}", levels.isScale ? "level" : "class", level + 1);
  return out;
}

Inline coloursOf(const layer::Levels& levels) {
  Inline out;
  for (std::size_t i = 0; i < levels.legend.size(); ++i) {
    if (i > 0) out += Span{"  "};
    out += swatched(briefly(levels.legend[i]), levels, i);
  }
  return out;
}

Inline cellOf(const ShownLayer& shown, fx::NodeId node) {
  const layer::Entry* entry = shown.placed.entries[node.index()];
  if (!entry) return {};
  std::string text = entry->number ? layer::numberText(*entry->number) : entry->text;
  if (entry->number && !entry->text.empty()) text += ": " + entry->text;
  const std::optional<std::uint8_t>& level = shown.levels.levels[node.index()];
  return level ? Inline(swatched(std::move(text), shown.levels, *level)) : Inline(std::move(text));
}

/// The nodes with a value, those with the largest numbers of the first layer first.
std::vector<fx::NodeId> rowsOf(const LayerReport& report) {
  std::vector<fx::NodeId> out;
  for (const fx::Node& node : report.program.nodes)
    if (std::any_of(report.layers.begin(), report.layers.end(), [&](const ShownLayer& each) {
          return each.placed.entries[node.id.index()] != nullptr;
        }))
      out.push_back(node.id);
  const auto rank = [&](fx::NodeId node) {
    const layer::Entry* entry = report.layers.front().placed.entries[node.index()];
    return entry && entry->number && *entry->number == *entry->number
               ? *entry->number
               : -std::numeric_limits<double>::infinity();
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](fx::NodeId a, fx::NodeId b) { return rank(a) > rank(b); });
  return out;
}

bool hasNumbers(const ShownLayer& shown) {
  return std::any_of(shown.placed.entries.begin(), shown.placed.entries.end(),
                     [](const layer::Entry* entry) { return entry && entry->number; });
}

}  // namespace

ShownLayer shownLayer(const layer::Layer& layer, const fx::Program& program) {
  ShownLayer out{&layer, layer::placed(layer, program), {}};
  out.levels = layer::levelsOf(layer, out.placed);
  return out;
}

SvgShades shadesOf(const std::vector<ShownLayer>& layers) {
  const ShownLayer& first = layers.front();
  SvgShades out;
  out.title = briefly(first.layer->title) + (first.levels.isScale ? ", up to:" : ":");
  out.levels = first.levels.levels;
  for (const std::string& text : first.levels.legend) out.legend.push_back(briefly(text));
  out.isScale = first.levels.isScale;
  out.tips.resize(first.placed.entries.size());
  for (const ShownLayer& each : layers)
    for (std::size_t i = 0; i < each.placed.entries.size(); ++i)
      if (each.placed.entries[i])
        out.tips[i] += (out.tips[i].empty() ? "" : "\n") + each.layer->title + ": " +
                       layer::textOf(*each.layer, *each.placed.entries[i]);
  return out;
}

Inline legendOf(const ShownLayer& shown) {
  Inline colours = coloursOf(shown.levels);
  if (colours.empty()) return colours;
  return Inline(briefly(shown.layer->title) + (shown.levels.isScale ? ", up to: " : ": ")) +
         colours;
}

Blocks layerBlocks(const LayerReport& report) {
  if (report.layers.empty()) return {};
  Section out{counted(report.layers.size(), "layer")};
  out.id = "layers";
  Facts legends;
  Table table{{{"node"}, {"operator"}}, {}};
  for (const ShownLayer& each : report.layers) {
    std::vector<Inline> lines{{layer::summary(each.placed), Tone::Muted}};
    if (Inline colours = coloursOf(each.levels); !colours.empty())
      lines.insert(lines.begin(), Inline(each.levels.isScale ? "up to " : "") + colours);
    legends.add(titled(*each.layer), std::move(lines));
    table.columns.push_back({titled(*each.layer), hasNumbers(each)});
  }
  out.blocks.push_back(std::move(legends));
  const std::vector<fx::NodeId> rows = rowsOf(report);
  for (std::size_t i = 0; i < std::min(rows.size(), report.mostRows); ++i) {
    const fx::NodeId id = rows[i];
    Row& row = table.rows.emplace_back();
    row.nodes = report.selected ? report.selected(id) : std::vector<fx::NodeId>{id};
    row.cells = {{notes::fullName(notes::nameOf(report.program, id))},
                 {report.program.node(id).target, Tone::Muted}};
    for (const ShownLayer& each : report.layers) row.cells.push_back(cellOf(each, id));
  }
  out.blocks.push_back(std::move(table));
  if (rows.size() > report.mostRows)
    out.blocks.push_back(
        Paragraph{{fmt::format("{} of {} with a value {} left out{}", rows.size() - report.mostRows,
                               counted(rows.size(), "node"),
                               rows.size() - report.mostRows == 1 ? "is" : "are",
                               report.more.empty() ? "" : "; " + std::string(report.more)),
                   Tone::Muted}});
  Blocks blocks;
  blocks.push_back(std::move(out));
  return blocks;
}

}  // namespace fxs::report
