// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An option of one of the programs, as data: parsers, --help, man pages and completions are made of
// it.
#include <string>
#include <vector>

namespace fxs::app {

struct Option {
  std::string name;   ///< "--to"
  std::string value;  ///< "TYPE", "FILE,.."; "" for a switch
  std::string help;   ///< "${output-types}" in it is replaced by their names, which are then its
                      ///< choices, too; "${parameters}" by the parameters of output types
  bool repeated = false;  ///< may be repeated; values are also split at commas
  std::vector<std::string> choices =
      {};  ///< values that completions offer; none: the output types, where the help lists them
};

}  // namespace fxs::app
