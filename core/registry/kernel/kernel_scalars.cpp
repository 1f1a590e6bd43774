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
    Operator{"floordiv", std::nullopt, &Arith::floorDiv},
};

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

/// A number as a value of type `index`; nullopt if it is not an integer, or not known.
std::optional<Value> KernelLowering::indexOf(const fx::Argument& number) {
  if (const std::int64_t* integer = number.integer()) return emit_.index(*integer);
  const fx::NodeId* id = number.node();
  if (id == nullptr) return std::nullopt;
  const fx::Node& node = program_.node(*id);
  if (const auto known = knownNumber(node.val)) {
    const std::int64_t* integer = known->integer();
    return integer != nullptr ? std::optional(emit_.index(*integer)) : std::nullopt;
  }
  const Values& values = values_[id->index()];
  if (values.size() == 1 && values.front().type == "index") return values.front();
  const auto size = values.empty() ? symbols_.integer(node.val) : std::nullopt;
  if (!size) return std::nullopt;
  symbols_.write(node.val);
  return emit_.hasValue(*size) ? std::optional(emit_.index(*size)) : std::nullopt;
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
  if (symbol->expr->kind == fx::SymExpr::Kind::Symbol)
    if (const auto scalar = scalars_.find(symbol->expr->name);
        scalar != scalars_.end() && symbol->kind != fx::SymKind::Int)
      return takeNumber(node, scalar->second);
  if (means != nullptr && means->kind != SymbolKind::Host && means->kind != SymbolKind::BlockSize) {
    const auto& tile = tiles_[static_cast<std::size_t>(means->block)];
    if (!tile)
      return "it is used outside of the loop over '" +
             kernel_.blocks[static_cast<std::size_t>(means->block)].symbol + "'";
    if (means->kind == SymbolKind::Grid || means->kind == SymbolKind::TileBegin)
      return takeNumber(node, tile->offset);
    return "it stands for a property of a tile that is not assembled";
  }
  const auto size = symbols_.integer(recorded(node).val);
  if (!size) return "nothing says what '" + fx::infix(*symbol->expr) + "' is";
  symbols_.write(recorded(node).val);
  if (!emit_.hasValue(*size)) return "nothing says what '" + fx::infix(*symbol->expr) + "' is";
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
  const linalg::Arith arith(emit_, DType::Int64);
  const Value size =
      emit_.index(*plan_.tiles[static_cast<std::size_t>(*blockOf(argument(node, 0)))]);
  if (node.target.ends_with("tile_begin")) return takeNumber(node, tile->offset);
  if (node.target.ends_with("tile_end"))
    return takeNumber(node, arith.add(tile->offset, emit_.index(tile->valid)));
  return takeNumber(node, arith.floorDiv(tile->offset, size));
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

KernelLowering::Reason KernelLowering::arithmetic(const fx::Node& node) {
  const std::string_view name =
      std::string_view(node.target).substr(std::string_view("_operator.").size());
  const auto known = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const Operator& each) { return each.name == name; });
  if (known == kOperators.end())
    return "it is not one of the operators on numbers that are assembled (comparisons, +, -, *, "
           "//)";
  const auto a = indexOf(argument(node, 0)), b = indexOf(argument(node, 1));
  if (!a || !b) return "its operands are not integers that are known at run time";
  const linalg::Arith arith(emit_, DType::Int64);
  return takeNumber(node, known->relation ? arith.compare(*known->relation, *a, *b)
                                          : (arith.*known->compute)(*a, *b));
}

}  // namespace fxs::registry
