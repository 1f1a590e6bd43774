// The main of fxscope, the desktop program.
#include <time.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTimer>
#include <fstream>
#include <iostream>

#include "base/safe_text.h"
#include "base/subprocess.h"
#include "environment.h"
#include "text/words.h"
#include "window/main_window.h"
#include "window/screenshot.h"

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

/// samples/ of the source tree in which this program was built; "" if there is none.
QString samplesFolder() {
  QDir dir(QCoreApplication::applicationDirPath());
  for (int up = 0; up < 4; ++up, dir.cdUp())
    if (dir.exists("samples") && !QDir(dir.filePath("samples")).entryList({"*.pt2"}).isEmpty()) return dir.filePath("samples");
  return {};
}

/// Time since the kernel started this process, including dynamic linking; accurate to a clock tick (10 ms).
long millisecondsSinceStart() {
  std::ifstream stat("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  // Field 22; count from the end of the command's name in parentheses, which may contain spaces.
  const QStringList fields = QString::fromStdString(text.substr(text.rfind(')') + 1)).split(' ', Qt::SkipEmptyParts);
  constexpr int kStartTime = 22 - 3;
  if (fields.size() <= kStartTime) return -1;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000 - fields[kStartTime].toLong() * 1000 / sysconf(_SC_CLK_TCK);
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication::setApplicationName("fxscope");
  QCoreApplication::setApplicationVersion(FXS_VERSION);
  QCommandLineParser parser;
  parser.setApplicationDescription("Shows a PyTorch exported program and every stage of its lowering to MLIR.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("FILE", "A .pt2 file of torch.export.save, a capture (.json), a bundle, or a folder of captures.", "[FILE]");
  lower::OutputTypes types = lower::OutputTypes::builtin();
  const QCommandLineOption target("target", ui::text("Output type: " + lower::listed(types.all(), ", ") + "."), "TYPE",
                                  ui::text(lower::kDefaultOutputType));
  const QCommandLineOption outputTypes("output-types",
                                       "User-defined output types, in the form of resources/output_types.json; may be repeated.", "FILE");
  const QCommandLineOption engine("engine", "Engine to use: a name that 'fxscope-cli engine list' shows, or the path of a torch-mlir-opt.",
                                  "ENGINE");
  const QCommandLineOption python(
      "python", "Python interpreter with PyTorch (auto: python3), to try PyTorch's decompositions too, for each file where you allow it.",
      "PATH");
  const QCommandLineOption registry("registry", "User registry (.fxreg), consulted before the others; may be repeated.", "FILE");
  const QCommandLineOption theme("theme", "light, dark or system.", "THEME");
  const QCommandLineOption select("select", "Select this node after opening the program.", "NODE");
  const QCommandLineOption screenshot("screenshot",
                                      "Write a screenshot of the window to OUT once the program is lowered and laid out, and exit. Needs "
                                      "no display with QT_QPA_PLATFORM=offscreen.",
                                      "OUT.png");
  const QCommandLineOption size("size", "Size of the window, e.g. 1600x1000.", "WxH");
  const QCommandLineOption textScale("text-scale", "Size of the text, 1 to 3; 2 is 200 %. Without it, that of the system.", "FACTOR");
  const QCommandLineOption arrangement("arrangement", "Arrangement of the panes: graph, stages, passes, diagnosis or numbers.",
                                       "ARRANGEMENT");
  const QCommandLineOption expand("expand", "With --screenshot: expand every group of the graph.");
  const QCommandLineOption pass("pass", "With --screenshot: show the module before and after pass N of the list.", "N");
  const QCommandLineOption diff("diff", "With --screenshot: compare the modules after passes A and B; 0 is the module before the first.",
                                "A:B");
  const QCommandLineOption actions("do", "With --screenshot: trigger these actions first, by id, e.g. keys or next-problem.", "ACTION,..");
  const QCommandLineOption settings("settings", "File of the window's settings; not written with --screenshot.", "FILE.ini");
  const QCommandLineOption timing("time-first-picture", "Print the time from the start to the first drawing of FILE's graph, and exit.");
  parser.addOptions({target, outputTypes, engine, python, registry, theme, select, screenshot, size, textScale, arrangement, expand, pass,
                     diff, actions, settings, timing});
  // Options that only print need no display.
  parser.parse(QStringList(argv, argv + argc));
  if (parser.isSet("help") || parser.isSet("help-all") || parser.isSet("version")) parser.process(QCoreApplication(argc, argv));
  QApplication app(argc, argv);
  parser.process(app);

  for (const QString& file : parser.values(outputTypes)) {
    auto more = types.withFile(file.toStdString(), {});
    if (!more) return usage(QString::fromStdString(more.error().message));
    types = *std::move(more);
  }
  const auto type = types.from(parser.value(target).toStdString());
  if (!type) return usage(QString::fromStdString(type.error().message));
  const auto mode = ui::themeModeFrom(parser.isSet(theme) ? parser.value(theme) : "system");
  if (!mode) return usage("unknown theme '" + parser.value(theme) + "'; expected light, dark or system");
  const QSize wanted = parser.isSet(size) ? sizeFrom(parser.value(size)) : QSize(1600, 1000);
  if (!wanted.isValid() || wanted.isEmpty()) return usage("--size: expected WxH such as 1600x1000, got '" + parser.value(size) + "'");
  const auto arranged = ui::arrangementFrom(parser.isSet(arrangement) ? parser.value(arrangement) : "graph");
  if (!arranged)
    return usage("unknown arrangement '" + parser.value(arrangement) + "'; expected graph, stages, passes, diagnosis or numbers");
  if (parser.positionalArguments().size() > 1) return usage("expected one FILE");
  const bool picture = parser.isSet(screenshot);
  if (parser.isSet(pass) && parser.value(pass).toInt() < 1)
    return usage("--pass: expected a number from 1, got '" + parser.value(pass) + "'");
  if (static const QRegularExpression twoNumbers("^\\d+:\\d+$"); parser.isSet(diff) && !twoNumbers.match(parser.value(diff)).hasMatch())
    return usage("--diff: expected two passes such as 3:7, got '" + parser.value(diff) + "'");

  app::Surroundings around = app::surroundings(parser.value(engine).toStdString());
  PosixCommandRunner runner(around.exceptions);
  around.environment.runner = &runner;
  around.environment.outputTypes = std::move(types);
  layout::LayoutWorker worker;
  worker.path = around.layoutWorker;

  ui::Appearance appearance(*mode);
  if (parser.isSet(textScale)) {
    const double scale = parser.value(textScale).toDouble();
    if (!(scale >= 1 && scale <= 3)) return usage("--text-scale: expected 1 to 3, got '" + parser.value(textScale) + "'");
    appearance.setTextScale(scale);
  }
  appearance.apply();
  std::vector<std::string> registries;
  for (const QString& file : parser.values(registry)) registries.push_back(file.toStdString());
  ui::Workbench workbench(around.environment, worker, {}, {}, {}, ui::sessionAlternatives(around.environment, std::move(registries)), {},
                          {}, parser.value(python).toStdString());
  workbench.session.setTarget(*type);
  ui::WindowOptions options;
  if (parser.isSet(settings)) options.settingsFile = parser.value(settings);
  else if (!picture) options.settingsFile = QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + "/fxscope/fxscope.ini";
  options.samplesFolder = samplesFolder();
  ui::MainWindow window(appearance, workbench, options);
  if (parser.isSet(theme)) appearance.setMode(*mode);  // the option overrides the saved setting
  if (picture || !QFileInfo::exists(options.settingsFile)) window.resize(wanted);
  if (parser.isSet(arrangement)) workbench.arrangement.choose(*arranged);
  window.show();

  if (!parser.positionalArguments().isEmpty()) window.openFile(parser.positionalArguments().constFirst());
  if (parser.isSet(timing))
    QObject::connect(&workbench.graph, &ui::GraphPresenter::graphChanged, &window, [&] {
      window.findChild<ui::GraphPane*>()->repaint();
      std::cout << "first picture " << millisecondsSinceStart() << " ms after the start\n";
      QApplication::exit(0);
    });
  QString problem;
  if (picture) {
    ui::ScreenshotRequest request;
    request.file = parser.value(screenshot);
    request.select = parser.value(select);
    request.openAll = parser.isSet(expand);
    request.pass = parser.value(pass).toInt() - 1;
    request.compare = parser.isSet(diff);
    request.from = parser.value(diff).section(':', 0, 0).toInt() - 1;
    request.to = parser.value(diff).section(':', 1, 1).toInt() - 1;
    request.actions = parser.value(actions).split(',', Qt::SkipEmptyParts);
    ui::takeScreenshot(window, workbench, request, problem);
  } else if (parser.isSet(select)) {
    QObject::connect(&workbench.graph, &ui::GraphPresenter::treeChanged, &window, [&, done = false]() mutable {
      if (done || !workbench.graph.tree()) return;
      done = true;
      workbench.selectByName(parser.value(select));
    });
  }
  const int code = QApplication::exec();
  if (!problem.isEmpty()) std::cerr << "fxscope: " << printable(problem.toStdString()) << '\n';
  return code;
}
