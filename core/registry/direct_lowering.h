#pragma once
// Lowers a whole program through a chain of registries: FX nodes directly to MLIR, like Buddy Compiler's GraphImporter. Results are
// kept by (node, result index); getitem selects one of them. Static sizes only, as in Buddy; a node with a symbolic size is refused.
//
// Nodes without a lowering are in `coverage` with the reason, and in the text as an operation "fxscope.unmapped" with the node's
// target, so that the rest can be inspected; such a text is not `complete`, and only an engine that allows unregistered dialects parses it.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"
#include "registry/registry.h"

namespace fxs::registry {

/// Order and form of the function's arguments.
enum class Arguments : std::uint8_t {
  Lowering,  ///< the user's inputs in order; parameters and buffers are constants in the text (`dense_resource`, small ones inline)
  Buddy,     ///< parameters, buffers, then inputs, all arguments
  Packed,    ///< as Buddy's main graph: one flat tensor per element type holding all parameters, then the inputs
};
std::string_view name(Arguments);  ///< "lowering", "buddy", "packed"

using WeightBytes = std::function<Result<std::string>(const fx::Weight&)>;

struct DirectOptions {
  std::string functionName = "main";
  std::string primary = "tosa";
  std::vector<std::string> fallbacks{"linalg", "math", "func"};
  std::vector<std::shared_ptr<const Registry>> user;  ///< consulted by name like the others, or first when the chain does not name them
  Arguments arguments = Arguments::Lowering;
  bool embedWeights = false;  ///< resources with data at the end of the text; requires `weights`
  WeightBytes weights;        ///< small constants are read and written inline; null: handles only
};

enum class CoverageStatus : std::uint8_t {
  Lowered,     ///< `registry` did
  Unmapped,    ///< no op class has the target
  NoLowering,  ///< the class is known, but no registry of the chain has a handler
  Refused,     ///< every registry that has the class refused this call
  Structural,  ///< placeholder, getitem, output: no class is needed
};
std::string_view name(CoverageStatus);  ///< "lowered", "unmapped", "no-lowering", "refused", "structural"

struct NodeCoverage {
  fx::NodeId node;      ///< of the program that was lowered
  std::string opClass;  ///< "AddOp"; "" when unmapped or structural
  CoverageStatus status = CoverageStatus::Structural;
  std::string registry;                 ///< the registry that lowered it
  std::vector<std::string> refusals;    ///< "tosa: a step of 2 has no tosa.slice"; "tosa, linalg: .." where they share it; in order
  std::vector<std::string> didYouMean;  ///< of an unmapped target
  std::size_t ops = 0;                  ///< MLIR operations written for it
};

struct DirectLowering {
  std::string text;                    ///< one MLIR module, generic form, located at the nodes of the user's program
  bool complete = false;               ///< everything is lowered
  std::vector<NodeCoverage> coverage;  ///< one per node of main, in order
  std::vector<fx::Finding> findings;   ///< one per node that is not lowered: stage "registry", kind "unmapped", "no-lowering" or "refused"
  std::vector<std::string> chain;      ///< names, in lookup order
  std::vector<std::string> packing;    ///< of Packed: "f32[70]: l.weight at 0 (32), l.bias at 32 (8)", one per packed argument
};

/// Usage when the chain names a registry that does not exist ("did you mean").
Result<std::shared_ptr<const DirectLowering>> lowerByRegistries(const fx::Program&, const DirectOptions&, const RunContext&);

}  // namespace fxs::registry
