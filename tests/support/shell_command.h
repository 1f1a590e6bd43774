// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <chrono>
#include <string>

#include "base/subprocess.h"

namespace fxs::test {

/// A script of /bin/sh. A timeout of 0 is none.
inline Command shellCommand(const std::string& script,
                            std::chrono::milliseconds timeout = std::chrono::milliseconds(0)) {
  Command out;
  out.argv = {"/bin/sh", "-c", script};
  out.timeout = timeout;
  return out;
}

}  // namespace fxs::test
