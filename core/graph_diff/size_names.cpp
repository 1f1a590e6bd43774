// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_diff/size_names.h"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "fx/sym_renamed.h"

namespace fxs::graph_diff {
namespace {

using Visit = std::function<void(const fx::SymExpr&, const std::string& place)>;

/// Calls `visit` with each symbolic size of a tensor and each symbolic number in a value.
void forEachSize(const fx::Value& value, const std::string& place, const Visit& visit) {
  if (const fx::TensorMeta* tensor = value.tensor()) {
    for (std::size_t i = 0; i < tensor->sizes.size(); ++i)
      if (!tensor->sizes[i].isStatic())
        visit(*tensor->sizes[i].expr(), fmt::format("{}.size({})", place, i));
  } else if (const fx::SymValue* number = value.symbol()) {
    if (number->expr) visit(*number->expr, place);
  } else if (const fx::ValueList* list = value.list()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      forEachSize((*list)[i], fmt::format("{}[{}]", place, i), visit);
  }
}

bool isSymbol(const fx::SymExpr& size) { return size.kind == fx::SymExpr::Kind::Symbol; }

/// "aten.nonzero" of "aten.nonzero.default".
std::string operatorOf(const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return std::string(name(node.op));
  const std::size_t overload = node.target.rfind('.');
  return node.target.starts_with("aten.") && overload > 4 ? node.target.substr(0, overload)
                                                          : node.target;
}

}  // namespace

SizeNames::SizeNames(const fx::Program& program) {
  addInputs(program);
  addResults(program);
}

void SizeNames::addInputs(const fx::Program& program) {
  const auto eachInput = [&](const Visit& visit) {
    for (const fx::InputSpec& input : program.inputs) {
      const fx::Node& node = program.node(input.node);
      forEachSize(node.val, node.name, visit);
    }
  };
  eachInput([&](const fx::SymExpr& size, const std::string& place) {
    if (isSymbol(size)) names_.emplace(size.name, place);
  });
  // Of a dimension that is only known as 2*s0.
  eachInput([&](const fx::SymExpr& size, const std::string& place) { addWithin(size, place); });
}

void SizeNames::addResults(const fx::Program& program) {
  // Two nodes of one operator may each have a size of their own.
  std::map<std::string, std::size_t, std::less<>> counts;
  const auto placeOf = [&](const fx::Node& node) {
    std::string place = operatorOf(node);
    const std::size_t number = ++counts[place];
    return number == 1 ? place : fmt::format("{}#{}", place, number);
  };
  const auto eachNode = [&](bool isWithin) {
    for (const fx::Graph& graph : program.graphs)
      for (const fx::NodeId id : graph.nodes) {
        std::string place;
        forEachSize(program.node(id).val, "",
                    [&](const fx::SymExpr& size, const std::string& inside) {
                      if (isSymbol(size) == isWithin || !hasNew(size)) return;
                      if (place.empty()) place = placeOf(program.node(id));
                      if (isWithin) addWithin(size, place + inside);
                      else names_.emplace(size.name, place + inside);
                    });
      }
  };
  eachNode(false);
  eachNode(true);
}

bool SizeNames::hasNew(const fx::SymExpr& size) const {
  bool out = false;
  collectSymbols(size, [&](const std::string& symbol) { out |= !names_.contains(symbol); });
  return out;
}

void SizeNames::addWithin(const fx::SymExpr& size, const std::string& place) {
  std::size_t number = 0;
  collectSymbols(size, [&](const std::string& symbol) {
    if (names_.contains(symbol)) return;
    const std::string suffix = ++number > 1 ? fmt::format(", {}", number) : std::string();
    names_.emplace(symbol, fmt::format("symbol({}{})", place, suffix));
  });
}

fx::SymExprPtr SizeNames::renamed(const fx::SymExprPtr& expression) const {
  return fx::renamed(expression, [&](const std::string& symbol) {
    const auto found = names_.find(symbol);
    return found == names_.end() ? symbol : found->second;
  });
}

fx::SymInt SizeNames::renamed(const fx::SymInt& size) const {
  return size.isStatic() ? size : fx::SymInt(renamed(size.expr()));
}

fx::Value SizeNames::renamed(const fx::Value& value) const {
  if (names_.empty()) return value;
  fx::Value out = value;
  if (auto* tensor = std::get_if<fx::TensorMeta>(&out)) {
    for (std::vector<fx::SymInt>* sizes : {&tensor->sizes, &tensor->strides})
      for (fx::SymInt& size : *sizes) size = renamed(size);
    tensor->storageOffset = renamed(tensor->storageOffset);
  } else if (auto* number = std::get_if<fx::SymValue>(&out)) {
    if (number->expr) number->expr = renamed(number->expr);
  } else if (auto* list = std::get_if<fx::ValueList>(&out)) {
    for (fx::Value& each : *list) each = renamed(each);
  }
  return out;
}

std::string SizeNames::renamed(const std::string& expression) const {
  const auto parsed = fx::parseInfix(expression);
  const bool isKnown = parsed && !hasNew(**parsed);
  return isKnown ? infix(*renamed(*parsed)) : std::string();
}

}  // namespace fxs::graph_diff
