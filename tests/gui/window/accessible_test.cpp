// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialogs, popups and the first page, at two sizes of the text: names and roles, the order of Tab,
// mnemonics, and no text that is cut without a tool tip. Pages and panes: keyboard_test.cpp and
// fitting_text_test.cpp.
#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QDialog>
#include <QKeySequence>
#include <set>

#include "cut_text.h"
#include "features/variants/pass_list_dialog.h"
#include "features/variants/pass_list_presenter.h"
#include "window/keys_overlay.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class AccessibleTest : public WindowTest, public ::testing::WithParamInterface<double> {
 protected:
  void SetUp() override {
    textScale_ = GetParam();
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    window_->resize(1280, 800);
  }
  static std::string sayOf(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return described(widget, button ? button->text() : widget->accessibleName()).toStdString();
  }
  static std::set<QWidget*> controls(const QWidget* root) {
    std::set<QWidget*> found;
    for (QWidget* each : root->findChildren<QWidget*>())
      if (each->isVisible() && each->isEnabled() && each->window() == root->window() &&
          (each->focusPolicy() & Qt::TabFocus) && !each->focusProxy())
        found.insert(each);
    return found;
  }
  static void expectNamesAndRoles(const QWidget* root) {
    for (QWidget* each : controls(root)) {
      const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(each);
      ASSERT_NE(accessible, nullptr) << sayOf(each);
      EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty()) << "no name: " << sayOf(each);
      const QAccessible::Role role = accessible->role();
      EXPECT_TRUE(role != QAccessible::NoRole && role != QAccessible::Client &&
                  role != QAccessible::Window)
          << "no role: " << sayOf(each);
    }
  }
  static void expectOnceAround(QDialog* dialog) {
    const std::set<QWidget*> wanted = controls(dialog);
    ASSERT_FALSE(wanted.empty());
    dialog->activateWindow();
    (*wanted.begin())->setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return QApplication::focusWidget() == *wanted.begin(); }));
    std::set<QWidget*> reached;
    for (QWidget* now = *wanted.begin(); now && reached.insert(now).second;
         now = QApplication::focusWidget())
      QTest::keyClick(now, Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget(), *wanted.begin()) << "stuck";
    for (QWidget* each : wanted) EXPECT_TRUE(reached.contains(each)) << sayOf(each);
    for (QWidget* each : reached) EXPECT_TRUE(wanted.contains(each)) << sayOf(each);
  }
  static void expectOwnMnemonics(const QWidget* root) {
    std::set<QString> taken;
    const auto take = [&](const QWidget* widget, const QString& text) {
      const QString keys = QKeySequence::mnemonic(text).toString();
      if (!keys.isEmpty() && widget->isVisible()) {
        EXPECT_TRUE(taken.insert(keys).second) << keys.toStdString() << ": " << sayOf(widget);
      }
    };
    for (const auto* button : root->findChildren<QAbstractButton*>()) take(button, button->text());
    for (const auto* label : root->findChildren<QLabel*>())
      if (label->buddy()) take(label, label->text());
  }
  static QStringList cutIn(const QWidget* root) {
    QStringList cut;
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->window() != root->window()) continue;
      if (const QString text = cutText(widget); !text.isEmpty()) cut << described(widget, text);
      if (const auto* header = qobject_cast<const QHeaderView*>(widget)) cut += cutTitles(header);
      else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget);
               view && view->model())
        cut += cutCells(view);
    }
    return cut;
  }
  static void expectNothingCut(const QWidget* root) {
    EXPECT_TRUE(QTest::qWaitFor([&] { return cutIn(root).isEmpty(); }, 1000))
        << cutIn(root).join('\n').toStdString();
  }
  static void expectAll(QDialog* dialog) {
    ASSERT_NE(dialog, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    SCOPED_TRACE(dialog->windowTitle().toStdString());
    EXPECT_FALSE(dialog->windowTitle().isEmpty());
    expectNamesAndRoles(dialog);
    expectOnceAround(dialog);
    expectOwnMnemonics(dialog);
    expectNothingCut(dialog);
    dialog->reject();
  }
};

TEST_P(AccessibleTest, TheFirstPage) { expectNamesAndRoles(window_.get()); }

TEST_P(AccessibleTest, Dialogs) {
  openSettled(samplePath("masked_attention.pt2"));
  window_->actions()["export-bundle"]->trigger();
  expectAll(part<BundleDialog>());
  window_->actions()["export-fixed"]->trigger();
  expectAll(part<FixDialog>());
  ASSERT_TRUE(bench_->get<PassPresenter>().trace());
  bench_->get<PassPresenter>().choose(0);
  window_->actions()["edit-passes"]->trigger();
  auto* passes = part<PassListDialog>();
  ASSERT_NE(passes, nullptr);
  waitUntil([&] { return passes->list()->count() > 0; }, "listed");
  expectAll(passes);
}

TEST_P(AccessibleTest, Popups) {
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["palette"]->trigger();
  expectNamesAndRoles(part<SearchPopup>());
  EXPECT_TRUE(QApplication::focusWidget() == part<SearchPopup>()->edit());
  QTest::keyClick(part<SearchPopup>()->edit(), Qt::Key_Escape);
  CodePane* pane = paneOf("raw");
  pane->findBar()->start();
  expectNamesAndRoles(pane->findBar());
  window_->actions()["keys"]->trigger();
  const QAccessibleInterface* keys = QAccessible::queryAccessibleInterface(part<KeysOverlay>());
  ASSERT_NE(keys, nullptr);
  EXPECT_FALSE(keys->text(QAccessible::Name).isEmpty());
}

INSTANTIATE_TEST_SUITE_P(TextScales, AccessibleTest, ::testing::Values(1.0, 2.0),
                         [](const auto& each) {
                           return std::string(each.param > 1 ? "Large" : "Usual");
                         });

}  // namespace
}  // namespace fxs::ui
