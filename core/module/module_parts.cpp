// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/module_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "mlir/text/token_ends.h"
#include "mlir/text/without_locations.h"
#include "module/function_parts.h"

namespace fxs::module {
namespace {

using mlir::OpId;

bool isOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || c == '-';
}

/// The text with values numbered in the order in which it names them.
std::string numbered(const std::string& text) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      out += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && isOfName(text[end])) ++end;
    const auto known = numbers.try_emplace(text.substr(at, end - at), numbers.size()).first->second;
    out += '%' + std::to_string(known);
    at = end;
  }
  return out;
}

/// Calls seen(symbol) for each `@symbol` and `@"symbol"` of the text.
template <class Seen>
void eachSymbol(std::string_view text, Seen seen) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    const std::size_t begin = ++at;
    if (text.substr(at).starts_with('"')) {
      at = mlir::afterQuoted(text, at);
      seen(text.substr(begin + 1, std::max(at, begin + 2) - begin - 2));
      continue;
    }
    while (at < text.size() && isOfName(text[at])) ++at;
    seen(text.substr(begin, at - begin));
  }
}

}  // namespace

ModuleParts::ModuleParts(const std::string& text, const fx::Program& program)
    : document_(text), program_(program) {
  const mlir::Module& module = document_.module;
  std::vector<OpId> outermost;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const OpId parent = module.ops[i].parent;
    if (module.nameOf(OpId::of(i)) == "func.func") functions_.push_back(OpId::of(i));
    if (parent.valid() && !module.op(parent).parent.valid()) outermost.push_back(OpId::of(i));
  }
  for (const OpId id : outermost.empty() ? module.top : outermost)
    if (const std::string_view symbol = mlir::symbolOf(module, module.op(id)); !symbol.empty())
      siblings_[symbol].push_back(id);
  for (const OpId function : functions_) addFunction(function);
}

void ModuleParts::addFunction(OpId function) {
  const mlir::Module& module = document_.module;
  const auto parts = FunctionParts::read(module, function);
  if (!parts) return;
  const std::vector<OpId>& operations = parts->operations();
  // What a node computes comes last, after the scalars of its arguments.
  std::map<fx::NodeId, std::size_t> last;
  for (std::size_t i = 0; i < operations.size(); ++i)
    for (const fx::NodeId node : document_.nodesOf(operations[i])) last[node] = i;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const mlir::Op& op = module.op(operations[i]);
    for (std::size_t k = operations[i].index();
         k < module.ops.size() && module.ops[k].text.begin < op.text.end; ++k)
      for (const fx::NodeId node : document_.nodesOf(OpId::of(k)))
        if (const auto own = last.find(node);
            node.index() < program_.nodes.size() && (own == last.end() || own->second == i))
          partOf_.try_emplace(node, operations[i]);
    const std::vector<fx::NodeId> nodes = document_.nodesOf(operations[i]);
    if (nodes.empty() || nodes.front().index() >= program_.nodes.size() ||
        program_.node(nodes.front()).op != fx::NodeOp::CallFunction || last[nodes.front()] != i)
      continue;
    std::string text = moduleOf(function, parts->alone(i));
    const auto [known, isNew] =
        byText_.try_emplace(numbered(mlir::withoutLocations(text)), distinct_.size());
    if (isNew) {
      distinct_.push_back({nodes.front(), {}});
      texts_.emplace(nodes.front(), std::move(text));
    }
    distinct_[known->second].nodes.push_back(nodes.front());
  }
}

/// The definitions of the aliases that the text names, and of those that these name.
std::string ModuleParts::aliasesOf(std::string_view text) const {
  const mlir::Module& module = document_.module;
  std::set<std::uint32_t> named;
  std::vector<std::string_view> todo{text};
  while (!todo.empty()) {
    const std::string_view each = todo.back();
    todo.pop_back();
    for (std::size_t at = each.find_first_of("#!"); at != each.npos;
         at = each.find_first_of("#!", at)) {
      const std::size_t begin = at;
      at = mlir::afterName(each, at);
      const std::string_view name = each.substr(begin, at - begin);
      if (name.starts_with("#loc")) continue;
      if (const std::uint32_t alias = module.aliases.find(name);
          alias != mlir::NameTable::kNone && named.insert(alias).second)
        todo.push_back(module.aliasBodies[alias]);
    }
  }
  std::string out;
  for (const std::uint32_t alias : named)
    out += fmt::format("{} = {}\n", module.aliases[alias], module.aliasBodies[alias]);
  return out;
}

