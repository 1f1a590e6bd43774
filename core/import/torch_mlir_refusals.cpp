#include "import/torch_mlir_refusals.h"

#include <algorithm>
#include <array>
#include <complex>
#include <map>
#include <set>

#include "fx/shared_weights.h"
#include "import/torch_mlir_dtypes.h"

namespace fxs::import {
namespace {

/// Whether the importer has an operation of the torch dialect for a Python function of scalars.
bool hasOperation(std::string_view function) {
  constexpr std::array<std::string_view, 13> kKnown{"getitem", "truediv", "mul", "add", "sub", "lt",      "le",
                                                    "ge",      "ne",      "gt",  "mod", "eq",  "floordiv"};
  return std::find(kKnown.begin(), kKnown.end(), function) != kKnown.end();
}

/// Weights in place of the tensors of a list: the importer replaces them by their values before it reads the list.
bool hasWeightInList(const fx::Program& program, const fx::Node& node) {
  for (const fx::NodeArgument& argument : node.args)
    if (const fx::ArgumentList* items = argument.value.list())
      for (const fx::Argument& item : *items) {
        const fx::InputSpec* spec = item.node() != nullptr ? program.inputOf(*item.node()) : nullptr;
        if (spec != nullptr && (spec->kind == fx::InputKind::Parameter || spec->kind == fx::InputKind::ConstantTensor)) return true;
      }
  return false;
}

/// Why the importer stops at a call; "" if it does not.
std::string whyRefused(const fx::Program& program, const fx::Node& node) {
  constexpr std::string_view kOperator = "_operator.";
  if (node.target.starts_with("higher_order.")) return "does not implement the higher-order operation " + node.target;
  if (node.target.starts_with(kOperator) && !hasOperation(std::string_view(node.target).substr(kOperator.size())))
    return "has no operation for " + node.target;
  if (node.target.starts_with("torch.") || node.target.starts_with("math.")) return "has no operation for " + node.target;
  for (const fx::NodeArgument& argument : node.args)
    if (const DType* dtype = std::get_if<DType>(&argument.value); dtype != nullptr && !torchMlirDType(*dtype).number)
      return "has no number for torch." + std::string(facts(*dtype).torchName);
  for (const fx::NodeArgument& argument : node.args)
    if (std::holds_alternative<std::complex<double>>(argument.value)) return "has no constant for a complex number";
  if (hasWeightInList(program, node)) return "does not take a weight in a list of tensors";
  return "";
}

std::string whyRefused(const fx::Value& value) {
  if (const fx::TensorMeta* meta = value.tensor(); meta != nullptr && meta->dtype != DType::Unknown && !torchMlirDType(meta->dtype).hasType)
    return "has no type for torch." + std::string(facts(meta->dtype).torchName);
  if (const fx::ValueList* parts = value.list())
    for (const fx::Value& part : *parts)
      if (std::string why = whyRefused(part); !why.empty()) return why;
  return "";
}

/// A parameter or constant is written as a literal when a call uses it.
std::string whyRefusedWeight(const fx::Program& program, const fx::Node& node) {
  const fx::InputSpec* spec = program.inputOf(node.id);
  const fx::TensorMeta* meta = node.val.tensor();
  if (spec == nullptr || meta == nullptr || meta->dtype == DType::Unknown || torchMlirDType(meta->dtype).hasWeights) return "";
  if (spec->kind != fx::InputKind::Parameter && spec->kind != fx::InputKind::ConstantTensor) return "";
  const bool isUsed = std::any_of(program.nodes.begin(), program.nodes.end(), [&](const fx::Node& user) {
    bool uses = false;
    for (const fx::NodeArgument& argument : user.args) fx::forEachNode(argument.value, [&](fx::NodeId id) { uses |= id == node.id; });
    return uses;
  });
  return isUsed ? "makes no literal of torch." + std::string(facts(meta->dtype).torchName) : "";
}

/// An input that is mutated and shares its storage with another one; null if there is none. aot_export_module() refuses it.
const fx::Node* sharedAndMutated(const fx::Program& program) {
  const fx::SharedWeights shared(program);
  for (const fx::OutputSpec& output : program.outputs) {
    if (output.kind != fx::OutputKind::BufferMutation && output.kind != fx::OutputKind::ParameterMutation) continue;
    for (const fx::InputSpec& input : program.inputs)
      if (input.target == output.target && shared.isShared(input.node)) return &program.node(input.node);
  }
  return nullptr;
}

fx::Finding refusedAt(const fx::Program& program, const fx::Node& node, const std::string& why) {
  fx::Finding out = fx::findingAt(program, node, "not-imported", why);
  out.stage = "raw";
  return out;
}

}  // namespace

std::vector<fx::Finding> importerRefusals(const fx::Program& program) {
  std::vector<fx::Finding> out;
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    std::string why = node.op == fx::NodeOp::CallFunction ? whyRefused(program, node) : "";
    if (why.empty() && node.op != fx::NodeOp::Output) why = whyRefused(node.val);
    if (why.empty() && node.op == fx::NodeOp::Placeholder) why = whyRefusedWeight(program, node);
    if (!why.empty()) out.push_back(refusedAt(program, node, "torch-mlir's importer " + why));
  }
  return out;
}

std::vector<fx::Finding> torchMlirRefusals(const fx::Program& program) {
  std::vector<fx::Finding> out = importerRefusals(program);
  if (const fx::Node* input = sharedAndMutated(program))
    out.insert(out.begin(), refusedAt(program, *input, "PyTorch does not decompose a program that mutates a tensor with two names"));
  return out;
}

}  // namespace fxs::import
