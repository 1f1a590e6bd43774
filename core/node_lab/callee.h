// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A module parsed for inlining one of its functions: the function's parts, and the module's other
// operations.
#include <string>
#include <string_view>
#include <vector>

#include "node_lab/transcript.h"

namespace fxs::node_lab {

/// Maximum nesting depth of regions.
inline constexpr std::size_t kMaxDepthOfRegions = 256;

struct OtherOperation {
  mlir::OpId op;
  std::string symbol;  ///< "" if it defines none
  bool beforeFunction = true;
};

class Callee {
 public:
  /// `text` must outlive the result. InvalidInput if the function does not exist, has no body or
  /// return, or cannot be read.
  static Result<std::unique_ptr<const Callee>> read(std::string_view text,
                                                    std::string_view function);

  mlir::Module module;
  Transcript transcript;
  std::string name;
  mlir::OpId function;
  mlir::OpId moduleOp;  ///< invalid if the function is at the top level
  std::vector<mlir::ValueId> arguments;
  std::vector<std::string> argumentTypes;  ///< aliases are expanded here and in all texts below
  std::vector<mlir::OpId> body;            ///< operations of the first block, without the return
  mlir::OpId returned;                     ///< the first return operation
  std::vector<mlir::ValueId> results;      ///< the operands of `returned`
  std::vector<TextRange> resultNames;      ///< where these operands occur in the text
  std::vector<std::string> resultTypes;
  bool severalBlocks = false;
  std::vector<std::string> attributes;  ///< of the function: "torch.assume_strict_symbolic_shapes"
  std::vector<std::string> moduleAttributes;
  std::vector<OtherOperation> beside;  ///< the module's other operations

 private:
  Callee(std::string_view text, std::string_view wanted)
      : module(text), transcript(module), name(wanted) {}
  Result<> find();
  Result<> readSignature();
  Result<> readReturn();
  std::vector<std::string> attributesIn(TextRange head) const;
};

}  // namespace fxs::node_lab
