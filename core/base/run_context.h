// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The context of long-running functions: stop requests, progress reports and the budget.
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/budget.h"

namespace fxs {

struct Progress {
  std::string step;      ///< current step, for users: "lowering to TOSA"
  double fraction = -1;  ///< 0..1, or negative when unknown
};

/// The error of work that ended because of a stop request.
inline Error cancelled() { return {ErrorCode::Cancelled, "cancelled", {}}; }

struct RunContext {
  std::stop_token stop;
  std::function<void(const Progress&)> report = [](const Progress&) {};
  std::shared_ptr<const Budget> budget =
      std::make_shared<const Budget>();  ///< shared by an input and everything derived from it

  /// For loops whose length a file controls. Throws Abandoned if a stop was requested or the limit
  /// would be exceeded.
  void spend(Resource resource, std::uint64_t amount, std::string_view subject) const {
    if (stop.stop_requested()) throw Abandoned(cancelled());
    budget->spend(resource, amount, subject);
  }
};

}  // namespace fxs
