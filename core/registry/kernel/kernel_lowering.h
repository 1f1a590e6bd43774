// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Puts a Helion kernel together as one function: the tensors that the kernel is called with are its
// arguments, those that it stores to are its results, in the order of the first stores. The grid is
// an scf.forall, or a nest of scf.for where its iterations are not independent; inner loops are
// scf.for, branches scf.if. A load is a slice of a tensor, a store writes one into the tensor's
// current value.
//
// A tile in the text always has the size in the plan. At the end of a loop, what lies beyond it is
// loaded as zeros (as Helion's masked loads do), `_mask_to` replaces it where Helion found that it
// matters, and stores leave it out.
//
// A tensor that the host function makes before the kernel and that the kernel reads is another
// argument, behind the kernel's own. Root graphs run one after the other. Not assembled: while
// loops, scans, and atomic operations other than additions.
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fx/kernel.h"
#include "registry/kernel/for_nest.h"
#include "registry/kernel/kernel_branches.h"
#include "registry/linalg/loops.h"
#include "registry/program_lowering.h"

namespace fxs::registry {

class KernelLowering final : public ProgramLowering {
 public:
  KernelLowering(const fx::Program&, const DirectOptions&, std::vector<const Registry*> chain);

 private:
  using Reason = std::optional<std::string>;  ///< why a node is not lowered: one clause

  /// A tensor of the host function, by the name that the kernel has for it.
  struct HostTensor {
    std::string name;
    fx::NodeId node;  ///< the first that names it
    TensorType type;
    DType dtype = DType::Unknown;
    bool isArgument = false, isRead = false, isStored = false;
    Value now;  ///< at this place in the text
  };
  /// A block within its loop.
  struct Tile {
    Value offset;
    std::int64_t valid =
        0;  ///< how much of the tile is before the loop's end: a number, or a symbol of the builder
    bool full = true;                 ///< all of it, for every iteration
    std::optional<std::int64_t> end;  ///< of the loop, if it is a number
    // A jagged tile has an end by row:
    std::optional<Value> ends;
    DType endsDtype = DType::Unknown;
    std::vector<std::string> rows;  ///< the block sizes of the dimensions of `ends`
  };
  /// The part of a host tensor that a load or store is about, one entry per dimension of the host
  /// tensor.
  struct Access {
    HostTensor* host = nullptr;
    Sizes offsets, sizes;  ///< of the part that exists
    Sizes valid, full;     ///< of the dimensions that remain: what exists, and the size of the tile
    std::set<std::int64_t> blocks;
    /// The size of the dimension that the next index is about.
    std::int64_t nextSize() const { return host->type.sizes[offsets.size()]; }
    /// Of a dimension that remains, `tile` is the size of the tile.
    void add(std::int64_t offset, std::int64_t size, std::optional<std::int64_t> tile);
  };
  /// Which elements of a tile exist.
  struct JaggedEnd {
    std::size_t dim;
    Value offset, ends;
    DType dtype;
    std::vector<std::size_t> rows;  ///< the dimensions that `ends` has
  };
  struct Exists {
    std::vector<std::pair<std::size_t, Value>> ends;
    std::vector<JaggedEnd> jagged;
  };
  /// What a dimension that is several tiles in one means for its elements.
  enum class Combined : std::uint8_t { AreAll, AreRefused };
  /// An index of a host tensor that is not one of a slice.
  struct GatherIndex {
    Value offset;
    std::optional<Value> tensor;
    DType dtype = DType::Unknown;
    bool isDimension = false;
    std::size_t last = 0;  ///< its dimensions of the result end before this one
  };
  struct Gather {
    HostTensor* host = nullptr;
    std::vector<GatherIndex> indices;  ///< by dimension of the host tensor
    Sizes sizes;                       ///< of the result
    std::vector<fx::SymInt> recorded;  ///< the same, as the file has them
    std::optional<Value> mask;
    Exists exists;
    // Tensors that index together:
    bool isTogether = false;
    Sizes together;
    std::vector<fx::SymInt> togetherRecorded;
    std::size_t tensors = 0, lastOfTensors = 0;
  };
  struct GatherPlace {
    std::vector<Value> indices;
    std::optional<Value> exists;
  };
  struct Insert {
    const fx::Node* store;
    HostTensor* host;
    Value part;
    Sizes offsets, sizes;
  };
  /// A value that a loop carries: what it is before, where the body reads it, and which output is
  /// the next.
  struct Carried {
    Value before;
    std::optional<std::size_t> argument;  ///< the loop's argument that the body reads it by
    std::size_t output = 0;
  };

