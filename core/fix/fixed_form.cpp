// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/fixed_form.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "diagnose/change.h"
#include "fx/evaluated_text.h"
#include "fx/python_text.h"
#include "fx/readable_metadata.h"
#include "fx/shared_weights.h"
#include "fx/stride_symbols.h"
#include "import/torch_mlir_refusals.h"
#include "rewrite/decompose.h"
#include "rewrite/emit.h"
#include "rewrite/transcription.h"

namespace fxs::fix {
namespace {

std::vector<const rewrite::Rule*> pointersTo(const std::vector<rewrite::Rule>& rules) {
  std::vector<const rewrite::Rule*> out;
  for (const rewrite::Rule& rule : rules) out.push_back(&rule);
  return out;
}

constexpr std::string_view kCpu = "cpu";
bool isElsewhere(const Device& device) { return !device.type.empty() && device.type != kCpu; }

/// "None", "3", "'a'"; "" for what is no constant of Python.
std::string constantInPython(const fx::Argument& value) {
  if (value.isNone()) return "None";
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  if (const std::int64_t* number = value.integer()) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value))
    return "float('" + fx::pythonRepr(*number) + "')";
  if (const auto* text = std::get_if<std::string>(&value)) return fx::pythonRepr(*text);
  return "";
}

bool moveToCpu(Device& device) {
  if (!isElsewhere(device)) return false;
  device = {std::string(kCpu), {}};
  return true;
}

bool moveToCpu(fx::Value& value) {
  if (auto* tensor = std::get_if<fx::TensorMeta>(&value)) return moveToCpu(tensor->device);
  bool moved = false;
  if (auto* parts = std::get_if<fx::ValueList>(&value))
    for (fx::Value& part : *parts) moved = moveToCpu(part) || moved;
  return moved;
}

bool moveToCpu(fx::Argument& argument) {
  if (auto* device = std::get_if<Device>(&argument)) return moveToCpu(*device);
  bool moved = false;
  if (auto* items = std::get_if<fx::ArgumentList>(&argument))
    for (fx::Argument& item : *items) moved = moveToCpu(item) || moved;
  if (auto* entries = std::get_if<fx::ArgumentDict>(&argument))
    for (auto& entry : *entries) moved = moveToCpu(entry.second) || moved;
  return moved;
}

/// The most factors of a power, and bits of a shift, that are written out.
constexpr std::int64_t kMostFactors = 16, kMostBits = 62;

rewrite::Results scalarCall(rewrite::Emitter& e, std::string_view function, const fx::Argument& a,
                            const fx::Argument& b) {
  return std::vector<fx::Argument>{
      e.context().callValue(function, {{"", a}, {"", b}}, e.matched().val)};
}

/// Sizes differ by less than this, so that the quotient of a difference by it is 0, or -1 if that
/// is negative.
constexpr std::int64_t kMoreThanSizes = std::int64_t{1} << 40;

/// An integer as a number or as a node of which the expression is known.
std::optional<rewrite::Size> integerOf(rewrite::Emitter& e, const fx::Argument& value) {
  if (const std::int64_t* number = value.integer()) return rewrite::Size::of(*number);
  const fx::Node* producer = e.context().producer(value);
  const fx::SymValue* symbol = producer == nullptr ? nullptr : producer->val.symbol();
  if (symbol == nullptr || symbol->kind != fx::SymKind::Int || !symbol->expr) return std::nullopt;
  const auto* hint = std::get_if<std::int64_t>(&symbol->constant);
  return rewrite::Size{
      fx::SymInt(symbol->expr, hint == nullptr ? std::nullopt : std::optional(*hint)), value};
}

rewrite::Size integerCall(rewrite::Emitter& e, std::string_view function, const rewrite::Size& a,
                          const rewrite::Size& b, const fx::SymInt& value) {
  fx::SymValue symbol{fx::SymKind::Int, value.expr(), {}};
  if (value.hint()) symbol.constant = *value.hint();
  return {value, e.context().callValue(function, {{"", a.argument}, {"", b.argument}}, symbol)};
}

