// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/screenshot.h"

#include <QApplication>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <memory>

#include "widgets/save_file.h"
#include "window/main_window.h"

namespace fxs::ui {
namespace {

constexpr int kLookEveryMs = 15;
constexpr int kShade = 60;  ///< alpha, 0..255, of the shade over a window behind a dialog

class Photographer final : public QObject {
 public:
  Photographer(MainWindow& window, Workbench& workbench, ScreenshotRequest request,
               QString& problem)
      : QObject(&window),
        window_(window),
        workbench_(workbench),
        request_(std::move(request)),
        problem_(problem) {
    connect(&workbench.session, &SessionPresenter::openFailed, this,
            [this](const QString&, const QString& message) {
              if (!workbench_.session.hasProgram()) end(message);
            });
    connect(&timer_, &QTimer::timeout, this, &Photographer::look);
    timer_.start(kLookEveryMs);
  }

 private:
  void look() {
    const bool idle = !workbench_.session.hasProgram() && window_.showsWelcome();
    if ((!idle && !workbench_.settled()) || isWorking()) return;
    if (!prepared_) return prepare();
    if (!request_.actions.isEmpty()) return trigger(request_.actions.takeFirst());
    // Wait a few rounds of the event loop until recent changes are painted.
    if (++quiet_ < 3) return;
    end(savePng(request_.file, picture().toImage()));
  }

  bool isWorking() const {
    return workbench_.reduce.state().running || workbench_.bundle.state().running ||
           workbench_.fix.state().running || workbench_.diagnosis.state().running ||
           workbench_.numbers.state().running || workbench_.times.state().running ||
           workbench_.passes.counting() || workbench_.history.busy() ||
           workbench_.patterns.asking();
  }

  void prepare() {
    prepared_ = true;
    if (request_.openAll) workbench_.graph.openAll();
    if (!request_.select.isEmpty()) {
      if (!workbench_.selectByName(request_.select))
        return end("no node named '" + request_.select + "'");
      workbench_.graph.reveal(workbench_.selection.current().node());
    }
    showPasses();
  }

  void trigger(const QString& id) {
    QAction* action = window_.actions()[id];
    if (!action) return end("no action named '" + id + "'");
    action->trigger();
    quiet_ = 0;
  }

  QPixmap picture() {
    QPixmap picture = window_.grab();
    // A dialog is a separate window: draw it at its place over the main window.
    if (QWidget* dialog = QApplication::activeModalWidget()) {
      QPainter painter(&picture);
      painter.fillRect(picture.rect(), QColor(0, 0, 0, kShade));
      painter.drawPixmap(QPoint((window_.width() - dialog->width()) / 2,
                                (window_.height() - dialog->height()) / 2),
                         dialog->grab());
    }
    return picture;
  }

  void showPasses() {
    PassPresenter& passes = workbench_.passes;
    const auto count = static_cast<int>(passes.passes().size());
    if (request_.pass < 0 && !request_.compare) return;
    if (!passes.trace())
      return end(passes.state().why.isEmpty() ? QString("the passes were not traced")
                                              : passes.state().why);
    if (std::max({request_.pass, request_.from, request_.to}) >= count)
      return end(QString("there are %1 passes").arg(count));
    if (request_.pass >= 0) passes.choose(request_.pass);
    if (request_.compare) {
      passes.setFromAfter(request_.from);
      passes.setToAfter(request_.to);
    }
    workbench_.stages.showHandles();
    window_.findChild<DockFrame*>("results")->setCurrentPage("passes");
  }

  void end(const QString& problem) {
    timer_.stop();
    problem_ = problem;
    QApplication::exit(problem.isEmpty() ? 0 : 1);
  }

  MainWindow& window_;
  Workbench& workbench_;
  ScreenshotRequest request_;
  QString& problem_;
  QTimer timer_;
  bool prepared_ = false;
  int quiet_ = 0;
};

}  // namespace

void takeScreenshot(MainWindow& window, Workbench& workbench, const ScreenshotRequest& request,
                    QString& problem) {
  new Photographer(window, workbench, request, problem);
}

}  // namespace fxs::ui
