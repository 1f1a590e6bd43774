// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What Helion's Device IR says about a kernel besides its graphs: the arguments, the blocks that
// its loops run over, and what its symbols stand for. The graphs call tiles of a tensor by the
// symbols of block sizes: a load of x[u0, u1] is one tile of x. The numbers that the blocks get are
// not part of it (registry/kernel/kernel_plan.h).
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::fx {

/// One dimension that the kernel runs over in tiles. Its number is the index in Kernel::blocks.
struct KernelBlock {
  std::string symbol;            ///< of the size of a tile, "u0"; a number if the kernel fixes it
  std::optional<SymInt> extent;  ///< how far it runs; nullopt if only the kernel's loop says it
  std::optional<std::int64_t> hint;
  std::optional<std::int64_t> largest;  ///< that the kernel allows, if the file says it
  bool isFixed = false;                 ///< the kernel gives the size of a tile,
  std::optional<std::int64_t> fixed;    ///< which is this, if the file says it
  bool isReduction = false;             ///< a whole dimension of a tensor, x[tile, :], as one tile
  bool isJagged = false;                ///< hl.jagged_tile, which ends by row
  bool knowsJagged = false;             ///< whether the file says it
};

struct KernelArgument {
  std::string name;
  Value val;  ///< its type; a number that the kernel is specialized to has no symbol
};

/// What a symbol of a kernel stands for, other than the size of an argument.
struct KernelSymbol {
  enum class Kind : std::uint8_t { Host, BlockSize, TileBegin, TileEnd, TileId, TileCount, Grid };
  Kind kind = Kind::Host;
  std::int64_t block = -1;  ///< except for Host
  std::string hostName;     ///< of a variable of the host function
};

/// One value that an `_if` joins: the number of the branch's output, or the name of the outer
/// variable that the branch leaves as it is.
struct KernelBranchValue {
  std::optional<std::int64_t> output;
  std::string name;
};

struct KernelGraph {
  std::vector<std::int64_t> blocks;  ///< of a loop, outermost first
  bool knowsBranches = false;        ///< of a branch, whether the file has the following
  std::vector<std::string> ifNames, elseNames;
  std::vector<std::pair<KernelBranchValue, KernelBranchValue>> branches;  ///< (if, else)
};

/// A root graph behind main, which runs when those before it have run.
struct KernelRoot {
  std::string graph;               ///< Graph::name; "" if the file does not say its grid
  std::vector<std::int64_t> grid;  ///< its blocks, outermost first
};

struct Kernel {
  std::string name;
  std::vector<KernelArgument> arguments;
  std::vector<KernelBlock> blocks;
  std::vector<std::int64_t> grid;  ///< the blocks of main, outermost first
  std::vector<KernelRoot> more;    ///< root graphs behind main, in order
  std::map<std::string, KernelSymbol> symbols;
  std::map<std::string, KernelGraph> graphs;  ///< by Graph::name
};

}  // namespace fxs::fx
