// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/safe_text.h"
#include "layout/box_parts.h"

namespace fxs::report {
namespace {

using layout::Point;
using layout::Rect;
using layout::TextRun;

struct Palette {
  const char *background, *node, *nodeBorder, *group, *groupBorder, *frame, *frameBorder, *input,
      *inputBorder, *output, *outputBorder;
  const char *chip, *chipText, *stub, *stubText, *text, *muted, *edge, *error, *onError, *warning,
      *onWarning;
};
constexpr Palette kLight = {"#f7f8fa", "#ffffff", "#bcc4d2", "#eaeefb", "#94a3d4", "#5468a8",
                            "#c9d1e2", "#e3f4f0", "#6fae9f", "#efe9fb", "#a08cd0", "#eef0f4",
                            "#4c5568", "#fdf3dc", "#785200", "#1a2030", "#586174", "#8b95a9",
                            "#c0262d", "#ffffff", "#a86a00", "#ffffff"};
constexpr Palette kDark = {"#15181e", "#22262f", "#4a5365", "#272f4c", "#5b6cab", "#8aa2ff",
                           "#353c4c", "#1b3331", "#3f7a70", "#2c2540", "#66559a", "#323946",
                           "#c3cad8", "#38301c", "#e2b465", "#e4e8f0", "#9ba5b7", "#76809a",
                           "#ff8585", "#2a0d0f", "#ecb757", "#2b2003"};
/// For HTML pages, whose style sheet begins with graphPalette().
constexpr Palette kInPage = {
    "var(--graph-background)",   "var(--graph-node)",          "var(--graph-node-border)",
    "var(--graph-group)",        "var(--graph-group-border)",  "var(--graph-frame)",
    "var(--graph-frame-border)", "var(--graph-input)",         "var(--graph-input-border)",
    "var(--graph-output)",       "var(--graph-output-border)", "var(--graph-chip)",
    "var(--graph-chip-text)",    "var(--graph-stub)",          "var(--graph-stub-text)",
    "var(--graph-text)",         "var(--graph-muted)",         "var(--graph-edge)",
    "var(--graph-error)",        "var(--graph-on-error)",      "var(--graph-warning)",
    "var(--graph-on-warning)"};

/// A scale, low to high, and colours of texts, as in resources/themes.
struct ShadePalette {
  std::array<const char*, layer::kLayerLevels> levels;
  std::array<const char*, layer::kLayerClasses> classes;
};
constexpr ShadePalette kLightShades = {{"#fff3c4", "#cfe8b4", "#8fd0bd", "#5fb2d6", "#6a93e0"},
                                       {"#a9cdf5", "#f8c48c", "#a6dba2", "#f3a9b0", "#cdb6f2",
                                        "#ece07a", "#86dcd6", "#f2b2e0", "#d8bd9f", "#c5cbd6"}};
constexpr ShadePalette kDarkShades = {{"#2b2a44", "#23415e", "#1c5a66", "#3a6b45", "#7a6318"},
                                      {"#20518c", "#7d4a12", "#2a6532", "#8a2f3c", "#5c4098",
                                       "#685c0c", "#0f6460", "#84306e", "#5e4a38", "#49515f"}};
constexpr ShadePalette kInPageShades = {
    {"var(--graph-level1)", "var(--graph-level2)", "var(--graph-level3)", "var(--graph-level4)",
     "var(--graph-level5)"},
    {"var(--graph-class1)", "var(--graph-class2)", "var(--graph-class3)", "var(--graph-class4)",
     "var(--graph-class5)", "var(--graph-class6)", "var(--graph-class7)", "var(--graph-class8)",
     "var(--graph-class9)", "var(--graph-class10)"}};

/// "--graph-node: #ffffff;" .. for each colour.
std::string declarations(const Palette& palette, const ShadePalette& shades) {
  constexpr const char* Palette::* kColors[] = {
      &Palette::background,  &Palette::node,     &Palette::nodeBorder,   &Palette::group,
      &Palette::groupBorder, &Palette::frame,    &Palette::frameBorder,  &Palette::input,
      &Palette::inputBorder, &Palette::output,   &Palette::outputBorder, &Palette::chip,
      &Palette::chipText,    &Palette::stub,     &Palette::stubText,     &Palette::text,
      &Palette::muted,       &Palette::edge,     &Palette::error,        &Palette::onError,
      &Palette::warning,     &Palette::onWarning};
  std::string out;
  for (const auto color : kColors) {
    std::string_view name = kInPage.*color;  // var(--graph-node)
    name.remove_prefix(4);
    name.remove_suffix(1);
    out += fmt::format("{}: {};", name, palette.*color);
  }
  for (std::size_t i = 0; i < shades.levels.size(); ++i)
    out += fmt::format("--graph-level{}: {};", i + 1, shades.levels[i]);
  for (std::size_t i = 0; i < shades.classes.size(); ++i)
    out += fmt::format("--graph-class{}: {};", i + 1, shades.classes[i]);
  return out;
}

const Palette& paletteOf(SvgTheme theme) {
  if (theme == SvgTheme::InPage) return kInPage;
  return theme == SvgTheme::Dark ? kDark : kLight;
}

const ShadePalette& shadePaletteOf(SvgTheme theme) {
  if (theme == SvgTheme::InPage) return kInPageShades;
  return theme == SvgTheme::Dark ? kDarkShades : kLightShades;
}

/// The value of text-anchor.
const char* anchorOf(TextRun::Align align) {
  if (align == TextRun::Align::Start) return "start";
  return align == TextRun::Align::End ? "end" : "middle";
}

enum class Mark { None, Warning, Error };

// Of the legend of a layer, in units of the picture.
constexpr double kLegendHeight = 32, kLegendLine = 20, kLegendGap = 8, kLegendLetter = 6.4;
constexpr double kSwatchWidth = 22, kSwatchHeight = 13;
constexpr double kLegendLeast = 720;  // of the width that it has, however narrow the graph is

/// About, as the font is not known.
double widthOf(const std::string& legend) {
  const auto isFirstByte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; };
  return kLegendLetter *
         static_cast<double>(std::count_if(legend.begin(), legend.end(), isFirstByte));
}

/// Below a graph of this width: the title, then the texts in as many lines as they take.
struct LegendPlaces {
  std::vector<Point> at;  ///< of each text with its swatch, below the graph
  double width = 0, height = kLegendHeight;
};
LegendPlaces legendPlaces(const SvgShades& shades, double graphWidth) {
  LegendPlaces out;
  Point next{2 * kLegendGap + widthOf(shades.title), 0};
  for (const std::string& text : shades.legend) {
    const double width = kSwatchWidth + 2 * kLegendGap + widthOf(text);
    if (next.x + width > std::max(graphWidth, kLegendLeast)) {
      next = {kLegendGap, next.y + kLegendLine};
      out.height += kLegendLine;
    }
    out.at.push_back(next);
    next.x += width;
    out.width = std::max(out.width, next.x);
  }
  return out;
}

Rect boundsOf(const layout::GraphLayout& layout, const SvgShades* shades) {
  Rect out = layout.bounds;
  if (!shades) return out;
  const LegendPlaces legend = legendPlaces(*shades, out.width);
  out.height += legend.height;
  out.width = std::max(out.width, legend.width);
  return out;
}

class SvgWriter {
 public:
  SvgWriter(const fx::Program& program, const layout::GroupTree& tree,
            const layout::GraphView& view, const layout::GraphLayout& layout, SvgTheme theme)
      : program_(program),
        tree_(tree),
        view_(view),
        layout_(layout),
        colors_(paletteOf(theme)),
        shadePalette_(shadePaletteOf(theme)),
        inPage_(theme == SvgTheme::InPage),
        marks_(view.boxes.size()),
        marked_(view.boxes.size(), 0),
        reasons_(view.boxes.size()) {}

