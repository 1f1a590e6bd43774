#pragma once
// Each node's metadata as read -> the canonical metadata that torch-mlir's FX importer expects, as a list of changes:
// key, before, after, and the rule with its reason. What cannot be known says "unknown"; nothing is guessed silently.
// Keys are those of node.meta: "val", "tensor_meta.shape", "tensor_meta.memory_format", "nn_module_stack", "stack_trace" ..;
// parts of a tuple are "val[0]", "tensor_meta[0].dtype".
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/module_path.h"
#include "fx/program.h"

namespace fxs::normalize {

struct MetadataChange {
  std::string key;
  std::string before;  ///< as found; "(absent)" when there was nothing
  std::string after;   ///< "unknown" when it cannot be known
  std::string rule;    ///< the rule's id
  std::string reason;
};

/// torch.fx.passes.shape_prop.TensorMetadata's fields. memoryFormat: "torch.contiguous_format", "torch.channels_last",
/// "torch.channels_last_3d", "None" (neither), or "unknown" (symbolic strides that do not tell).
struct TensorMetadata {
  std::vector<fx::SymInt> shape;
  DType dtype = DType::Unknown;
  bool requiresGrad = false;
  std::vector<fx::SymInt> stride;
  std::string memoryFormat;
  bool isQuantized = false;
};

struct NodeMetadata {
  fx::Value val;                           ///< fake tensor(s) or symbolic scalars
  std::vector<TensorMetadata> tensorMeta;  ///< one per tensor of `val`, in order; empty when val is not a tensor
  std::vector<fx::ModuleFrame> moduleStack;
  std::vector<fx::StackFrame> stack;
  std::optional<fx::StackFrame> userLine;
  std::string originalAten;  ///< "aten.linear.default" where from_node or torch_fn records it
  std::vector<MetadataChange> changes;
};

struct NormalizedProgram {
  fx::ProgramPtr program;
  std::vector<NodeMetadata> nodes;  ///< by NodeId
};

Result<std::shared_ptr<const NormalizedProgram>> normalize(fx::ProgramPtr, const RunContext&);
/// A single node: what a front end shows without normalizing a program of 50,000 nodes.
NodeMetadata normalizeNode(const fx::Program&, const fx::Node&, const RunContext& = {});

/// The program with its normalized metadata in the place of what was found: fake tensors and inferred values as val, tensor_meta
/// and original_aten as text, and under "normalized" the keys of texts that were read. Normalizing it again changes nothing and
/// gives the same metadata. Nodes, names and ids are those of the program.
fx::ProgramPtr normalizedProgram(const NormalizedProgram&);
/// The program itself when the file has every value; else with those added that could be inferred.
fx::ProgramPtr withInferredValues(fx::ProgramPtr, const RunContext& = {});

}  // namespace fxs::normalize
