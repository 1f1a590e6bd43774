// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "theme/icon.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace fxs::ui {
namespace {

constexpr double kDisabledOpacity = 0.4;

class SvgEngine final : public QIconEngine {
 public:
  SvgEngine(QByteArray svg, QColor color) : svg_(std::move(svg)) {
    svg_.replace("currentColor", color.name().toLatin1());
  }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QSvgRenderer renderer(svg_);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (mode == QIcon::Disabled) painter->setOpacity(kDisabledOpacity);
    const int side = std::min(rect.width(), rect.height());
    renderer.render(painter, QRectF(rect.x() + (rect.width() - side) / 2.0,
                                    rect.y() + (rect.height() - side) / 2.0, side, side));
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    if (size.isEmpty()) return {};  // some styles request it before a button is laid out
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new SvgEngine(*this); }

 private:
  QByteArray svg_;
};

}  // namespace

QIcon svgIcon(const QString& name, const QColor& color) {
  QFile file(":/icons/" + name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QIcon(new SvgEngine(file.readAll(), color));
}

}  // namespace fxs::ui
