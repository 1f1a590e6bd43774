// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "screenshot.h"

#include <QApplication>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <memory>

#include "features/graph/graphs_presenter.h"
#include "features/passes/pass_presenter.h"
#include "features/stages/stage_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "widgets/save_file.h"
#include "window/main_window.h"

namespace fxs::ui {
namespace {

constexpr int kLookEveryMs = 15;
constexpr int kShade = 60;  ///< alpha, 0..255, of the shade over a window behind a dialog

class Photographer final : public QObject {
 public:
  Photographer(MainWindow& window, Services& services, ScreenshotRequest request, QString& problem)
      : QObject(&window),
        window_(window),
        services_(services),
        request_(std::move(request)),
        problem_(problem) {
    connect(&services.get<SessionPresenter>(), &SessionPresenter::openFailed, this,
            [this](const QString&, const QString& message) { refused_ = message; });
    connect(&timer_, &QTimer::timeout, this, &Photographer::look);
    timer_.start(kLookEveryMs);
  }
  /// Of a program that could not be read while others were open.
  ~Photographer() override {
    if (timer_.isActive()) end(refused_);
  }

 private:
  void look() {
    const WorkList& work = services_.get<WorkList>();
    if (work.running(WorkFor::View) || work.running(WorkFor::Answer)) return;
    const bool hasProgram = services_.get<SessionPresenter>().hasProgram();
    // Panes stay open for what can be shown without a program, such as a lit test.
    if (!hasProgram && window_.showsWelcome() && !refused_.isEmpty()) return end(refused_);
    if (!hasProgram && !window_.showsWelcome() && refused_.isEmpty()) return;
    if (!prepared_) return prepare();
    if (!request_.actions.isEmpty()) return trigger(request_.actions.takeFirst());
    // Wait a few rounds of the event loop until recent changes are painted.
    if (++quiet_ < 3) return;
    end(savePng(request_.file, picture().toImage()));
  }

  void prepare() {
    prepared_ = true;
    if (request_.openAll) services_.get<Graphs>().program.openAll();
    if (!request_.select.isEmpty()) {
      if (!services_.get<SelectionPresenter>().selectByName(request_.select))
        return end("no node named '" + request_.select + "'");
      services_.get<Graphs>().program.reveal(services_.get<SelectionPresenter>().current().node());
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
    PassPresenter& passes = services_.get<PassPresenter>();
    const auto count = static_cast<int>(passes.passes().size());
    if (request_.pass < 0 && !request_.compare) return;
    if (!passes.trace())
      return end(passes.state().message.isEmpty() ? QString("the passes were not traced")
                                                  : passes.state().message);
    if (std::max({request_.pass, request_.from, request_.to}) >= count)
      return end(QString("there are %1 passes").arg(count));
    if (request_.pass >= 0) passes.choose(request_.pass);
    if (request_.compare) {
      passes.setFromAfter(request_.from);
      passes.setToAfter(request_.to);
    }
    services_.get<StagePresenter>().showHandles();
    window_.findChild<DockFrame*>("results")->setCurrentPage("passes");
  }

  void end(const QString& problem) {
    timer_.stop();
    problem_ = problem;
    QApplication::exit(problem.isEmpty() ? 0 : 1);
  }

  MainWindow& window_;
  Services& services_;
  ScreenshotRequest request_;
  QString& problem_;
  QTimer timer_;
  QString refused_;  ///< why the file was not opened
  bool prepared_ = false;
  int quiet_ = 0;
};

}  // namespace

void takeScreenshot(MainWindow& window, Services& services, const ScreenshotRequest& request,
                    QString& problem) {
  new Photographer(window, services, request, problem);
}

}  // namespace fxs::ui
