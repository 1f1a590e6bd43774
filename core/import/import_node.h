// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Importers by kind of node, each in its own file.
#include "import/function_importer.h"

namespace fxs::import {

/// Imports an argument as a value of the schema type, or of the argument's own kind if that is
/// null. Numbers are converted to tensors, floats or ints as the type requires.
Value lowerArgument(FunctionImporter&, const fx::Node& at, const fx::Argument&,
                    const ops::SchemaType*);
/// Imports a schema default, as torch-mlir's importer does for an argument that was not passed.
Value lowerDefault(FunctionImporter&, const ops::SchemaArgument&);

/// Imports a call of an operator overload, registered or not.
void importOperator(FunctionImporter&, const fx::Node&);

/// Python arithmetic on symbolic scalars: _operator.*, math.*, torch.sym_*.
bool isSymbolicTarget(std::string_view target);
void importSymbolic(FunctionImporter&, const fx::Node&);

/// Whether a higher_order.* target is supported, so that its subgraphs are imported as functions.
bool expressesSubgraphs(std::string_view target);
void importHigherOrder(FunctionImporter&, const fx::Node&);
void importCond(FunctionImporter&, const fx::Node&);
void importWhileLoop(FunctionImporter&, const fx::Node&);

/// Writes torch.symbolic_int for every symbol of the program, at the start of a function; returns
/// the values by symbol.
std::map<std::string, Value> writeSymbols(FunctionImporter&);
/// Writes torch.bind_symbolic_shape after a tensor with symbolic sizes.
void bindSymbolicShape(FunctionImporter&, const fx::Node&,
                       const std::map<std::string, Value>& symbols);

}  // namespace fxs::import
