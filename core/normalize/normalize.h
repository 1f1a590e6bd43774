// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Converts each node's metadata to the canonical form that torch-mlir's FX importer expects, and
// lists the changes: key, before, after, rule and reason. What cannot be determined is "unknown";
// nothing is guessed silently. Keys are those of node.meta: "val", "tensor_meta.shape",
// "tensor_meta.memory_format", "nn_module_stack", "stack_trace" ..; elements of a tuple are
// "val[0]", "tensor_meta[0].dtype".
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
  std::string before;  ///< as found; "(absent)" if there was nothing
  std::string after;   ///< "unknown" if it cannot be determined
  std::string rule;    ///< the rule's id
  std::string reason;
};

/// The fields of torch.fx.passes.shape_prop.TensorMetadata. For the values of memoryFormat, see
/// normalize/memory_format.h.
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
  std::vector<TensorMetadata> tensorMeta;  ///< one per tensor of `val`, in order
  std::vector<fx::ModuleFrame> moduleStack;
  std::vector<fx::StackFrame> stack;
  std::optional<fx::StackFrame> userLine;
  std::string
      originalAten;  ///< "aten.linear.default", if from_node or torch_fn records it; else ""
  std::vector<MetadataChange> changes;
};

struct NormalizedProgram {
  fx::ProgramPtr program;
  std::vector<NodeMetadata> nodes;  ///< by NodeId
};

Result<std::shared_ptr<const NormalizedProgram>> normalize(fx::ProgramPtr, const RunContext&);
/// Normalizes a single node, for a front end that does not need the whole program.
NodeMetadata normalizeNode(const fx::Program&, const fx::Node&, const RunContext& = {});

/// The program with missing values added where they can be inferred; the same program if none are
/// missing.
fx::ProgramPtr withInferredValues(fx::ProgramPtr, const RunContext& = {});

}  // namespace fxs::normalize
