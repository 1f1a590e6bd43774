// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs one of fxscope's own scripts with a Python interpreter: isolated, in a cage, in a folder of
// its own.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/subprocess.h"

namespace fxs {

/// Runs `script` (on standard input) with `arguments`. `python` is the absolute path of an
/// interpreter, possibly in a virtual environment. It can read its installation, the virtual
/// environment and `reads`; `folder` is writable and its working directory. It imports nothing from
/// there, PYTHONPATH or the user's site-packages, and has no network. Only a wrapper script (#!)
/// may start programs.
Command pythonProgram(const std::string& python, std::string script,
                      std::vector<std::string> arguments, std::vector<std::string> reads,
                      const std::string& folder);
/// The JSON values that a script printed, one a line. Other lines are left out.
void forEachAnswer(std::string_view out, const std::function<void(const Json&)>& visit);
/// The last line that is not empty, where a script that failed says why.
std::string_view lastLineOf(std::string_view text);

}  // namespace fxs
