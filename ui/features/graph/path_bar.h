// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Breadcrumbs: modules from the outermost to the innermost, as buttons. Long names are elided in
// the middle; if the path does not fit, the modules in the middle are replaced by an ellipsis.
#include <functional>
#include <vector>

#include "widgets/controls.h"

namespace fxs::ui {

struct PathStep {
  QString label, tip;
  std::function<void()> chosen;
};

class PathBar final : public QWidget {
  Q_OBJECT
 public:
  explicit PathBar(Appearance& appearance, QWidget* parent = nullptr);
  void setSteps(std::vector<PathStep> steps);
  /// Labels without elision, outermost first.
  QStringList labels() const;
  QSize minimumSizeHint() const override {
    return {10 * kGrid, QWidget::minimumSizeHint().height()};
  }

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  /// Elides the label of a step to a width.
  void setLabel(std::size_t step, int width);
  void fit();
  void shortenLast(int excess);
  Appearance& appearance_;
  std::vector<PathStep> steps_;
  QHBoxLayout* row_;
  QLabel* more_ = nullptr;
  struct Part {
    QWidget* arrow;
    QToolButton* button;
    void show(bool on) const;
  };
  std::vector<Part> parts_;
};

}  // namespace fxs::ui
