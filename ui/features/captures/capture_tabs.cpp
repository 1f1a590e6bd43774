// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/captures/capture_tabs.h"

#include <QSignalBlocker>

#include "text/words.h"

namespace fxs::ui {

CaptureTabs::CaptureTabs(Appearance& appearance, FolderPresenter& folder, QWidget* parent)
    : QTabBar(parent), appearance_(appearance), folder_(folder) {
  setExpanding(false);
  setDrawBase(false);
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideMiddle);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName("Captures of the folder");
  setFont(appearance.sans(TextSize::Body));
  connect(this, &QTabBar::currentChanged, this, [this](int tab) { folder_.choose(tab); });
  connect(&folder, &FolderPresenter::changed, this, &CaptureTabs::refresh);
  connect(&appearance, &Appearance::changed, this, [this] {
    shown_.clear();
    refresh();
  });
  refresh();
}

void CaptureTabs::refresh() {
  const QSignalBlocker quiet(this);
  QStringList files;
  for (const CaptureTab& tab : folder_.tabs()) files << tab.file;
  if (files != shown_) {
    while (count()) removeTab(0);
    for (const CaptureTab& tab : folder_.tabs()) {
      const int at = addTab(tab.broken ? appearance_.icon("error", Role::Error) : QIcon(),
                            withoutMnemonic(tab.title));
      setTabToolTip(at, tab.tip);
      setTabEnabled(at, !tab.broken);
    }
    shown_ = files;
  }
  setCurrentIndex(folder_.current());
  setVisible(!files.isEmpty());
}

}  // namespace fxs::ui
