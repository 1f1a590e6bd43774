// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/captures/folder_presenter.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "text/words.h"
#include "traced/trace_file.h"

namespace fxs::ui {

FolderPresenter::FolderPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      lister_(services.chosen(captureLister())),
      listing_(services, WorkFor::View) {
  connect(&session_, &SessionPresenter::programChanged, this, &FolderPresenter::leave);
  connect(&session_, &SessionPresenter::stateChanged, this, [this] {
    if (!tabs_.empty()) Q_EMIT changed();
  });
}

void FolderPresenter::open(const QString& folder) {
  listing_.start(
      [folder, list = lister_](const RunContext& context) {
        auto found = list(folder, context);
        // The files of a trace are not captures.
        if (found && found->empty() && traced::isTrace(folder.toStdString()))
          found->push_back({folder, shown(QFileInfo(folder).fileName()), "a trace of passes"});
        return found;
      },
      [this, folder](Result<std::vector<CaptureTab>> found) {
        if (!found) return Q_EMIT failed(folder, lines(toString(found.error())));
        const auto first = std::find_if(found->begin(), found->end(),
                                        [](const CaptureTab& tab) { return !tab.broken; });
        if (first == found->end())
          return Q_EMIT failed(
              folder, found->empty() ? QString("it contains no captures (.pt2 and .json files)")
                                     : found->front().title + ": " + found->front().tip);
        const QString file = first->file;
        folder_ = QDir(folder).absolutePath();
        tabs_ = *std::move(found);
        session_.open(file);
        Q_EMIT changed();
      });
}

int FolderPresenter::current() const {
  const auto found = std::find_if(tabs_.begin(), tabs_.end(), [this](const CaptureTab& tab) {
    return tab.file == session_.state().file;
  });
  return found == tabs_.end() ? -1 : static_cast<int>(found - tabs_.begin());
}

void FolderPresenter::choose(int tab) {
  if (tab < 0 || tab >= static_cast<int>(tabs_.size()) || tab == current() ||
      tabs_[static_cast<std::size_t>(tab)].broken)
    return;
  session_.open(tabs_[static_cast<std::size_t>(tab)].file);
}

bool FolderPresenter::step(int direction) {
  for (int tab = current() + direction; tab >= 0 && tab < static_cast<int>(tabs_.size());
       tab += direction)
    if (!tabs_[static_cast<std::size_t>(tab)].broken) return choose(tab), true;
  return false;
}

void FolderPresenter::leave() {
  if (!tabs_.empty() && current() < 0) {
    folder_.clear();
    tabs_.clear();
  }
  Q_EMIT changed();
}

}  // namespace fxs::ui
