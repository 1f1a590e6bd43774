// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/problems/reduce_presenter.h"

#include <QFile>
#include <QFileInfo>

#include "bundle/public_program.h"
#include "diagnose/reduced_failure.h"
#include "import/import.h"
#include "text/words.h"
#include "write/pt2.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxFoldedBytes = std::size_t{1} << 20;

/// Small constants that engines fold: without them the failure may differ.
bool isFolded(const fx::Weight& weight) {
  return weight.elements() == 1 ||
         (isIntegral(weight.dtype) && weight.elements() <= import::kInlineElements);
}

/// A .pt2 without private data, fit to share.
Result<std::string> asFile(const session::Snapshot& from, const fx::Program& program,
                           const Identity& identity, const RunContext& context) {
  write::Pt2Options options;
  options.withBytes = [&](const fx::Weight& weight) {
    return from.capture->weights && isFolded(weight);
  };
  options.bytes = [&](const fx::Weight& weight) {
    return from.capture->weights->read(weight, kMaxFoldedBytes, context);
  };
  PrivateText filter(identity);
  return write::pt2Bytes(bundle::publicProgram(program, filter).program, options, context);
}

}  // namespace

Reducer sessionReducer(session::Environment environment) {
  return
      [environment = std::move(environment)](const session::SnapshotPtr& snapshot, fx::NodeId node,
                                             const RunContext& context) -> Result<ReducedProgram> {
        diagnose::ReduceOptions options;
        options.target = snapshot->request.lower.target;
        options.node = node;
        FXS_TRY(const std::shared_ptr<const diagnose::ReducedFailure> reduced,
                diagnose::reduce(snapshot, options, environment, context));
        if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        FXS_TRY(const std::string bytes,
                asFile(*snapshot, *reduced->reduction.program, environment.identity, context));
        ReducedProgram made;
        FXS_TRY(ScratchDirectory directory,
                ScratchDirectory::make(environment.temporaryDir, "the smaller program"));
        made.directory = std::make_shared<const ScratchDirectory>(std::move(directory));
        const QString name =
            QFileInfo(exact(snapshot->request.file)).completeBaseName() + "-reduced.pt2";
        made.file = made.directory->file(name.toStdString());
        made.statement = reduced->statement;
        QFile file(exact(made.file));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(bytes.data(), static_cast<qint64>(bytes.size())) !=
                static_cast<qint64>(bytes.size()) ||
            !file.flush())
          return fail(ErrorCode::Io,
                      made.file + ": cannot be written: " + file.errorString().toStdString());
        return made;
      };
}

ReducePresenter::ReducePresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      reducer_(services.chosen(sessionReducer(services.environment))),
      reducing_(services, WorkFor::Answer, CancelBy::Button) {
  connect(&reducing_, &Work::changed, this, &ReducePresenter::changed);
  auto& log = services.get<LogPresenter>();
  connect(this, &ReducePresenter::failed, &log,
          [&log](const QString& reason) { log.add("not reduced: " + reason); });
  connect(&session_, &SessionPresenter::programChanged, this, [this, &log] {
    if (showsReduced()) log.add("of " + original() + ": " + statement());
  });
  connect(&session_, &SessionPresenter::programChanged, this, &ReducePresenter::followSession);
  connect(&session_, &SessionPresenter::runStarted, this, [this] { reducing_.supersede(); });
}

void ReducePresenter::followSession() {
  if (!showsReduced()) {
    file_.clear();
    original_.clear();
    statement_.clear();
    directory_.reset();
  }
  reducing_.supersede();
}

void ReducePresenter::start(fx::NodeId node) {
  if (reducing_.running() || !session_.hasProgram()) return;
  reducing_.start(
      "reducing",
      [snapshot = session_.snapshot(), node, reducer = reducer_](const RunContext& context) {
        return reducer(snapshot, node, context);
      },
      [this](Result<ReducedProgram> result) {
        if (!result) {
          if (!state().message.isEmpty()) Q_EMIT failed(state().message);
          return;
        }
        // When a reduced program is reduced again, keep the user's file as the original.
        if (!showsReduced()) original_ = session_.state().file;
        statement_ = text(result->statement);
        file_ = exact(result->file);
        directory_ = result->directory;
        session_.open(file_);
      });
}

void ReducePresenter::back() {
  if (!original_.isEmpty()) session_.open(QString(original_));
}

}  // namespace fxs::ui
