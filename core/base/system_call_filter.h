#pragma once
// The seccomp filter of a cage. It is a deny list, because engines, Python interpreters, shells and each release of their libraries
// use different system calls. System calls that are newer than this file fail as on an older kernel.
#include <linux/filter.h>

#include <vector>

#include "base/cage.h"

namespace fxs {

/// Empty if there is no filter for this architecture.
std::vector<sock_filter> systemCallFilter(Cage::Processes);

}  // namespace fxs
