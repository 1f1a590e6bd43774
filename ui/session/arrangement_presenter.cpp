// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/arrangement_presenter.h"

namespace fxs::ui {

QString title(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::Graph: return "Graph";
    case Arrangement::Stages: return "Stages";
    case Arrangement::Passes: return "Passes";
    case Arrangement::Diagnosis: return "Diagnosis";
    case Arrangement::Numbers: return "Numbers";
  }
  return {};
}

QString name(Arrangement arrangement) { return title(arrangement).toLower(); }

std::optional<Arrangement> arrangementFrom(const QString& text) {
  for (const Arrangement each : kArrangements)
    if (name(each) == text) return each;
  return std::nullopt;
}

std::map<Arrangement, ArrangementPresenter::Shown> ArrangementPresenter::standard() {
  return {{Arrangement::Graph, {"problems"}},
          {Arrangement::Stages, {"problems"}},
          {Arrangement::Passes, {"passes"}},
          {Arrangement::Diagnosis, {"problems"}},
          {Arrangement::Numbers, {"numbers"}}};
}

void ArrangementPresenter::choose(Arrangement arrangement) {
  if (arrangement == current_) return;
  Q_EMIT aboutToChange();
  Q_EMIT textsWanted();
  current_ = arrangement;
  Q_EMIT changed();
}

void ArrangementPresenter::reset() {
  shown_[current_] = standard().at(current_);
  Q_EMIT changed();
}

QStringList ArrangementPresenter::saved() {
  Q_EMIT textsWanted();
  QStringList all;
  for (const auto& [arrangement, shown] : shown_) {
    QStringList names;
    for (const ShownText& text : shown.texts)
      names << ui::name(isTransient(text) && !std::holds_alternative<Handle>(text)
                            ? ShownText(LastStage{})
                            : text);
    all << QString("%1: %2; %3").arg(ui::name(arrangement), shown.page, names.join(' '));
  }
  return all;
}

void ArrangementPresenter::restore(const QStringList& saved, Arrangement current) {
  for (const QString& line : saved) {
    const auto arrangement = arrangementFrom(line.section(": ", 0, 0));
    if (!arrangement) continue;
    Shown& shown = shown_[*arrangement];
    shown.page = line.section(": ", 1).section("; ", 0, 0);
    shown.texts.clear();
    for (const QString& text : line.section("; ", 1).split(' ', Qt::SkipEmptyParts))
      shown.texts.push_back(shownTextFrom(text));
  }
  current_ = current;
  Q_EMIT changed();
}

}  // namespace fxs::ui