  /// A for loop.
  struct Loop {
    const fx::Graph* graph = nullptr;
    std::vector<std::int64_t> blocks;
    const fx::ArgumentList *begins = nullptr, *ends = nullptr;  ///< by block
    const fx::ArgumentList* arguments = nullptr;
    std::vector<Carried> carried;
    std::vector<std::size_t> hosts;  ///< that it stores to
  };
  /// The node for a variable before a loop, by its `_phi`.
  struct VariableBefore {
    const fx::NodeId* node = nullptr;
    bool isUsed = false;  ///< whether anything uses the variable after the loop
  };
  /// One side of a branch, and for each variable what it gives.
  struct Side {
    const fx::Graph* graph = nullptr;
    const fx::ArgumentList* arguments = nullptr;
    std::vector<BranchValue> gives;
    std::vector<std::optional<Value>> kept;  ///< the outer values that it leaves as they are
  };
  /// Nodes for numbers of the host function, by symbol.
  using HostNumbers = std::map<std::string, const fx::Node*>;

  void bindInputs() override;
  void findResults();
  Result<> lowerMain(const RunContext&) override;
  void lowerNode(const fx::Node&, NodeCoverage&) override;
  std::vector<Value> returned() override;

  // kernel_grid.cpp and kernel_lowering.cpp: the parts of a kernel, and its grids
  const fx::Node& recorded(const fx::Node& node) const {
    return plan_.recorded->node(program_.originOf(node).id);
  }
  const fx::Argument& argument(const fx::Node& node, std::size_t at) const;
  void findLive(const fx::Graph&);
  bool findStores(const fx::Graph&);
  void findHosts(const fx::Graph&);
  void bindArguments();
  void bindArgument(const fx::KernelArgument&, const HostNumbers&);
  void bindHost(HostTensor&);
  HostNumbers hostNumbers() const;
  bool isArgumentOfItsOwn(const std::string& symbol, const fx::Node&) const;
  void bindScalar(const std::string& name, const fx::Node&, fx::SymKind);
  HostTensor* hostOf(const fx::Argument&);
  bool canRunInParallel() const;
  Reason checkGrid(const std::vector<std::int64_t>& grid) const;
  Reason findRoots();
  Reason writeGrid();
  Reason writeRoot();
  void lowerRoot();
  Reason writeSerialGrid(const std::vector<HostTensor*>& outputs);
  Reason writeParallelGrid(const std::vector<HostTensor*>& outputs);
  std::vector<NodeCoverage> lowerNodes(const fx::Graph&);
  void lowerWithin(const fx::Graph&);
  static std::string sizeUnknown(const fx::KernelBlock&);
  static bool calls(const fx::Node&, std::string_view helionName);
  Tile tileOf(std::int64_t block, const Value& offset, std::int64_t begin, std::int64_t end,
              const Value& endValue);
  Reason take(const fx::Node&, Values);
  Reason masksLostBy(const fx::Node&) const;
  Reason notAskedOf(const fx::Node&) const;
  const Tile* partialTile(std::string_view symbol) const;
  void attempt(const fx::Node&, NodeCoverage&, const std::function<Reason()>&);
  Reason keepingHosts(const std::function<Reason()>&);

  // kernel_memory.cpp
  Reason access(const fx::Node&, Access&);
  Reason addIndex(const fx::Argument&, Access&);
  Reason addSlice(const fx::Slice&, Access&);
  Reason addTile(const fx::Node&, std::int64_t block, Access&);
  Reason addNumber(const fx::Argument&, const Value&, Access&);
  Reason load(const fx::Node&);
  Reason store(const fx::Node&);
  Reason storedPart(const fx::Node&, const Access&, Value& part);
  Reason full(const fx::Node&);
  static bool isWholeDimension(const fx::Argument&);  ///< the slice `:`
  static std::optional<Scalar> numberAsScalar(const fx::Argument&);

  // kernel_masks.cpp
  static std::optional<std::size_t> dimensionOf(const std::vector<fx::SymInt>& sizes,
                                                std::string_view symbol);
  Reason existsIn(const std::vector<fx::SymInt>& sizes, Combined, Exists&);
  static bool findRows(const Tile&, const std::vector<fx::SymInt>& sizes, JaggedEnd&);
  std::optional<Value> existsAt(const Exists&, linalg::Elements at);
  Value masked(const Value& x, const Exists&, const Value& replacement);
  Reason maskTo(const fx::Node&);

  // kernel_gather.cpp
  bool isGather(const fx::Node&, std::size_t maskAt) const;
  Reason arrangeTensors(const fx::ArgumentList& indices, Gather&);
  Reason gatherTensor(const fx::Argument&, GatherIndex&, Gather&);
  Reason gatherIndex(const fx::Argument&, Gather&);
  Reason gatherOf(const fx::Node&, std::size_t maskAt, Gather&);
  GatherPlace placeOf(const Gather&, linalg::Elements at);
  Reason loadGathered(const fx::Node&, std::size_t maskAt);
  Reason storedValue(const fx::Node&, const Gather&, Value&);
  Reason storeGathered(const fx::Node&, std::size_t maskAt, bool adds);

