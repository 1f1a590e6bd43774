// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The sizes that a lowered text computes, for given sizes of its arguments: follows sizes from a
// value to the operations that make them. Knows the operations of linalg texts that only move,
// allocate or reshape; any other makes a size unknown. Computes no elements.
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::contract {

class ExampleSizes {
 public:
  /// `arguments`: sizes of values that are given.
  ExampleSizes(const mlir::Module& module,
               std::map<mlir::ValueId, std::vector<std::int64_t>> arguments)
      : module_(module), arguments_(std::move(arguments)) {}

  /// The size of a dimension of a tensor; std::nullopt if it is not known.
  std::optional<std::int64_t> size(mlir::ValueId tensor, std::size_t dimension) {
    return size(tensor, dimension, 0);
  }

 private:
  using Number = std::optional<std::int64_t>;
  Number size(mlir::ValueId, std::size_t dimension, int depth);
  Number sizeOfResult(mlir::ValueId, std::size_t dimension, int depth);
  Number number(mlir::ValueId, int depth);
  Number numberOf(mlir::OpId, int depth);
  Number numberAt(mlir::OpId, std::size_t operand, int depth);
  Number constant(mlir::OpId) const;
  Number fromOuts(mlir::OpId, std::size_t result, std::size_t dimension, int depth);
  Number collapsed(mlir::OpId, std::size_t dimension, int depth);
  Number sliced(mlir::OpId, std::size_t dimension, std::size_t rank, int depth);
  Number fromShape(mlir::ValueId shape, std::size_t dimension, int depth);
  std::optional<mlir::ValueId> operand(mlir::OpId, std::size_t) const;

  const mlir::Module& module_;
  std::map<mlir::ValueId, std::vector<std::int64_t>> arguments_;
  std::map<std::pair<mlir::ValueId, std::size_t>, Number> sizes_;
  std::map<mlir::ValueId, Number> numbers_;
};

}  // namespace fxs::contract
