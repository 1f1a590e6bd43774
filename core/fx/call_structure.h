// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a program is called and what it returns: the pytrees whose leaves are its inputs and outputs,
// as torch.export.save writes them (torch.utils._pytree.treespec_dumps, PyTorch 2.13).
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxs::fx {

/// Beside Program::inputNames, which are the names of the arguments, keywords last.
struct CallStructure {
  /// The fields of a named tuple that is part of a tree.
  struct NamedTuple {
    std::string type;  ///< "model.Pair"
    std::vector<std::string> fields;
  };
  std::string in;  ///< of (args, kwargs); "" if it is not known
  std::string out;
  std::vector<NamedTuple> namedTuples;
};

/// What is in one of the trees.
struct TreeLeaves {
  std::size_t count = 0;
  std::size_t arguments = 0;  ///< of (args, kwargs): positional and keyword ones
};
/// nullopt if the text is not a tree, or one with which torch.export.load would import a module
/// that the text names.
std::optional<TreeLeaves> leavesOf(std::string_view tree);

}  // namespace fxs::fx
