// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Commands of fxscope-cli that a server runs, each in a process of its own, so that nothing of a
// call stays in the server. Its thread starts, cancels and collects them; others only wait.
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/subprocess.h"

namespace fxs::cli {

/// Where and how the commands run.
struct ServedProgram {
  std::string path;                      ///< of fxscope-cli
  std::vector<std::string> environment;  ///< "NAME=value"
  std::string directory;
  CommandRunner* runner = nullptr;
};

class ServedCalls {
 public:
  using Number = std::uint64_t;
  struct Ended {
    Number call = 0;
    Result<Exit> exit;
  };

  explicit ServedCalls(ServedProgram program);
  ~ServedCalls();  ///< cancels what runs
  ServedCalls(const ServedCalls&) = delete;
  ServedCalls& operator=(const ServedCalls&) = delete;

  Number start(std::vector<std::string> words, std::string stdinText, std::uint64_t outputLimit);
  /// It ends at once, and is not among the ended ones.
  void cancel(Number);
  /// Those that ended since the last time, in this order.
  std::vector<Ended> takeEnded();
  /// How many run, also those that are being cancelled.
  std::size_t running() const { return calls_.size(); }
  /// Readable when there is something to take.
  int descriptor() const { return wake_.get(); }

 private:
  struct Call {
    Number number = 0;
    bool cancelled = false;
    std::jthread thread;
  };
  void run(Number, const fxs::Command&, const std::stop_token&);
  void end(Number, Result<Exit>);

  const ServedProgram program_;
  const Fd wake_;
  Number last_ = 0;
  std::mutex mutex_;  // of ended_
  std::vector<Ended> ended_;
  std::list<Call> calls_;
};

}  // namespace fxs::cli
