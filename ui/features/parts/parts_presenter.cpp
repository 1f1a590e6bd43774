// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/parts/parts_presenter.h"

#include <algorithm>

#include "text/words.h"

namespace fxs::ui {

PartsPresenter::PartsPresenter(Services& services) : session_(services.get<SessionPresenter>()) {
  connect(&session_, &SessionPresenter::programChanged, this, &PartsPresenter::refresh);
  // A part that cannot be read is not open.
  connect(&session_, &SessionPresenter::openFailed, this, &PartsPresenter::changed);
}

void PartsPresenter::refresh() {
  const read::Capture& capture = *session_.snapshot()->capture;
  models_ = capture.models;
  current_ = -1;
  if (models_.size() < 2) models_.clear();
  if (!models_.empty()) {
    const std::string open = models_.front();
    // Numbers of parts by value.
    std::sort(models_.begin(), models_.end(), [&](const std::string& a, const std::string& b) {
      return capture.module && a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    current_ = static_cast<int>(std::find(models_.begin(), models_.end(), open) - models_.begin());
  }
  Q_EMIT changed();
}

QString PartsPresenter::titleOf(int model) const {
  const QString name = text(models_[static_cast<std::size_t>(model)]);
  return session_.snapshot()->capture->module ? "Part " + name : name;
}

QString PartsPresenter::positionText() const {
  return models_.empty() ? QString() : QString("%1 of %2").arg(current_ + 1).arg(models_.size());
}

void PartsPresenter::choose(int model) {
  if (model < 0 || model >= static_cast<int>(models_.size()) || model == current_) return;
  session_.openModel(exact(models_[static_cast<std::size_t>(model)]));
}

}  // namespace fxs::ui
