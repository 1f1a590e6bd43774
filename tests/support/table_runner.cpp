// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table_runner.h"

#include <algorithm>

namespace fxs::test {

Result<Exit> TableRunner::run(const Command& command, std::stop_token stop) {
  asked_.push_back(command);
  if (stop.stop_requested())
    return fail(ErrorCode::Cancelled, command.argv.front() + " was cancelled");
  for (const auto& [part, answer] : table_)
    if (std::any_of(command.argv.begin(), command.argv.end(),
                    [&](const std::string& a) { return a.find(part) != std::string::npos; }))
      return answer(command);
  return fail(ErrorCode::NotFound, command.argv.front() + ": not in the table");
}

Exit exited(int status, std::string out, std::string err) {
  Exit exit;
  exit.status = status;
  exit.out = std::move(out);
  exit.err = std::move(err);
  return exit;
}

}  // namespace fxs::test