  void mark(const fx::Finding& finding) {
    if (!finding.node.valid() || finding.severity == fx::Severity::Note ||
        finding.node.index() >= view_.boxOf.size())
      return;
    const layout::BoxId box = view_.boxOf[finding.node.index()];
    if (!box.valid()) return;
    marks_[box.index()] = std::max(
        marks_[box.index()], finding.severity == fx::Severity::Error ? Mark::Error : Mark::Warning);
    if (blamed_.insert(finding.node).second) ++marked_[box.index()];
    reasons_[box.index()].push_back(finding.message);
  }

  void match(const std::vector<fx::NodeId>& nodes) {
    matched_.assign(view_.boxes.size(), false);
    for (const fx::NodeId node : nodes)
      if (const layout::BoxId box = view_.boxOf[node.index()]; box.valid())
        matched_[box.index()] = true;
  }

  void shade(const SvgShades& shades) {
    shades_ = &shades;
    levels_.resize(view_.boxes.size());
    std::map<std::pair<std::size_t, std::uint8_t>, std::size_t> counts;  // by box and class
    for (std::size_t i = 0; i < view_.boxOf.size(); ++i) {
      const layout::BoxId box = view_.boxOf[i];
      if (!box.valid() || !shades.levels[i]) continue;
      std::optional<std::uint8_t>& level = levels_[box.index()];
      const std::uint8_t own = *shades.levels[i];
      const std::size_t count = shades.isScale ? 0 : ++counts[{box.index(), own}];
      if (!level || (shades.isScale ? own > *level : count > counts[{box.index(), *level}]))
        level = own;
    }
  }

