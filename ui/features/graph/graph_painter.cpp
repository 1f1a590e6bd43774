// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_painter.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "layout/box_parts.h"
#include "layout/text_metrics.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

using layout::TextRun;

// Zooms below which text would be smaller than five or six pixels, or edges indistinct.
constexpr double kTitlesFrom = 0.45, kDetailsFrom = 0.6, kEdgesFrom = 0.1, kRoundedFrom = 0.25;
constexpr double kSignText = 10;
constexpr double kDimmed = 0.4;  // opacity
constexpr double kFarLabel =
    11;  // pixels, times GraphStyle::textScale, of a module's name when zoomed out

void drawRun(QPainter& painter, const TextRun& run, const GraphStyle& style, const QColor& color) {
  QFont font(style.sansFamily);
  font.setPixelSize(static_cast<int>(std::lround(run.size)));
  font.setWeight(run.bold ? QFont::DemiBold : QFont::Normal);
  font.setHintingPreference(QFont::PreferNoHinting);
  painter.setFont(font);
  painter.setPen(color);
  const QFontMetricsF metrics(font);
  const double kept = layout::textWidth(run.text, run.size,
                                        run.bold ? layout::Weight::Bold : layout::Weight::Regular);
  QString shown = text(run.text);
  double width = metrics.horizontalAdvance(shown);
  if (width > kept * 1.04 + 1) {
    shown = metrics.elidedText(shown, Qt::ElideRight, kept);
    width = metrics.horizontalAdvance(shown);
  }
  double x = run.baseline.x;
  if (run.align == TextRun::Align::Middle) x -= width / 2;
  else if (run.align == TextRun::Align::End) x -= width;
  painter.drawText(QPointF(x, run.baseline.y), shown);
}

QPen hairline(const QColor& color, double width, double zoom) {
  QPen pen(color, std::max(width, 1.0 / zoom));
  pen.setCapStyle(Qt::RoundCap);
  return pen;
}

/// The fill of a box that has no shade.
QColor groundOf(const layout::Box& box, const GraphStyle& style) {
  if (box.isInput) return style.input;
  if (box.isOutput) return style.output;
  return box.collapsed() ? style.group : style.node;
}

/// The border of a box that has no mark.
QColor borderOf(const layout::Box& box, const GraphStyle& style) {
  if (box.isInput) return style.inputBorder;
  if (box.isOutput) return style.outputBorder;
  return box.collapsed() ? style.groupBorder : style.nodeBorder;
}

double radiusOf(const layout::Box& box, double height) {
  if (box.isInput || box.isOutput) return height / 2;
  return box.collapsed() ? 8 : 5;
}

/// The sign of a single node.
std::string signText(Emphasis status) {
  if (status >= Emphasis::Warning) return "!";
  if (status == Emphasis::Added) return "+";
  return status == Emphasis::Removed ? "−" : "~";
}

}  // namespace

void GraphPainter::paint(QPainter& painter, const QRectF& visible, double zoom,
                         std::optional<std::size_t> cursor) const {
  if (scene_.empty()) return;
  const Sharpness sharp{zoom >= kTitlesFrom, zoom >= kDetailsFrom, zoom >= kEdgesFrom,
                        zoom >= kRoundedFrom};
  const GraphScene::Visible seen = scene_.visible(visible);
  painter.setRenderHint(QPainter::Antialiasing, zoom >= kEdgesFrom);
  painter.setRenderHint(QPainter::TextAntialiasing);
  frames(painter, seen.frames, zoom);
  if (sharp.edges) edges(painter, seen.edges, zoom);
  if (sharp.rounded)
    for (std::size_t i : seen.stubs) stub(painter, i, sharp);
  for (std::size_t i : seen.boxes) box(painter, i, sharp, zoom, cursor == i);
  captions(painter, seen.frames, zoom, visible);
  if (!sharp.details) return;
  for (std::size_t i : seen.edges) {
    const layout::Rect& label = scene_.layout().edges[i].label;
    if (label.width <= 0) continue;
    const TextRun run{scene_.view().edges[i].label,
                      {label.x, label.y + 9.2},
                      TextRun::Align::Start,
                      layout::kSmallSize,
                      false,
                      true};
    drawRun(painter, run, style_, style_.edgeText);
  }
}

