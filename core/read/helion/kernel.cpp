// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/helion/kernel.h"

#include <algorithm>
#include <array>

#include "read/fx_json/graphs.h"
#include "read/fx_json/value.h"
#include "read/pt2/one_of.h"

namespace fxs::read::helion {
namespace {

using pt2::invalid;
using pt2::present;

constexpr std::size_t kMaxBlocks = 4096;
constexpr std::size_t kMaxLoops = 64;  // of one loop nest

std::string textOr(const Json& object, std::string_view key) {
  const auto at = present(object, key);
  return at && at->isString() ? std::string(*at->asString()) : std::string();
}

std::optional<std::int64_t> integerIn(const Json& object, std::string_view key) {
  const auto at = present(object, key);
  const auto number = at ? at->asInt() : Result<std::int64_t>(fail(ErrorCode::InvalidInput, ""));
  return number ? std::optional(*number) : std::nullopt;
}

Result<std::vector<std::int64_t>> blockIds(const Json& list, std::size_t blocks) {
  FXS_CHECK(list.asArray());
  if (list.size() > kMaxLoops)
    return invalid(list, std::to_string(list.size()) + " blocks of one loop; the limit is " +
                             std::to_string(kMaxLoops));
  std::vector<std::int64_t> out;
  for (const Json item : list) {
    FXS_TRY(const std::int64_t id, item.asInt());
    if (id < 0 || static_cast<std::size_t>(id) >= blocks)
      return invalid(item, "there is no block " + std::to_string(id) + "; the file has " +
                               std::to_string(blocks));
    if (std::find(out.begin(), out.end(), id) != out.end())
      return invalid(item, "block " + std::to_string(id) + " is repeated");
    out.push_back(id);
  }
  return out;
}

struct OriginName {
  std::string_view name;
  fx::KernelSymbol::Kind kind;
};
using SymbolKind = fx::KernelSymbol::Kind;
constexpr std::array kOrigins{
    OriginName{"BlockSizeOrigin", SymbolKind::BlockSize},
    OriginName{"TileBeginOrigin", SymbolKind::TileBegin},
    OriginName{"TileEndOrigin", SymbolKind::TileEnd},
    OriginName{"TileIdOrigin", SymbolKind::TileId},
    OriginName{"TileCountOrigin", SymbolKind::TileCount},
    OriginName{"GridOrigin", SymbolKind::Grid},
};

class KernelReader {
 public:
  KernelReader(const Json& top, const RunContext& context) : top_(top), context_(context) {}

  Result<> blocks(const Json& list) {
    FXS_CHECK(list.asArray());
    if (list.size() > kMaxBlocks)
      return invalid(list, std::to_string(list.size()) + " blocks; the limit is " +
                               std::to_string(kMaxBlocks));
    const auto hints = present(top_, "shape_env");
    for (const Json item : list) {
      FXS_TRY(const std::string_view symbol, fx_json::nameOf(item, "var"));
      fx::KernelBlock block;
      block.symbol = symbol;
      const auto id = present(item, "block_id");
      if (id) {
        FXS_TRY(const std::int64_t number, id->asInt());
        if (number != static_cast<std::int64_t>(kernel_.blocks.size()))
          return invalid(*id, "expected " + std::to_string(kernel_.blocks.size()) +
                                  ": blocks must be in the order of their numbers");
      }
      if (const auto size = present(item, "size"); size && !size->isString()) {
        FXS_TRY(block.extent, fx_json::symInt(*size, context_));
      }
      if (const auto reduction = present(item, "reduction")) {
        FXS_TRY(block.isReduction, reduction->asBool());
      }
      if (const auto jagged = present(item, "jagged")) {
        FXS_TRY(block.isJagged, jagged->asBool());
        block.knowsJagged = true;
      }
      block.isFixed = textOr(item, "source") == "FixedBlockSizeSource";
      block.fixed = integerIn(item, "fixed");
      block.largest = integerIn(item, "max");
      if (hints && hints->isObject()) block.hint = integerIn(*hints, symbol);
      kernel_.blocks.push_back(std::move(block));
    }
    return {};
  }

