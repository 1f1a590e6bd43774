#pragma once
// A module parsed for inlining one of its functions: the function's parts, and the module's other operations.
#include <string>
#include <string_view>
#include <vector>

#include "node_lab/transcript.h"

namespace fxs::node_lab {

/// Regions may nest this deep.
inline constexpr std::size_t kMaxDepthOfRegions = 256;

struct OtherOperation {
  mlir::OpId op;
  std::string symbol;  ///< "" when it defines none
  bool beforeFunction = true;
};

class Callee {
 public:
  /// `text` must outlive it. InvalidInput when there is no such function, or when it has no body.
  static Result<std::unique_ptr<const Callee>> read(std::string_view text, std::string_view function);

  mlir::Module module;
  Transcript transcript;
  std::string name;
  mlir::OpId function;
  mlir::OpId moduleOp;  ///< invalid if the function is at the top level
  std::vector<mlir::ValueId> arguments;
  std::vector<std::string> argumentTypes;  ///< aliases expanded, as every text here
  std::vector<mlir::OpId> body;            ///< of its first block, without the return
  mlir::OpId returned;                     ///< the return of its first block that has one
  std::vector<mlir::ValueId> results;
  std::vector<TextRange> resultNames;  ///< where `returned` names them
  std::vector<std::string> resultTypes;
  bool severalBlocks = false;
  std::vector<std::string> attributes;  ///< of the function: "torch.assume_strict_symbolic_shapes"
  std::vector<std::string> moduleAttributes;
  std::vector<OtherOperation> beside;

 private:
  Callee(std::string_view text, std::string_view wanted) : module(text), transcript(module), name(wanted) {}
  Result<> find();
  Result<> readSignature();
  Result<> readReturn();
  std::vector<std::string> attributesIn(TextRange head) const;
};

}  // namespace fxs::node_lab
