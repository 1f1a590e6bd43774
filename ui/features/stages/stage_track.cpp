// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/stage_track.h"

#include <QPainter>

#include "features/stages/stages_model.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"

namespace fxs::ui {
namespace {

constexpr int kBetween = 12;
constexpr int kTrackSign = 12;  ///< times the text scale

}  // namespace

StageTrack::StageTrack(Appearance& appearance, StagePresenter& stages, QWidget* parent)
    : QWidget(parent), appearance_(appearance), stages_(stages) {
  setAccessibleRole(this, QAccessible::StaticText);
  setFont(appearance.sans(TextSize::Small));
  connect(&appearance, &Appearance::changed, this, qOverload<>(&QWidget::update));
  connect(&stages, &StagePresenter::stagesChanged, this, &StageTrack::refresh);
}

void StageTrack::refresh() {
  steps_.clear();
  QStringList titles;
  for (const Stage& stage : stages_.stepsAndStages()) {
    if (stage.mark == StageMark::Waiting || !stages_.hasProgram()) continue;
    titles << name(stage.id) +
                  (stage.mark == StageMark::Ok ? QString() : ' ' + statusText(stage.mark)) +
                  (stage.seconds ? ' ' + text(*stage.seconds) : QString());
    steps_.push_back({stage.mark, titles.back()});
  }
  setToolTip(titles.join("\n"));
  setAccessibleName(titles.isEmpty() ? QString("No stage has run")
                                     : "Stages: " + titles.join(", "));
  updateGeometry();
  update();
}

QSize StageTrack::sizeHint() const {
  const int side = appearance_.scaled(kTrackSign);
  int width = 0;
  for (const Step& step : steps_)
    width +=
        fontMetrics().horizontalAdvance(step.text) + kBetween + (stopped(step.mark) ? side + 4 : 0);
  return {width, fontMetrics().height()};
}

void StageTrack::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  const int side = appearance_.scaled(kTrackSign);
  int right = width();
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const bool bad = stopped(step->mark);
    const int wide = fontMetrics().horizontalAdvance(step->text);
    int left = right - wide;
    if (left - (bad ? side + 4 : 0) < (step + 1 == steps_.rend() ? 0 : 2 * kBetween)) {
      painter.setPen(appearance_.color(Role::TextMuted));
      painter.drawText(QRect(0, 0, right, height()), Qt::AlignRight | Qt::AlignVCenter, "…");
      return;
    }
    const Role plain = step->mark == StageMark::Skipped ? Role::Skipped : Role::TextMuted;
    painter.setPen(appearance_.color(bad ? Role::Error : plain));
    painter.drawText(QRect(left, 0, wide + 1, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     step->text);
    if (bad) {
      left -= side + 4;
      appearance_.icon(iconOf(step->mark), Role::Error)
          .paint(&painter, QRect(left, (height() - side) / 2, side, side));
    }
    right = left - kBetween;
  }
}

}  // namespace fxs::ui
