// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes the operations of a function with mlir::GenericOpWriter: values are ids, types come from a
// TypeTable.
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "import/types.h"
#include "mlir/text/generic_op_writer.h"
#include "mlir/text/quoted.h"

namespace fxs::import {

/// An SSA value of the function being written.
struct Value {
  enum class Kind : std::uint8_t { Result, Argument, BlockArgument };
  Kind kind = Kind::Result;
  std::int32_t part = -1;  ///< index of the result; -1 for a single result
  std::uint32_t number = 0;
  TypeId type;
};

using mlir::appendQuoted;
/// `@name`, quoted unless the name is a bare identifier.
void appendSymbol(std::string& out, std::string_view name);

class OpWriter {
 public:
  /// Written operations are spent from `context`.
  OpWriter(std::string& out, TypeTable& types, const RunContext& context)
      : out_(out), types_(types), context_(context), writer_(out, 2, "%iter") {}

  /// Sets the location of the following operations: ` loc("relu"("fx":3:0))`.
  void setLocation(std::string location);
  const std::string& location() const { return writer_.location(); }

  /// `attributes` is the inside of `<{..}>`.
  Value op(std::string_view name, std::span<const Value> operands, TypeId result,
           std::string_view attributes = {});
  Value op(std::string_view name, std::initializer_list<Value> operands, TypeId result,
           std::string_view attributes = {}) {
    return op(name, std::span(operands.begin(), operands.size()), result, attributes);
  }
  std::vector<Value> ops(std::string_view name, std::span<const Value> operands,
                         std::span<const TypeId> results, std::string_view attributes = {});
  /// Writes an operation without results.
  void effect(std::string_view name, std::span<const Value> operands,
              std::string_view attributes = {});

  /// Writes an operation with regions: open(), the first region, nextRegion() before each further
  /// one, close().
  struct Open {
    std::vector<Value> operands;
    std::vector<TypeId> resultTypes;
    std::vector<Value> results;
  };
  Open open(std::string_view name, std::span<const Value> operands,
            std::span<const TypeId> results);
  /// Writes `^bb0(%iter0: T, ..):` at the start of a region.
  std::vector<Value> blockArguments(std::span<const TypeId> types);
  void nextRegion();
  void close(const Open&);

  void appendValue(const Value&);
  TypeTable& types() { return types_; }
  std::size_t written() const { return writer_.count(); }

 private:
  /// Spends the operation, then writes it up to its regions or signature.
  std::vector<Value> head(std::string_view name, std::span<const Value> operands,
                          std::span<const TypeId> results, std::string_view attributes = {});
  void signature(std::span<const Value> operands, std::span<const TypeId> results);
  void spend(std::span<const Value> operands, std::span<const TypeId> results,
             std::string_view attributes);

  std::string& out_;
  TypeTable& types_;
  const RunContext& context_;
  mlir::GenericOpWriter writer_;
  std::string_view named_;  ///< the node's name in the location, quoted
};

}  // namespace fxs::import