void GraphPainter::paintOverview(QPainter& painter, double scaleX, double scaleY) const {
  if (scene_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  const auto fill = [&](const QRectF& rect, const QColor& color) {
    const QRectF small(rect.x() * scaleX, rect.y() * scaleY, rect.width() * scaleX,
                       rect.height() * scaleY);
    painter.fillRect(QRectF(small.topLeft(),
                            QSizeF(std::max(1.0, small.width()), std::max(1.0, small.height()))),
                     color);
  };
  for (const layout::Rect& frame : scene_.layout().frames) fill(toQt(frame), style_.frame);
  for (const layout::Box& box : scene_.view().boxes)
    fill(scene_.boxRect(box.id.index()),
         box.collapsed() ? style_.groupBorder : borderOf(box, style_));
  for (const layout::Box& box : scene_.view().boxes) {
    const BoxMark& mark = scene_.mark(box.id.index());
    if (const auto shade = fillOf(mark.shade))
      fill(scene_.boxRect(box.id.index()), mark.shade == Shade::Match ? style_.suspicious : *shade);
    if (!mark.selected && mark.status == Emphasis::None) continue;
    const QColor color = mark.selected ? style_.accent : colorOf(mark.status);
    const QRectF rect = scene_.boxRect(box.id.index());
    const double width = std::max(rect.width() * scaleX, 4.0),
                 height = std::max(rect.height() * scaleY, 3.0);
    painter.fillRect(QRectF(rect.center().x() * scaleX - width / 2,
                            rect.center().y() * scaleY - height / 2, width, height),
                     color);
  }
}

void GraphPainter::frames(QPainter& painter, const std::vector<std::size_t>& indices,
                          double zoom) const {
  painter.setBrush(style_.frame);
  painter.setPen(hairline(style_.frameBorder, 1, zoom));
  for (std::size_t i : indices) painter.drawRoundedRect(toQt(scene_.layout().frames[i]), 10, 10);
}

void GraphPainter::captions(QPainter& painter, const std::vector<std::size_t>& indices, double zoom,
                            const QRectF& visible) const {
  std::vector<QRectF> taken;
  for (std::size_t i : indices) {
    const layout::Rect& at = scene_.layout().frames[i];
    const layout::Frame& frame = scene_.view().frames[i];
    if (zoom >= kTitlesFrom) {
      const layout::FrameParts parts = layout::partsOf(frame, at);
      QColor backdrop = style_.background;
      backdrop.setAlpha(205);
      painter.setPen(Qt::NoPen);
      painter.setBrush(backdrop);
      painter.drawRoundedRect(toQt(parts.caption).adjusted(4, 3, -4, -3), 6, 6);
      badge(painter, toQt(parts.badge), false);
      drawRun(painter, parts.title, style_, style_.text);
      if (zoom >= kDetailsFrom) drawRun(painter, parts.subtitle, style_, style_.mutedText);
      continue;
    }
    // When zoomed out, a module's name keeps its size in pixels if it fits into the frame.
    const double size = kFarLabel * style_.textScale;
    const QRectF shown = toQt(at).intersected(visible);
    const double width = layout::textWidth(frame.title, size, layout::Weight::Bold) / zoom,
                 height = (size + 5) / zoom;
    const QRectF position(shown.left() + 6 / zoom, shown.top() + 2 / zoom, width, height);
    if (shown.width() < width + 12 / zoom || shown.height() < height * 1.3) continue;
    if (std::any_of(taken.begin(), taken.end(),
                    [&](const QRectF& other) { return other.intersects(position); }))
      continue;
    taken.push_back(position);
    painter.save();
    QColor backdrop = style_.background;
    backdrop.setAlpha(225);
    painter.setPen(Qt::NoPen);
    painter.setBrush(backdrop);
    painter.drawRoundedRect(position.adjusted(-3 / zoom, 0, 3 / zoom, 0), 3 / zoom, 3 / zoom);
    painter.translate(position.left(), position.top() + (size + 1) / zoom);
    painter.scale(1 / zoom, 1 / zoom);
    drawRun(painter, {frame.title, {0, 0}, TextRun::Align::Start, size, true, false}, style_,
            style_.text);
    painter.restore();
  }
}

void GraphPainter::edges(QPainter& painter, const std::vector<std::size_t>& indices,
                         double zoom) const {
  painter.setBrush(Qt::NoBrush);
  QPainterPath heads, chosenHeads;
  // Arrow heads overlap where edges meet; with the odd-even rule the overlap would be a hole.
  heads.setFillRule(Qt::WindingFill);
  chosenHeads.setFillRule(Qt::WindingFill);
  const auto head = [&](QPainterPath& into, std::size_t i) {
    const std::vector<layout::Point>& spline = scene_.layout().edges[i].spline;
    if (spline.empty() || zoom < kRoundedFrom) return;
    const QPointF tip(spline.back().x, spline.back().y);
    into.addPolygon(QPolygonF({tip, tip + QPointF(-3.6, -7), tip + QPointF(3.6, -7), tip}));
  };
  std::vector<std::size_t> chosen;
  QColor color = style_.edge;
  if (zoom < kRoundedFrom)
    color.setAlphaF(static_cast<float>(std::clamp(zoom / kRoundedFrom, 0.35, 1.0)));
  const QPen plain = hairline(color, 1.3, zoom);
  for (std::size_t i : indices) {
    const layout::Edge& edge = scene_.view().edges[i];
    if (scene_.mark(edge.from.index()).selected || scene_.mark(edge.to.index()).selected) {
      chosen.push_back(i);
      continue;
    }
    const bool isDimmed = scene_.mark(edge.from.index()).shade == Shade::Dimmed ||
                          scene_.mark(edge.to.index()).shade == Shade::Dimmed;
    painter.setOpacity(isDimmed ? kDimmed : 1);
    QPen pen = plain;
    if (edge.binding && zoom >= kRoundedFrom) pen.setDashPattern({4, 4});
    painter.setPen(pen);
    painter.drawPath(scene_.curve(i));
    head(heads, i);
  }
  painter.setOpacity(1);
  painter.setPen(hairline(style_.accent, 1.8, zoom));
  for (std::size_t i : chosen) {
    painter.drawPath(scene_.curve(i));
    head(chosenHeads, i);
  }
  painter.setPen(Qt::NoPen);
  painter.fillPath(heads, color);
  painter.fillPath(chosenHeads, style_.accent);
}

void GraphPainter::stub(QPainter& painter, std::size_t index, Sharpness sharp) const {
  const layout::Stub& stub = scene_.view().stubs[index];
  const layout::PlacedStub& placed = scene_.layout().stubs[index];
  const QRectF pill = toQt(placed.pill);
  const bool selected = scene_.mark(stub.at.index()).selected;
  painter.setPen(QPen(selected ? style_.accent : style_.edge, selected ? 1.8 : 1.2));
  painter.drawLine(QPointF(placed.anchor.x, placed.anchor.y),
                   QPointF(stub.outgoing ? pill.left() : pill.right(), pill.center().y()));
  painter.setPen(selected ? QPen(style_.accent, 1.2) : QPen(Qt::NoPen));
  painter.setBrush(style_.stub);
  painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
  if (!sharp.details) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(style_.stubText);
  const QPointF arrow(pill.right() - 10.5, pill.center().y());
  painter.drawPolygon(
      QPolygonF({arrow + QPointF(0, -3), arrow + QPointF(4, 0), arrow + QPointF(0, 3)}));
  drawRun(painter, layout::textOf(stub, placed.pill), style_, style_.stubText);
}

void GraphPainter::badge(QPainter& painter, const QRectF& rect, bool plus) const {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(style_.groupBorder, 1));
  painter.drawRoundedRect(rect, 3, 3);
  painter.setPen(QPen(style_.mutedText, 1.4));
  const QPointF c = rect.center();
  painter.drawLine(c - QPointF(3, 0), c + QPointF(3, 0));
  if (plus) painter.drawLine(c - QPointF(0, 3), c + QPointF(0, 3));
}

