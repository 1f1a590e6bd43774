#pragma once
// Values and sizes of captured graphs in JSON (resources/schemas/fx.schema.json, "value"): what "fxscope-fx/1" and the Helion dumps
// have in common. A value is an object with a "kind"; a size is a number, or an expression with the value it had. What
// expressions cost is spent from the context.
#include <string>

#include "base/json.h"
#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::read::fx_json {

/// 4, or {"sym": "2*s27", "hint": 8}; "srepr" next to "sym" is sympy's own form and takes precedence.
Result<fx::SymInt> symInt(const Json&, const RunContext&);
/// {"kind": "FakeTensor" ..}, {"kind": "SymInt", "expr": ..}, {"kind": "tuple", "elements": [..]}, null ..
Result<fx::Value> value(const Json&, const RunContext&);
Result<fx::TensorMeta> tensor(const Json&, const RunContext&);
/// A found tensor_meta as Python prints it: "TensorMetadata(shape=(2, 3), dtype=torch.float32, ..)", a tuple of those, or "None".
Result<std::string> tensorMetaText(const Json&, const RunContext&);
/// What a value holds that fx::Value does not: the class of a tensor subclass, the text of a string or object; "" when nothing.
std::string remark(const Json& value);

}  // namespace fxs::read::fx_json