  // kernel_views.cpp
  std::optional<Value> tensorOf(const fx::Argument&) const;
  DType dtypeOf(const fx::Argument&) const;
  Reason subscript(const fx::Node&);
  Reason split(const fx::Node&);
  Reason join(const fx::Node&);
  Reason iota(const fx::Node&);
  Reason dot(const fx::Node&);
  Value batched(const Value& factor, std::int64_t batches);

  // kernel_control.cpp
  Reason forLoop(const fx::Node&);
  Reason loopOf(const fx::Node&, Loop&);
  VariableBefore variableBefore(const fx::Node& loop, std::size_t output) const;
  Reason carriedBy(const fx::Node& loop, const fx::Graph&, const fx::ArgumentList& arguments,
                   std::vector<Carried>&);
  std::int64_t boundOf(const fx::Argument&) const;
  Reason jaggedEnds(const Loop&, std::size_t at, Tile&);
  Reason enterLoops(const Loop&, ForNest&);
  Reason writeBody(const fx::Node&, const Loop&, Values& now);
  Reason branch(const fx::Node&);
  Reason pairsOf(const fx::Node&, const fx::Graph& then, const fx::Graph& otherwise,
                 std::vector<BranchPair>&);
  Side sideOf(const fx::Graph&, const fx::Argument& arguments, const std::vector<BranchPair>&,
              BranchValue BranchPair::* side) const;
  Reason recordedTypes(const fx::Node&, std::size_t count, std::vector<std::string>&);
  Reason writeSide(const fx::Node&, const Side&, Values& now);
  std::vector<std::size_t> hostsStoredIn(std::initializer_list<const fx::Graph*>) const;
  Values hostValues(const std::vector<std::size_t>& hosts) const;
  void setHosts(const std::vector<std::size_t>& hosts, std::span<const Value> values);
  Reason bindPlaceholders(const fx::Graph&, const fx::ArgumentList& arguments);
  Reason outputsOf(const fx::Graph&, const std::vector<std::size_t>& wanted, Values&);
  std::optional<Value> valueOf(const fx::Argument&) const;
  std::vector<const fx::Node*> partsOf(const fx::Node&, std::size_t part) const;
  Reason conditionOf(const fx::Argument&, Value&);
  Reason phi(const fx::Node&);
  const fx::Node* nodeOfPart(fx::NodeId) const;
  void noteAssumed(const fx::Node&, const std::string& message);

  // kernel_scalars.cpp
  std::optional<Value> numberOf(const fx::Argument&);
  std::optional<Value> numberOf(const fx::SymExpr&);
  std::optional<Value> remainderOf(const fx::SymExpr&);
  std::optional<Value> numberOfSymbol(const std::string& name);
  std::optional<Value> indexOf(const fx::Argument&);
  Value asFloat(const Value& number);
  std::optional<Value> computed(std::string_view operatorName, const Value& a, const Value& b);
  std::optional<Value> tileProperty(fx::KernelSymbol::Kind, std::int64_t block);
  std::optional<std::int64_t> blockOf(const fx::Argument&) const;
  bool isGridNumber(const fx::Node&) const;
  std::optional<Tile> tileAt(const fx::Argument&, Reason&);
  Reason symbolNode(const fx::Node&);
  Reason tileNumber(const fx::Node&);
  Reason tileIndex(const fx::Node&);
  Reason arithmetic(const fx::Node&);
  Reason takeNumber(const fx::Node&, Value);

  const KernelPlan& plan_;
  const fx::Kernel& kernel_;
  std::vector<std::vector<fx::NodeId>> users_;
  std::vector<char> live_;  // by NodeId
  std::map<std::size_t, std::vector<std::size_t>>
      storedIn_;  // by GraphId: hosts_ that it and its subgraphs store to, in order
  std::vector<HostTensor> hosts_;
  std::map<std::string, std::size_t, std::less<>> hostByName_, blockBySymbol_;
  std::vector<std::size_t> results_;                   // of hosts_
  std::vector<std::optional<Tile>> tiles_;             // by block
  std::map<std::string, Value, std::less<>> scalars_;  // arguments that are numbers, by symbol
  std::map<std::pair<fx::NodeId, std::size_t>, Value>
      joined_;                               // what a branch gives for its variables
  std::vector<Insert>* parallel_ = nullptr;  // where stores of a parallel grid are collected
  std::size_t stores_ = 0;
  /// The loop nests of the kernel, and the one at this place in the text.
  struct Root {
    const fx::Graph* graph = nullptr;
    std::vector<std::int64_t> grid;
    std::size_t stores = 0;
  };
  std::vector<Root> roots_;
  Root root_;
  Reason rootsMissing_;
};

}  // namespace fxs::registry
