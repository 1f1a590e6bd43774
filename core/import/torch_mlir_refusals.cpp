// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/torch_mlir_refusals.h"

#include <algorithm>
#include <array>
#include <complex>
#include <set>

#include "fx/evaluated_text.h"
#include "fx/readable_metadata.h"
#include "fx/shadowed_names.h"
#include "fx/shared_weights.h"
#include "fx/stride_symbols.h"
#include "import/torch_mlir_dtypes.h"
#include "ops/operators.h"
#include "ops/schema.h"

namespace fxs::import {
namespace {

/// Whether the importer has an operation of the torch dialect for a Python function of scalars.
bool hasOperation(std::string_view function) {
  constexpr std::array<std::string_view, 13> kKnown{"getitem", "truediv", "mul",     "add", "sub",
                                                    "lt",      "le",      "ge",      "ne",  "gt",
                                                    "mod",     "eq",      "floordiv"};
  return std::find(kKnown.begin(), kKnown.end(), function) != kKnown.end();
}

/// Whether the importer has a function for a higher-order operator: _import_hop_while_loop.
bool hasHandler(std::string_view higherOrder) {
  constexpr std::array<std::string_view, 3> kHandled{"while_loop", "auto_functionalized",
                                                     "flex_attention"};
  return std::find(kHandled.begin(), kHandled.end(), higherOrder) != kHandled.end();
}

/// Weights in place of the tensors of a list: the importer replaces them by their values before it
/// reads the list.
bool hasWeightInList(const fx::Program& program, const fx::Node& node) {
  for (const fx::NodeArgument& argument : node.args)
    if (const fx::ArgumentList* items = argument.value.list())
      for (const fx::Argument& item : *items) {
        const fx::InputSpec* spec =
            item.node() != nullptr ? program.inputOf(*item.node()) : nullptr;
        if (spec != nullptr &&
            (spec->kind == fx::InputKind::Parameter || spec->kind == fx::InputKind::ConstantTensor))
          return true;
      }
  return false;
}

bool isScalarFunction(const fx::Node& node) {
  return node.target.starts_with("_operator.") || node.target.starts_with("torch.") ||
         node.target.starts_with("math.");
}

/// Whether PyTorch computes the call, or drops it, when it decomposes the program: the importer
/// does not see it.
bool isGone(const fx::Program& program, const fx::Node& node,
            const std::vector<std::vector<fx::NodeId>>& users) {
  if (isScalarFunction(node) && node.target != fx::kGetitem) {
    bool usesNode = false;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId) { usesNode = true; });
    if (!usesNode) return true;
  }
  if (!users[node.id.index()].empty()) return false;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  const bool isPure = schema != nullptr && !schema->isMutable && !schema->returns.empty();
  return (isPure || isScalarFunction(node)) &&
         std::none_of(program.outputs.begin(), program.outputs.end(),
                      [&](const fx::OutputSpec& output) {
                        const fx::NodeId* value = output.value.node();
                        return value != nullptr && *value == node.id;
                      });
}

/// Why the importer stops at a loop. A loaded program has lists where the exported one has tuples,
/// and the importer takes no lists.
std::string loopRefusal(const fx::Node& loop, Form form) {
  if (form == Form::Loaded)
    return "expects the carried values of higher_order.while_loop as a tuple, and a loaded program "
           "has a list";
  const fx::ArgumentList* more = loop.args.size() > 3 ? loop.args[3].value.list() : nullptr;
  if (more != nullptr && !more->empty())
    return "carries the additional inputs of higher_order.while_loop, which its body does not "
           "return";
  return "";
}

/// Whether sizes, strides or offset of a call of aten.as_strided are no numbers.
bool isStridedBySymbols(const fx::Node& node) {
  bool hasSymbol = false;
  for (std::size_t i = 1; i < node.args.size(); ++i)
    fx::forEachNode(node.args[i].value, [&](fx::NodeId) { hasSymbol = true; });
  return node.target == "aten.as_strided.default" && hasSymbol;
}

