#pragma once
// In the inspector of a call: the node as a program of its own, what each output type makes of it, and inlined into a caller. The
// text itself stands in a pane beside the stages.
#include <QPointer>
#include <QWidget>

#include "features/alone/alone_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class AloneSection final : public QWidget {
  Q_OBJECT
 public:
  AloneSection(Appearance& appearance, AlonePresenter& alone, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// The pane with the text is to be shown.
  void textRequested();

 private:
  void rebuild();
  QLabel* choice(const QString& shown, std::optional<lower::OutputType> type);
  Appearance& appearance_;
  QPointer<AlonePresenter> alone_;  ///< a section that was replaced may outlive it, until the event loop takes it away
};

}  // namespace fxs::ui
