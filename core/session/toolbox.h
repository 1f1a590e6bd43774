// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where the programs are that stages name and executors run. They are looked for at each call,
// because they may be installed meanwhile.
#include <memory>

#include "execute/tools.h"
#include "lower/stage_tool.h"
#include "session/session.h"

namespace fxs::session {

/// Without `engine`.
execute::Tools toolsOf(const Environment&);
std::shared_ptr<const lower::Toolbox> toolboxOf(const Environment&);

}  // namespace fxs::session
