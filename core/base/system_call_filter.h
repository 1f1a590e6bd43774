#pragma once
// The filter of system calls that a program in a cage runs under. It names what is denied, not what is allowed: engines, Pythons and
// shells are many, and each release of their libraries uses others. System calls newer than this file are answered as an older
// kernel would.
#include <linux/filter.h>

#include <vector>

#include "base/cage.h"

namespace fxs {

/// Empty where there is none for this processor.
std::vector<sock_filter> systemCallFilter(Cage::Processes);

}  // namespace fxs
