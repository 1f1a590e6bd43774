// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/node_call.h"

#include <algorithm>
#include <numeric>

#include "fx/text.h"
#include "fx/typed_operand.h"
#include "ops/shapes.h"

namespace fxs::registry {
namespace {

fx::Argument defaultOf(const ops::SchemaArgument& formal) {
  if (const auto* flag = std::get_if<bool>(&formal.defaultValue)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&formal.defaultValue)) return *integer;
  if (const auto* number = std::get_if<double>(&formal.defaultValue)) return *number;
  if (const auto* text = std::get_if<std::string>(&formal.defaultValue)) return *text;
  const auto* items = std::get_if<ops::DefaultList>(&formal.defaultValue);
  if (items == nullptr) return fx::None{};
  fx::ArgumentList out;
  for (const auto& item : *items)
    out.push_back(std::visit([](auto v) { return fx::Argument(v); }, item));
  return out;
}

std::string shown(const fx::Program& program, const fx::Argument& argument) {
  return fx::dumpArgument(program, argument);
}

std::optional<std::int64_t> integerOf(const fx::Argument& argument) {
  if (const std::int64_t* integer = argument.integer(); integer != nullptr && !isSymbolic(*integer))
    return *integer;
  if (const auto* flag = std::get_if<bool>(&argument)) return *flag ? 1 : 0;
  return std::nullopt;
}

std::string named(std::string_view name) { return "argument '" + std::string(name) + "'"; }

}  // namespace

tl::expected<std::int64_t, Refusal> Call::dim(std::int64_t dim, std::int64_t rank) {
  if (const auto wrapped = ops::wrapDim(dim, static_cast<std::size_t>(rank)))
    return static_cast<std::int64_t>(*wrapped);
  return refuse("dimension " + std::to_string(dim) + " is out of range for rank " +
                std::to_string(rank));
}

tl::expected<std::int64_t, Refusal> Call::dim(std::string_view name, std::int64_t rank) const {
  FXS_TAKE(given, integer(name));
  return dim(given, rank);
}

tl::expected<Sizes, Refusal> Call::dims(std::string_view name, std::int64_t rank) const {
  Sizes out;
  if (has(name)) {
    FXS_TAKE(given, integers(name));
    for (const std::int64_t each : given) {
      FXS_TAKE(wrapped, dim(each, rank));
      if (std::find(out.begin(), out.end(), wrapped) != out.end())
        return refuse("dimension " + std::to_string(wrapped) + " is repeated");
      out.push_back(wrapped);
    }
  }
  if (rank == 0) return Sizes();
  if (out.empty()) {
    out.resize(static_cast<std::size_t>(rank));
    std::iota(out.begin(), out.end(), std::int64_t{0});
  }
  std::sort(out.begin(), out.end());
  return out;
}

tl::expected<DType, Refusal> commonType(const Call& call,
                                        std::initializer_list<std::string_view> names) {
  std::vector<ops::TypedOperand> operands;
  std::string types;
  for (const std::string_view name : names) {
    const std::optional<ops::TypedOperand> operand =
        fx::typedOperand(call.program(), call.argument(name));
    if (!operand) continue;
    operands.push_back(*operand);
    types += (types.empty() ? "" : " and ") + std::string(facts(operand->dtype).torchName);
  }
  if (operands.empty()) return DType::Unknown;
  if (const auto common = ops::resultType(operands)) return *common;
  return refuse("PyTorch has no common type of " + types);
}

tl::expected<TensorType, Refusal> tensorTypeOf(const fx::Value& value, SymbolicSizes* symbols) {
  const fx::TensorMeta* meta = value.tensor();
  if (meta == nullptr) return refuse("the program does not record its tensor type");
  TensorType out{{}, elementOf(meta->dtype)};
  if (out.element.empty())
    return refuse(std::string(facts(meta->dtype).torchName) + " is not an MLIR element type");
  if (meta->sizes.size() > kMostDimensions)
    return refuse("the program records " + std::to_string(meta->sizes.size()) +
                  " dimensions; a tensor has at most " + std::to_string(kMostDimensions));
  std::int64_t elements = 1;
  for (const fx::SymInt& size : meta->sizes) {
    if (!size.isStatic()) {
      if (symbols == nullptr) return refuse(meta->text() + " has a symbolic size");
      out.sizes.push_back(symbols->of(size));
      continue;
    }
    if (size.value() < 0) return refuse(meta->text() + " has a negative size");
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(size.value(), 1), &elements) ||
        elements > kMostElements)
      return refuse(meta->text() + " has more elements than fit in memory");
    out.sizes.push_back(size.value());
  }
  return out;
}

std::optional<fx::Argument> knownNumber(const fx::Value& value) {
  const fx::SymValue* symbol = value.symbol();
  if (symbol == nullptr || symbol->expr != nullptr) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&symbol->constant)) return *integer;
  if (const auto* number = std::get_if<double>(&symbol->constant)) return *number;
  if (const auto* flag = std::get_if<bool>(&symbol->constant)) return *flag;
  return std::nullopt;
}

NodeCall::NodeCall(const fx::Program& program, const fx::Node& node, OpBuilder& builder,
                   SymbolicSizes& symbols, const ValueTable& values)
    : Call(program, node, builder),
      schema_(ops::SchemaTable::builtin().find(node.target)),
      symbols_(symbols),
      values_(values) {}