void GraphPainter::box(QPainter& painter, std::size_t index, Sharpness sharp, double zoom,
                       bool cursor) const {
  const layout::Box& box = scene_.view().boxes[index];
  const BoxMark& mark = scene_.mark(index);
  const QRectF rect = scene_.boxRect(index);
  const double radius = radiusOf(box, rect.height());
  const Outline outline = outlineOf(box, mark, cursor);
  const std::optional<QColor> shade = fillOf(mark.shade);
  painter.setOpacity(mark.shade == Shade::Dimmed && !mark.selected ? kDimmed : 1);
  if (mark.selected) glow(painter, rect, radius, zoom);
  if (sharp.rounded) {
    painter.setPen(hairline(outline.color, outline.width, zoom));
    painter.setBrush(shade.value_or(groundOf(box, style_)));
    if (box.collapsed()) painter.drawRoundedRect(rect.translated(3, 3), radius, radius);
    painter.drawRoundedRect(rect, radius, radius);
  } else {
    painter.setPen(Qt::NoPen);
    painter.setBrush(farFill(box, mark, outline));
    painter.drawRect(rect);
  }
  if (sharp.titles) contents(painter, index, sharp, shade ? style_.text : style_.mutedText);
  if (sharp.edges) signs(painter, rect, mark, box.collapsed(), std::max(1.0, 0.75 / zoom));
  painter.setOpacity(1);
}