/// Why the importer stops at a call; "" if it does not.
std::string refusalOf(const fx::Program& program, const fx::Node& node, Form form) {
  constexpr std::string_view kOperator = "_operator.";
  if (node.target == kWhileLoop) return loopRefusal(node, form);
  if (node.target == "higher_order.auto_functionalized_v2")
    return "does not implement the higher-order operation " + node.target +
           ", and PyTorch does not decompose it where its operator is not registered";
  constexpr std::string_view kHigherOrder = "higher_order.";
  if (node.target.starts_with(kHigherOrder) &&
      !hasHandler(std::string_view(node.target).substr(kHigherOrder.size())))
    return "does not implement the higher-order operation " + node.target;
  if (node.target.starts_with(kOperator) &&
      !hasOperation(std::string_view(node.target).substr(kOperator.size())))
    return "has no operation for " + node.target;
  if (isScalarFunction(node) && !node.target.starts_with(kOperator))
    return "has no operation for " + node.target;
  for (const fx::NodeArgument& argument : node.args)
    if (const DType* dtype = std::get_if<DType>(&argument.value);
        dtype != nullptr && !torchMlirDType(*dtype).number)
      return "has no number for torch." + std::string(facts(*dtype).torchName);
  for (const fx::NodeArgument& argument : node.args)
    if (std::holds_alternative<std::complex<double>>(argument.value))
      return "has no constant for a complex number";
  if (isStridedBySymbols(node)) return "takes only numbers as sizes of aten.as_strided";
  if (hasWeightInList(program, node)) return "does not accept a weight in a list of tensors";
  return "";
}

std::string refusalOf(const fx::Value& value) {
  if (const fx::TensorMeta* meta = value.tensor();
      meta != nullptr && meta->dtype != DType::Unknown && !torchMlirDType(meta->dtype).hasType)
    return "has no type for torch." + std::string(facts(meta->dtype).torchName);
  if (const fx::ValueList* parts = value.list())
    for (const fx::Value& part : *parts)
      if (std::string reason = refusalOf(part); !reason.empty()) return reason;
  return "";
}

/// A parameter or constant is written as a literal when a call uses it.
std::string weightRefusal(const fx::Program& program, const fx::Node& node,
                          const std::vector<std::vector<fx::NodeId>>& users) {
  const fx::InputSpec* spec = program.inputOf(node.id);
  const fx::TensorMeta* meta = node.val.tensor();
  if (spec == nullptr || meta == nullptr || meta->dtype == DType::Unknown ||
      torchMlirDType(meta->dtype).hasWeights)
    return "";
  if (spec->kind != fx::InputKind::Parameter && spec->kind != fx::InputKind::ConstantTensor)
    return "";
  return users[node.id.index()].empty()
             ? ""
             : "cannot write a literal of torch." + std::string(facts(meta->dtype).torchName);
}

// How messages begin, and what those of loaded programs say.
constexpr std::string_view kOfImporter = "torch-mlir's importer ", kOfLoad = "torch.export.load ",
                           kLoaded = "loaded program";

fx::Finding refusedAt(const fx::Program& program, const fx::Node& node, const std::string& reason) {
  fx::Finding out = fx::findingAt(program, node, "not-imported", reason);
  out.stage = "raw";
  return out;
}

/// Where PyTorch stops at a file that torch.export.save wrote; what other writers may get wrong is
/// not looked at.
std::optional<fx::Finding> notLoaded(const fx::Program& program) {
  std::set<std::pair<fx::StringId, fx::StringId>> checked;
  for (const fx::Node& node : program.nodes)
    for (const fx::MetaString& entry : node.meta) {
      const std::string& key = program.text(entry.key);
      if ((key != "nn_module_stack" && key != "source_fn_stack") ||
          !checked.insert({entry.key, entry.text}).second)
        continue;
      if (fx::readableMetadata(key, program.text(entry.text)) != program.text(entry.text))
        return refusedAt(program, node,
                         "torch.export.load cannot parse the " + key +
                             " of this node, in which a name has ',', ';' or a bracket: " +
                             fx::shownText(program.text(entry.text)));
    }
  const fx::Program& file = program.original ? *program.original : program;
  for (const fx::Node& node : file.nodes)
    if (isUnusedNumber(node))
      return refusedAt(
          file, node,
          "torch.export.load reads no " + node.target +
              " without a result, as torch.export.save writes it where nothing uses it");
  for (const fx::OutputSpec& spec : program.outputs)
    if (const auto* text = std::get_if<std::string>(&spec.value))
      return refusedAt(program, program.output(program.main().id),
                       "torch.export.load reads no result that is a text: " + fx::shownText(*text));
  for (const fx::InputSpec& spec : program.inputs)
    if (spec.kind != fx::InputKind::UserInput && !spec.target.empty() &&
        fx::attributeName(spec.target) != spec.target)
      return refusedAt(program, program.node(spec.node),
                       "PyTorch makes Python source of the name " + fx::shownText(spec.target) +
                           ", which has a keyword and does not run");
  return std::nullopt;
}

