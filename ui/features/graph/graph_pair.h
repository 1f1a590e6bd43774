// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graph, and beside it a second one while it is shown.
#include <QSplitter>

#include "features/graph/graph_area.h"
#include "features/graph/graphs_presenter.h"

namespace fxs::ui {

class GraphPair final : public QSplitter {
  Q_OBJECT
 public:
  GraphPair(Appearance& appearance, Services& services, QWidget* parent = nullptr);

  GraphArea* first() const { return first_; }
  GraphArea* second() const { return second_; }
  /// The one with the keyboard focus, else the one used last.
  GraphArea* current() const;

 Q_SIGNALS:
  void maximizeRequested();
  void messageShown(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  GraphPairPresenter& pair_;
  GraphArea *first_, *second_;
  mutable GraphArea* last_;
};

}  // namespace fxs::ui