GraphPainter::Outline GraphPainter::outlineOf(const layout::Box& box, const BoxMark& mark,
                                              bool cursor) const {
  Outline outline{borderOf(box, style_), 1};
  if (mark.status != Emphasis::None) outline = {colorOf(mark.status), 2};
  else if (mark.shade == Shade::Match) outline = {style_.suspicious, 2};
  if (mark.selected) return {mark.status == Emphasis::None ? style_.accent : outline.color, 2.4};
  if (cursor) return {outline.color.darker(125), std::max(outline.width, 1.6)};
  return outline;
}

/// The color of a box drawn as a plain rectangle.
QColor GraphPainter::farFill(const layout::Box& box, const BoxMark& mark,
                             const Outline& outline) const {
  if (mark.selected) return style_.accent;
  if (mark.status != Emphasis::None || mark.shade == Shade::Match) return outline.color;
  return fillOf(mark.shade).value_or(box.collapsed() ? style_.groupBorder : style_.nodeBorder);
}

void GraphPainter::glow(QPainter& painter, const QRectF& rect, double radius, double zoom) const {
  QColor glow = style_.accent;
  glow.setAlpha(60);
  painter.setPen(Qt::NoPen);
  painter.setBrush(glow);
  const double spread = std::max(5.0, 3 / zoom);
  painter.drawRoundedRect(rect.adjusted(-spread, -spread, spread, spread), radius + spread,
                          radius + spread);
}

void GraphPainter::contents(QPainter& painter, std::size_t index, Sharpness sharp,
                            const QColor& muted) const {
  const layout::BoxParts parts =
      layout::partsOf(scene_.view().boxes[index], scene_.layout().boxes[index]);
  if (parts.badge) badge(painter, toQt(*parts.badge), true);
  for (const layout::PlacedChip& chip : parts.chips) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(style_.chip);
    painter.drawRoundedRect(toQt(chip.pill), chip.pill.height / 2, chip.pill.height / 2);
    if (sharp.details) drawRun(painter, chip.text, style_, style_.chipText);
  }
  for (const TextRun& run : parts.texts)
    if (sharp.details || run.bold) drawRun(painter, run, style_, run.muted ? muted : style_.text);
}

void GraphPainter::signs(QPainter& painter, const QRectF& box, const BoxMark& mark, bool group,
                         double size) const {
  if (mark.status != Emphasis::None)
    sign(painter, box.topRight() + QPointF(-4, 2), mark, group, size);
  if (mark.flag != Emphasis::None)
    flagSign(painter, box.topLeft() + QPointF(8, 0), mark.flag, size);
}

