// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The captures that the reader finds in a folder, as tabs.
#include <QFileInfo>

#include "features/captures/folder_presenter.h"
#include "read/folder.h"
#include "text/words.h"

namespace fxs::ui {

FolderLister captureLister() {
  return [](const QString& folder, const RunContext& context) -> Result<std::vector<CaptureTab>> {
    FXS_TRY(const std::vector<read::CaptureEntry> entries,
            read::listCaptures(folder.toStdString(), {}, context));
    std::vector<CaptureTab> tabs;
    for (const read::CaptureEntry& entry : entries) {
      CaptureTab tab;
      tab.file = exact(entry.path);
      tab.title = shown(QFileInfo(tab.file).completeBaseName());
      tab.broken = !entry.error.empty();
      QStringList tip{text(entry.file)};
      if (tab.broken) tip << text(entry.error);
      else tip << text(entry.title) << counted(entry.nodes, "node");
      if (!entry.graphBreak.empty()) tip << "graph break: " + text(entry.graphBreak);
      tab.tip = tip.join('\n');
      tabs.push_back(std::move(tab));
    }
    return tabs;
  };
}

}  // namespace fxs::ui
