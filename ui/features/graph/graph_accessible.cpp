// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_accessible.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <algorithm>
#include <map>

#include "features/graph/graph_canvas.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

class BoxInterface final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  BoxInterface(GraphCanvas* canvas, std::size_t box)
      : canvas_(canvas), view_(canvas->scene().picture().view), box_(box) {}
  std::size_t box() const { return box_; }

  /// Another picture has other boxes.
  bool isValid() const override { return canvas_ && canvas_->scene().picture().view == view_; }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(canvas_);
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  void setText(QAccessible::Text, const QString&) override {}
  QString text(QAccessible::Text kind) const override {
    if (!isValid()) return {};
    const layout::Box& shown = view_->boxes[box_];
    if (kind == QAccessible::Description) return status();
    return kind == QAccessible::Name ? fxs::ui::text(shown.title + ", " + shown.subtitle)
                                     : QString();
  }
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect inCanvas = canvas_->toWidget(canvas_->scene().boxRect(box_)).toAlignedRect();
    return {canvas_->mapToGlobal(inCanvas.topLeft()), inCanvas.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    state.selectable = true;
    state.selected = isValid() && canvas_->scene().mark(box_).selected;
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                : nullptr;
  }

  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    if (!isValid() || name != pressAction()) return;
    const layout::Box& shown = view_->boxes[box_];
    if (shown.collapsed()) Q_EMIT canvas_->groupClicked(shown.group);
    else Q_EMIT canvas_->nodeClicked(shown.node);
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  QString status() const {
    switch (canvas_->scene().mark(box_).status) {
      case Emphasis::Error: return "error";
      case Emphasis::Warning: return "warning";
      default: return {};
    }
  }
  QPointer<GraphCanvas> canvas_;
  std::shared_ptr<const layout::GraphView> view_;
  std::size_t box_;
};

class CanvasInterface final : public QAccessibleWidget {
 public:
  explicit CanvasInterface(GraphCanvas* canvas)
      : QAccessibleWidget(canvas, QAccessible::Canvas), canvas_(canvas) {}
  ~CanvasInterface() override { forget(); }

  int childCount() const override { return static_cast<int>(boxes().size()); }
  QAccessibleInterface* child(int index) const override {
    const std::vector<std::size_t> shown = boxes();
    const auto at = static_cast<std::size_t>(index);
    return index >= 0 && at < shown.size() ? of(shown[at]) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* box = dynamic_cast<const BoxInterface*>(child);
    if (!box || !box->isValid()) return -1;
    const std::vector<std::size_t> shown = boxes();
    const auto found = std::find(shown.begin(), shown.end(), box->box());
    return found == shown.end() ? -1 : static_cast<int>(found - shown.begin());
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    if (canvas_->scene().empty()) return nullptr;
    const QPointF at = canvas_->toScene(canvas_->mapFromGlobal(QPoint(x, y)));
    for (const std::size_t box : boxes())
      if (canvas_->scene().boxRect(box).contains(at)) return of(box);
    return nullptr;
  }

 private:
  std::vector<std::size_t> boxes() const {
    const GraphScene& scene = canvas_->scene();
    return scene.empty() ? std::vector<std::size_t>()
                         : scene.visible(canvas_->visibleScene()).boxes;
  }
  QAccessibleInterface* of(std::size_t box) const {
    const auto& view = canvas_->scene().picture().view;
    if (view != view_) forget();
    view_ = view;
    const auto [made, isNew] = made_.try_emplace(box);
    if (isNew)
      made->second = QAccessible::registerAccessibleInterface(new BoxInterface(canvas_, box));
    return QAccessible::accessibleInterface(made->second);
  }
  void forget() const {
    for (const auto& [box, id] : made_) QAccessible::deleteAccessibleInterface(id);
    made_.clear();
  }
  GraphCanvas* canvas_;
  mutable std::map<std::size_t, QAccessible::Id> made_;
  mutable std::shared_ptr<const layout::GraphView> view_;
};

QAccessibleInterface* interfaceOf(const QString& className, QObject* object) {
  auto* canvas = qobject_cast<GraphCanvas*>(object);
  return canvas && className == QLatin1String(canvas->metaObject()->className())
             ? new CanvasInterface(canvas)
             : nullptr;
}

}  // namespace

void installAccessibleGraph() { QAccessible::installFactory(interfaceOf); }

}  // namespace fxs::ui
