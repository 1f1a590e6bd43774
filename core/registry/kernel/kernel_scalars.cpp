// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a kernel: where a tile begins and ends, numbers of the host function, and arithmetic
// on them.
#include <algorithm>
#include <array>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"

namespace fxs::registry {
namespace {

using SymbolKind = fx::KernelSymbol::Kind;

const fx::KernelSymbol* meaningOf(const fx::Kernel& kernel, const fx::Value& recorded) {
  const fx::SymValue* symbol = recorded.symbol();
  if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
    return nullptr;
  const auto found = kernel.symbols.find(symbol->expr->name);
  return found == kernel.symbols.end() ? nullptr : &found->second;
}

struct Operator {
  std::string_view name;
  std::optional<linalg::Relation> relation;
  Value (linalg::Arith::*compute)(const Value&, const Value&) const;
  bool ofIntegers = true, ofFloats = true;
};
using linalg::Arith;
using linalg::Relation;
constexpr std::array kOperators{
    Operator{"eq", Relation::Equal, nullptr},
    Operator{"ne", Relation::NotEqual, nullptr},
    Operator{"lt", Relation::Less, nullptr},
    Operator{"le", Relation::LessEqual, nullptr},
    Operator{"gt", Relation::Greater, nullptr},
    Operator{"ge", Relation::GreaterEqual, nullptr},
    Operator{"add", std::nullopt, &Arith::add},
    Operator{"sub", std::nullopt, &Arith::sub},
    Operator{"mul", std::nullopt, &Arith::mul},
    Operator{"floordiv", std::nullopt, &Arith::floorDiv, true, false},
    Operator{"truediv", std::nullopt, &Arith::div, false, true},
    Operator{"min", std::nullopt, &Arith::minimum, true, false},
    Operator{"max", std::nullopt, &Arith::maximum, true, false},
};

const Operator* operatorOf(std::string_view name) {
  const auto known = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const Operator& each) { return each.name == name; });
  return known == kOperators.end() ? nullptr : &*known;
}

}  // namespace

/// The block that an index names: by the symbol of its size, by a number of hl.grid, or by
/// tile.index.
std::optional<std::int64_t> KernelLowering::blockOf(const fx::Argument& index) const {
  const fx::NodeId* id = index.node();
  if (id == nullptr) return std::nullopt;
  const fx::Node& node = program_.node(*id);
  if (calls(node, "tile_ops.tile_index")) {
    const fx::NodeId* of = argument(node, 0).node();
    return of != nullptr && !calls(program_.node(*of), "tile_ops.tile_index")
               ? blockOf(fx::Argument(*of))
               : std::nullopt;
  }
  const fx::SymValue* symbol = recorded(node).val.symbol();
  if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
    return std::nullopt;
  const fx::KernelSymbol* means = meaningOf(kernel_, recorded(node).val);
  if (means != nullptr && means->kind == SymbolKind::Grid) return means->block;
  if (means != nullptr && means->kind != SymbolKind::BlockSize) return std::nullopt;
  const auto block = blockBySymbol_.find(symbol->expr->name);
  return block == blockBySymbol_.end() ? std::nullopt
                                       : std::optional(static_cast<std::int64_t>(block->second));
}

bool KernelLowering::isGridNumber(const fx::Node& node) const {
  const fx::KernelSymbol* means = meaningOf(kernel_, recorded(node).val);
  return means != nullptr && means->kind == SymbolKind::Grid;
}

/// A number as a value of type `index`, f64 or i1; nullopt if it is not known.
std::optional<Value> KernelLowering::numberOf(const fx::Argument& number) {
  if (const std::int64_t* integer = number.integer()) return emit_.index(*integer);
  if (const auto* real = std::get_if<double>(&number)) return emit_.scalar("f64", *real);
  if (const auto* flag = std::get_if<bool>(&number)) return emit_.scalar("i1", *flag);
  const fx::NodeId* id = number.node();
  if (id == nullptr) return std::nullopt;
  const fx::Node& node = program_.node(*id);
  if (const auto known = knownNumber(node.val)) return numberOf(*known);
  const Values& values = values_[id->index()];
  if (values.size() == 1) {
    Value value = values.front();
    if (!value.tensor.element.empty()) {
      const fx::TensorMeta* meta = node.val.tensor();
      if (!value.tensor.sizes.empty() || meta == nullptr) return std::nullopt;
      const bool isInteger = value.tensor.isInteger();
      value = linalg::extract(emit_, value, {});
      value.tensor = {};
      if (isInteger) value = linalg::convert(emit_, value, meta->dtype, DType::Int64);
    }
    if (value.type == "i64") value = linalg::toIndex(emit_, value);
    const bool isNumber = value.type == "index" || value.type == "f64" || value.type == "i1";
    return isNumber ? std::optional(value) : std::nullopt;
  }
  const auto size = values.empty() ? symbols_.integer(recorded(node).val) : std::nullopt;
  if (!size) return std::nullopt;
  symbols_.write(recorded(node).val);
  return emit_.hasValue(*size) ? std::optional(emit_.index(*size)) : std::nullopt;
}

