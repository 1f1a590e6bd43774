// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An open folder of captures, as tabs. Choosing a tab opens its file; opening a file outside the
// folder closes the folder.
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "session/session_presenter.h"

namespace fxs::ui {

struct CaptureTab {
  QString file;
  QString title;
  QString tip;          ///< kind, node count, reason for the graph break
  bool broken = false;  ///< cannot be opened; `tip` says why
};
/// Lists the captures of a folder in order: captureLister(), or a test double.
using FolderLister =
    std::function<Result<std::vector<CaptureTab>>(const QString& folder, const RunContext&)>;
FolderLister captureLister();

class FolderPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit FolderPresenter(Services& services);

  /// Lists the folder and opens its first readable capture.
  void open(const QString& folder);
  const QString& folder() const { return folder_; }
  const std::vector<CaptureTab>& tabs() const { return tabs_; }
  /// Index of the tab whose file is open or being read; -1 for none.
  int current() const;
  void choose(int tab);
  /// Opens the next (1) or previous (-1) readable capture; false if there is none.
  bool step(int direction);

 Q_SIGNALS:
  void changed();
  /// The folder cannot be read, or contains no readable capture.
  void failed(const QString& folder, const QString& message);

 private:
  void leave();
  SessionPresenter& session_;
  FolderLister lister_;
  QString folder_;
  std::vector<CaptureTab> tabs_;
  Task<Result<std::vector<CaptureTab>>> listing_;
};

}  // namespace fxs::ui
