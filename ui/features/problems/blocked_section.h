// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for a blocked node: why it does not lower, the engine's output, and the
// experiments, listed as they finish. Rebuilt only when what it shows changes.
#include <QVBoxLayout>
#include <memory>
#include <set>

#include "features/problems/blocked_state.h"
#include "features/problems/problems_presenter.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

/// Keys of the parts that the user expanded, which outlive a section.
using OpenParts = std::set<QString>;

class BlockedSection final : public QWidget {
  Q_OBJECT
 public:
  BlockedSection(Appearance& appearance, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
                 fx::NodeId node, std::shared_ptr<OpenParts> open, QWidget* parent = nullptr);

  /// y of the list of fixes, in pixels from the top of this widget; -1 if there is none.
  int helpTop() const;

 Q_SIGNALS:
  /// Asks to select another node of the same operation.
  void nodeRequested(fxs::fx::NodeId node);
  void copyRequested(const QString& text);
  void fixRequested();

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
  void buildExperiment(const ExperimentRow& row, const QString& target);
  /// Folded: the fix is read first.
  void buildSnippet(const ExperimentRow& row, const QString& target);
  WrappedLabel* makeText(const QString& text, TextSize size = TextSize::Small,
                         const QString& ink = {});
  QToolButton* toggle(const QString& shown, const QString& key);
  QWidget* steps(const std::vector<fx::NodeId>& nodes);

  Appearance& appearance_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  fx::NodeId node_;
  std::vector<Shown> shown_;
  QString running_;  ///< the experiment in progress; "" for none
  std::shared_ptr<OpenParts> open_;
  QWidget* body_ = nullptr;
  std::vector<ElidedLabel*> notes_;  ///< how far the experiments of each operation are
  QWidget* help_ = nullptr;          ///< heading of the fixes of the first operation
  QVBoxLayout* column_ = nullptr;
};

/// A card with an icon, in the colour of a severity. The caller adds the content to its layout, a
/// QHBoxLayout.
QWidget* problemCard(const Appearance& appearance, const QString& icon, fx::Severity severity,
                     QWidget* parent);

}  // namespace fxs::ui
