// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit_settings.h"

#include "lower_request.h"
#include "session/toolbox.h"

namespace fxs::cli {

Result<lit::Settings> litSettingsFrom(const Arguments& arguments, const Console& console) {
  FXS_TRY(const lower::Limits limits, limitsFrom(arguments));
  lit::Settings out;
  out.limits.timeout = limits.timeout;
  out.limits.memory = limits.memory;
  out.temporaryDir = console.environment.temporaryDir;
  out.substitutions = {{"shlibext", ".so"}};
  FXS_TRY(const auto programs, session::testPrograms(console.environment, console.context));
  for (const session::TestProgram& program : programs) {
    if (program.path.empty()) out.missing.emplace(program.name, program.message);
    else out.programs.emplace(program.name, program.path);
  }
  return out;
}

}  // namespace fxs::cli