  std::string write() {
    const Rect bounds = boundsOf(layout_, inPage_ ? nullptr : shades_);
    print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"Inter, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n",
        std::ceil(bounds.width), std::ceil(bounds.height));
    rect({0, 0, std::ceil(bounds.width), std::ceil(bounds.height)}, 0,
         fmt::format("fill=\"{}\"", colors_.background));
    for (const Rect& frame : layout_.frames)
      rect(frame, 10,
           fmt::format("fill=\"{}\" fill-opacity=\"0.045\" stroke=\"{}\"", colors_.frame,
                       colors_.frameBorder));
    edges();
    for (std::size_t i = 0; i < view_.frames.size(); ++i)
      caption(view_.frames[i], layout_.frames[i]);
    for (std::size_t i = 0; i < view_.stubs.size(); ++i) stub(view_.stubs[i], layout_.stubs[i]);
    for (const layout::Box& each : view_.boxes) box(each);
    labels();
    if (shades_ && !inPage_) legend(layout_.bounds.height);
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void rect(const Rect& r, double radius, std::string_view style) {
    print("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" {}/>\n",
          r.x, r.y, r.width, r.height, radius, style);
  }

  void text(const TextRun& run, const char* color) {
    print(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:.0f}\"{} "
        "fill=\"{}\">{}</text>\n",
        run.baseline.x, run.baseline.y, anchorOf(run.align), run.size,
        run.bold ? " font-weight=\"600\"" : "", color, richText(run.text));
  }

  void badge(const Rect& r, bool plus) {
    rect(r, 3, fmt::format("fill=\"none\" stroke=\"{}\"", colors_.groupBorder));
    print("<path d=\"M{:.1f} {:.1f}h6{}\" stroke=\"{}\" stroke-width=\"1.4\" fill=\"none\"/>\n",
          r.centreX() - 3, r.centreY(), plus ? "m-3 -3v6" : "", colors_.muted);
  }

  void edges() {
    print("<g fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\" stroke-linecap=\"round\"{}>\n",
          colors_.edge, dimmed(!matched_.empty()));
    std::string heads;
    for (const layout::PlacedEdge& placed : layout_.edges) {
      const std::vector<Point>& spline = placed.spline;
      if (spline.size() < 4) continue;
      print("<path d=\"M{:.1f} {:.1f}C", spline[0].x, spline[0].y);
      // The line ends inside its arrow head, not at the tip.
      for (std::size_t i = 1; i < spline.size(); ++i)
        print("{}{:.1f} {:.1f}", i > 1 ? " " : "", spline[i].x,
              spline[i].y - (i + 1 == spline.size() ? 5 : 0));
      print("\"{}/>\n", view_.edges[placed.edge].binding ? " stroke-dasharray=\"4 4\"" : "");
      fmt::format_to(std::back_inserter(heads), "M{:.1f} {:.1f}l-3.6 -7h7.2z", spline.back().x,
                     spline.back().y);
    }
    out_ += "</g>\n";
    if (!heads.empty())
      print("<path d=\"{}\" fill=\"{}\"{}/>\n", heads, colors_.edge, dimmed(!matched_.empty()));
  }

  void labels() {
    print(
        "<g font-size=\"9\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" "
        "paint-order=\"stroke\">\n",
        colors_.muted, colors_.background);
    for (const layout::PlacedEdge& placed : layout_.edges)
      if (placed.label.width > 0)
        print("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", placed.label.x, placed.label.y + 9.2,
              richText(view_.edges[placed.edge].label));
    out_ += "</g>\n";
  }

