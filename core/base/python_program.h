#pragma once
// A Python as a program that runs a script of fxscope's own: isolated, in a cage, in an empty folder.
#include <string>
#include <vector>

#include "base/subprocess.h"

namespace fxs {

/// Runs `script` (on standard input) with `arguments`. `python`: its absolute path; that of a virtual environment keeps its packages. It
/// reads its own installation, the virtual environment and `reads`, and writes in `folder`, where it runs. It takes no module from
/// there, nor from PYTHONPATH or the user's own packages, and has neither network nor other programs.
Command pythonProgram(const std::string& python, std::string script, std::vector<std::string> arguments, std::vector<std::string> reads,
                      const std::string& folder);

}  // namespace fxs
