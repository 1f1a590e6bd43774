#pragma once
// A page of the results dock, as its feature contributes it: ui/features/<feature>/page.cpp defines
//   void register<Feature>(Pages& pages);
// and the build collects it (fxs_collect). Tab, menu entries, palette and keys all come from what is added there, so that a new page is
// one folder and no list. The window knows no page; a page knows the window as a PageHost.
#include <functional>
#include <vector>

#include "window/actions.h"

namespace fxs::ui {

class BannerBar;
class StageStrip;
struct Workbench;

/// The window as its pages see it.
class PageHost {
 public:
  virtual Appearance& appearance() = 0;
  virtual Workbench& bench() = 0;
  virtual Actions& actions() = 0;
  virtual BannerBar& banners() = 0;
  virtual StageStrip& texts() = 0;
  virtual QString currentPage() const = 0;
  /// Brings a page forward; a closed dock stays closed.
  virtual void raisePage(const QString& id) = 0;
  /// The same, and opens the dock.
  virtual void showPage(const QString& id) = 0;
  virtual void setPageTitle(const QString& id, const QString& title) = 0;
  /// A few words in the tool bar, for some seconds.
  virtual void showMessage(const QString& words) = 0;

 protected:
  ~PageHost() = default;
};

struct Page {
  QString id;       ///< "passes": the name of its widget too
  QString title;    ///< "Passes", on its tab
  int place = 0;    ///< tabs stand in this order
  ActionSpec show;  ///< brings it forward, with the focus in it: all but `run`; with no id there is no such action
  /// The widget, whose focus proxy is what has the keys; adds its other actions and connects them.
  std::function<QWidget*(PageHost&, QWidget* parent)> make;
};
using Pages = std::vector<Page>;

/// Those of ui/features; generated.
void registerPages(Pages& pages);

}  // namespace fxs::ui