/// The other operations whose symbols a function names.
std::string ModuleParts::symbolsOf(OpId function, std::string_view text) const {
  std::set<OpId> named;
  eachSymbol(text, [&](std::string_view symbol) {
    if (const auto found = siblings_.find(symbol); found != siblings_.end())
      named.insert(found->second.begin(), found->second.end());
  });
  named.erase(function);
  const mlir::Module& module = document_.module;
  std::string out;
  for (const OpId id : named)
    out += "  " + mlir::withoutLocations(module.op(id).text.of(module.text)) + "\n";
  return out;
}

/// A function as a module, with what it names.
std::string ModuleParts::moduleOf(OpId function, const std::string& text) const {
  if (text.empty()) return text;
  const mlir::Module& module = document_.module;
  const OpId parent = module.op(function).parent;
  if (parent.valid() && module.op(parent).parent.valid())
    return {};  // of another module's function
  std::string out(parent.valid() ? module.op(parent).head.of(module.text) : "module ");
  out += "{\n" + symbolsOf(function, text) + "  " + text + " loc(unknown)\n}\n";
  return aliasesOf(out) + out;
}

/// With the data of its resources.
std::string ModuleParts::withResources(std::string text) const {
  const mlir::Module& module = document_.module;
  const std::size_t resources = module.text.find("\n{-#");
  if (resources != std::string_view::npos && text.find("dense_resource<") != std::string::npos)
    text += module.text.substr(resources + 1);
  return text;
}

std::string ModuleParts::alone(fx::NodeId node) const {
  if (const auto found = texts_.find(node); found != texts_.end())
    return withResources(found->second);
  const auto part = partOf_.find(node);
  if (part == partOf_.end()) return {};
  const OpId function = document_.module.op(part->second).parent;
  const auto parts = FunctionParts::read(document_.module, function);
  if (!parts) return {};
  const std::vector<OpId>& all = parts->operations();
  const auto at = std::lower_bound(all.begin(), all.end(), part->second);
  return withResources(
      moduleOf(function, parts->alone(static_cast<std::size_t>(at - all.begin()))));
}

/// Whether it computes an argument of one of the nodes, and is not what the node computes.
bool ModuleParts::isScalarOf(OpId id, const std::set<fx::NodeId>& nodes) const {
  const std::vector<fx::NodeId> at = document_.nodesOf(id);
  return !at.empty() && nodes.contains(at.front()) && partOf_.contains(at.front()) &&
         partOf_.at(at.front()) != id;
}

Result<std::string> ModuleParts::without(const std::set<fx::NodeId>& nodes) const {
  std::set<OpId> removed;
  for (const fx::NodeId node : nodes)
    if (const auto part = partOf_.find(node); part != partOf_.end()) removed.insert(part->second);
  std::string out(document_.module.text);
  for (auto function = functions_.rbegin(); function != functions_.rend(); ++function) {
    const mlir::Module module(out);
    const auto parts = FunctionParts::read(module, *function);
    if (!parts) continue;
    Kept kept;
    for (std::size_t i = 0; i < parts->items(); ++i)
      if (i >= parts->operations().size() || !removed.contains(parts->operations()[i]))
        kept.push_back(i);
    if (kept.size() == parts->items()) continue;
    std::erase_if(kept, [&](std::size_t i) {
      return i < parts->operations().size() && isScalarOf(parts->operations()[i], nodes);
    });
    const Kept required = parts->closed(kept);
    const bool requiresRemoved = std::any_of(required.begin(), required.end(), [&](std::size_t i) {
      return i < parts->operations().size() && removed.contains(parts->operations()[i]);
    });
    std::string smaller = requiresRemoved ? std::string() : parts->moduleWith(required);
    if (smaller.empty())
      return fail(ErrorCode::Unsupported, "what they compute cannot be an argument");
    out = std::move(smaller);
  }
  return out;
}

}  // namespace fxs::module
