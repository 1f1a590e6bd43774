// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is shown of one program: hosts what the features register, and has the files, the docks and
// the settings. A window by itself, or a page of a TabbedWindow.
#include <QMainWindow>
#include <QProgressBar>
#include <QSet>
#include <QSettings>
#include <QStackedWidget>
#include <memory>

#include "widgets/banner_bar.h"
#include "widgets/search_popup.h"
#include "window/dock_area.h"
#include "window/feature.h"
#include "window/keys_overlay.h"
#include "window/recent_files.h"
#include "window/welcome_page.h"
#include "window/window_geometry.h"

namespace fxs::ui {

struct WindowOptions {
  QString settingsFile;    ///< INI file; "" saves nothing
  QString samplesFolder;   ///< "" for none
  Features features = {};  ///< in addition to those of ui/features
  /// The window of which it is a page, which keeps size and position; null for none.
  QWidget* parent = nullptr;
};

class MainWindow final : public QMainWindow, private Host {
  Q_OBJECT
 public:
  MainWindow(Appearance& appearance, Services& services, const WindowOptions& options);
  ~MainWindow() override;

  void openFile(const QString& file) override;
  Host& host() { return *this; }
  /// Writes the settings.
  void keep();
  /// The program that is open is not remembered, such as a reduced one.
  bool isPassing() const;
  QStringList recentFiles() const { return recent_->all(); }

  Actions& actions() override { return actions_; }
  /// Whether its size and position are those of an earlier run.
  bool hasKeptGeometry() const { return hasKeptGeometry_; }
  bool showsWelcome() const { return center_->currentWidget() == welcome_; }

 Q_SIGNALS:
  /// Several, by a drop or a dialog; only a page has them opened.
  void filesChosen(const QStringList& files);
  /// Preferences of one page hold for all.
  void settingChanged(const QString& key, const QVariant& value);

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
  SearchPopup& popup() override { return *popup_; }
  QMainWindow& mainWindow() override { return *this; }
  TextPanes& texts() override { return *texts_; }
  void setTexts(TextPanes& texts) override { texts_ = &texts; }
  QString currentPage() const override { return results_->currentPage(); }
  void raisePage(const QString& id) override { results_->setCurrentPage(id); }
  void suggestPage(const QString& id) override;
  void showPage(const QString& id) override;
  void setPageTitle(const QString& id, const QString& title) override {
    results_->setTabText(id, title);
  }
  void openDock(const QString& id) override { area_->open(area_->dock(id)); }
  void maximizeCentre() override { area_->toggleMaximized(area_->centralWidget()); }
  void showMessage(const QString& message) override;
  void addAbove(QWidget* widget) override { column_->insertWidget(0, widget); }
  void addSetting(Setting setting) override { settings_.push_back(std::move(setting)); }
  QVariant setting(const QString& key) const override;
  void setSetting(const QString& key, const QVariant& value) override;
  void showWork(const WorkState& state) override;
  void keepPanesOpen(const QString& feature, bool isWanted) override;
  void keepOutOfRecent(std::function<bool()> isOpen) override;

  void buildCenter();
  void buildDocks();
  void buildPages();
  void buildToolBar();
  void addFileTool(QToolBar& bar);
  void addActions();
  void addPaneActions();
  void wire();
  void restore();
  void openFiles(const QStringList& files);
  void openDialog();
  void programOpened();
  void refreshState();
  void refreshFile();
  void refreshWork();

  Appearance& appearance_;
  Services& services_;
  WindowOptions options_;
  std::unique_ptr<QSettings> store_;  ///< null: nothing is kept
  WindowGeometry geometry_{*this};
  bool hasKeptGeometry_ = false;
  std::vector<Setting> settings_;
  WorkState work_;                              ///< of a feature
  std::vector<std::function<bool()>> passing_;  ///< programs that are not remembered
  QSet<QString> wantingPanes_;                  ///< features that want the panes without a program
  Actions actions_;
  QVBoxLayout* column_;
  BannerBar* banners_;
  QProgressBar* progress_;
  QStackedWidget* center_;
  WelcomePage* welcome_;
  DockArea* area_;
  DockFrame* results_ = nullptr;
  TextPanes* texts_ = nullptr;
  SearchPopup* popup_;
  KeysOverlay* keys_;
  RecentFiles* recent_;
  QMenu* recentMenu_;
  QToolButton* fileButton_;
  ElidedLabel* message_;
};

}  // namespace fxs::ui
