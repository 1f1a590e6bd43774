// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/history_section.h"

#include <algorithm>

#include "text/words.h"
#include "widgets/controls.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxHistoryShown = 60;
constexpr std::size_t kMaxPatternsShown = 40;

}  // namespace

HistorySection::HistorySection(Appearance& appearance, HistoryPresenter& history,
                               PatternPresenter& patterns, QWidget* parent)
    : QWidget(parent), appearance_(appearance), history_(history), patterns_(patterns) {
  connect(&history, &HistoryPresenter::changed, this, &HistorySection::rebuild);
  connect(&patterns, &PatternPresenter::changed, this, &HistorySection::rebuild);
  rebuild();
}

void HistorySection::rebuild() {
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete layout();
  auto* list = makeBox<QVBoxLayout>(2);
  if (const QString reason = history_.emptyText(); !reason.isEmpty()) {
    QLabel* label = makeLabel(appearance_, reason, TextSize::Body, "muted", this);
    label->setWordWrap(true);
    list->addWidget(label);
  }
  for (std::size_t i = 0; i < std::min(history_.rows().size(), kMaxHistoryShown); ++i) {
    const HistoryRow& row = history_.rows()[i];
    auto* title = new LinkButton(appearance_.sans(TextSize::Body), row.title,
                                 "Show the changes of pass " + row.title, this);
    connect(title, &QPushButton::clicked, this,
            [this, pass = row.pass] { Q_EMIT passRequested(pass); });
    list->addWidget(title);
    auto* change = new WrappedLabel(appearance_, row.change, TextSize::Small, {}, this);
    change->setFont(appearance_.mono(TextSize::Small));
    change->setIndent(2 * kGrid, kGrid / 2);
    list->addWidget(change);
    const QStringList by = patterns_.effective(row.stage, row.name);
    // The patterns name the pass only; with two passes of one name it is ambiguous.
    const auto sameName =
        std::count_if(history_.rows().begin(), history_.rows().end(), [&](const HistoryRow& other) {
          return other.stage == row.stage && other.name == row.name;
        });
    if (by.isEmpty() || sameName > 1) continue;
    auto* pattern =
        new WrappedLabel(appearance_, "by " + by.join(", "), TextSize::Small, "success", this);
    pattern->setIndent(2 * kGrid, kGrid / 2);
    list->addWidget(pattern);
  }
  if (history_.rows().size() > kMaxHistoryShown)
    list->addWidget(makeLabel(
        appearance_, QString("and %1 more passes").arg(history_.rows().size() - kMaxHistoryShown),
        TextSize::Body, "muted", this));
  buildPatterns(list);
  setLayout(list);
}

void HistorySection::buildPatterns(QVBoxLayout* list) {
  if (!patterns_.asked()) {
    QToolButton* ask = makeBoxed(
        patterns_.asking() ? "Running the engine …" : "Patterns tried",
        "Run the engine on this node and list the rewrite patterns that it tries (Ctrl+Alt+T)",
        this);
    ask->setEnabled(!patterns_.asking());
    // Queued, because ask() rebuilds this list with its button.
    connect(ask, &QToolButton::clicked, &patterns_, &PatternPresenter::ask, Qt::QueuedConnection);
    list->addSpacing(kGrid / 2);
    list->addWidget(ask, 0, Qt::AlignLeft);
    return;
  }
  list->addSpacing(kGrid / 2);
  list->addWidget(makeHeading(appearance_, "Patterns", this));
  const auto addText = [&](const QString& text, const QString& ink) {
    list->addWidget(new WrappedLabel(appearance_, text, TextSize::Small, ink, this));
  };
  for (const QString& stop : patterns_.stops()) addText(stop, "error");
  // The patterns that took effect; if none did, those that were refused.
  std::size_t took = 0, shown = 0;
  for (const PatternRow& row : patterns_.rows()) took += row.took;
  for (const PatternRow& row : patterns_.rows()) {
    if (row.took != (took > 0)) continue;
    if (++shown > kMaxPatternsShown) break;
    const QString became = row.became.isEmpty() ? QString() : " → " + row.became;
    addText(QString("%1 %2 on %3, in %4%5")
                .arg(row.took ? "✓" : "·", row.pattern, row.op, row.pass, became),
            row.took ? QString() : QString("muted"));
    if (!row.took) addText("    " + row.effect, "muted");
  }
  const std::size_t rest = patterns_.rows().size() - std::min(shown, kMaxPatternsShown);
  if (rest > 0)
    addText(QString("%1 more were tried; fxscope-cli trace --node … --patterns lists them all")
                .arg(rest),
            "muted");
  addText(patterns_.message(), "muted");
  if (!patterns_.rewrites()) return;
  QToolButton* step = makeBoxed(
      QString("Step through its %1")
          .arg(counted(patterns_.rewrites()->passes().passes.size(), "rewrite")),
      "Lists them instead of the passes, with the module before and after each (Ctrl+Alt+R)", this);
  connect(step, &QToolButton::clicked, this, &HistorySection::rewritesRequested,
          Qt::QueuedConnection);
  list->addSpacing(kGrid / 2);
  list->addWidget(step, 0, Qt::AlignLeft);
}

}  // namespace fxs::ui
