// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A function of a printed module in parts, from which smaller functions are written: some of its
// operations, with arguments in place of what the others compute.
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/text/function_types.h"
#include "mlir/text/module.h"

namespace fxs::module {

/// Ascending indices of items.
using Kept = std::vector<std::size_t>;

class FunctionParts {
 public:
  /// nullopt if the function has several blocks, or is not printed as the engine does. The module
  /// outlives it.
  static std::optional<FunctionParts> read(const mlir::Module&, mlir::OpId function);

  /// Those of the function's block before the return.
  const std::vector<mlir::OpId>& operations() const { return operations_; }
  /// Operations, then what is returned.
  std::size_t items() const { return operations_.size() + returned_.size(); }
  /// The module with the kept items. "" if one requires a removed item that cannot become an
  /// argument, or if nothing would be returned.
  std::string moduleWith(const Kept&) const;
  /// With the operations whose results are required and cannot be arguments.
  Kept closed(const Kept&) const;
  /// An operation, and those that it requires. "" if there is no such function.
  std::string alone(std::size_t operation) const;

 private:
  struct Returned {
    mlir::ValueId value;
    std::string_view name, type;
  };
  struct Selection {
    std::vector<mlir::OpId> operations;
    Kept returned;                          ///< of returned_
    std::set<mlir::ValueId> used, defined;  ///< by the kept operations
  };

  explicit FunctionParts(const mlir::Module& module) : m_(&module) {}
  std::string_view textOf(TextRange range) const { return range.of(m_->text); }
  bool readParts(mlir::OpId function);
  bool readHead(const mlir::Op& function, const mlir::Signature&, const mlir::Region&);
  bool readBody(const mlir::Function&);
  std::span<const mlir::Operand> operandsWithin(mlir::OpId) const;
  bool isOutside(mlir::ValueId) const;
  bool canBePassed(mlir::ValueId) const;
  bool canBeArgument(mlir::ValueId) const;
  std::string asArgument(mlir::ValueId) const;
  Selection selectionOf(const Kept&) const;
  std::vector<Returned> resultsOf(const Selection&) const;
  std::optional<std::vector<std::string>> argumentsFor(
      const std::set<mlir::ValueId>& used, const std::set<mlir::ValueId>& defined) const;
  std::string functionWith(const Kept&, bool mayReturnNothing) const;

  const mlir::Module* m_;
  mlir::BlockId block_;
  std::string_view before_, head_, tail_, after_;  ///< of the function; head_ to its `(`
  std::string returnLocation_;
  std::vector<std::string_view> arguments_;  ///< `%arg0: !torch.vtensor<[2],f32> loc(..)`
  std::vector<mlir::OpId> operations_;
  std::vector<Returned> returned_;
};

}  // namespace fxs::module
