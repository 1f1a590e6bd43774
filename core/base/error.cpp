// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/error.h"

#include "base/safe_text.h"

namespace fxs {

std::string toString(const Error& error) {
  std::string out = printable(error.message);
  for (const std::string& activity : error.context) out += "\n  while " + printable(activity);
  return out;
}

}  // namespace fxs
