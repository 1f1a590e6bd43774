// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/accessible_roles.h"

#include <QAccessibleWidget>
#include <algorithm>

#include "text/words.h"
#include "widgets/code_view.h"

namespace fxs::ui {
namespace {

constexpr const char* kRoleProperty = "accessibleRole";

/// A text of any size is presented as the line of the cursor, which is what is read when the cursor
/// moves.
class CodeViewInterface final : public QAccessibleWidget, public QAccessibleTextInterface {
 public:
  explicit CodeViewInterface(CodeView* view)
      : QAccessibleWidget(view, QAccessible::EditableText), view_(view) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::TextInterface ? static_cast<QAccessibleTextInterface*>(this)
                                              : QAccessibleWidget::interface_cast(type);
  }
  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.readOnly = state.multiLine = true;
    return state;
  }
  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Value ? line() : QAccessibleWidget::text(kind);
  }

  int characterCount() const override { return static_cast<int>(line().size()); }
  QString text(int from, int to) const override { return line().mid(from, to - from); }
  int cursorPosition() const override {
    return std::min(static_cast<int>(view_->cursorPosition().column), characterCount());
  }
  void setCursorPosition(int column) override {
    view_->goTo({view_->cursorPosition().line,
                 static_cast<std::uint32_t>(std::clamp(column, 0, characterCount()))});
  }
  int selectionCount() const override { return 0; }
  void selection(int, int* from, int* to) const override { *from = *to = 0; }
  void addSelection(int, int) override {}
  void removeSelection(int) override {}
  void setSelection(int, int, int) override {}
  QRect characterRect(int) const override {
    const QRect line = view_->lineRect(view_->cursorPosition().line);
    return {view_->viewport()->mapToGlobal(line.topLeft()), line.size()};
  }
  int offsetAtPoint(const QPoint&) const override { return -1; }
  void scrollToSubstring(int, int) override {}
  QString attributes(int, int* from, int* to) const override {
    *from = 0;
    *to = characterCount();
    return {};
  }

 private:
  QString line() const {
    const std::uint32_t at = view_->cursorPosition().line;
    return at < view_->code()->lineCount() ? fxs::ui::text(view_->code()->line(at)) : QString();
  }
  CodeView* view_;
};

QAccessibleInterface* made(const QString& className, QObject* object) {
  if (className != QLatin1String(object->metaObject()->className())) return nullptr;
  if (auto* view = qobject_cast<CodeView*>(object)) return new CodeViewInterface(view);
  const QVariant role = object->property(kRoleProperty);
  return role.isValid() ? new QAccessibleWidget(static_cast<QWidget*>(object),
                                                static_cast<QAccessible::Role>(role.toInt()))
                        : nullptr;
}

}  // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role) {
  widget->setProperty(kRoleProperty, static_cast<int>(role));
}

void installAccessibleRoles() { QAccessible::installFactory(made); }

}  // namespace fxs::ui
