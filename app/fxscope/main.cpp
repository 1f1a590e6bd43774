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
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "base/result.h"
#include "base/safe_text.h"
#include "base/subprocess.h"
#include "bundled_fonts.h"
#include "environment.h"
#include "features/coverage/alternatives_presenter.h"
#include "features/graph/graph_pane.h"
#include "features/graph/graphs_presenter.h"
#include "features/layers/layers_presenter.h"
#include "features/preferences/preferences_state.h"
#include "screenshot.h"
#include "session/arrangement_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "window/tabbed_window.h"
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

tl::unexpected<Error> usageError(const QString& message) {
  return fail(ErrorCode::Usage, message.toStdString());
}

void addOptions(QCommandLineParser& parser, const lower::OutputTypes& types) {
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("FILE", app::kWindowFileHelp, "[FILE..]");
  for (const app::Option& option : app::windowOptions()) {
    QString help = ui::text(option.help);
    help.replace("${output-types}", ui::text(lower::listed(types.all(), ", ")));
    parser.addOption({ui::text(option.name).mid(2), help, ui::text(option.value)});
  }
}

/// Then no display is needed.
bool onlyPrints(const QCommandLineParser& parser) {
  return parser.isSet("help") || parser.isSet("help-all") || parser.isSet("version");
}

QString valueOr(const QCommandLineParser& parser, const QString& option, const QString& fallback) {
  return parser.isSet(option) ? parser.value(option) : fallback;
}

std::vector<std::string> valuesOf(const QCommandLineParser& parser, const QString& option) {
  std::vector<std::string> out;
  for (const QString& value : parser.values(option)) out.push_back(value.toStdString());
  return out;
}

/// "" saves nothing.
QString settingsFileFrom(const QCommandLineParser& parser) {
  if (parser.isSet("settings")) return parser.value("settings");
  if (parser.isSet("screenshot")) return {};
  return QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + "/fxscope/fxscope.ini";
}

/// A preference (ui/features/preferences), for an option that is not given; invalid if it is not
/// kept.
QVariant preferred(const QCommandLineParser& parser, const QString& key) {
  const QString file = settingsFileFrom(parser);
  return file.isEmpty() ? QVariant() : QSettings(file, QSettings::IniFormat).value(key);
}

std::string valueOrPreferred(const QCommandLineParser& parser, const QString& option) {
  return valueOr(parser, option, preferred(parser, option).toString()).toStdString();
}

/// The values of options that are checked before there is a window.
struct Choices {
  lower::OutputTypes types;
  lower::OutputType target;
  ui::ThemeMode theme;
  QSize size;
  ui::Arrangement arrangement;
  std::optional<double> textScale;
};

Result<lower::OutputTypes> outputTypesFrom(const QCommandLineParser& parser) {
  lower::OutputTypes types = lower::OutputTypes::builtin();
  for (const std::string& file : valuesOf(parser, "output-types")) {
    FXS_TRY(types, types.withFile(file, {}));
  }
  // Files may have gone since they were chosen: the window starts, and they can be chosen again.
  for (const QString& file : preferred(parser, "outputTypes").toStringList()) {
    auto more = types.withFile(file.toStdString(), {});
    if (more) types = *std::move(more);
    else std::cerr << "fxscope: preferences: " << printable(more.error().message) << '\n';
  }
  std::vector<std::string> kept;
  for (const QString& each : ui::splitPaths(preferred(parser, ui::kParameters).toString()))
    kept.push_back(each.toStdString());
  if (auto set = types.withSettings(kept)) types = *std::move(set);
  else std::cerr << "fxscope: preferences: " << printable(set.error().message) << '\n';
  return types.withSettings(valuesOf(parser, "set"));
}

Result<> checkPasses(const QCommandLineParser& parser) {
  if (parser.isSet("pass") && parser.value("pass").toInt() < 1)
    return usageError("--pass: expected a number from 1, got '" + parser.value("pass") + "'");
  if (static const QRegularExpression twoNumbers("^\\d+:\\d+$");
      parser.isSet("diff") && !twoNumbers.match(parser.value("diff")).hasMatch())
    return usageError("--diff: expected two passes such as 3:7, got '" + parser.value("diff") +
                      "'");
  return {};
}

Result<std::optional<double>> textScaleFrom(const QCommandLineParser& parser) {
  if (!parser.isSet("text-scale")) {
    const double kept = preferred(parser, "textScale").toDouble();
    return kept >= 1 && kept <= 3 ? std::optional(kept) : std::nullopt;
  }
  const double scale = parser.value("text-scale").toDouble();
  if (!(scale >= 1 && scale <= 3))
    return usageError("--text-scale: expected 1 to 3, got '" + parser.value("text-scale") + "'");
  return scale;
}

