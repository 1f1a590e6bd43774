// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a feature adds to the window. ui/features/<feature>/feature.cpp defines
//   void register<Feature>(Features& features);
// and the build collects it (fxs_collect): the window names no feature, and a feature uses the
// window through Host only.
#include <functional>
#include <vector>

#include "session/services.h"
#include "window/actions.h"

namespace fxs::ui {

class BannerBar;
class TextPanes;

/// The interface of the window for its features.
class Host {
 public:
  virtual Appearance& appearance() = 0;
  virtual Services& services() = 0;
  virtual Actions& actions() = 0;
  virtual BannerBar& banners() = 0;
  virtual TextPanes& texts() = 0;
  virtual QString currentPage() const = 0;
  /// Makes a page the current one; a closed dock stays closed.
  virtual void raisePage(const QString& id) = 0;
  /// As raisePage(), unless the current arrangement is for another page.
  virtual void suggestPage(const QString& id) = 0;
  /// As raisePage(), and opens the dock.
  virtual void showPage(const QString& id) = 0;
  virtual void setPageTitle(const QString& id, const QString& title) = 0;
  /// Shows a short message in the tool bar for a few seconds.
  virtual void showMessage(const QString& words) = 0;

 protected:
  ~Host() = default;
};

/// A page of the results dock: tab, menu entry, palette entry and key.
struct Page {
  QString id;       ///< "passes"; also the object name of its widget
  QString title;    ///< of the tab: "Passes"
  int place = 0;    ///< sort key of the tabs
  ActionSpec show;  ///< action that shows and focuses the page; `run` is ignored; no action if its
                    ///< id is ""
  /// Creates the widget and adds further actions. Its focus proxy gets the keyboard focus.
  std::function<QWidget*(Host&, QWidget* parent)> make;
};

struct Features {
  /// Makes the presenter before the window is built: one that registers what other features draw.
  template <class T>
  void present() {
    presenters.push_back([](Services& services) { services.get<T>(); });
  }
  std::vector<std::function<void(Services&)>> presenters;
  std::vector<Page> pages;
  /// Each is called once, after the pages are made: for actions, and for what the inspector shows.
  std::vector<std::function<void(Host&)>> parts;
};

/// Adds those of ui/features; generated.
void registerFeatures(Features& features);

}  // namespace fxs::ui
