// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers a whole program through a chain of registries: FX nodes directly to MLIR, like Buddy
// Compiler's GraphImporter. Values are looked up by (node, result index); getitem selects one of
// them. Symbolic sizes are `?` in types and values of type `index` in operations; assertions on
// them are not written.
//
// A node without a lowering is listed in `coverage` with the reason, and printed as an operation
// "fxscope.unmapped" with the node's target, so that the rest can be inspected. Such a module is
// not `complete`; parsing it requires -allow-unregistered-dialect.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"
#include "registry/groups.h"
#include "registry/kernel/kernel_plan.h"
#include "registry/op_builder.h"
#include "registry/registry.h"

namespace fxs::registry {

/// Order and form of the function's arguments.
enum class Arguments : std::uint8_t {
  Lowering,  ///< the user's inputs in order; parameters and buffers are constants of the function
             ///< (`dense_resource`, small ones inline)
  Buddy,     ///< parameters, buffers, then the user's inputs
  Packed,    ///< like Buddy's main graph: one flat tensor per element type holding all parameters,
             ///< then the user's inputs
};
std::string_view name(Arguments);  ///< "lowering", "buddy", "packed"

using WeightBytes =
    std::function<Result<std::string>(const fx::Weight&)>;  ///< reads the raw bytes of a weight

/// A text of a handler that is no valid MLIR: the registry is not asked for this node again.
struct Rejection {
  fx::NodeId node;  ///< in the user's program
  std::string target, registry;
  std::string message;  ///< the engine's words
};

struct DirectOptions {
  std::string functionName = "main";
  std::string primary = "tosa";
  std::vector<std::string> fallbacks{"linalg", "math", "func"};
  std::vector<std::shared_ptr<const Registry>>
      user;  ///< searched where the chain names them, otherwise before the chain
  Arguments arguments = Arguments::Lowering;
  Grouping grouping;
  bool embedWeights =
      false;  ///< appends `dialect_resources` with the weights' data; requires `weights`
  WeightBytes
      weights;  ///< null: constants are handles without data, and small ones are not inlined
  std::vector<Rejection> rejections;
  std::shared_ptr<const KernelPlan> kernel;  ///< of a Helion kernel, whose `sized` program this is
                                             ///< or was rewritten from; else null
};

enum class CoverageStatus : std::uint8_t {
  Lowered,     ///< by `registry`
  Unmapped,    ///< the target maps to no op class
  NoLowering,  ///< no registry of the chain has a handler for the op class
  Refused,     ///< every handler for the op class refused this call
  Structural,  ///< placeholder, getitem, output or loop, which need no op class
};
std::string_view name(
    CoverageStatus);  ///< "lowered", "unmapped", "no-lowering", "refused", "structural"

struct NodeCoverage {
  fx::NodeId node;      ///< in the lowered program
  std::string opClass;  ///< "AddOp"; "" when unmapped or structural
  CoverageStatus status = CoverageStatus::Structural;
  std::string registry;               ///< the registry that lowered it; "" unless Lowered
  std::vector<std::string> refusals;  ///< "tosa: a step of 2 has no tosa.slice"; "tosa, linalg: .."
                                      ///< for equal reasons; in lookup order
  std::vector<std::string> didYouMean;  ///< mapped targets similar to an unmapped one
  std::size_t ops = 0;                  ///< number of MLIR operations written for the node
};

/// A weight in a packed argument.
struct PackedPart {
  std::string target;       ///< FQN
  std::int64_t offset = 0;  ///< in elements
  Value value;              ///< in the function
};
struct PackedArgument {
  DType dtype = DType::Unknown;
  std::int64_t elements = 0;
  std::vector<PackedPart> parts;  ///< in order
  std::string text() const;       ///< "f32[70]: l.weight at 0 (32), l.bias at 32 (8)", in elements
};

struct DirectLowering {
  std::string
      text;  ///< one MLIR module in generic form; locations name nodes of the user's program
  bool complete = false;  ///< every node is lowered
  std::vector<NodeCoverage>
      coverage;  ///< one per node of main, in order, and after a loop those of its graphs
  /// One per node that is not lowered: stage "registry", kind "unmapped", "no-lowering" or
  /// "refused"; and notes on random numbers.
  std::vector<fx::Finding> findings;
  std::vector<std::string> chain;       ///< names of the registries, in lookup order
  std::vector<PackedArgument> packing;  ///< if Packed, the first arguments
  GroupedModule grouped;                ///< if grouped; its text has been moved to `text`
};

/// Usage for an unknown registry, embedWeights without `weights`, groups of a Helion kernel or at a
/// node that there is not, InvalidInput for a program
/// without a graph, Cancelled on a stop.
Result<std::shared_ptr<const DirectLowering>> lowerByRegistries(const fx::Program&,
                                                                const DirectOptions&,
                                                                const RunContext&);

}  // namespace fxs::registry
