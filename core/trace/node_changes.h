// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How the operations of nodes differ between two texts: before and after a pass, or of two engines.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/origins.h"

namespace fxs::mlir {
class ExpandedAliases;
}

namespace fxs::trace {

/// An operation as it is compared.
struct SeenOp {
  mlir::OpId op;
  std::string_view name;
  std::string text;  ///< without value names and locations, with aliases expanded
};
SeenOp seenOp(const mlir::Module&, const mlir::ExpandedAliases& aliases, mlir::OpId);
/// The node's own operations, without those that it only uses, such as a shared constant. Valid as
/// long as the text.
std::vector<SeenOp> opsOf(const OpenText&, fx::NodeId);

struct OpsChange {
  std::vector<mlir::OpId> before, after;  ///< the node's operations in both texts
  std::vector<std::string> gone,
      made;  ///< names of operations that occur only before or only after, those that do the work
             ///< first: "linalg.generic x4"
  std::size_t changed = 0;  ///< operations with the same name but another text
  bool empty() const { return gone.empty() && made.empty() && changed == 0; }
  /// "torch.aten.softmax.int became linalg.generic x4, tensor.empty"; one line.
  std::string text() const;
};
OpsChange changeOf(const std::vector<SeenOp>& before, const std::vector<SeenOp>& after);

/// Of every node whose operations differ, by node.
std::vector<std::pair<fx::NodeId, OpsChange>> changesByNode(const OpenText& before,
                                                            const OpenText& after);

/// The names of every node's own operations, as in OpsChange::made.
std::map<fx::NodeId, std::vector<std::string>> opNamesByNode(const OpenText&);

/// Up to six; of more, those that matter, and the number of constants, casts and the like.
std::string shownNames(const std::vector<std::string>& names);

}  // namespace fxs::trace
