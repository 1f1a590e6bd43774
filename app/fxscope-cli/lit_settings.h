// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs that lit tests may run.
#include "command.h"
#include "lit/plan.h"

namespace fxs::cli {

/// Those that are installed, within the limits of --timeout and --memory. Usage for one of these
/// options, Cancelled, DiskFull.
Result<lit::Settings> litSettingsFrom(const Arguments&, const Console&);

}  // namespace fxs::cli