/// Where PyTorch stops when it decomposes a loaded program: it computes the types of results by
/// fake kernels only, and a decomposition calls an operator that has none. A program that was just
/// exported falls back to the operator itself.
std::optional<fx::Finding> withoutFakeKernel(const fx::Program& program) {
  constexpr std::string_view kTarget = "aten.fake_quantize_per_tensor_affine.default";
  for (const fx::Node& node : program.nodes)
    if (node.target == kTarget)
      return refusedAt(program, node,
                       "PyTorch does not decompose a loaded program with " + node.target +
                           ", of whose decomposition it has no fake kernel");
  return std::nullopt;
}

/// Where PyTorch stops at what it knows of sizes when it decomposes a program: at a guard that has
/// no value for other inputs than the example, and, once the program was saved, at ranges.
std::optional<fx::Finding> withoutRange(const fx::Program& program) {
  for (const std::string& guard : program.guards)
    if (fx::isGuardOfBase(guard))
      return refusedAt(program, program.output(program.main().id),
                       "PyTorch does not decompose a program with a guard on the tensor that an "
                       "example input is a view of, which a contiguous input has not: " +
                           fx::shownText(guard));
  for (const fx::RangeConstraint& range : program.ranges)
    if (fx::isDerived(range))
      return refusedAt(program, program.output(program.main().id),
                       "PyTorch does not decompose a loaded program with the range of a derived "
                       "dimension: " +
                           fx::shownText(range.symbol));
  if (const auto strides = fx::strideSymbols(program); !strides.empty())
    return refusedAt(program, program.node(strides.begin()->second),
                     "PyTorch does not decompose a loaded program with the stride " +
                         strides.begin()->first +
                         " of an input, of which torch.export.save writes no range; a contiguous "
                         "input has none");
  return std::nullopt;
}

}  // namespace

bool isOfPyTorch(const fx::Finding& refusal) {
  return refusal.stage == "raw" && refusal.kind == "not-imported" &&
         !refusal.message.starts_with(kOfImporter);
}

bool isOfLoaded(const fx::Finding& refusal) {
  return refusal.message.starts_with(kOfLoad) || refusal.message.find(kLoaded) != std::string::npos;
}

bool isPermutedFromBack(const fx::Node& node) {
  const fx::ArgumentList* dims = node.target == "aten.permute.default" && node.args.size() == 2
                                     ? node.args[1].value.list()
                                     : nullptr;
  return dims != nullptr && std::any_of(dims->begin(), dims->end(), [](const fx::Argument& dim) {
           return dim.integer() != nullptr && *dim.integer() < 0;
         });
}

bool isMutationNotFound(const fx::OutputSpec& output) {
  return output.kind == fx::OutputKind::UserInputMutation && fx::isShadowedName(output.target);
}

bool isUnusedNumber(const fx::Node& node) {
  return node.target == "aten.item.default" && std::holds_alternative<fx::NoneValue>(node.val);
}

bool isViewOutsideAten(const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return false;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  return schema != nullptr && schema->ns != "aten" &&
         std::any_of(schema->returns.begin(), schema->returns.end(),
                     [](const ops::SchemaReturn& r) { return r.alias == ops::Alias::Read; });
}

namespace {

/// What a value is a view of, by the schema of the call; null for others.
const fx::Node* viewedBy(const fx::Program& program, const fx::Node& value) {
  const fx::NodeId* tuple = value.target == fx::kGetitem && !value.args.empty()
                                ? value.args.front().value.node()
                                : nullptr;
  const fx::Node& call = tuple != nullptr ? program.node(*tuple) : value;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(call.target);
  if (schema == nullptr || schema->returns.empty() || call.args.empty() ||
      schema->returns.front().alias != ops::Alias::Read)
    return nullptr;
  // Some make views of some operands only.
  const std::string_view shares =
      ops::operatorNamed(fx::packetOf(call.target)).rule(ops::Rule::Shares);
  const fx::NodeId* of = call.args.front().value.node();
  return of != nullptr && shares.empty() ? &program.node(*of) : nullptr;
}

bool isStridedView(const fx::Program& program, const fx::Node& value) {
  for (const fx::Node *view = &value, *of = viewedBy(program, value); of != nullptr;
       view = of, of = viewedBy(program, *of))
    if (view->target == "aten.as_strided.default" && viewedBy(program, *of) != nullptr) return true;
  return false;
}

}  // namespace

