// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that are others under another name, or a view's copy: PyTorch exports them as they are,
// and torch-mlir knows one name each.
#include <algorithm>
#include <map>

#include "base/joined.h"
#include "fx/evaluated_text.h"
#include "fx/python_source.h"
#include "ops/schema.h"
#include "rewrite/emit.h"
#include "rewrite/other_names.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {
namespace {

struct OtherName {
  std::string_view name, same;
};
constexpr OtherName kOtherNames[] = {
    {"__and__", "bitwise_and"},
    {"__lshift__", "bitwise_left_shift"},
    {"__or__", "bitwise_or"},
    {"__rshift__", "bitwise_right_shift"},
    {"__xor__", "bitwise_xor"},
    {"_is_all_true", "all"},
    {"_is_any_true", "any"},
    {"absolute", "abs"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arctanh", "atanh"},
    {"cholesky", "linalg_cholesky"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"divide", "div"},
    {"fix", "trunc"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"inverse", "linalg_inv"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"linalg_diagonal", "diagonal"},
    {"linalg_matmul", "matmul"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"not_equal", "ne"},
    {"special_erf", "erf"},
    {"special_erfinv", "erfinv"},
    {"special_exp2", "exp2"},
    {"special_expit", "sigmoid"},
    {"special_expm1", "expm1"},
    {"special_log1p", "log1p"},
    {"special_log_softmax", "log_softmax"},
    {"special_logit", "logit"},
    {"special_logsumexp", "logsumexp"},
    {"special_round", "round"},
    {"special_softmax", "softmax"},
    {"subtract", "sub"},
    {"expand_copy", "expand"},
    {"narrow_copy", "narrow"},
    {"permute_copy", "permute"},
    {"select_copy", "select"},
    {"slice_copy", "slice"},
    {"split_copy", "split"},
    {"split_with_sizes_copy", "split_with_sizes"},
    {"squeeze_copy", "squeeze"},
    {"t_copy", "t"},
    {"transpose_copy", "transpose"},
    {"unbind_copy", "unbind"},
    {"unfold_copy", "unfold"},
    {"unsqueeze_copy", "unsqueeze"},
    {"view_as_real_copy", "view_as_real"},
    {"view_copy", "view"},
};

/// The arguments of the matched node under the names that `schema` has at their positions.
std::vector<fx::NodeArgument> renamed(Emitter& e, const ops::Schema& own,
                                      const ops::Schema& schema) {
  std::vector<fx::NodeArgument> out;
  e.require(own.arguments.size() == schema.arguments.size());
  for (std::size_t i = 0; i < own.arguments.size(); ++i) {
    const ops::SchemaArgument& argument = schema.arguments[i];
    out.push_back(
        {std::string(argument.name), e.argument(own.arguments[i].name), argument.keywordOnly});
  }
  return out;
}

Results underOtherName(Emitter& e, const ops::Schema& own, const ops::Schema& schema,
                       const std::string& target) {
  const fx::Node& node = e.matched();
  const fx::Argument value = e.context().callValue(target, renamed(e, own, schema), node.val);
  const fx::ValueList* parts = node.val.list();
  if (parts == nullptr) return std::vector<fx::Argument>{value};
  std::vector<fx::Argument> out;
  for (std::size_t i = 0; i < parts->size(); ++i) out.push_back(e.context().getitem(value, i));
  return out;
}

/// Rule::python of that: "    return aten.div.Tensor_mode(self, other,
/// rounding_mode=rounding_mode)".
std::string callInPython(const ops::Schema& own, const ops::Schema& schema,
                         const std::string& target) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < own.arguments.size() && i < schema.arguments.size(); ++i) {
    const std::string name = fx::pythonName(own.arguments[i].name);
    const ops::SchemaArgument& argument = schema.arguments[i];
    arguments.push_back(argument.keywordOnly ? fx::pythonName(argument.name) + "=" + name : name);
  }
  return "    return " + fx::pythonTarget(target) + "(" + fxs::joined(arguments) + ")\n";
}

Results copied(Emitter& e) { return one(e.clone(e.tensor("self"))); }

}  // namespace

std::string sameOperator(std::string_view target) {
  const auto* const known = std::ranges::find(kOtherNames, fx::packetOf(target), &OtherName::name);
  if (known == std::end(kOtherNames) || !isDecomposedByDefault(target)) return std::string(target);
  return "aten." + std::string(known->same) + std::string(target.substr(target.rfind('.')));
}

void registerNames(RewriteRules& rules) {
  const ops::SchemaTable& schemas = ops::SchemaTable::builtin();
  for (const auto& [name, same] : kOtherNames) {
    for (const std::string_view overload :
         {"default", "Tensor", "Scalar", "Tensor_mode", "Scalar_mode", "int", "intlist", "dim",
          "dims", "dtype"}) {
      const std::string own = "aten." + std::string(name) + "." + std::string(overload);
      const bool isInt = (same == "transpose" || same == "softmax" || same == "log_softmax") &&
                         (overload == "default" || overload == "int");
      const std::string target =
          "aten." + std::string(same) + "." + (isInt ? "int" : std::string(overload));
      const ops::Schema *from = schemas.find(own), *to = schemas.find(target);
      if (from == nullptr || to == nullptr) continue;
      // The rules refer to them.
      static std::map<std::string, std::string, std::less<>> bodies;
      const std::string& body = bodies[own] = callInPython(*from, *to, target);
      rules.add({own,
                 "becomes aten." + std::string(same),
                 true,
                 [from, to, target](Emitter& e) { return underOtherName(e, *from, *to, target); },
                 {},
                 body});
    }
  }
  for (const char* name : {"alias_copy", "detach_copy"})
    rules.add({"aten." + std::string(name) + ".default", "becomes aten.clone", true, copied});
}

}  // namespace fxs::rewrite