/// A number as a value of type `index`; nullopt if it is not an integer, or not known.
std::optional<Value> KernelLowering::indexOf(const fx::Argument& number) {
  if (std::holds_alternative<double>(number) || std::holds_alternative<bool>(number))
    return std::nullopt;
  const auto value = numberOf(number);
  return value && value->type == "index" ? value : std::nullopt;
}

/// An integer as f64.
Value KernelLowering::asFloat(const Value& number) {
  if (number.type == "f64") return number;
  return linalg::convert(emit_, linalg::fromIndex(emit_, number, "i64"), DType::Int64,
                         DType::Float64);
}

/// Gives a node a number: itself, or as a tensor of rank 0 where PyTorch's operators use it as one.
KernelLowering::Reason KernelLowering::takeNumber(const fx::Node& node, Value number) {
  const auto type =
      node.val.tensor() != nullptr ? tensorTypeOf(node.val) : tl::unexpected<Refusal>(Refusal{});
  if (!type) {
    number.tensor = {};
    values_[node.id.index()] = {std::move(number)};
    return std::nullopt;
  }
  if (number.type == "index") number = linalg::fromIndex(emit_, number, type->element);
  if (number.type != type->element || type->rank() != 0)
    return "the file records the type " + type->text() + " for a number";
  return take(node, {emit_.op("tensor.from_elements", {number}, *type)});
}

KernelLowering::Reason KernelLowering::symbolNode(const fx::Node& node) {
  const fx::SymValue* symbol = recorded(node).val.symbol();
  if (symbol == nullptr || !symbol->expr) return "the file does not record what it stands for";
  const fx::KernelSymbol* means = meaningOf(kernel_, recorded(node).val);
  if (means != nullptr && means->block >= 0 && means->kind != SymbolKind::BlockSize &&
      !tiles_[static_cast<std::size_t>(means->block)])
    return "it is used outside of the loop over '" +
           kernel_.blocks[static_cast<std::size_t>(means->block)].symbol + "'";
  const auto number = numberOf(*symbol->expr);
  if (number) return takeNumber(node, *number);
  const auto size = symbols_.integer(recorded(node).val);
  if (size) symbols_.write(recorded(node).val);
  if (!size || !emit_.hasValue(*size))
    return "nothing says what '" + fx::infix(*symbol->expr) + "' is";
  return takeNumber(node, emit_.index(*size));
}

std::optional<KernelLowering::Tile> KernelLowering::tileAt(const fx::Argument& of, Reason& reason) {
  const auto block = blockOf(of);
  if (!block) {
    reason = "its operand is not a tile";
    return std::nullopt;
  }
  const auto& tile = tiles_[static_cast<std::size_t>(*block)];
  if (!tile || !plan_.tiles[static_cast<std::size_t>(*block)])
    reason = "it uses the tile of '" + kernel_.blocks[static_cast<std::size_t>(*block)].symbol +
             "' outside of the loop over it";
  return reason ? std::nullopt : tile;
}

KernelLowering::Reason KernelLowering::tileNumber(const fx::Node& node) {
  Reason reason;
  const auto tile = tileAt(argument(node, 0), reason);
  if (!tile) return reason;
  SymbolKind kind = SymbolKind::TileId;
  if (node.target.ends_with("tile_begin")) kind = SymbolKind::TileBegin;
  if (node.target.ends_with("tile_end")) kind = SymbolKind::TileEnd;
  return takeNumber(node, *tileProperty(kind, *blockOf(argument(node, 0))));
}

KernelLowering::Reason KernelLowering::tileIndex(const fx::Node& node) {
  Reason reason;
  const auto tile = tileAt(argument(node, 0), reason);
  if (!tile) return reason;
  const auto type = tensorTypeOf(node.val, &symbols_);
  if (!type || type->rank() != 1 || !type->isInteger())
    return "the file does not record the type of its result";
  const linalg::Arith arith(emit_, DType::Int64);
  return take(node, {linalg::generate(emit_, *type, [&](linalg::Elements at) {
                return linalg::fromIndex(emit_, arith.add(at[0], tile->offset), type->element);
              })});
}

std::optional<Value> KernelLowering::computed(std::string_view name, const Value& a,
                                              const Value& b) {
  const Operator* known = operatorOf(name);
  if (known == nullptr || a.type == "i1" || b.type == "i1") return std::nullopt;
  const bool isFloat = a.type == "f64" || b.type == "f64" || !known->ofIntegers;
  if (isFloat && !known->ofFloats) return std::nullopt;
  const Arith arith(emit_, isFloat ? DType::Float64 : DType::Int64);
  const Value left = isFloat ? asFloat(a) : a, right = isFloat ? asFloat(b) : b;
  return known->relation ? arith.compare(*known->relation, left, right)
                         : (arith.*known->compute)(left, right);
}

