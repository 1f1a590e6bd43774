// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Splits the function of a direct lowering into a main function and subgraphs, as the fusion groups
// and the GraphDriver of Buddy Compiler do: each group of operations becomes a private function
// "subgraph0", "subgraph1" .., and main calls them in turn. A group is a run of operations in
// program order, so that every grouping is a legal partition.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fx/program.h"

namespace fxs::registry {

enum class GroupBy : std::uint8_t {
  None,    ///< one function with everything
  All,     ///< one group, like Buddy's simply_fuse
  Module,  ///< one for each submodule of the model: "layers.0"
  Node,    ///< one for each node, as Buddy's graph has them before fusion
  From,    ///< a group begins at each of the named nodes
};
std::string_view name(GroupBy);  ///< "none", "all", "module", "node", "from"

struct Grouping {
  GroupBy by = GroupBy::None;
  std::vector<std::string> from;  ///< names of nodes of the user's program, if From
};

/// A value that crosses the boundary of a group.
struct GroupValue {
  std::string name;  ///< in the main function, "%4"
  std::string type;  ///< "tensor<2x3xf32>"; "index" for a symbolic size
};

struct Group {
  std::string function;               ///< "subgraph0"
  std::string module;                 ///< if grouped by module, its path: "layers.0"; else ""
  fx::NodeId first;                   ///< the node of its first operation, in the user's program
  std::size_t ops = 0;                ///< operations, without those in regions
  std::vector<GroupValue> arguments;  ///< each once, in the order of first use
  std::vector<GroupValue> results;    ///< what is used outside
  std::string text;                   ///< the function, in generic form
};

struct GroupedModule {
  std::string text;                            ///< the module with main and the functions
  std::vector<Group> groups;                   ///< in the order of their calls
  std::vector<GroupValue> arguments, results;  ///< of main
  bool isOnlyCalls = false;  ///< nothing but calls of groups and what cuts up packed arguments is
                             ///< left in main
};

/// `text`: a module as lowerByRegistries() writes it, with the function `function` and locations
/// at nodes of `user`. Usage, with the nearest name, for a node that `user` does not have.
Result<GroupedModule> grouped(std::string_view text, std::string_view function,
                              const Grouping& grouping, const fx::Program& user);

}  // namespace fxs::registry
