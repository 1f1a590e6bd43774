// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_pane.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QVBoxLayout>
#include <algorithm>

#include "features/graph/graph_canvas.h"
#include "features/graph/graph_painter.h"
#include "widgets/save_file.h"

namespace fxs::ui {
namespace {

constexpr double kLargestSide = 16'384;

bool refuse(QString* message, const QString& reason) {
  if (message) *message = reason;
  return false;
}

bool saved(const QString& problem, QString* message) {
  return problem.isEmpty() || refuse(message, problem);
}

}  // namespace

GraphPane::GraphPane(QWidget* parent) : QWidget(parent), canvas_(new GraphCanvas(this)) {
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(canvas_);
  setFocusProxy(canvas_);
  setAccessibleName(tr("Graph"));
  connect(canvas_, &GraphCanvas::nodeClicked, this, &GraphPane::nodeClicked);
  connect(canvas_, &GraphCanvas::groupClicked, this, &GraphPane::groupClicked);
  connect(canvas_, &GraphCanvas::groupToggled, this, &GraphPane::groupToggled);
  connect(canvas_, &GraphCanvas::backgroundClicked, this, &GraphPane::backgroundClicked);
  connect(canvas_, &GraphCanvas::menuRequested, this, &GraphPane::menuRequested);
  connect(canvas_, &GraphCanvas::zoomChanged, this, &GraphPane::zoomChanged);
}

GraphPane::~GraphPane() = default;

void GraphPane::setPicture(GraphPicture picture, layout::GroupId anchor) {
  canvas_->setPicture(std::move(picture), anchor);
}
void GraphPane::setNextPicture(GraphPicture picture, fx::NodeId before, fx::NodeId now) {
  canvas_->setNextPicture(std::move(picture), before, now);
}
void GraphPane::setMessage(const QString& message) { canvas_->setMessage(message); }
const QString& GraphPane::message() const { return canvas_->message(); }
void GraphPane::setGraphStyle(const GraphStyle& style) { canvas_->setGraphStyle(style); }
const GraphStyle& GraphPane::graphStyle() const { return canvas_->graphStyle(); }
void GraphPane::setMarks(MarksByNode marks) { canvas_->setMarks(std::move(marks)); }
void GraphPane::setShades(std::vector<Shade> shades) { canvas_->setShades(std::move(shades)); }
void GraphPane::setSelection(std::vector<fx::NodeId> nodes, layout::GroupId group) {
  canvas_->setSelection(std::move(nodes), group);
}
void GraphPane::revealSelection() { canvas_->revealSelection(); }

void GraphPane::centreOn(fx::NodeId node) {
  if (const auto rect = canvas_->scene().nodeRect(node)) canvas_->reveal(*rect);
}

void GraphPane::centreOnGroup(layout::GroupId group) {
  if (const auto rect = canvas_->scene().groupRect(group)) canvas_->reveal(*rect);
}

const GraphPicture& GraphPane::picture() const { return canvas_->scene().picture(); }
double GraphPane::zoom() const { return canvas_->zoom(); }

std::optional<QRectF> GraphPane::nodeRect(fx::NodeId node) const {
  const auto rect = canvas_->scene().nodeRect(node);
  if (!rect) return std::nullopt;
  return canvas_->toWidget(*rect).translated(canvas_->pos());
}

std::optional<QRectF> GraphPane::groupRect(layout::GroupId group) const {
  const auto rect = canvas_->scene().groupRect(group);
  if (!rect) return std::nullopt;
  return canvas_->toWidget(*rect).translated(canvas_->pos());
}

bool GraphPane::saveSvg(const QString& path, QString* message) const {
  const GraphScene& scene = canvas_->scene();
  if (scene.empty()) return refuse(message, tr("There is no graph to save."));
  QByteArray bytes;
  QBuffer to(&bytes);
  QSvgGenerator svg;
  svg.setOutputDevice(&to);
  svg.setSize(scene.bounds().size().toSize());
  svg.setViewBox(scene.bounds());
  svg.setTitle(tr("Graph"));
  QPainter painter(&svg);
  painter.fillRect(scene.bounds(), graphStyle().background);
  GraphPainter(scene, graphStyle()).paint(painter, scene.bounds(), 1);
  painter.end();
  return saved(saveFile(path, bytes), message);
}

bool GraphPane::savePng(const QString& path, double scale, QString* message) const {
  const GraphScene& scene = canvas_->scene();
  if (scene.empty()) return refuse(message, tr("There is no graph to save."));
  const QSizeF size = scene.bounds().size();
  scale = std::min({scale, kLargestSide / size.width(), kLargestSide / size.height()});
  QImage image((size * scale).toSize().expandedTo(QSize(1, 1)),
               QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return refuse(message, tr("Not enough memory for a picture of this size."));
  image.fill(graphStyle().background);
  QPainter painter(&image);
  painter.scale(scale, scale);
  GraphPainter(scene, graphStyle()).paint(painter, scene.bounds(), scale);
  painter.end();
  return saved(ui::savePng(path, image), message);
}

void GraphPane::fit() { canvas_->fit(); }
void GraphPane::zoomIn() { canvas_->zoomBy(1.25); }
void GraphPane::zoomOut() { canvas_->zoomBy(1 / 1.25); }
void GraphPane::zoomToActualSize() {
  canvas_->zoomTo(graphStyle().textScale, QRectF(canvas_->rect()).center());
}

}  // namespace fxs::ui
