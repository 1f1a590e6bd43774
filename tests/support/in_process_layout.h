// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The layout worker without a process and without Graphviz: answers requests with the plain engine.
#include "base/subprocess.h"
#include "layout/compose.h"
#include "layout/simple_layers.h"

namespace fxs::test {

class InProcessLayout final : public CommandRunner {
 public:
  Result<Exit> run(const Command& command, std::stop_token) override {
    FXS_TRY(const layout::LayoutProblem problem, layout::parseRequest(command.stdinText));
    layout::SimpleLayers engine;
    FXS_TRY(const layout::LayoutAnswer answer, layout::composeLayout(problem, engine));
    Exit exit;
    exit.out = layout::answerText(answer);
    return exit;
  }
};

}  // namespace fxs::test
