// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other element types: the operation's tensors are cast before it, and its results back after it.
#include <algorithm>
#include <array>

#include "diagnose/change.h"
#include "rewrite/other_forms.h"

namespace fxs::diagnose {
namespace {

bool isFloat(DType t) { return isFloating(t); }
bool isIntegerOrBool(DType t) { return isIntegral(t) || t == DType::Bool; }
bool isReal(DType t) { return isFloat(t) || isIntegerOrBool(t); }

struct Cast {
  const char* id;
  const char* name;
  rewrite::Takes takes;
  DType to;
};
constexpr std::array<Cast, 5> kCasts{
    {{"cast-f32", "the floating tensors", isFloat, DType::Float32},
     {"cast-i32", "the integer tensors", isIntegerOrBool, DType::Int32},
     {"cast-i64", "the integer tensors", isIntegerOrBool, DType::Int64},
     {"compute-f32", "all tensors", isReal, DType::Float32},
     {"cast-f16", "the floating tensors", isFloat, DType::Float16}}};

/// Whether values of a type are not all values of another one, to its precision. Integers are taken
/// to fit into int32.
bool losesValues(DType from, DType to) {
  if (isIntegerOrBool(from)) return isFloat(to) && facts(from).bytes > 2;
  return from == DType::Float64 || to == DType::Float16;
}

void proposeElementTypes(const BlockedCall& call, std::vector<Change>& out) {
  if (call.node.val.tensor() == nullptr && call.node.val.list() == nullptr) return;
  if (call.node.target == "aten._int_mm.default") return;  // PyTorch has it for 8-bit numbers only
  std::set<DType> types;
  for (const fx::NodeArgument& argument : call.node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      if (const fx::TensorMeta* meta = call.subject.program->node(id).val.tensor())
        types.insert(meta->dtype);
    });
  for (const Cast& cast : kCasts) {
    const auto isChanged = [&](DType t) { return cast.takes(t) && t != cast.to; };
    if (std::none_of(types.begin(), types.end(), isChanged)) continue;
    const bool floats = std::any_of(types.begin(), types.end(), isFloat);
    // Integers next to floats are indices and masks, which need no cast; a half type is replaced
    // only by the other half type.
    if (cast.takes != isFloat && floats) continue;
    if (cast.to == DType::Float16 && !types.contains(DType::BFloat16)) continue;
    const std::string torchName(facts(cast.to).torchName);
    Change change;
    change.id = cast.id;
    change.change = std::string("cast ") + cast.name + " of " + call.blocked.fxTarget + " to " +
                    torchName + ", and its result back";
    change.cost = "computes this operation in " + torchName;
    change.sameResult = std::none_of(types.begin(), types.end(), [&](DType t) {
      return isChanged(t) && losesValues(t, cast.to);
    });
    change.rules = {ruleFor(call, cast.id, [takes = cast.takes, to = cast.to](rewrite::Emitter& e) {
      return rewrite::inElementType(e, takes, to);
    })};
    if (change.sameResult) {
      change.snippet = fixCommand(call);
      change.language = "sh";
    }
    out.push_back(std::move(change));
  }
}

}  // namespace

void registerElementTypes(Proposals& proposals) { proposals.add(proposeElementTypes); }

}  // namespace fxs::diagnose