std::vector<fx::NodeId> writtenBy(const fx::Node& call) {
  std::vector<fx::NodeId> out;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(call.target);
  if (call.op != fx::NodeOp::CallFunction || schema == nullptr || !schema->isMutable) return out;
  for (const fx::NodeArgument& argument : call.args) {
    const ops::SchemaArgument* known = schema->find(argument.name);
    const fx::NodeId* written = argument.value.node();
    if (written != nullptr && known != nullptr && known->alias == ops::Alias::Write)
      out.push_back(*written);
  }
  return out;
}

const fx::Node* stridedWrite(const fx::Program& program) {
  for (const fx::Node& node : program.nodes)
    for (const fx::NodeId written : writtenBy(node)) {
      const fx::Node& value = program.node(written);
      const bool isDiagonal = node.target == "aten.fill_diagonal_.default";
      if (isDiagonal ? viewedBy(program, value) != nullptr : isStridedView(program, value))
        return &node;
    }
  return nullptr;
}

const fx::Node* sharedAndMutated(const fx::Program& program) {
  const fx::SharedWeights shared(program);
  for (const fx::OutputSpec& output : program.outputs) {
    if (output.kind != fx::OutputKind::BufferMutation &&
        output.kind != fx::OutputKind::ParameterMutation)
      continue;
    for (const fx::InputSpec& input : program.inputs)
      if (input.target == output.target && shared.isShared(input.node))
        return &program.node(input.node);
  }
  return nullptr;
}

std::vector<fx::Finding> importerRefusals(const fx::Program& program, Form form) {
  std::vector<fx::Finding> out;
  const auto users = fx::usersOf(program);
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    if (node.op == fx::NodeOp::CallFunction && isGone(program, node, users)) continue;
    std::string reason = node.op == fx::NodeOp::CallFunction ? refusalOf(program, node, form) : "";
    if (reason.empty() && node.op != fx::NodeOp::Output) reason = refusalOf(node.val);
    if (reason.empty() && node.op == fx::NodeOp::Placeholder)
      reason = weightRefusal(program, node, users);
    if (!reason.empty()) out.push_back(refusedAt(program, node, std::string(kOfImporter) + reason));
  }
  return out;
}

std::optional<fx::Finding> missingValues(const fx::Program& program) {
  for (const fx::InputSpec& input : program.inputs) {
    const fx::Weight* weight = input.target.empty() ? nullptr : program.findWeight(input.target);
    const bool isEmpty = weight != nullptr && !weight->readable && !weight->file.empty() &&
                         weight->fileBytes == 0 && weight->elements() > 0;
    if (isEmpty)
      return refusedAt(
          program, program.node(input.node),
          "torch-mlir's importer has no values of '" + input.target + "', which the file lacks");
  }
  return std::nullopt;
}

std::vector<fx::Finding> torchMlirRefusals(const fx::Program& program, Form form) {
  std::vector<fx::Finding> out = importerRefusals(program, form);
  if (form == Form::Loaded) {
    if (auto refusal = withoutRange(program)) out.insert(out.begin(), *std::move(refusal));
    if (auto refusal = withoutFakeKernel(program)) out.insert(out.begin(), *std::move(refusal));
    if (auto refusal = notLoaded(program)) out.insert(out.begin(), *std::move(refusal));
  }
  if (const fx::Node* input = sharedAndMutated(program))
    out.insert(
        out.begin(),
        refusedAt(program, *input,
                  "PyTorch does not decompose a program that mutates a tensor with two names"));
  const fx::Program& file = program.original ? *program.original : program;
  for (const fx::OutputSpec& output : file.outputs)
    if (isMutationNotFound(output)) {
      out.insert(out.begin(), refusedAt(file, file.output(file.main().id),
                                        "PyTorch does not find the input that is mutated, because "
                                        "its name is one of Python's: " +
                                            output.target));
      break;
    }
  if (const fx::Node* write = stridedWrite(file))
    out.insert(out.begin(),
               refusedAt(file, *write,
                         "PyTorch does not make a write to as_strided of a view functional: " +
                             write->target));
  // Views that are made for the importer come after PyTorch's part.
  for (const fx::Node& node : program.nodes)
    if (isViewOutsideAten(node) && program.originOf(node).target == node.target) {
      out.insert(out.begin(), refusedAt(program, node,
                                        "PyTorch does not make views of other namespaces than aten "
                                        "functional: " +
                                            node.target));
      break;
    }
  return out;
}

}  // namespace fxs::import
