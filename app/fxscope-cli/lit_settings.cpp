// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit_settings.h"

#include "lower_request.h"
#include "session/toolbox.h"

namespace fxs::cli {

Result<lit::Settings> litSettingsFrom(const Arguments& arguments, const Console& console) {
  FXS_TRY(const lower::Limits limits, limitsFrom(arguments));
  return session::litSettings(console.environment, limits, console.context);
}

}  // namespace fxs::cli
