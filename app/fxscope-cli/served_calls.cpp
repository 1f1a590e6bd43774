// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "served_calls.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/budget.h"

namespace fxs::cli {

ServedCalls::ServedCalls(ServedProgram program)
    : program_(std::move(program)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

ServedCalls::~ServedCalls() {
  for (Call& call : calls_) call.thread.request_stop();
}

ServedCalls::Number ServedCalls::start(std::vector<std::string> words, std::string stdinText,
                                       std::uint64_t outputLimit) {
  fxs::Command command;
  command.argv = {program_.path};
  command.argv.insert(command.argv.end(), std::make_move_iterator(words.begin()),
                      std::make_move_iterator(words.end()));
  command.environment = program_.environment;
  command.directory = program_.directory;
  command.stdinText = std::move(stdinText);
  command.outputLimit = outputLimit;
  const Number number = ++last_;
  Call& call = calls_.emplace_back();
  call.number = number;
  try {
    call.thread = std::jthread([this, number, command = std::move(command)](
                                   const std::stop_token& stop) { run(number, command, stop); });
  } catch (const std::system_error& error) {
    end(number, fail(ErrorCode::Io, std::string("no thread can be started: ") + error.what()));
  }
  return number;
}

void ServedCalls::cancel(Number number) {
  for (Call& call : calls_) {
    if (call.number != number) continue;
    call.cancelled = true;
    call.thread.request_stop();
  }
}

std::vector<ServedCalls::Ended> ServedCalls::takeEnded() {
  std::uint64_t ignored = 0;
  (void)!::read(wake_.get(), &ignored, sizeof ignored);
  std::vector<Ended> out;
  {
    const std::lock_guard lock(mutex_);
    out.swap(ended_);
  }
  std::erase_if(out, [this](const Ended& ended) {
    const auto call = std::find_if(calls_.begin(), calls_.end(),
                                   [&](const Call& each) { return each.number == ended.call; });
    const bool wasCancelled = call->cancelled;
    calls_.erase(call);  // joins
    return wasCancelled;
  });
  return out;
}

/// On the thread of the call.
void ServedCalls::run(Number number, const fxs::Command& command, const std::stop_token& stop) {
  end(number, guarded("fxscope-cli", [&] { return program_.runner->run(command, stop); }));
}

void ServedCalls::end(Number number, Result<Exit> exit) {
  {
    const std::lock_guard lock(mutex_);
    ended_.push_back({number, std::move(exit)});
  }
  const std::uint64_t one = 1;
  (void)!::write(wake_.get(), &one, sizeof one);
}

}  // namespace fxs::cli