/// max(a, b) as b + (a - b) * (1 + (a - b) // kMoreThanSizes); min(a, b) as a minus the same
/// product.
rewrite::Results importableMaximum(rewrite::Emitter& e, const fx::Argument& first,
                                   const fx::Argument& second, bool isMaximum) {
  const auto a = integerOf(e, first), b = integerOf(e, second);
  if (!a || !b) return std::nullopt;
  const fx::SymInt gap = a->value - b->value;
  if (gap.isStatic())
    return std::vector<fx::Argument>{(gap.value() >= 0) == isMaximum ? first : second};
  const rewrite::Size difference = integerCall(e, "_operator.sub", *a, *b, gap);
  std::optional<std::int64_t> hint;
  if (gap.hint()) hint = *gap.hint() < 0 ? -1 : 0;
  const fx::SymInt quotient(
      fx::SymExpr::call("FloorDiv", {gap.expr(), fx::SymExpr::integerOf(kMoreThanSizes)}), hint);
  const rewrite::Size sign =
      integerCall(e, "_operator.floordiv", difference, rewrite::Size::of(kMoreThanSizes), quotient);
  const rewrite::Size factor =
      integerCall(e, "_operator.add", sign, rewrite::Size::of(1), quotient + fx::SymInt(1));
  const rewrite::Size excess =
      integerCall(e, "_operator.mul", difference, factor, gap * factor.value);
  return scalarCall(e, isMaximum ? "_operator.add" : "_operator.sub", isMaximum ? second : first,
                    excess.argument);
}

rewrite::Results importablePower(rewrite::Emitter& e, const fx::Argument& base,
                                 std::int64_t exponent) {
  if (exponent == 0 || exponent > kMostFactors) return std::nullopt;
  fx::Argument power = base;
  for (std::int64_t i = 1; i < exponent; ++i)
    power = scalarCall(e, "_operator.mul", power, base)->front();
  return std::vector<fx::Argument>{power};
}

/// A scalar by the functions that torch-mlir's importer has.
rewrite::Results importableScalar(rewrite::Emitter& e) {
  const fx::Node& node = e.matched();
  const fx::SymValue* symbol = node.val.symbol();
  if (symbol == nullptr || symbol->kind != fx::SymKind::Int || node.args.empty())
    return std::nullopt;
  const fx::Argument& a = node.args[0].value;
  if (node.target == "_operator.neg") return scalarCall(e, "_operator.mul", a, std::int64_t{-1});
  if (node.args.size() == 1)
    return std::vector<fx::Argument>{a};  // of integers, the other functions of one are nothing
  if (node.target == "torch.sym_max" || node.target == "torch.sym_min")
    return importableMaximum(e, a, node.args[1].value, node.target == "torch.sym_max");
  const std::int64_t* b = node.args[1].value.integer();
  if (b == nullptr || *b < 0) return std::nullopt;
  if (node.target == "_operator.pow") return importablePower(e, a, *b);
  if (*b > kMostBits) return std::nullopt;
  return scalarCall(e, node.target == "_operator.lshift" ? "_operator.mul" : "_operator.floordiv",
                    a, std::int64_t{1} << *b);
}

/// The call with a clone in place of each weight in its lists.
rewrite::Results withClonedWeights(rewrite::Emitter& e, const std::set<fx::NodeId>& weights) {
  const fx::Node& node = e.matched();
  std::vector<fx::NodeArgument> args = node.args;
  bool changed = false;
  for (fx::NodeArgument& argument : args) {
    auto* items = std::get_if<fx::ArgumentList>(&argument.value);
    if (items == nullptr) continue;
    for (fx::Argument& item : *items) {
      const fx::Node* producer = e.context().producer(item);
      const fx::TensorMeta* meta = e.context().tensor(item);
      if (producer == nullptr || meta == nullptr || producer->op != fx::NodeOp::Placeholder ||
          !weights.contains(producer->origin))
        continue;
      item = e.clone({item, *meta}).value;
      changed = true;
    }
  }
  if (!changed) return std::nullopt;
  return e.call(node.target, std::move(args), node.val);
}

}  // namespace

Result<fx::ProgramPtr> withImportableForm(const fx::ProgramPtr& program,
                                          const RunContext& context) {
  std::set<fx::NodeId> refused;
  for (const fx::Finding& refusal : import::importerRefusals(*program))
    refused.insert(refusal.node);
  if (refused.empty()) return program;
  std::set<std::string> targets;
  for (const fx::Node& node : program->nodes)
    if (node.op == fx::NodeOp::CallFunction && refused.contains(program->originOf(node).id))
      targets.insert(node.target);
  std::set<fx::NodeId> weights;
  for (const fx::InputSpec& spec : program->inputs)
    if (spec.kind == fx::InputKind::Parameter || spec.kind == fx::InputKind::ConstantTensor)
      weights.insert(program->originOf(program->node(spec.node)).id);
  static constexpr std::array<std::string_view, 11> kScalars{
      "_operator.neg",    "_operator.pos", "_operator.pow", "_operator.lshift",
      "_operator.rshift", "math.trunc",    "math.floor",    "math.ceil",
      "torch.sym_int",    "torch.sym_max", "torch.sym_min"};
  std::vector<rewrite::Rule> rules;
  for (const std::string& target : targets) {
    const bool isScalar = std::find(kScalars.begin(), kScalars.end(), target) != kScalars.end();
    rules.push_back({target, "is accepted by torch-mlir's importer", false,
                     isScalar
                         ? decltype(rewrite::Rule::apply)(importableScalar)
                         : [weights](rewrite::Emitter& e) { return withClonedWeights(e, weights); },
                     "importable-form"});
  }
  return diagnose::withRules(program, pointersTo(rules),
                             program->original ? program->original : program, context);
}