std::optional<QColor> GraphPainter::fillOf(Shade shade) const {
  switch (shade) {
    case Shade::None:
    case Shade::Dimmed: return std::nullopt;
    case Shade::Match: return style_.match;
    case Shade::Blocked: return style_.blockedSoft;
    case Shade::Suspicious: return style_.suspiciousSoft;
    default: break;
  }
  const auto index = static_cast<std::size_t>(shade);
  constexpr auto kFirstClass = static_cast<std::size_t>(Shade::Class1);
  if (index >= kFirstClass) return style_.classes[index - kFirstClass];
  return style_.levels[index - static_cast<std::size_t>(Shade::Level1)];
}

QColor GraphPainter::colorOf(Emphasis status) const {
  switch (status) {
    case Emphasis::None:
    case Emphasis::Flag:
    case Emphasis::Note: break;
    case Emphasis::Added: return style_.added;
    case Emphasis::Removed:
    case Emphasis::Error: return style_.blocked;
    case Emphasis::Changed:
    case Emphasis::Warning: return style_.suspicious;
  }
  return style_.nodeBorder;
}

/// Blocked is an octagon, suspicious a triangle, a difference a disc with +, − or ~; on a group it
/// contains the number of nodes. At least about 11 pixels in size.
void GraphPainter::sign(QPainter& painter, const QPointF& at, const BoxMark& mark, bool group,
                        double size) const {
  const bool isProblem = mark.status >= Emphasis::Warning;
  std::string label = signText(mark.status);
  if (group || mark.count > 1) label = (isProblem ? "" : label) + std::to_string(mark.count);
  const double wider =
      std::max(0.0, layout::textWidth(label, kSignText, layout::Weight::Bold) - kSignText) / 2;
  painter.save();
  painter.translate(at);
  painter.scale(size, size);
  painter.setPen(Qt::NoPen);
  if (mark.status == Emphasis::Error) {
    const double in = 3 + wider, out = 7.2 + wider;
    painter.setBrush(style_.blocked);
    painter.drawPolygon(QPolygonF({{-in, -7.2},
                                   {in, -7.2},
                                   {out, -3},
                                   {out, 3},
                                   {in, 7.2},
                                   {-in, 7.2},
                                   {-out, 3},
                                   {-out, -3}}));
  } else if (!isProblem) {
    painter.setBrush(colorOf(mark.status));
    painter.drawRoundedRect(QRectF(-7 - wider, -7, 14 + 2 * wider, 14), 7, 7);
  } else {
    painter.setBrush(style_.suspicious);
    painter.drawPolygon(
        QPolygonF({{-wider, -8}, {wider, -8}, {8.5 + wider, 6.5}, {-8.5 - wider, 6.5}}));
  }
  drawRun(painter, {label, {0, 3.6}, TextRun::Align::Middle, kSignText, true, false}, style_,
          style_.onMark);
  painter.restore();
}

/// A flag is a ribbon, a note a bubble with lines.
void GraphPainter::flagSign(QPainter& painter, const QPointF& at, Emphasis flag,
                            double size) const {
  painter.save();
  painter.translate(at);
  painter.scale(size, size);
  painter.setPen(QPen(style_.onMark, 1));
  painter.setBrush(style_.accent);
  if (flag == Emphasis::Flag) {
    painter.drawPolygon(QPolygonF({{-5, -9}, {5, -9}, {5, 8}, {0, 4}, {-5, 8}}));
  } else {
    painter.drawPolygon(QPolygonF({{-8, -8}, {8, -8}, {8, 4}, {0, 4}, {-4, 8}, {-4, 4}, {-8, 4}}));
    painter.drawLine(QPointF(-5, -4.5), QPointF(5, -4.5));
    painter.drawLine(QPointF(-5, -1), QPointF(2, -1));
  }
  painter.restore();
}

}  // namespace fxs::ui
