#pragma once
// Where the tools are that stages name: those that ./run --numbers installs, which executors run too.
#include <memory>

#include "lower/stage_tool.h"
#include "session/session.h"

namespace fxs::session {

std::shared_ptr<const lower::Toolbox> toolboxOf(const Environment&);

}  // namespace fxs::session
