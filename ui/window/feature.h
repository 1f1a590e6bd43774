// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a feature adds to the window. ui/features/<feature>/feature.cpp defines
//   void register<Feature>(Features& features);
// and the build collects it (fxs_collect): the window names no feature, and a feature uses the
// window through Host only.
#include <QVariant>
#include <functional>
#include <vector>

#include "session/services.h"
#include "session/work_state.h"
#include "window/actions.h"
#include "window/dock.h"

class QMainWindow;
class QToolBar;

namespace fxs::ui {

class BannerBar;
class SearchPopup;
class TextPanes;

/// What is kept between runs.
struct Setting {
  QString key;
  /// What to keep; an invalid one is not written. Empty for what only the user writes.
  std::function<QVariant()> value;
  /// Is called once the window is built, with an invalid one if nothing is kept.
  std::function<void(const QVariant&)> restore;
  /// value(), or an invalid one.
  QVariant now() const { return value ? value() : QVariant(); }
};

/// The interface of the window for its features.
class Host {
 public:
  virtual Appearance& appearance() = 0;
  virtual Services& services() = 0;
  virtual Actions& actions() = 0;
  virtual BannerBar& banners() = 0;
  virtual SearchPopup& popup() = 0;
  /// The parent of dialogs.
  virtual QMainWindow& mainWindow() = 0;
  virtual TextPanes& texts() = 0;
  /// Sets what texts() returns; by the dock that has them.
  virtual void setTexts(TextPanes& texts) = 0;

  virtual QString currentPage() const = 0;
  /// Makes a page the current one; a closed dock stays closed.
  virtual void raisePage(const QString& id) = 0;
  /// As raisePage(), unless the current arrangement is for another page.
  virtual void suggestPage(const QString& id) = 0;
  /// As raisePage(), and opens the dock.
  virtual void showPage(const QString& id) = 0;
  virtual void setPageTitle(const QString& id, const QString& title) = 0;
  virtual void openDock(const QString& id) = 0;
  /// The centre fills the window, or what was before is restored.
  virtual void maximizeCentre() = 0;

  /// A program, or a folder of them.
  virtual void openFile(const QString& file) = 0;
  /// Shows a short message in the tool bar for a few seconds.
  virtual void showMessage(const QString& message) = 0;
  /// Adds a widget above banners and panes.
  virtual void addAbove(QWidget* widget) = 0;
  virtual void addSetting(Setting setting) = 0;
  /// Of a setting that was added, or as it is kept; invalid if it is not.
  virtual QVariant setting(const QString& key) const = 0;
  /// Keeps the value, and takes it as at a start.
  virtual void setSetting(const QString& key, const QVariant& value) = 0;
  /// Shows in the tool bar how far a job is, while it runs.
  virtual void showWork(const WorkState& state) = 0;
  /// The panes are there while one feature wants them, also if no program is open.
  virtual void keepPanesOpen(const QString& feature, bool isWanted) = 0;
  /// A program that is opened while `isOpen` is true is not among the recent files.
  virtual void keepOutOfRecent(std::function<bool()> isOpen) = 0;

 protected:
  ~Host() = default;
};

/// A page of the results dock: tab, menu entry, palette entry and key.
struct Page {
  QString id;       ///< "passes"; also the object name of its widget
  QString title;    ///< of the tab: "Passes"
  int rank = 0;     ///< sort key of the tabs
  ActionSpec show;  ///< action that shows and focuses the page; `run` is ignored; no action if its
                    ///< id is ""
  /// Creates the widget and adds further actions. Its focus proxy gets the keyboard focus.
  std::function<QWidget*(Host&, QWidget* parent)> make;
};

/// Widgets and actions of the tool bar.
struct Tool {
  int rank = 0;  ///< sort key
  std::function<void(Host&, QToolBar&)> add;
};

struct Features {
  /// Makes the presenter before the window is built: one that registers what other features draw.
  template <class T>
  void present() {
    presenters.push_back([](Services& services) { services.get<T>(); });
  }
  // In the order in which the window makes them.
  std::vector<std::function<void(Services&)>> presenters;
  std::function<Centre(Host&, QWidget* parent)> centre;  ///< of one feature
  std::vector<Dock> docks;
  /// Each is called once: for actions, and for what the inspector shows.
  std::vector<std::function<void(Host&)>> parts;
  std::vector<Page> pages;
  std::vector<Tool> tools;
  /// Each opens what is not a program in one file; false if it is none of its own.
  std::vector<std::function<bool(Services&, const QString& file)>> openers;
};

/// Adds those of ui/features; generated.
void registerFeatures(Features& features);

}  // namespace fxs::ui
