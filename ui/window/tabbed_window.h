// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The window of several programs: a page for each, of which one is shown. A page has its own
// Services, so that a program keeps all that was done with it, and its work goes on, while another
// is shown. It is made when its tab is first chosen. What was open is kept between runs.
#include <QLockFile>
#include <QSettings>
#include <QStackedLayout>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "session/open_programs.h"
#include "window/main_window.h"

namespace fxs::ui {

class TabbedWindow final : public QWidget {
  Q_OBJECT
 public:
  using MakeServices = std::function<std::unique_ptr<Services>()>;
  TabbedWindow(Appearance& appearance, MakeServices makeServices, WindowOptions options);
  ~TabbedWindow() override;

  /// The first becomes the current one; the others are read when they are chosen.
  void open(const QStringList& files);
  /// Opens what was open last, unless Preferences say no. If the last run ended while it opened a
  /// program, only offers to.
  void restorePrograms();

  const OpenPrograms& programs() const { return programs_; }
  /// Of the current program.
  MainWindow& page() { return *pages_.at(programs_.currentProgram().id).window; }
  Services& services() { return *pages_.at(programs_.currentProgram().id).services; }
  /// Whether its size and position are those of an earlier run.
  bool hasKeptGeometry() const { return hasKeptGeometry_; }

 protected:
  void closeEvent(QCloseEvent*) override;

 private:
  struct Page {
    std::unique_ptr<Services> services;
    std::unique_ptr<MainWindow> window;
    bool isLoaded = false;
    bool isOpening = false;  ///< until all of it is shown
  };
  void addActions(Host& host);
  void addNames(Services& services);
  void refreshActions();
  Page& makePage(int id);
  void listen(int id, const Page& page);
  /// Shows the page of the current program, and ends those of closed ones.
  void sync();
  void bring(Page& page);
  void load(Page& page, const KeptProgram& kept);
  /// Of a file that a page is asked to open; false if that page is to do it.
  bool openElsewhere(const Services& from, const QString& file);
  void lookAtChanged();
  void refresh(int id, const Page& page);
  void endOpening(int id, Page& page);
  void offer(const std::vector<KeptProgram>& kept, const QString& current);
  void restore(const std::vector<KeptProgram>& kept, const QString& current);
  void keep();

  Appearance& appearance_;
  MakeServices makeServices_;
  WindowOptions options_;
  OpenPrograms programs_;
  std::unique_ptr<QSettings> store_;  ///< null: nothing is kept
  WindowGeometry geometry_{*this};
  bool hasKeptGeometry_ = false;
  std::unique_ptr<QLockFile> lock_;  ///< of the one process that keeps what is open
  bool isKeeping_ = false;           ///< something was opened, or restored
  QStackedLayout* stack_;
  QTimer soon_, keepSoon_;
  std::set<int> changed_;  ///< ids of programs to look at
  std::map<int, Page> pages_;
  std::vector<Page> ending_;  ///< their signals may still be handled
};

}  // namespace fxs::ui
