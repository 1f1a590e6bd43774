// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundled_fonts.h"

#include <cstdlib>
#include <filesystem>

namespace fxs::app {

void useBundledFonts() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path configuration =
      program.parent_path().parent_path() / "lib/fxscope-window/fonts/fonts.conf";
  if (std::filesystem::is_regular_file(configuration, ignored))
    ::setenv("FONTCONFIG_FILE", configuration.c_str(), 0);
}

}  // namespace fxs::app