  /// Below the graph: what the colours say.
  void legend(double top) {
    const double baseline = top + kLegendHeight / 2 + 4;
    text({shades_->title, {kLegendGap, baseline}, TextRun::Align::Start, 11, true, false},
         colors_.text);
    const std::vector<Point> places = legendPlaces(*shades_, layout_.bounds.width).at;
    for (std::size_t i = 0; i < shades_->legend.size(); ++i) {
      const auto& [x, y] = places[i];
      rect({x, top + y + kLegendHeight / 2 - kSwatchHeight / 2, kSwatchWidth, kSwatchHeight}, 3,
           fmt::format("fill=\"{}\" stroke=\"{}\"", shadeAt(i), colors_.nodeBorder));
      text({shades_->legend[i],
            {x + kSwatchWidth + kLegendGap, baseline + y},
            TextRun::Align::Start,
            11,
            false,
            false},
           colors_.muted);
    }
  }

  const char* shadeAt(std::size_t level) const {
    return shades_->isScale ? shadePalette_.levels[level] : shadePalette_.classes[level];
  }

  void caption(const layout::Frame& frame, const Rect& at) {
    const layout::FrameParts parts = layout::partsOf(frame, at);
    const Rect backdrop{at.x + 4, at.y + 3, std::min(frame.captionWidth, at.width) - 8,
                        parts.caption.height - 6};
    rect(backdrop, 6, fmt::format("fill=\"{}\" fill-opacity=\"0.8\"", colors_.background));
    badge(parts.badge, false);
    text(parts.title, colors_.text);
    text(parts.subtitle, colors_.muted);
  }

  void stub(const layout::Stub& stub, const layout::PlacedStub& placed) {
    const Rect& pill = placed.pill;
    print(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"1.2\" "
        "fill=\"none\"/>\n",
        placed.anchor.x, placed.anchor.y, stub.outgoing ? pill.x : pill.right(), pill.centreY(),
        colors_.edge);
    rect(pill, pill.height / 2, fmt::format("fill=\"{}\"", colors_.stub));
    print("<path d=\"M{:.1f} {:.1f}v6l4 -3z\" fill=\"{}\"/>\n", pill.right() - 10.5,
          pill.centreY() - 3, colors_.stubText);
    text(layout::textOf(stub, pill), colors_.stubText);
  }

  struct BoxStyle {
    const char *fill, *border;
    double radius;
  };
  BoxStyle styleOf(const layout::Box& box, const Rect& at) const {
    if (box.isInput) return {colors_.input, colors_.inputBorder, at.height / 2};
    if (box.isOutput) return {colors_.output, colors_.outputBorder, at.height / 2};
    if (box.collapsed()) return {colors_.group, colors_.groupBorder, 8};
    return {colors_.node, colors_.nodeBorder, 5};
  }

  void box(const layout::Box& box) {
    const Rect& at = layout_.boxes[box.id.index()];
    const Mark mark = marks_[box.id.index()];
    auto [fill, border, radius] = styleOf(box, at);
    const bool isMatch = !matched_.empty() && matched_[box.id.index()];
    if (shades_ && levels_[box.id.index()]) fill = shadeAt(*levels_[box.id.index()]);
    if (isMatch) fill = colors_.stub, border = colors_.stubText;
    if (mark != Mark::None) border = mark == Mark::Error ? colors_.error : colors_.warning;
    out_ += "<g" + nodesOf(box) + dimmed(!matched_.empty() && !isMatch) + "><title>" +
            richLines(tooltip(box)) + "</title>\n";
    if (box.collapsed())
      rect({at.x + 3, at.y + 3, at.width, at.height}, radius,
           fmt::format("fill=\"{}\" stroke=\"{}\" stroke-opacity=\"0.5\"", fill, border));
    rect(at, radius,
         fmt::format("{}fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
                     inPage_ ? "class=\"body\" " : "", fill, border,
                     mark == Mark::None && !isMatch ? "1" : "2"));
    const layout::BoxParts parts = layout::partsOf(box, at);
    if (parts.badge) badge(*parts.badge, true);
    for (const layout::PlacedChip& chip : parts.chips) {
      rect(chip.pill, chip.pill.height / 2, fmt::format("fill=\"{}\"", colors_.chip));
      text(chip.text, colors_.chipText);
    }
    // On the darker levels, muted text would not be read.
    const bool isShaded = shades_ && levels_[box.id.index()];
    for (const TextRun& run : parts.texts)
      text(run, run.muted && !isShaded ? colors_.muted : colors_.text);
    if (mark != Mark::None) sign(mark, {at.right() - 4, at.y + 2}, marked_[box.id.index()]);
    out_ += "</g>\n";
  }

