// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main of fxscope, the desktop program.
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QScreen>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

#include "base/safe_text.h"
#include "base/subprocess.h"
#include "environment.h"
#include "text/words.h"
#include "window/main_window.h"
#include "window/screenshot.h"
#include "window_options.h"

namespace {

using namespace fxs;

int usage(const QString& message) {
  std::cerr << "fxscope: " << printable(message.toStdString()) << '\n';
  return 2;
}

QSize sizeFrom(const QString& text) {
  const QStringList parts = text.split('x');
  return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

/// The samples of the source tree in which this program was built, or those that are installed with
/// it; "" if there are none.
QString samplesFolder() {
  QDir dir(QCoreApplication::applicationDirPath());
  for (int up = 0; up < 4; ++up, dir.cdUp())
    for (const char* samples : {"samples", "share/fxscope/samples"})
      if (dir.exists(samples) && !QDir(dir.filePath(samples)).entryList({"*.pt2"}).isEmpty())
        return dir.filePath(samples);
  return {};
}

/// Time since the kernel started this process, including dynamic linking; accurate to a clock tick
/// (10 ms).
long millisecondsSinceStart() {
  std::ifstream stat("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  // Field 22; count from the end of the command's name in parentheses, which may contain spaces.
  const QStringList fields =
      QString::fromStdString(text.substr(text.rfind(')') + 1)).split(' ', Qt::SkipEmptyParts);
  constexpr int kStartTime = 22 - 3;
  if (fields.size() <= kStartTime) return -1;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000 -
         fields[kStartTime].toLong() * 1000 / sysconf(_SC_CLK_TCK);
}

/// A first window: as large as wanted, or all of a screen that has no room for that.
void fitToScreen(QWidget& window, const QSize& wanted) {
  const QSize size = wanted.boundedTo(window.screen()->availableSize());
  window.resize(size);
  if (size != wanted) window.setWindowState(Qt::WindowMaximized);
}

}  // namespace

int main(int argc, char** argv) try {
  QCoreApplication::setApplicationName("fxscope");
  QCoreApplication::setApplicationVersion(FXS_VERSION);
  QGuiApplication::setDesktopFileName("fxscope");
  QCommandLineParser parser;
  parser.setApplicationDescription(
      "Shows a PyTorch exported program and every stage of its lowering to MLIR.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("FILE", app::kWindowFileHelp, "[FILE]");
  lower::OutputTypes types = lower::OutputTypes::builtin();
  for (const app::Option& option : app::windowOptions()) {
    QString help = ui::text(option.help);
    help.replace("${output-types}", ui::text(lower::listed(types.all(), ", ")));
    parser.addOption({ui::text(option.name).mid(2), help, ui::text(option.value)});
  }
  // Options that only print need no display.
  parser.parse(QStringList(argv, argv + argc));
  if (parser.isSet("help") || parser.isSet("help-all") || parser.isSet("version"))
    parser.process(QCoreApplication(argc, argv));
  QApplication app(argc, argv);
  parser.process(app);

  for (const QString& file : parser.values("output-types")) {
    auto more = types.withFile(file.toStdString(), {});
    if (!more) return usage(QString::fromStdString(more.error().message));
    types = *std::move(more);
  }
  const auto type = types.from(parser.isSet("target") ? parser.value("target").toStdString()
                                                      : std::string(lower::kDefaultOutputType));
  if (!type) return usage(QString::fromStdString(type.error().message));
  const auto mode = ui::themeModeFrom(parser.isSet("theme") ? parser.value("theme") : "system");
  if (!mode)
    return usage("unknown theme '" + parser.value("theme") + "'; expected light, dark or system");
  const QSize wanted = parser.isSet("size") ? sizeFrom(parser.value("size")) : QSize(1600, 1000);
  if (!wanted.isValid() || wanted.isEmpty())
    return usage("--size: expected WxH such as 1600x1000, got '" + parser.value("size") + "'");
  const auto arranged =
      ui::arrangementFrom(parser.isSet("arrangement") ? parser.value("arrangement") : "graph");
  if (!arranged)
    return usage("unknown arrangement '" + parser.value("arrangement") +
                 "'; expected graph, stages, passes, diagnosis or numbers");
  if (parser.positionalArguments().size() > 1) return usage("expected one FILE");
  const bool picture = parser.isSet("screenshot");
  if (parser.isSet("pass") && parser.value("pass").toInt() < 1)
    return usage("--pass: expected a number from 1, got '" + parser.value("pass") + "'");
  if (static const QRegularExpression twoNumbers("^\\d+:\\d+$");
      parser.isSet("diff") && !twoNumbers.match(parser.value("diff")).hasMatch())
    return usage("--diff: expected two passes such as 3:7, got '" + parser.value("diff") + "'");

  app::Surroundings around = app::surroundings(parser.value("engine").toStdString());
  PosixCommandRunner runner(around.exceptions);
  around.environment.runner = &runner;
  around.environment.outputTypes = std::move(types);
  layout::LayoutWorker worker;
  worker.path = around.layoutWorker;

  ui::Appearance appearance(*mode);
  if (parser.isSet("text-scale")) {
    const double scale = parser.value("text-scale").toDouble();
    if (!(scale >= 1 && scale <= 3))
      return usage("--text-scale: expected 1 to 3, got '" + parser.value("text-scale") + "'");
    appearance.setTextScale(scale);
  }
  appearance.apply();
  std::vector<std::string> registries;
  for (const QString& file : parser.values("registry")) registries.push_back(file.toStdString());
  ui::Workbench workbench(around.environment, worker, {}, {}, {},
                          ui::sessionAlternatives(around.environment, std::move(registries)), {},
                          {}, parser.value("python").toStdString());
  workbench.session.setTarget(*type);
  ui::WindowOptions options;
  if (parser.isSet("settings")) options.settingsFile = parser.value("settings");
  else if (!picture)
    options.settingsFile =
        QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + "/fxscope/fxscope.ini";
  options.samplesFolder = samplesFolder();
  ui::MainWindow window(appearance, workbench, options);
  if (parser.isSet("theme")) appearance.setMode(*mode);  // the option overrides the saved setting
  if (picture || parser.isSet("size")) window.resize(wanted);
  else if (!QFileInfo::exists(options.settingsFile)) fitToScreen(window, wanted);
  if (parser.isSet("arrangement")) workbench.arrangement.choose(*arranged);
  window.show();

  if (!parser.positionalArguments().isEmpty())
    window.openFile(parser.positionalArguments().constFirst());
  if (parser.isSet("time-first-picture"))
    QObject::connect(&workbench.graph, &ui::GraphPresenter::graphChanged, &window, [&] {
      window.findChild<ui::GraphPane*>()->repaint();
      std::cout << "first picture " << millisecondsSinceStart() << " ms after the start\n";
      QApplication::exit(0);
    });
  QString problem;
  if (picture) {
    ui::ScreenshotRequest request;
    request.file = parser.value("screenshot");
    request.select = parser.value("select");
    request.openAll = parser.isSet("expand");
    request.pass = parser.value("pass").toInt() - 1;
    request.compare = parser.isSet("diff");
    request.from = parser.value("diff").section(':', 0, 0).toInt() - 1;
    request.to = parser.value("diff").section(':', 1, 1).toInt() - 1;
    request.actions = parser.value("do").split(',', Qt::SkipEmptyParts);
    ui::takeScreenshot(window, workbench, request, problem);
  } else if (parser.isSet("select")) {
    QObject::connect(&workbench.graph, &ui::GraphPresenter::treeChanged, &window,
                     [&, done = false]() mutable {
                       if (done || !workbench.graph.tree()) return;
                       done = true;
                       workbench.selectByName(parser.value("select"));
                     });
  }
  const int code = QApplication::exec();
  if (!problem.isEmpty()) std::cerr << "fxscope: " << printable(problem.toStdString()) << '\n';
  return code;
} catch (const std::exception& fault) {
  // No memory, or no thread. Without allocating.
  std::fputs("fxscope: cannot continue: ", stderr);
  std::fputs(fault.what(), stderr);
  std::fputs("; close other programs and try again\n", stderr);
  return 1;
}
