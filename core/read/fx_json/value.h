// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes values and sizes of captured graphs in JSON (resources/schemas/fx.schema.json, "value"),
// for "fxscope-fx/1" and Helion dumps. A value is an object with a "kind"; a size is a number, or
// an expression with its hint. Expressions are spent from the context.
#include <string>

#include "base/json.h"
#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::read::fx_json {

/// 4, or {"sym": "2*s27", "hint": 8}; "srepr" (sympy's srepr form) takes precedence over "sym".
Result<fx::SymInt> symInt(const Json&, const RunContext&);
/// {"kind": "FakeTensor" ..}, {"kind": "SymInt", "expr": ..}, {"kind": "tuple", "elements": [..]},
/// null ..
Result<fx::Value> value(const Json&, const RunContext&);
Result<fx::TensorMeta> tensor(const Json&, const RunContext&);
/// A tensor_meta as Python prints it: "TensorMetadata(shape=(2, 3), dtype=torch.float32, ..)", a
/// tuple of those, or "None".
Result<std::string> tensorMetaText(const Json&, const RunContext&);
/// The part of a value that fx::Value cannot represent: the class of a tensor subclass, the text of
/// a string or object; "" if none.
std::string remark(const Json& value);

}  // namespace fxs::read::fx_json
