// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/help/about_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QStringList>

#include "execute/tools.h"
#include "session/session_presenter.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kUp = 4;  ///< folders, from that of the executable to that of the source tree

QString engineText(const session::Environment& environment, const SessionPresenter& session) {
  if (session.hasProgram() && session.snapshot()->engine)
    return text(session.snapshot()->engine->version) + ", " +
           text(session.snapshot()->engine->path);
  const std::string path = session::engineGivenOrInstalled(environment);
  return path.empty() ? QString("none") : text(path) + ", not run yet";
}

QString ireeText(const session::Environment& environment) {
  const execute::Tools tools =
      execute::findTools(environment.installedExecutors, environment.searchPath);
  if (tools.ireeCompile.empty()) return "none";
  return text(execute::pinnedIreeVersion()) + ", " + text(tools.ireeCompile);
}

}  // namespace

QString aboutText(Services& services) {
  const auto& session = services.get<SessionPresenter>();
  const session::Environment& environment = services.environment;
  const fx::ProgramPtr program = session.program();
  QStringList lines{"fxscope " + QCoreApplication::applicationVersion(),
                    QString("Qt ") + qVersion(), "Engine: " + engineText(environment, session),
                    "IREE: " + ireeText(environment),
                    "Python: " + (services.python.empty() ? QString("none chosen at the start")
                                                          : text(services.python))};
  if (program && !program->torchVersion.empty())
    lines << "PyTorch that exported the program: " + text(program->torchVersion);
  lines << "License: Apache License 2.0 with LLVM exceptions";
  return lines.join('\n');
}

QString documentation(const QString& name, const QString& program) {
  QDir folder(program);
  for (int up = 0; up < kUp; ++up, folder.cdUp())
    for (const char* docs : {"docs/", "share/doc/fxscope/docs/"})
      if (folder.exists(docs + name)) return folder.absoluteFilePath(docs + name);
  return {};
}

}  // namespace fxs::ui