KernelLowering::Reason KernelLowering::arithmetic(const fx::Node& node) {
  const std::string_view name =
      std::string_view(node.target).substr(std::string_view("_operator.").size());
  if (operatorOf(name) == nullptr)
    return "it is not one of the operators on numbers that are assembled (comparisons, +, -, *, "
           "/, //)";
  const auto a = numberOf(argument(node, 0)), b = numberOf(argument(node, 1));
  if (!a || !b) return "its operands are not numbers that are known at run time";
  const auto result = computed(name, *a, *b);
  if (!result) return "it is assembled for other types of numbers only";
  return takeNumber(node, *result);
}

/// The number that an expression stands for, such as `1.0 - beta` of the host function.
std::optional<Value> KernelLowering::numberOf(const fx::SymExpr& expr) {
  switch (expr.kind) {
    case fx::SymExpr::Kind::Integer: return emit_.index(expr.integer);
    case fx::SymExpr::Kind::Float: return emit_.scalar("f64", expr.real);
    case fx::SymExpr::Kind::Rational: return std::nullopt;
    case fx::SymExpr::Kind::Symbol: return numberOfSymbol(expr.name);
    case fx::SymExpr::Kind::Call: break;
  }
  if (expr.operands.empty()) return std::nullopt;
  if (expr.name == "ToFloat") {
    const auto whole = numberOf(*expr.operands.front());
    return whole && whole->type == "index" ? std::optional(asFloat(*whole)) : std::nullopt;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kNames{
      {{"Add", "add"},
       {"Mul", "mul"},
       {"FloorDiv", "floordiv"},
       {"FloatTrueDiv", "truediv"},
       {"IntTrueDiv", "truediv"},
       {"Min", "min"},
       {"Max", "max"}}};
  std::string_view name;
  for (const auto& [sympy, ours] : kNames)
    if (expr.name == sympy) name = ours;
  if (name.empty()) return remainderOf(expr);
  std::optional<Value> out = numberOf(*expr.operands.front());
  for (std::size_t i = 1; out && i < expr.operands.size(); ++i) {
    const auto next = numberOf(*expr.operands[i]);
    out = next ? computed(name, *out, *next) : std::nullopt;
  }
  return out;
}

/// a - a // b * b, which has the sign of b, as Python's.
std::optional<Value> KernelLowering::remainderOf(const fx::SymExpr& expr) {
  if ((expr.name != "PythonMod" && expr.name != "Mod") || expr.operands.size() != 2)
    return std::nullopt;
  const auto a = numberOf(*expr.operands[0]), b = numberOf(*expr.operands[1]);
  if (!a || !b || a->type != "index" || b->type != "index") return std::nullopt;
  const Arith arith(emit_, DType::Int64);
  return arith.sub(*a, arith.mul(arith.floorDiv(*a, *b), *b));
}

std::optional<Value> KernelLowering::numberOfSymbol(const std::string& name) {
  if (const auto scalar = scalars_.find(name); scalar != scalars_.end()) {
    const Value& value = scalar->second;
    return value.type == "i64" ? linalg::toIndex(emit_, value) : value;
  }
  if (const auto means = kernel_.symbols.find(name);
      means != kernel_.symbols.end() && means->second.block >= 0)
    return tileProperty(means->second.kind, means->second.block);
  fx::SymValue symbol;
  symbol.expr = fx::SymExpr::symbol(name);
  const fx::Value recorded(std::move(symbol));
  const auto size = symbols_.integer(recorded);
  if (!size) return std::nullopt;
  symbols_.write(recorded);
  return emit_.hasValue(*size) ? std::optional(emit_.index(*size)) : std::nullopt;
}

/// A number of the tile at this place in the text; nullopt outside of its loop.
std::optional<Value> KernelLowering::tileProperty(SymbolKind kind, std::int64_t block) {
  const auto at = static_cast<std::size_t>(block);
  if (!plan_.tiles[at]) return std::nullopt;
  Value size = emit_.index(*plan_.tiles[at]);
  if (kind == SymbolKind::BlockSize) return size;
  const std::optional<Tile>& tile = tiles_[at];
  if (!tile) return std::nullopt;
  const Arith arith(emit_, DType::Int64);
  switch (kind) {
    case SymbolKind::Grid:
    case SymbolKind::TileBegin: return tile->offset;
    case SymbolKind::TileEnd: return arith.add(tile->offset, emit_.index(tile->valid));
    case SymbolKind::TileId: return arith.floorDiv(tile->offset, size);
    default: return std::nullopt;
  }
}

}  // namespace fxs::registry