  Result<> grid() {
    const auto grids = present(top_, "grid_block_ids");
    if (!grids) return {};
    FXS_CHECK(grids->asArray());
    if (grids->size() == 0) return {};
    FXS_TRY(kernel_.grid, blockIds(*grids->begin(), kernel_.blocks.size()));
    return {};
  }

  Result<> arguments() {
    FXS_TRY(std::vector<std::optional<fx::Value>> fakes, fakeArguments());
    if (const auto list = present(top_, "args")) {
      FXS_CHECK(list->asArray());
      for (const Json item : *list) {
        FXS_TRY(const std::string_view name, fx_json::nameOf(item, "name"));
        const auto given = present(item, "val");
        std::optional<fx::Value> val = given ? valueIn(*given) : std::nullopt;
        const std::size_t at = kernel_.arguments.size();
        if (at < fakes.size() && fakes[at]) val = std::move(fakes[at]);
        addArgument(std::string(name), std::move(val));
      }
    }
    // The arguments that were left out have their defaults.
    for (std::size_t i = kernel_.arguments.size(); i < fakes.size(); ++i) {
      std::string name = hostName(fakes[i]).value_or("arg" + std::to_string(i));
      addArgument(std::move(name), std::move(fakes[i]));
    }
    return {};
  }

  Result<> symbols() {
    const auto origins = present(top_, "expr_to_origin");
    if (!origins) return {};
    FXS_CHECK(origins->asObject());
    for (const Json origin : *origins) {
      if (!origin.isObject()) continue;
      fx::KernelSymbol symbol;
      const std::string kind = textOr(origin, "origin");
      const auto known = std::find_if(kOrigins.begin(), kOrigins.end(),
                                      [&](const OriginName& each) { return each.name == kind; });
      if (known != kOrigins.end()) {
        const std::int64_t block = integerIn(origin, "block_id").value_or(-1);
        if (block < 0 || static_cast<std::size_t>(block) >= kernel_.blocks.size())
          return invalid(origin, "there is no block " + std::to_string(block) + "; the file has " +
                                     std::to_string(kernel_.blocks.size()));
        symbol.kind = known->kind;
        symbol.block = block;
      } else {
        symbol.hostName = textOr(origin, "host_str");
      }
      kernel_.symbols.emplace(std::string(origin.key()), std::move(symbol));
    }
    return {};
  }

  Result<> graphs(const std::vector<std::string>& names) {
    FXS_TRY(const Json graphs, top_.at("graphs"));
    std::size_t index = 0;
    for (const Json graph : graphs) {
      if (index >= names.size()) break;
      const std::string& name = names[index++];
      fx::KernelGraph read;
      if (const auto ids = present(graph, "block_ids")) {
        FXS_TRY(read.blocks, blockIds(*ids, kernel_.blocks.size()));
      }
      FXS_CHECK(branches(graph, read));
      kernel_.graphs.emplace(name, std::move(read));
    }
    return {};
  }

  /// The root graphs behind main.
  Result<> roots(const std::vector<std::string>& names) {
    const auto ids = present(top_, "root_ids"), grids = present(top_, "grid_block_ids");
    if (!ids || ids->size() < 2) return {};
    std::vector<std::vector<std::int64_t>> grid;
    if (grids)
      for (const Json each : *grids) {
        FXS_TRY(grid.emplace_back(), blockIds(each, kernel_.blocks.size()));
      }
    std::size_t at = 0;
    for (const Json item : *ids) {
      FXS_TRY(const std::int64_t id, item.asInt());
      if (id < 0 || static_cast<std::size_t>(id) >= names.size())
        return invalid(item, "there is no graph " + std::to_string(id));
      if (at > 0 && at < grid.size())
        kernel_.more.push_back({names[static_cast<std::size_t>(id)], grid[at]});
      else if (at > 0) kernel_.more.push_back({});
      ++at;
    }
    return {};
  }