Result<Choices> choicesFrom(const QCommandLineParser& parser) {
  FXS_TRY(lower::OutputTypes types, outputTypesFrom(parser));
  const lower::OutputType kept = types.from(preferred(parser, "target").toString().toStdString())
                                     .value_or(lower::OutputType());
  FXS_TRY(lower::OutputType target,
          types.from(valueOr(parser, "target", ui::exact(lower::name(kept))).toStdString()));
  const auto theme = ui::themeModeFrom(valueOr(parser, "theme", "system"));
  if (!theme)
    return usageError("unknown theme '" + parser.value("theme") +
                      "'; expected light, dark or system");
  const QSize size = sizeFrom(valueOr(parser, "size", "1600x1000"));
  if (!size.isValid() || size.isEmpty())
    return usageError("--size: expected WxH such as 1600x1000, got '" + parser.value("size") + "'");
  const auto arrangement = ui::arrangementFrom(valueOr(parser, "arrangement", "graph"));
  if (!arrangement)
    return usageError("unknown arrangement '" + parser.value("arrangement") +
                      "'; expected graph, stages, passes, diagnosis or numbers");
  FXS_CHECK(checkPasses(parser));
  FXS_TRY(const auto textScale, textScaleFrom(parser));
  return Choices{std::move(types), std::move(target), *theme, size, *arrangement, textScale};
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

void exitAfterFirstPicture(ui::MainWindow& window, ui::Services& services) {
  QObject::connect(
      &services.get<ui::Graphs>().program, &ui::GraphPresenter::graphChanged, &window, [&window] {
        window.findChild<ui::GraphPane*>()->repaint();
        std::cout << "first picture " << millisecondsSinceStart() << " ms after the start\n";
        QApplication::exit(0);
      });
}

ui::ScreenshotRequest screenshotRequestFrom(const QCommandLineParser& parser) {
  ui::ScreenshotRequest request;
  request.file = parser.value("screenshot");
  request.select = parser.value("select");
  request.openAll = parser.isSet("expand");
  request.pass = parser.value("pass").toInt() - 1;
  request.compare = parser.isSet("diff");
  request.from = parser.value("diff").section(':', 0, 0).toInt() - 1;
  request.to = parser.value("diff").section(':', 1, 1).toInt() - 1;
  request.actions = parser.value("do").split(',', Qt::SkipEmptyParts);
  return request;
}

}  // namespace

int main(int argc, char** argv) try {
  app::useBundledFonts();
  QCoreApplication::setApplicationName("fxscope");
  QCoreApplication::setApplicationVersion(FXS_VERSION);
  QGuiApplication::setDesktopFileName("fxscope");
  QCommandLineParser parser;
  parser.setApplicationDescription(
      "Shows a PyTorch exported program and every stage of its lowering to MLIR.");
  addOptions(parser, lower::OutputTypes::builtin());
  parser.parse(QStringList(argv, argv + argc));
  if (onlyPrints(parser)) parser.process(QCoreApplication(argc, argv));
  QApplication app(argc, argv);
  parser.process(app);
  auto choices = choicesFrom(parser);
  if (!choices) return usage(QString::fromStdString(choices.error().message));

  app::Surroundings around = app::surroundings(valueOrPreferred(parser, "engine"));
  if (const QString folder = preferred(parser, "executors").toString(); !folder.isEmpty())
    around.environment.installedExecutors.insert(around.environment.installedExecutors.begin(),
                                                 folder.toStdString());
  PosixCommandRunner runner(around.exceptions);
  around.environment.runner = &runner;
  around.environment.outputTypes = std::move(choices->types);
  layout::LayoutWorker worker;
  worker.path = around.layoutWorker;

  ui::Appearance appearance(choices->theme);
  if (choices->textScale) appearance.setTextScale(*choices->textScale);
  appearance.setMonoFamily(preferred(parser, ui::kMonoFont).toString());
  appearance.apply();
  std::vector<std::string> registries = valuesOf(parser, "registry");
  for (const QString& file : preferred(parser, "registries").toStringList())
    registries.push_back(file.toStdString());
  const auto makeServices = [&, python = valueOrPreferred(parser, "python")] {
    auto services = std::make_unique<ui::Services>(around.environment, worker, python);
    services->choose(ui::sessionAlternatives(around.environment, registries));
    auto& session = services->get<ui::SessionPresenter>();
    session.setTarget(choices->target);
    session.setWatching(parser.isSet("watch"));
    if (parser.isSet("layer")) services->get<ui::LayersPresenter>().open(parser.values("layer"));
    return services;
  };
  const bool picture = parser.isSet("screenshot");
  const ui::WindowOptions options{settingsFileFrom(parser), samplesFolder()};
  QString problem;  // outlives the window, which may say it
  ui::TabbedWindow window(appearance, makeServices, options);
  if (parser.isSet("theme")) appearance.setMode(choices->theme);  // overrides the saved setting
  if (picture || parser.isSet("size")) {
    window.setWindowState(Qt::WindowNoState);
    window.resize(choices->size);
  } else if (!window.hasKeptGeometry()) {
    ui::fitToScreen(window, choices->size);
  }
  if (parser.isSet("arrangement"))
    window.services().get<ui::ArrangementPresenter>().choose(choices->arrangement);
  window.show();

  const QStringList files = parser.positionalArguments();
  if (!files.isEmpty()) window.open(files);
  else if (!picture) window.restorePrograms();
  if (parser.isSet("time-first-picture")) exitAfterFirstPicture(window.page(), window.services());
  if (picture)
    ui::takeScreenshot(window.page(), window.services(), screenshotRequestFrom(parser), problem);
  else if (parser.isSet("select"))
    window.services().get<ui::SelectionPresenter>().selectOnceOpened(parser.value("select"));
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
