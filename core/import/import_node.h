#pragma once
// How each kind of node is written; one file each.
#include "import/function_importer.h"

namespace fxs::import {

/// An argument as a value of the schema type (null: unknown, by the argument's own kind). Numbers become tensors, floats or ints where
/// the formal wants them.
Value lowerArgument(FunctionImporter&, const fx::Node& at, const fx::Argument&, const ops::SchemaType*);
/// A schema default: what torch-mlir's importer writes for an argument that was not given.
Value lowerDefault(FunctionImporter&, const ops::SchemaArgument&);

/// A call of an operator overload, registered or not.
void importOperator(FunctionImporter&, const fx::Node&);

/// Python arithmetic on symbolic scalars: _operator.*, math.*, torch.sym_*.
bool isSymbolicTarget(std::string_view target);
void importSymbolic(FunctionImporter&, const fx::Node&);

/// higher_order.*: true when a node of this target is expressed, so that its subgraphs are wanted as functions.
bool expressesSubgraphs(std::string_view target);
void importHigherOrder(FunctionImporter&, const fx::Node&);
void importCond(FunctionImporter&, const fx::Node&);
void importWhileLoop(FunctionImporter&, const fx::Node&);

/// torch.symbolic_int for every symbol of the program, at the head of a function; symbols by name.
std::map<std::string, Value> writeSymbols(FunctionImporter&);
/// torch.bind_symbolic_shape after a tensor whose sizes are symbolic.
void bindSymbolicShape(FunctionImporter&, const fx::Node&, const std::map<std::string, Value>& symbols);

}  // namespace fxs::import
