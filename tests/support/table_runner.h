// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A CommandRunner that answers from a table instead of starting programs, and keeps what it was
// asked.
#include <functional>
#include <string>
#include <vector>

#include "base/subprocess.h"

namespace fxs::test {

class TableRunner final : public CommandRunner {
 public:
  using Answer = std::function<Result<Exit>(const Command&)>;
  /// Answers commands one of whose arguments contains `part`; the first match wins.
  void on(std::string part, Answer answer) {
    table_.emplace_back(std::move(part), std::move(answer));
  }
  Result<Exit> run(const Command&, std::stop_token) override;
  const std::vector<Command>& asked() const { return asked_; }

 private:
  std::vector<std::pair<std::string, Answer>> table_;
  std::vector<Command> asked_;
};

/// An exit with that status and those outputs.
Exit exited(int status, std::string out, std::string err = {});

}  // namespace fxs::test