  fx::Kernel take() && {
    kernel_.name = textOr(top_, "kernel");
    return std::move(kernel_);
  }

 private:
  Result<std::vector<std::optional<fx::Value>>> fakeArguments() const {
    std::vector<std::optional<fx::Value>> out;
    const auto list = present(top_, "fake_args");
    if (!list) return out;
    FXS_CHECK(list->asArray());
    for (const Json item : *list) out.push_back(valueIn(item));
    return out;
  }

  void addArgument(std::string name, std::optional<fx::Value> value) {
    kernel_.arguments.push_back(
        {std::move(name), value ? *std::move(value) : fx::Value(fx::Unknown{})});
  }

  /// The name of an argument whose value is a symbol of the host.
  std::optional<std::string> hostName(const std::optional<fx::Value>& value) const {
    const fx::SymValue* symbol = value ? value->symbol() : nullptr;
    if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
      return std::nullopt;
    const auto known = kernel_.symbols.find(symbol->expr->name);
    if (known == kernel_.symbols.end() || known->second.hostName.empty()) return std::nullopt;
    return known->second.hostName;
  }

  std::optional<fx::Value> valueIn(const Json& json) const {
    auto val = fx_json::value(json, context_);
    return val ? std::optional(*std::move(val)) : std::nullopt;
  }

  static Result<std::vector<std::string>> names(const Json& list) {
    FXS_CHECK(list.asArray());
    std::vector<std::string> out;
    for (const Json item : list) {
      FXS_TRY(const std::string_view name, item.asString());
      out.emplace_back(name);
    }
    return out;
  }

  static Result<fx::KernelBranchValue> branchValue(const Json& json) {
    fx::KernelBranchValue out;
    if (json.isString()) {
      FXS_TRY(out.name, json.asString());
    } else {
      FXS_TRY(out.output, json.asInt());
    }
    return out;
  }

  static Result<> branches(const Json& graph, fx::KernelGraph& read) {
    const auto ifNames = present(graph, "if_arg_names"),
               elseNames = present(graph, "else_arg_names");
    const auto pairs = present(graph, "branches_outputs");
    if (!pairs || !ifNames || !elseNames) return {};
    FXS_CHECK(pairs->asArray());
    read.knowsBranches = true;
    FXS_TRY(read.ifNames, names(*ifNames));
    FXS_TRY(read.elseNames, names(*elseNames));
    for (const Json pair : *pairs) {
      FXS_CHECK(pair.asArray());
      if (pair.size() != 2)
        return invalid(pair, "expected what the two branches give, got " +
                                 std::to_string(pair.size()) + " values");
      auto at = pair.begin();
      FXS_TRY(fx::KernelBranchValue first, branchValue(*at));
      ++at;
      FXS_TRY(fx::KernelBranchValue second, branchValue(*at));
      read.branches.emplace_back(std::move(first), std::move(second));
    }
    return {};
  }

  const Json top_;
  const RunContext& context_;
  fx::Kernel kernel_;
};

}  // namespace

Result<std::shared_ptr<const fx::Kernel>> readKernel(const Json& top,
                                                     const std::vector<std::string>& graphNames,
                                                     const RunContext& context) {
  const auto blocks = present(top, "block_sizes");
  if (!blocks) return std::shared_ptr<const fx::Kernel>();
  KernelReader reader(top, context);
  FXS_CHECK(reader.blocks(*blocks));
  FXS_CHECK(reader.grid());
  FXS_CHECK(reader.symbols());
  FXS_CHECK(reader.arguments());
  FXS_CHECK(reader.graphs(graphNames));
  FXS_CHECK(reader.roots(graphNames));
  return std::make_shared<const fx::Kernel>(std::move(reader).take());
}

}  // namespace fxs::read::helion
