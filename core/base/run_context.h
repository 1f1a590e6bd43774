#pragma once
// What a long call may ask of its caller: shall I stop, and here is how far I am.
#include <functional>
#include <stop_token>
#include <string>

namespace fxs {

struct Progress {
  std::string what;       ///< in the user's words: "lowering to TOSA"
  double fraction = -1;   ///< 0..1, or negative when unknown
};

struct RunContext {
  std::stop_token stop;
  std::function<void(const Progress&)> report = [](const Progress&) {};
};

}  // namespace fxs
