// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other constants: the default in place of an odd argument, one at a time; the form for evaluation
// in place of the one for training. Only arguments that do not decide the result's shape or element
// type are changed.
#include <algorithm>
#include <array>

#include "diagnose/change.h"
#include "fx/text.h"
#include "ops/schema.h"
#include "rewrite/emit.h"
#include "rewrite/transcription.h"

namespace fxs::diagnose {
namespace {

template <std::size_t N>
bool isIn(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
/// Arguments that affect memory but not the values of results.
constexpr std::array<std::string_view, 5> kLayout{"memory_format", "non_blocking", "pin_memory",
                                                  "layout", "copy"};
constexpr std::array<std::string_view, 24> kMeaning{"approximate",
                                                    "is_causal",
                                                    "dropout_p",
                                                    "scale",
                                                    "enable_gqa",
                                                    "align_corners",
                                                    "count_include_pad",
                                                    "divisor_override",
                                                    "padding_idx",
                                                    "scale_grad_by_freq",
                                                    "sparse",
                                                    "alpha",
                                                    "beta",
                                                    "negative_slope",
                                                    "right",
                                                    "side",
                                                    "include_self",
                                                    "accumulate",
                                                    "stable",
                                                    "sorted",
                                                    "p",
                                                    "eps",
                                                    "out_int32",
                                                    "half_to_float"};
constexpr std::array<std::string_view, 3> kTraining{"train", "training", "use_input_stats"};

std::optional<fx::Argument> defaultOf(const ops::SchemaArgument& argument) {
  struct Visitor {
    std::optional<fx::Argument> operator()(const ops::NoDefault&) const { return std::nullopt; }
    std::optional<fx::Argument> operator()(const ops::NoneDefault&) const {
      return fx::Argument(fx::None{});
    }
    std::optional<fx::Argument> operator()(bool v) const { return fx::Argument(v); }
    std::optional<fx::Argument> operator()(std::int64_t v) const { return fx::Argument(v); }
    std::optional<fx::Argument> operator()(double v) const { return fx::Argument(v); }
    std::optional<fx::Argument> operator()(const std::string& v) const { return fx::Argument(v); }
    std::optional<fx::Argument> operator()(const ops::DefaultList&) const { return std::nullopt; }
  };
  return std::visit(Visitor{}, argument.defaultValue);
}

bool hasNodes(const fx::Argument& argument) {
  bool any = false;
  fx::forEachNode(argument, [&](fx::NodeId) { any = true; });
  return any;
}

/// Whether the order of elements in memory decides values.
bool readsStorage(const fx::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
    return node.target.starts_with("aten.as_strided");
  });
}

rewrite::Rule withArgument(const BlockedCall& call, const std::string& id, const std::string& name,
                           const fx::Argument& value) {
  return ruleFor(call, id, [name, value](rewrite::Emitter& e) -> rewrite::Results {
    const fx::Node& node = e.matched();
    const fx::Argument* given = rewrite::given(node, name);
    if (given == nullptr || *given == value) return std::nullopt;
    std::vector<fx::NodeArgument> args = node.args;
    for (fx::NodeArgument& argument : args)
      if (argument.name == name) argument.value = value;
    return e.call(node.target, std::move(args), node.val);
  });
}

enum class ArgumentKind : std::uint8_t { Other, Training, Layout, Meaning };

/// Other for one that cannot be the reason.
ArgumentKind argumentKind(const fx::NodeArgument& argument) {
  const bool* flag = std::get_if<bool>(&argument.value);
  if (isIn(kTraining, argument.name) && flag != nullptr && *flag) return ArgumentKind::Training;
  if (isIn(kLayout, argument.name))
    return flag != nullptr && !*flag ? ArgumentKind::Other : ArgumentKind::Layout;
  return isIn(kMeaning, argument.name) ? ArgumentKind::Meaning : ArgumentKind::Other;
}

std::optional<Change> changeOf(const BlockedCall& call, const fx::NodeArgument& argument,
                               const ops::SchemaArgument& known) {
  const ArgumentKind kind = argumentKind(argument);
  if (kind == ArgumentKind::Other) return std::nullopt;
  const bool training = kind == ArgumentKind::Training;
  const std::optional<fx::Argument> value =
      training ? std::optional<fx::Argument>(false) : defaultOf(known);
  if (!value || *value == argument.value) return std::nullopt;
  const bool isFormat = argument.name == "memory_format";
  const std::string text = fx::dumpArgument(*call.subject.program, *value);
  Change change;
  change.sameResult =
      kind == ArgumentKind::Layout && !(isFormat && readsStorage(*call.subject.program));
  if (training) {
    change.id = "eval-mode";
    change.change = "use evaluation mode (" + argument.name + "=" + text + ")";
    change.cost = "evaluates instead of training";
  } else {
    change.id = isFormat ? "contiguous" : "default:" + argument.name;
    change.change = "leave " + argument.name + " at its default (" + text + ")";
    if (!change.sameResult)
      change.cost = "changes the result unless " + argument.name + " does not matter";
  }
  change.rules = {withArgument(call, change.id, argument.name, *value)};
  if (change.sameResult) {
    change.snippet = fixCommand(call);
    change.language = "sh";
  }
  return change;
}

void proposeArguments(const BlockedCall& call, std::vector<Change>& out) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(call.node.target);
  if (schema == nullptr) return;
  for (const fx::NodeArgument& argument : call.node.args) {
    const ops::SchemaArgument* known = schema->find(argument.name);
    if (known == nullptr || argument.value.isNone() || hasNodes(argument.value)) continue;
    if (std::optional<Change> change = changeOf(call, argument, *known))
      out.push_back(*std::move(change));
  }
}

}  // namespace

void registerArguments(Proposals& proposals) { proposals.add(proposeArguments); }

}  // namespace fxs::diagnose