fx::ProgramPtr withConstantBuffers(const fx::Program& program, std::vector<fx::NodeId>& changed) {
  auto out = std::make_shared<fx::Program>(program);
  for (fx::InputSpec& spec : out->inputs) {
    const bool isMutated =
        std::any_of(out->outputs.begin(), out->outputs.end(), [&](const fx::OutputSpec& o) {
          return o.kind == fx::OutputKind::BufferMutation && o.target == spec.target;
        });
    if (spec.kind != fx::InputKind::Buffer || isMutated) continue;
    spec.kind = fx::InputKind::ConstantTensor;
    changed.push_back(program.originOf(program.node(spec.node)).id);
  }
  return out;
}

namespace {

/// With each of the rules. `changed` receives the user's nodes that they changed.
Result<fx::ProgramPtr> withForms(const fx::ProgramPtr& program,
                                 const std::vector<rewrite::Rule>& rules,
                                 std::vector<fx::NodeId>& changed, const RunContext& context) {
  rewrite::Report report;
  FXS_TRY(fx::Program draft, rewrite::decompose(*program, pointersTo(rules), report, context));
  if (report.applied.empty()) return program;
  for (const rewrite::Applied& applied : report.applied) changed.push_back(applied.origin);
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  return rewrite::finish(std::move(draft), program->original ? program->original : program,
                         context);
}

}  // namespace

Result<fx::ProgramPtr> withConvertedFills(const fx::ProgramPtr& program,
                                          std::vector<fx::NodeId>& changed,
                                          const RunContext& context) {
  rewrite::Rule rule;
  rule.target = "aten.full.default";
  rule.apply = [](rewrite::Emitter& e) -> rewrite::Results {
    const fx::TensorMeta result = e.result();
    if (result.dtype != DType::Int8 && result.dtype != DType::UInt8) return std::nullopt;
    const fx::Argument size = e.argument("size"), value = e.argument("fill_value");
    e.require(size.list() != nullptr && value.integer() != nullptr);
    fx::TensorMeta wide = result;
    wide.dtype = DType::Int64;
    const rewrite::Tensor filled =
        e.op("aten.full.default", {size, value, DType::Int64, fx::None{}, result.device, false},
             std::move(wide));
    return one(e.cast(filled, result.dtype));
  };
  return withForms(program, {rule}, changed, context);
}

Result<fx::ProgramPtr> withGroupStatistics(const fx::ProgramPtr& program,
                                           std::vector<fx::NodeId>& changed,
                                           const RunContext& context) {
  const std::vector<rewrite::Rule>& all = rewrite::builtinRules().rules();
  const auto known =
      std::ranges::find(all, "aten.native_group_norm.default", &rewrite::Rule::target);
  if (known == all.end()) return program;
  return withForms(program, {*known}, changed, context);
}

Result<fx::ProgramPtr> withInferredSizes(const fx::ProgramPtr& program,
                                         std::vector<fx::NodeId>& changed,
                                         const RunContext& context) {
  static constexpr std::array<std::string_view, 8> kTargets{
      "aten.reshape.default", "aten.reshape_as.default",   "aten.view.default",
      "aten.view_as.default", "aten._unsafe_view.default", "aten.ravel.default",
      "aten.unflatten.int",   "aten.flatten.using_ints"};
  const auto apply = [](rewrite::Emitter& e) -> rewrite::Results {
    const rewrite::Tensor x = e.tensor("self");
    const fx::TensorMeta result = e.result();
    fx::ArgumentList shape;
    for (const fx::SymInt& size : result.sizes)
      shape.emplace_back(size.isStatic() ? size.value() : std::int64_t{-1});
    if (std::count(shape.begin(), shape.end(), fx::Argument(std::int64_t{-1})) != 1)
      return std::nullopt;
    return one(e.op("aten.view.default", {e.contiguousCopy(x).value, std::move(shape)}, result));
  };
  std::vector<rewrite::Rule> rules;
  for (const std::string_view target : kTargets) {
    rewrite::Rule& rule = rules.emplace_back();
    rule.target = target;
    rule.apply = apply;
  }
  return withForms(program, rules, changed, context);
}

