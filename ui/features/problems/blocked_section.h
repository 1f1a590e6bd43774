#pragma once
// In the inspector of a node that an output type does not take: why, in the engine's words too, and the experiments as a check
// list that fills while they run. Rebuilt only when something it shows has changed.
#include <QVBoxLayout>
#include <set>

#include "features/problems/blocked_state.h"
#include "features/problems/problems_presenter.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class BlockedSection final : public QWidget {
  Q_OBJECT
 public:
  BlockedSection(Appearance& appearance, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis, fx::NodeId node,
                 QWidget* parent = nullptr);

  /// Where what helps begins, from the top of this widget; -1 when nothing is shown.
  int helpTop() const;

 Q_SIGNALS:
  /// Another node of the same operation.
  void nodeRequested(fxs::fx::NodeId node);
  void copyRequested(const QString& text);

 private:
  struct Shown {
    BlockedState state;
    fx::Severity severity = fx::Severity::Error;
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  void refresh();
  void rebuild();
  void buildCard(const Shown& shown);
  void buildFacts(const BlockedState& state);
  void buildExperiments(const BlockedState& state);
  void buildExperiment(const ExperimentRow& row);
  void buildSnippet(const ExperimentRow& row);
  WrappedLabel* words(const QString& text, TextSize size = TextSize::Small, const QString& ink = {});
  QToolButton* toggle(const QString& shown, const QString& key);
  QHBoxLayout* steps(const std::vector<fx::NodeId>& nodes);

  Appearance& appearance_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  fx::NodeId node_;
  std::vector<Shown> shown_;
  QString running_;         ///< what is being tried; "" when nothing is
  std::set<QString> open_;  ///< what the user unfolded
  QWidget* body_ = nullptr;
  QWidget* help_ = nullptr;  ///< the title over the experiments of the first operation
  QVBoxLayout* column_ = nullptr;
};

/// A card in the colour of a severity that begins with an icon; what it says is added to its layout.
QWidget* problemCard(const Appearance& appearance, const QString& icon, fx::Severity severity, QWidget* parent);

}  // namespace fxs::ui
