#pragma once
// A folder of captures that is open: its captures as tabs. Choosing one opens it as any file; the tabs stay while the open program
// is one of them.
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "session/session_presenter.h"

namespace fxs::ui {

struct CaptureTab {
  QString file;
  QString title;
  QString tip;          ///< kind, nodes, why the graph ended there
  bool broken = false;  ///< it cannot be opened; `tip` says why
};
/// What a folder holds, in order: the reader's own, or a test's.
using FolderLister = std::function<Result<std::vector<CaptureTab>>(const QString& folder, const RunContext&)>;
FolderLister captureLister();

class FolderPresenter final : public QObject {
  Q_OBJECT
 public:
  FolderPresenter(SessionPresenter& session, JobQueue& jobs, FolderLister lister, QObject* parent = nullptr);

  /// Lists the folder and opens its first capture that can be opened.
  void open(const QString& folder);
  const QString& folder() const { return folder_; }
  const std::vector<CaptureTab>& tabs() const { return tabs_; }
  /// Of the program that is open or being read; -1 when it is none of them.
  int current() const;
  void choose(int tab);
  /// The next or previous one that can be opened; false when there is none.
  bool step(int direction);

 Q_SIGNALS:
  void changed();
  /// The folder cannot be read, or holds nothing to open.
  void failed(const QString& folder, const QString& message);

 private:
  void leave();
  SessionPresenter& session_;
  JobQueue& jobs_;
  FolderLister lister_;
  QString folder_;
  std::vector<CaptureTab> tabs_;
};

}  // namespace fxs::ui