fx::ProgramPtr withoutConstantResults(const fx::ProgramPtr& program,
                                      std::vector<std::string>& results) {
  const fx::Node& output = program->output(program->main().id);
  const fx::ArgumentList* values = output.args.empty() ? nullptr : output.args.front().value.list();
  if (values == nullptr || values->size() != program->outputs.size()) return program;
  auto out = std::make_shared<fx::Program>(*program);
  fx::ArgumentList kept;
  out->outputs.clear();
  std::vector<std::string> texts;
  bool hasValue = false;
  for (std::size_t i = 0; i < values->size(); ++i) {
    const fx::OutputSpec& spec = program->outputs[i];
    const bool isResult =
        spec.kind == fx::OutputKind::UserOutput || spec.kind == fx::OutputKind::LossOutput;
    std::string text = isResult ? constantInPython(spec.value) : "";
    if (text.empty()) {
      kept.push_back((*values)[i]);
      out->outputs.push_back(spec);
      hasValue |= isResult;
    }
    if (isResult) texts.push_back(std::move(text));
  }
  if (!hasValue || kept.size() == values->size()) return program;
  out->nodes[output.id.index()].args.front().value = std::move(kept);
  results = std::move(texts);
  return out;
}

fx::ProgramPtr asLoaded(const fx::Program& program) {
  auto out = std::make_shared<fx::Program>(program);
  out->original = nullptr;
  // What nothing uses is not tied in the file; see Weights in write/pt2.cpp.
  const auto users = fx::usersOf(*out);
  std::set<std::string_view> unused;
  for (const fx::InputSpec& spec : out->inputs)
    if (users[spec.node.index()].empty()) unused.insert(spec.target);
  for (fx::Weight& weight : out->weights)
    if (unused.contains(weight.fqn) && !weight.file.empty()) weight.file += '/' + weight.fqn;
  // What has no values is written as zeros.
  for (fx::Weight& weight : out->weights)
    if (!weight.readable && weight.fileBytes == 0)
      weight.fileBytes = weight.elements() * static_cast<std::uint64_t>(facts(weight.dtype).bytes);

  std::map<std::pair<fx::StringId, fx::StringId>, std::optional<fx::StringId>> written;
  const auto readable = [&](const fx::MetaString& entry) -> std::optional<fx::StringId> {
    const auto [known, isNew] = written.try_emplace({entry.key, entry.text}, entry.text);
    if (!isNew) return known->second;
    std::optional<std::string> text =
        fx::readableMetadata(out->text(entry.key), out->text(entry.text));
    if (!text) {
      known->second.reset();
    } else if (*text != out->text(entry.text)) {
      known->second = fx::StringId(static_cast<std::uint32_t>(out->strings.size()));
      out->strings.push_back(*std::move(text));
    }
    return known->second;
  };
  out->ranges = fx::usableRanges(*out);
  std::erase_if(out->guards, [](const std::string& guard) { return !fx::isGuard(guard); });
  for (fx::Node& node : out->nodes) {
    node.origin = node.id;
    std::vector<fx::MetaString> meta;
    for (const fx::MetaString& entry : node.meta)
      if (const auto text = readable(entry)) meta.push_back({entry.key, *text});
    node.meta.assign(meta.begin(), meta.end());
  }
  return out;
}

fx::ProgramPtr withOneNamePerTensor(const fx::ProgramPtr& program) {
  const fx::SharedWeights shared(*program);
  std::map<fx::NodeId, fx::NodeId> chosen;
  for (const fx::InputSpec& spec : program->inputs) {
    if (shared.standsForAll(spec.node) || shared.overlaps(spec.node).valid()) continue;
    for (const fx::NodeId other : shared.sameAs(spec.node))
      if (shared.standsForAll(other)) chosen[spec.node] = other;
  }
  if (chosen.empty()) return program;
  auto out = std::make_shared<fx::Program>(*program);
  const auto renamed = [&](const fx::Argument& argument) {
    return fx::mapNodes(argument, [&](fx::NodeId id) -> fx::Argument {
      const auto found = chosen.find(id);
      return found == chosen.end() ? id : found->second;
    });
  };
  for (fx::Node& node : out->nodes)
    for (fx::NodeArgument& argument : node.args) argument.value = renamed(argument.value);
  for (fx::OutputSpec& output : out->outputs) output.value = renamed(output.value);
  return out;
}

