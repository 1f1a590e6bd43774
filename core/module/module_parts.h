// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An MLIR module in parts, for its survey: functions of one operation each, and the module without
// some operations. Only operations in the block of a function are parts; what is in their regions
// belongs to them.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fx/program.h"
#include "import/distinct_operations.h"
#include "mlir/text/document.h"

namespace fxs::module {

class ModuleParts {
 public:
  /// `text`: located at the nodes of `program`. Both outlive it.
  ModuleParts(const std::string& text, const fx::Program& program);

  /// Operations whose functions are the same text are one.
  const std::vector<import::DistinctOperation>& distinct() const { return distinct_; }
  /// A module with a function of the operation; "" if there is none.
  std::string alone(fx::NodeId) const;
  /// The module with arguments in place of what the operations compute. Unsupported if something
  /// else than a value of its own remains to be computed.
  Result<std::string> without(const std::set<fx::NodeId>&) const;

 private:
  void addFunction(mlir::OpId);
  std::string aliasesOf(std::string_view text) const;
  std::string symbolsOf(mlir::OpId function, std::string_view text) const;
  std::string moduleOf(mlir::OpId function, const std::string& text) const;
  bool isScalarOf(mlir::OpId, const std::set<fx::NodeId>&) const;
  std::string withResources(std::string text) const;

  const mlir::Document document_;
  const fx::Program& program_;
  std::unordered_map<std::string_view, std::vector<mlir::OpId>>
      siblings_;  ///< by symbol, of the outermost module
  std::vector<mlir::OpId> functions_;
  std::map<fx::NodeId, mlir::OpId> partOf_;  ///< by node, also of a region
  std::map<fx::NodeId, std::string> texts_;  ///< by the first node of each distinct operation
  std::map<std::string, std::size_t> byText_;
  std::vector<import::DistinctOperation> distinct_;
};

}  // namespace fxs::module
