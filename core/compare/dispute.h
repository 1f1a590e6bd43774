// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Whose fault it probably is if executors disagree about a node's value: by what they compute when
// the node is run by itself.
#include <map>
#include <string>
#include <vector>

namespace fxs::compare {

/// By executor, whether it computes a value other than expected of the node by itself. One that did
/// not run it is missing.
using WrongBy = std::map<std::string, bool>;
/// The name of a further run of an executor: "llvm without optimization".
std::string unoptimized(const std::string& executor);

/// One line. `accusers` compute a value other than expected of the whole program, `defenders` do
/// not. `byEngine`: of the text that the engine lowers the node to; `byRegistry`: of the
/// registries' text, empty if there is none.
std::string faultOf(const std::string& node, const std::vector<std::string>& accusers,
                    const std::vector<std::string>& defenders, const WrongBy& byEngine,
                    const WrongBy& byRegistry);

}  // namespace fxs::compare
