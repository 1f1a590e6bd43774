// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main of fxscope-cli: streams, signals, progress on a terminal.
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/new_file.h"
#include "base/safe_stream.h"
#include "base/safe_text.h"
#include "command.h"
#include "environment.h"
#include "fit_stream.h"
#include "large_heap.h"

namespace {

/// The first SIGINT or SIGTERM requests a stop, the second ends the process. Both are blocked in
/// every thread and waited for here, so that no code runs in a signal handler. Where no thread can
/// be started, the first ends the process.
class StopOnSignal {
 public:
  explicit StopOnSignal(std::stop_source stop) {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    try {
      thread_ = std::jthread([this, stop = std::move(stop)]() mutable { wait(stop); });
    } catch (const std::system_error&) {
      ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
    }
  }
  ~StopOnSignal() {
    done_ = true;
    if (thread_.joinable()) ::pthread_kill(thread_.native_handle(), SIGINT);
  }

 private:
  void wait(std::stop_source& stop) {
    for (int seen = 0;; ++seen) {
      int signal = 0;
      ::sigwait(&signals_, &signal);
      if (done_) return;
      if (seen > 0) ::_exit(fxs::cli::kCancelled);
      stop.request_stop();
    }
  }

  sigset_t signals_{};
  std::atomic<bool> done_ = false;
  std::jthread thread_;
};

/// Of a file descriptor: its width and colours if it is a terminal.
fxs::TextLayout layoutOf(int descriptor) {
  fxs::TextLayout out;
  if (::isatty(descriptor) != 1) return out;
  constexpr std::size_t kUsualColumns = 80;
  winsize size{};
  const bool isKnown = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  out.columns = isKnown ? size.ws_col : kUsualColumns;
  const char* terminal = std::getenv("TERM");
  const char* noColour = std::getenv("NO_COLOR");  // https://no-color.org
  const bool hasColours = terminal != nullptr && std::string_view(terminal) != "dumb";
  out.colours = hasColours && (noColour == nullptr || *noColour == '\0');
  return out;
}

int run(int argc, char** argv) {
  std::stop_source stop;
  const StopOnSignal signals(stop);
  fxs::app::Surroundings around = fxs::app::surroundings();
  fxs::PosixCommandRunner runner(around.exceptions);
  around.environment.runner = &runner;

  const fxs::TextLayout errorLayout = layoutOf(STDERR_FILENO);
  bool shown = false;
  const auto clearProgress = [&shown] {
    if (shown) std::cerr << "\r\033[K" << std::flush;
    shown = false;
  };
  fxs::RunContext context;
  context.stop = stop.get_token();
  if (errorLayout.columns > 0)
    context.report = [&](const fxs::Progress& progress) {
      std::string line = fxs::printable(progress.step);
      if (progress.fraction >= 0)
        line += ' ' + std::to_string(static_cast<int>(progress.fraction * 100)) + " %";
      // Writes escape sequences directly, because the streams in Console do not allow them. A line
      // that the terminal would break could not be erased.
      fxs::TextLayout cut = errorLayout;
      --cut.columns;
      std::cerr << "\r\033[K" << fxs::codeLaidOut(line, cut) << std::flush;
      shown = true;
    };

  std::ostream out(nullptr), err(nullptr), styled(std::cout.rdbuf());
  fxs::cli::Console console{std::cin,
                            out,
                            err,
                            around.environment,
                            context,
                            around.layoutWorker,
                            around.rasterWorker,
                            clearProgress,
                            layoutOf(STDOUT_FILENO)};
  console.styled = &styled;
  const bool isText = false;
  fxs::cli::FitStreamBuffer fitOut(*std::cout.rdbuf(), console.layout, console.isCode,
                                   clearProgress);
  fxs::cli::FitStreamBuffer fitErr(*std::cerr.rdbuf(), errorLayout, isText, clearProgress);
  fxs::SafeStreamBuffer safeOut(fitOut), safeErr(fitErr);
  out.rdbuf(&safeOut);
  err.rdbuf(&safeErr);
  err << std::unitbuf;
  int code = fxs::cli::runCli(std::vector<std::string>(argv + 1, argv + argc), console);
  console.clearProgress();
  if (!out.flush() || !safeOut.finish() || !fitOut.finish() || !std::cout.flush()) {
    fxs::Error error = fxs::writeError("standard output", safeOut.error());
    code = fxs::cli::reportError(fxs::cli::ofOption(std::move(error)), console);
  }
  safeErr.finish();
  fitErr.finish();
  std::cerr.flush();
  return code;
}

constexpr const char* kNoMemory = "not enough memory; close other programs and try again";

/// Without allocating.
void say(const char* reason) {
  for (const char* part : {"fxscope-cli: ", reason, "\n"})
    (void)!::write(STDERR_FILENO, part, std::strlen(part));
}

/// Without memory for an exception, the C++ runtime ends the program instead of throwing it.
[[noreturn]] void terminated() {
  constexpr std::size_t kException = std::size_t{64} << 10;
  if (std::current_exception()) std::abort();
  void* volatile probe = std::malloc(kException);
  if (probe != nullptr) std::abort();
  say(kNoMemory);
  ::_exit(fxs::cli::kInput);
}

/// Before static objects are made, which may be too much.
[[gnu::constructor(101)]] void setTerminate() { std::set_terminate(terminated); }

}  // namespace

int main(int argc, char** argv) try {
  fxs::app::useLargeHeap();
  std::ios::sync_with_stdio(false);
  return run(argc, argv);
} catch (const std::exception& fault) {
  // Before a command runs, or after it; each command reports its own. Without allocating.
  const bool memory = dynamic_cast<const std::bad_alloc*>(&fault) != nullptr;
  say(memory ? kNoMemory : fault.what());
  return memory ? fxs::cli::kInput : fxs::cli::kInternal;
}