fx::Argument NodeCall::argument(std::string_view name) const {
  const fx::NodeArgument* given = node().find(name);
  const ops::SchemaArgument* formal = schema_ != nullptr ? schema_->find(name) : nullptr;
  if (given == nullptr && formal != nullptr) {
    const auto position = static_cast<std::size_t>(formal - schema_->arguments.data());
    if (position < node().args.size() && node().args[position].name.empty())
      given = &node().args[position];
  }
  if (given == nullptr) return formal != nullptr ? defaultOf(*formal) : fx::Argument(fx::None{});
  return fx::mapNodes(given->value, [&](fx::NodeId id) {
    const auto number = knownNumber(program().node(id).val);
    return number ? *number : fx::Argument(id);
  });
}

tl::expected<Value, Refusal> NodeCall::tensor(const fx::Argument& argument,
                                              std::string_view subject) const {
  const fx::NodeId* id = argument.node();
  if (id == nullptr)
    return refuse(std::string(subject) + " is " + shown(program(), argument) + ", not a tensor");
  const Values& values = values_[id->index()];
  if (values.size() == 1 && !values.front().tensor.element.empty()) return values.front();
  if (auto type = tensorTypeOf(program().node(*id).val, &symbols_); !type)
    return tl::unexpected<Refusal>(type.error());
  return refuse(std::string(subject) + " has no value");
}

tl::expected<Value, Refusal> NodeCall::operand(std::string_view name) const {
  return tensor(argument(name), named(name));
}
tl::expected<Value, Refusal> NodeCall::operandOf(const fx::Argument& argument) const {
  return tensor(argument, "an argument");
}

tl::expected<std::vector<std::optional<Value>>, Refusal> NodeCall::operands(
    std::string_view name) const {
  const fx::Argument list = argument(name);
  std::vector<std::optional<Value>> out;
  if (list.isNone()) return out;
  const fx::ArgumentList* items = list.list();
  if (items == nullptr)
    return refuse(named(name) + " is " + shown(program(), list) + ", not a list of tensors");
  for (const fx::Argument& item : *items) {
    if (item.isNone()) {
      out.emplace_back();
    } else {
      FXS_TAKE(value, tensor(item, named(name)));
      out.emplace_back(value);
    }
  }
  return out;
}

tl::expected<std::int64_t, Refusal> NodeCall::integer(std::string_view name) const {
  const fx::Argument value = argument(name);
  if (const auto integer = integerOf(value)) return *integer;
  return refuse(named(name) + " is " + shown(program(), value) + ", not a constant integer");
}

tl::expected<std::int64_t, Refusal> NodeCall::size(std::string_view name) const {
  const fx::Argument value = argument(name);
  if (const fx::NodeId* id = value.node())
    if (const auto symbol = symbols_.integer(program().node(*id).val)) return *symbol;
  return integer(name);
}

tl::expected<std::vector<std::int64_t>, Refusal> NodeCall::integers(std::string_view name) const {
  const fx::Argument value = argument(name);
  if (const auto integer = integerOf(value)) return std::vector{*integer};
  const fx::ArgumentList* items = value.list();
  if (items == nullptr)
    return refuse(named(name) + " is " + shown(program(), value) + ", not a list of integers");
  std::vector<std::int64_t> out;
  for (const fx::Argument& item : *items) {
    const auto integer = integerOf(item);
    if (!integer)
      return refuse(named(name) + " is " + shown(program(), value) + ", not all constant integers");
    out.push_back(*integer);
  }
  return out;
}

tl::expected<bool, Refusal> NodeCall::flag(std::string_view name) const {
  const fx::Argument value = argument(name);
  if (const auto integer = integerOf(value)) return *integer != 0;
  return refuse(named(name) + " is " + shown(program(), value) + ", not a constant bool");
}

tl::expected<Scalar, Refusal> NodeCall::number(std::string_view name) const {
  const fx::Argument value = argument(name);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const std::int64_t* integer = value.integer()) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* complex = std::get_if<std::complex<double>>(&value)) return *complex;
  return refuse(named(name) + " is " + shown(program(), value) + ", not a constant number");
}

const fx::TensorMeta* NodeCall::resultMeta(std::size_t index) const {
  if (const fx::ValueList* parts = node().val.list())
    return index < parts->size() ? (*parts)[index].tensor() : nullptr;
  return index == 0 ? node().val.tensor() : nullptr;
}

tl::expected<TensorType, Refusal> NodeCall::result(std::size_t index) const {
  if (const fx::ValueList* parts = node().val.list(); parts != nullptr && index < parts->size())
    return tensorTypeOf((*parts)[index], &symbols_);
  return tensorTypeOf(index == 0 ? node().val : fx::Value(fx::Unknown{}), &symbols_);
}

DType NodeCall::dtypeOf(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  const fx::TensorMeta* meta = id != nullptr ? program().node(*id).val.tensor() : nullptr;
  return meta != nullptr ? meta->dtype : DType::Unknown;
}

DType NodeCall::resultDtype(std::size_t index) const {
  const fx::TensorMeta* meta = resultMeta(index);
  return meta != nullptr ? meta->dtype : DType::Unknown;
}

}  // namespace fxs::registry
