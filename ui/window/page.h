// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A page of the results dock. ui/features/<feature>/page.cpp defines
//   void register<Feature>(Pages& pages);
// and the build collects it (fxs_collect). Tab, menu entries, palette entries and keys come from
// there: the window names no page, and a page uses the window through PageHost only.
#include <functional>
#include <vector>

#include "window/actions.h"

namespace fxs::ui {

class BannerBar;
class StageStrip;
class Services;

/// The interface of the window for its pages.
class PageHost {
 public:
  virtual Appearance& appearance() = 0;
  virtual Services& services() = 0;
  virtual Actions& actions() = 0;
  virtual BannerBar& banners() = 0;
  virtual StageStrip& texts() = 0;
  virtual QString currentPage() const = 0;
  /// Makes a page the current one; a closed dock stays closed.
  virtual void raisePage(const QString& id) = 0;
  /// As raisePage(), and opens the dock.
  virtual void showPage(const QString& id) = 0;
  virtual void setPageTitle(const QString& id, const QString& title) = 0;
  /// Shows a short message in the tool bar for a few seconds.
  virtual void showMessage(const QString& words) = 0;

 protected:
  ~PageHost() = default;
};

struct Page {
  QString id;       ///< "passes"; also the object name of its widget
  QString title;    ///< of the tab: "Passes"
  int place = 0;    ///< sort key of the tabs
  ActionSpec show;  ///< action that shows and focuses the page; `run` is ignored; no action if its
                    ///< id is ""
  /// Creates the widget and adds further actions. Its focus proxy gets the keyboard focus.
  std::function<QWidget*(PageHost&, QWidget* parent)> make;
};
using Pages = std::vector<Page>;

/// Adds the pages of ui/features; generated.
void registerPages(Pages& pages);

}  // namespace fxs::ui
