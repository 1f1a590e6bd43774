// No text is cut without a tool tip, and every control has a name for screen readers: in each arrangement, on each page of the results, at
// two sizes of the window and with text of 200 %.
#include <QAbstractButton>
#include <QHeaderView>
#include <QScrollBar>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

QString described(const QWidget* widget, const QString& what) {
  return QString("%1 in %2: %3").arg(widget->metaObject()->className(), widget->parentWidget()->objectName(), what);
}

/// The text of a label or button that does not fit; "" if all does, or the tool tip says it.
QString cutText(const QWidget* widget) {
  if (!widget->toolTip().isEmpty()) return {};
  const QSize wanted = widget->sizeHint() - QSize(1, 1);
  if (const auto* label = qobject_cast<const QLabel*>(widget); label && !label->wordWrap())
    return wanted.width() > label->width() || wanted.height() > label->height() ? label->text() : QString();
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button && wanted.width() > button->width() ? button->text() : QString();
}

QStringList cutTitles(const QHeaderView* header) {
  QStringList cut;
  for (int i = 0; header->orientation() == Qt::Horizontal && i < header->count(); ++i) {
    const QString title = header->model()->headerData(i, Qt::Horizontal).toString();
    const bool fits = header->fontMetrics().horizontalAdvance(title) <= header->sectionSize(i) - 4;
    if (!fits && header->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty()) cut << title;
  }
  return cut;
}

bool needsName(const QWidget* widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
    return button->text().isEmpty() && !button->objectName().startsWith("qt_") && !qobject_cast<const QLineEdit*>(button->parentWidget());
  const bool isView = qobject_cast<const QAbstractItemView*>(widget) && !qobject_cast<const QHeaderView*>(widget);
  return isView || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
         qobject_cast<const CodeView*>(widget) || qobject_cast<const GraphPane*>(widget);
}

QStringList flaws(const MainWindow& window) {
  QStringList found;
  if (window.findChild<InspectorPane*>()->horizontalScrollBar()->maximum() > 0) found << "the inspector is wider than its pane";
  const auto* search = window.findChild<FittedButton*>("search");
  if (!search->isVisible() || search->width() < search->minimumSizeHint().width()) found << "no search button";
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window) continue;
    if (const QString cut = cutText(widget); !cut.isEmpty()) found << described(widget, "cut: " + cut);
    if (needsName(widget) && widget->accessibleName().isEmpty()) found << described(widget, "no accessible name");
    if (const auto* header = qobject_cast<const QHeaderView*>(widget))
      for (const QString& title : cutTitles(header)) found << described(widget->parentWidget(), "cut: " + title);
  }
  return found;
}

TEST_F(WindowTest, NoTextIsCutWithoutAToolTipAndEveryControlHasAName) {
  for (const auto& [size, scale] : {std::pair{QSize(1280, 800), 1.0}, {QSize(1920, 1080), 1.0}, {QSize(1280, 800), 2.0}}) {
    if (!bench_->session.hasProgram() || scale != textScale_) {
      textScale_ = scale;
      remake();
      openSettled(samplePath("masked_attention.pt2"));
    }
    window_->resize(size);
    for (const Arrangement each : kArrangements) {
      bench_->arrangement.choose(each);
      for (const QString& page : part<DockFrame>("results")->pages()) {
        part<DockFrame>("results")->setCurrentPage(page);
        // What is laid out anew takes some rounds of the event loop.
        EXPECT_TRUE(QTest::qWaitFor([&] { return flaws(*window_).isEmpty(); }, 1000))
            << flaws(*window_).join('\n').toStdString() << '\n'
            << name(each).toStdString() << ", " << page.toStdString() << ", " << size.width() << " pixels, text times " << scale;
      }
    }
    EXPECT_EQ(window_->size(), size) << "text times " << scale;
  }
}

}  // namespace
}  // namespace fxs::ui
