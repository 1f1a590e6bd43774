#pragma once
// The window: panes around the graph over one Workbench, the actions, and what is remembered between runs.
#include <QComboBox>
#include <QMainWindow>
#include <QProgressBar>
#include <QSettings>
#include <QStackedWidget>

#include "actions.h"
#include "panes/banner_bar.h"
#include "panes/bundle_dialog.h"
#include "panes/capture_tabs.h"
#include "panes/coverage_page.h"
#include "panes/dock_frame.h"
#include "panes/graph_area.h"
#include "panes/inspector_pane.h"
#include "panes/keys_overlay.h"
#include "panes/navigator_pane.h"
#include "panes/passes_page.h"
#include "panes/problems_page.h"
#include "panes/results_pane.h"
#include "panes/search_popup.h"
#include "panes/stage_strip.h"
#include "panes/stage_track.h"
#include "panes/support_page.h"
#include "panes/welcome_page.h"
#include "presenters/workbench.h"

namespace fxs::ui {

struct WindowOptions {
  QString settingsFile;   ///< INI file of what is remembered; "" remembers nothing
  QString samplesFolder;  ///< "" when there are none
};

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  /// Pages of the results dock.
  enum ResultsPage { kStagesPage, kPassesPage, kProblemsPage, kSupportPage, kCoveragePage, kLogPage };
  MainWindow(Appearance& appearance, Workbench& workbench, const WindowOptions& options);
  ~MainWindow() override;

  void openFile(const QString& file);
  QStringList recentFiles() const;
  void resetLayout();

  // The parts, for tests and for pictures.
  Actions& actions() { return actions_; }
  GraphArea* graphArea() const { return graphArea_; }
  Navigator* navigator() const { return navigator_; }
  StageStrip* strip() const { return strip_; }
  InspectorPane* inspector() const { return inspector_; }
  StagesPage* stagesPage() const { return stagesPage_; }
  PassesPage* passesPage() const { return passesPage_; }
  ProblemsPage* problemsPage() const { return problemsPage_; }
  SupportPage* supportPage() const { return supportPage_; }
  CoveragePage* coveragePage() const { return coveragePage_; }
  BundleDialog* bundleDialog() const { return bundleDialog_; }
  BannerBar* banners() const { return banners_; }
  CaptureTabs* captureTabs() const { return captureTabs_; }
  SearchPopup* popup() const { return popup_; }
  KeysOverlay* keys() const { return keys_; }
  WelcomePage* welcome() const { return welcome_; }
  QComboBox* targetBox() const { return target_; }
  DockFrame* codeDock() const { return codeDock_; }
  DockFrame* resultsDock() const { return resultsDock_; }
  DockFrame* navigatorDock() const { return navigatorDock_; }
  bool showsWelcome() const { return center_->currentWidget() == welcome_; }

 protected:
  void closeEvent(QCloseEvent*) override;
  void dragEnterEvent(QDragEnterEvent*) override;
  void dragLeaveEvent(QDragLeaveEvent*) override;
  void dropEvent(QDropEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  void buildDocks();
  void buildToolBar();
  void buildActions();
  void buildFileActions();
  void buildEditActions();
  void buildViewActions();
  void buildGoActions();
  void buildPassActions();
  void buildDiagnoseActions();
  void buildWayActions();
  void wire();
  void wireDiagnosis();
  void wireWays();
  void restore();
  void sizeDocks();
  void refreshState();
  void refreshStages();
  void refreshRecent();
  void remember(const QString& file);

  void openDialog();
  void openFolderDialog();
  void saveStage();
  void saveGraph();
  void showPalette();
  void paletteRows(const QString& typed);
  void findEverywhere();
  void goToLine();
  void showUses();
  void foldHere();
  void foldAll(bool folded);
  void showKeys();
  void nextProblem(int step);
  void stopWork();
  void copyMarkdown();
  void exportBundle();
  void reduce();
  void showResults(ResultsPage page);
  void stepStage(int step);
  void showPass(int pass);
  void stepPass(int direction);
  void showRewrites();
  void stepChange(int direction);
  void showStage(const QString& id);
  void showBeside(const QString& id);
  void showAlone();
  void openPython();
  void copySelection();
  void showMessage(const QString& text);

  Appearance& appearance_;
  Workbench& bench_;
  WindowOptions options_;
  std::unique_ptr<QSettings> settings_;
  Actions actions_;
  QStackedWidget* center_;
  WelcomePage* welcome_;
  GraphArea* graphArea_;
  BannerBar* banners_;
  CaptureTabs* captureTabs_;
  QProgressBar* progress_;
  Navigator* navigator_;
  StageStrip* strip_;
  InspectorPane* inspector_;
  StagesPage* stagesPage_;
  PassesPage* passesPage_;
  ProblemsPage* problemsPage_;
  SupportPage* supportPage_;
  CoveragePage* coveragePage_;
  BundleDialog* bundleDialog_;
  LogPage* logPage_;
  DockFrame *navigatorDock_, *inspectorDock_, *codeDock_, *resultsDock_;
  StageTrack* track_;
  QComboBox* target_;
  QToolButton* fileButton_;
  ElidedLabel* busy_;
  QMenu* recentMenu_ = nullptr;
  SearchPopup* popup_;
  KeysOverlay* keys_;
  bool docksShown_ = true;
  bool sized_ = false;  ///< the docks have the sizes of the standard layout, or the user's own
};

}  // namespace fxs::ui