fx::ProgramPtr onCpu(const fx::ProgramPtr& program) {
  auto out = std::make_shared<fx::Program>(*program);
  bool moved = false;
  for (fx::Node& node : out->nodes) {
    moved = moveToCpu(node.val) || moved;
    for (fx::NodeArgument& argument : node.args) moved = moveToCpu(argument.value) || moved;
  }
  return moved ? out : program;
}

fx::ProgramPtr withFoundMutations(const fx::ProgramPtr& program) {
  if (std::none_of(program->outputs.begin(), program->outputs.end(), import::isMutationNotFound))
    return program;
  auto out = std::make_shared<fx::Program>(*program);
  std::set<std::string> taken;
  for (const fx::NodeId id : out->main().nodes) taken.insert(out->node(id).name);
  std::map<std::string, std::string> renamed;
  for (fx::OutputSpec& output : out->outputs) {
    if (!import::isMutationNotFound(output)) continue;
    std::string& name = renamed[output.target];
    for (int i = 1; name.empty() || !taken.insert(name).second; ++i)
      name = output.target + "_" + std::to_string(i);
    output.target = name;
  }
  for (const fx::InputSpec& input : out->inputs) {
    fx::Node& node = out->nodes[input.node.index()];
    if (const auto found = renamed.find(node.name); found != renamed.end())
      node.name = found->second;
  }
  return out;
}

Result<fx::ProgramPtr> withoutUnusedNumbers(const fx::ProgramPtr& program,
                                            const RunContext& context) {
  if (std::none_of(program->nodes.begin(), program->nodes.end(), import::isUnusedNumber))
    return program;
  return rewrite::finish(*program, program->original ? program->original : program, context,
                         rewrite::Unused::All);
}

fx::ProgramPtr withAtenViews(const fx::ProgramPtr& program) {
  auto out = std::make_shared<fx::Program>(*program);
  bool changed = false;
  for (fx::Node& node : out->nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    if (node.target == "prims.view_of.default" && node.args.size() == 1) {
      node.target = "aten.alias.default";
    } else if (node.target == "prims.squeeze.default" && node.args.size() == 2) {
      node.target = "aten.squeeze.dims";
      node.args[1].name = "dim";
    } else {
      continue;
    }
    node.args[0].name = "self";
    changed = true;
  }
  return changed ? out : program;
}

fx::ProgramPtr withAttributeNames(const fx::ProgramPtr& program, std::vector<fx::NodeId>& changed) {
  std::set<std::string> taken;
  for (const fx::InputSpec& spec : program->inputs) taken.insert(spec.target);
  for (const fx::Weight& weight : program->weights) taken.insert(weight.fqn);
  std::map<std::string, std::string> renamed;
  for (const fx::InputSpec& spec : program->inputs) {
    std::string name = fx::attributeName(spec.target);
    if (spec.target.empty() || name == spec.target) continue;
    changed.push_back(program->originOf(program->node(spec.node)).id);
    if (renamed.contains(spec.target)) continue;
    while (!taken.insert(name).second) name += '_';
    renamed.emplace(spec.target, std::move(name));
  }
  if (renamed.empty()) return program;
  auto out = std::make_shared<fx::Program>(*program);
  const auto rename = [&](std::string& target) {
    if (const auto found = renamed.find(target); found != renamed.end()) target = found->second;
  };
  for (fx::InputSpec& spec : out->inputs) rename(spec.target);
  for (fx::Weight& weight : out->weights) rename(weight.fqn);
  for (fx::OutputSpec& spec : out->outputs)
    if (spec.kind != fx::OutputKind::UserInputMutation &&
        spec.kind != fx::OutputKind::GradientToUserInput)
      rename(spec.target);
  return out;
}

WeightsWithoutValues weightsWithoutValues(const fx::Program& program) {
  WeightsWithoutValues out;
  for (const fx::InputSpec& spec : program.inputs) {
    const fx::Weight* weight = spec.target.empty() ? nullptr : program.findWeight(spec.target);
    if (weight == nullptr || weight->readable) continue;
    if (out.nodes.empty()) out.reason = weight->reason;
    out.nodes.push_back(program.originOf(program.node(spec.node)).id);
  }
  return out;
}

}  // namespace fxs::fix
