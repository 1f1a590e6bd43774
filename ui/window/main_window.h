// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The main window: the area with graph and docks, the actions, and the settings, over the services
// of one open program.
#include <QComboBox>
#include <QMainWindow>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>

#include "features/bundle/bundle_dialog.h"
#include "features/captures/capture_tabs.h"
#include "features/fix/fix_dialog.h"
#include "features/graph/graph_pair.h"
#include "features/inspector/inspector_pane.h"
#include "features/navigator/navigator_pane.h"
#include "features/search/search_popup.h"
#include "features/search/search_presenter.h"
#include "features/stages/stage_strip.h"
#include "widgets/banner_bar.h"
#include "window/dock_area.h"
#include "window/feature.h"
#include "window/keys_overlay.h"
#include "window/welcome_page.h"

namespace fxs::ui {

struct WindowOptions {
  QString settingsFile;    ///< INI file; "" saves nothing
  QString samplesFolder;   ///< "" for none
  Features features = {};  ///< in addition to those of ui/features
};

class MainWindow final : public QMainWindow, private Host {
  Q_OBJECT
 public:
  MainWindow(Appearance& appearance, Services& services, const WindowOptions& options);
  ~MainWindow() override;

  void openFile(const QString& file);
  QStringList recentFiles() const;
  void resetLayout() { area_->reset(); }

  Actions& actions() override { return actions_; }
  bool showsWelcome() const { return center_->currentWidget() == welcome_; }

 protected:
  void closeEvent(QCloseEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dragLeaveEvent(QDragLeaveEvent*) override;
  void dropEvent(QDropEvent*) override;
  void keyPressEvent(QKeyEvent*) override;
  /// In reading order, because the panes move and the inspector is rebuilt.
  bool focusNextPrevChild(bool next) override;

 private:
  Appearance& appearance() override { return appearance_; }
  Services& services() override { return services_; }
  BannerBar& banners() override { return *banners_; }
  TextPanes& texts() override { return *strip_; }
  QString currentPage() const override { return docks().results->currentPage(); }
  void raisePage(const QString& id) override { docks().results->setCurrentPage(id); }
  void suggestPage(const QString& id) override;
  void showPage(const QString& id) override;
  void setPageTitle(const QString& id, const QString& title) override {
    docks().results->setTabText(id, title);
  }
  void showMessage(const QString& words) override;

  const DockArea::Docks& docks() const { return area_->docks(); }
  void buildDocks();
  void buildPages();
  void buildToolBar();
  void buildActions();
  void buildFileActions();
  void buildEditActions();
  void buildViewActions();
  void buildArrangementActions();
  void buildColourActions();
  void buildGoActions();
  void wire();
  void wireBundle();
  void wireFix();
  void restore();
  void programOpened();
  /// Of a search in nodes, modules and texts.
  void showHits();
  void markHits();
  void goToHit(const Hit& hit);
  void refreshState();
  void refreshFile();
  void refreshActions();
  void refreshWork();
  void refreshBanners();
  void refreshRecent();
  void remember(const QString& file);

  void openDialog();
  void openFolderDialog();
  void saveStage();
  void saveGraph();
  void showPalette();
  void paletteRows(const QString& typed);
  struct RankedRow;
  std::vector<RankedRow> rankedActions(const QString& typed);
  /// Stages, modules and nodes.
  std::vector<RankedRow> rankedNames(const QString& typed);
  void findEverywhere();
  /// In the text that has the focus, else in the graph if a query is marked.
  void stepMatch(int direction);
  void goToLine();
  void showUses();
  void foldHere();
  void foldAll(bool folded);
  void stopWork();
  void copyMarkdown();
  void exportBundle();
  void openPython();
  void copySelection();

  Appearance& appearance_;
  Services& services_;
  WindowOptions options_;
  std::unique_ptr<QSettings> settings_;
  Actions actions_;
  QStackedWidget* center_;
  WelcomePage* welcome_;
  DockArea* area_;
  GraphPair* graphs_;
  BannerBar* banners_;
  CaptureTabs* captureTabs_;
  QProgressBar* progress_;
  Navigator* navigator_;
  StageStrip* strip_;
  InspectorPane* inspector_;
  BundleDialog* bundleDialog_;
  FixDialog* fixDialog_;
  QComboBox* target_;
  QToolButton* fileButton_;
  ElidedLabel* busy_;
  QMenu* recentMenu_ = nullptr;
  SearchPopup* popup_;
  KeysOverlay* keys_;
};

}  // namespace fxs::ui