  /// Blocked is an octagon, suspicious a triangle; on a group with the number of nodes.
  void sign(Mark mark, Point at, std::size_t count) {
    if (mark == Mark::Error)
      print("<path d=\"M{:.1f} {:.1f}h6l4.2 4.2v6l-4.2 4.2h-6l-4.2 -4.2v-6z\" fill=\"{}\"/>\n",
            at.x - 3, at.y - 7.2, colors_.error);
    else
      print(
          "<path d=\"M{:.1f} {:.1f}l8 14h-16z\" fill=\"{}\" stroke=\"{}\" "
          "stroke-linejoin=\"round\"/>\n",
          at.x, at.y - 8, colors_.warning, colors_.warning);
    text({count > 1 && count < 10 ? std::to_string(count) : "!",
          {at.x, at.y + 3.4},
          TextRun::Align::Middle,
          9,
          true,
          false},
         mark == Mark::Error ? colors_.onError : colors_.onWarning);
  }

  static std::string dimmed(bool is) { return is ? " opacity=\"0.3\"" : ""; }

  /// In a page, the nodes that the box shows: ` class="box" data-n="3 4"`.
  std::string nodesOf(const layout::Box& box) {
    if (!inPage_) return {};
    if (nodesByBox_.empty()) {
      nodesByBox_.resize(view_.boxes.size());
      for (std::size_t node = 0; node < view_.boxOf.size(); ++node)
        if (const layout::BoxId of = view_.boxOf[node]; of.valid())
          nodesByBox_[of.index()] +=
              (nodesByBox_[of.index()].empty() ? "" : " ") + std::to_string(node);
    }
    return " class=\"box\" data-n=\"" + nodesByBox_[box.id.index()] + "\"";
  }

  std::string tooltip(const layout::Box& box) const {
    std::string tip;
    if (box.collapsed()) {
      tip = printable(tree_.group(box.group).path + " (" + box.subtitle + ")");
    } else {
      const fx::Node& node = program_.node(box.node);
      tip = printable(node.name + " = " + node.target);
      if (const std::string label = layout::valueLabel(node.val); !label.empty())
        tip += " : " + label;
    }
    if (shades_ && !box.collapsed() && !shades_->tips[box.node.index()].empty())
      tip += "\n" + shades_->tips[box.node.index()];
    for (const std::string& reason : reasons_[box.id.index()]) tip += "\n" + printable(reason);
    return tip;
  }

  const fx::Program& program_;
  const layout::GroupTree& tree_;
  const layout::GraphView& view_;
  const layout::GraphLayout& layout_;
  const Palette& colors_;
  const ShadePalette& shadePalette_;
  const SvgShades* shades_ = nullptr;
  std::vector<std::optional<std::uint8_t>> levels_;  // by box, with shades_
  const bool inPage_;
  std::vector<std::string> nodesByBox_;  // in a page: indices with spaces between
  std::vector<Mark> marks_;              // by box
  std::vector<std::size_t> marked_;      // by box: how many of its nodes have a finding
  std::vector<bool> matched_;            // by box; empty without a query
  std::set<fx::NodeId> blamed_;
  std::vector<std::vector<std::string>> reasons_;
  std::string out_;
};

}  // namespace

std::string graphPalette() {
  return fmt::format(
      ":root {{{}}}\n@media (prefers-color-scheme: dark) {{ :root {{{}}} }}\n@media print {{ :root "
      "{{{}}} }}\n",
      declarations(kLight, kLightShades), declarations(kDark, kDarkShades),
      declarations(kLight, kLightShades));
}

layout::Rect pictureBounds(const layout::GraphLayout& layout,
                           const std::optional<SvgShades>& shades) {
  return boundsOf(layout, shades ? &*shades : nullptr);
}

std::string graphSvg(const fx::Program& program, const layout::GroupTree& tree,
                     const layout::GraphView& view, const layout::GraphLayout& layout,
                     const std::vector<fx::Finding>& findings, SvgTheme theme,
                     const std::optional<std::vector<fx::NodeId>>& matches,
                     const std::optional<SvgShades>& shades) {
  SvgWriter writer(program, tree, view, layout, theme);
  for (const fx::Finding& finding : findings) writer.mark(finding);
  if (matches) writer.match(*matches);
  if (shades) writer.shade(*shades);
  return writer.write();
}

}  // namespace fxs::report
