// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes symbolic sizes as in a .pt2: sympy's srepr, and the unions of
// torch/_export/serde/schema.py.
#include <string>

#include "base/json.h"
#include "fx/tensor_meta.h"

namespace fxs::write {

/// "Add(Mul(Integer(2), Symbol('s27', positive=True, integer=True)), Integer(1))": parsed by
/// fx::parseSrepr. Assumptions depend on the symbol's prefix, as in torch.export: s is a positive
/// integer, u an integer, zf and zuf are real numbers.
std::string srepr(const fx::SymExpr&);

void writeSymInt(JsonWriter&, const fx::SymInt&);
/// A SymInt, SymFloat or SymBool.
void writeSymValue(JsonWriter&, const fx::SymValue&);
void writeDevice(JsonWriter&, const Device&);
void writeTensorMeta(JsonWriter&, const fx::TensorMeta&);
/// The number of a layout or memory format in the export schema, version 8.
int serialized(Layout);
int serialized(MemoryFormat);

}  // namespace fxs::write
