// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/promise.h"

namespace fxs::contract {
namespace {

/// The function that the importer wrote: the only one that is not private.
std::pair<std::optional<mlir::Function>, std::string> firstFunction(const mlir::Module& module) {
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(static_cast<std::uint32_t>(i));
    if (module.nameOf(id) != "func.func") continue;
    const std::string_view head = module.ops[i].head.of(module.text);
    if (head.find("func.func private") != std::string_view::npos ||
        head.find("sym_visibility = \"private\"") != std::string_view::npos)
      continue;
    if (auto found = mlir::functionOf(module, id))
      return {std::move(found), std::string(mlir::symbolOf(module, module.ops[i]))};
  }
  return {};
}

}  // namespace

bool isSameElement(std::string_view program, std::string_view text) {
  return program.starts_with('!') || program == "unk" ||
         mlir::signless(program) == mlir::signless(text);
}

Promise::Promise(const mlir::Document& raw) : raw_(raw) {
  const mlir::Module& module = raw.module;
  auto [found, name] = firstFunction(module);
  if (!found) return;
  name_ = std::move(name);
  signature_ = std::move(found->signature);
  for (const mlir::ValueId argument : found->argumentValues) {
    const auto nodes = raw.locations.nodes(module.value(argument).location.of(module.text));
    argumentNodes_.push_back(nodes.empty() ? fx::NodeId() : nodes.front());
  }
  for (const mlir::ValueId result : found->resultValues) {
    fx::NodeId node;
    if (result.valid()) {
      const mlir::Value& value = module.value(result);
      const auto nodes = value.kind == mlir::ValueKind::Result
                             ? raw.nodesOf(value.op)
                             : raw.locations.nodes(value.location.of(module.text));
      if (!nodes.empty()) node = nodes.front();
    }
    resultNodes_.push_back(node);
  }
}

bool Promise::mayUse(std::size_t result, std::size_t argument) const {
  if (!used_) {
    used_.emplace();
    // What a tensor without value semantics holds depends on who wrote to it.
    const auto function = mlir::functionIn(raw_.module, name_);
    if (function && raw_.module.text.find("!torch.tensor") == std::string_view::npos)
      used_ = argumentUse(raw_.module, *function, Use::Possible);
  }
  if (result >= used_->size() || !(*used_)[result]) return true;
  const std::vector<bool>& uses = *(*used_)[result];
  return argument >= uses.size() || uses[argument];
}

bool Promise::isSymbolic(fx::NodeId node, std::size_t rank, std::size_t dimension) const {
  const mlir::Module& module = raw_.module;
  if (!indexed_) {
    indexed_ = true;
    for (std::size_t i = 0; i < module.ops.size(); ++i) {
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      for (const fx::NodeId at : raw_.nodesOf(id)) {
        if (opsOf_.size() <= at.index()) opsOf_.resize(at.index() + 1);
        opsOf_[at.index()].push_back(id);
      }
    }
  }
  if (!node.valid() || node.index() >= opsOf_.size()) return false;
  bool any = false;
  bool fixed = false;
  const auto look = [&](mlir::ValueId value) {
    const auto type =
        value.valid() ? mlir::tensorType(module.typeOf(value).of(module.text)) : std::nullopt;
    if (!type || type->sizes.size() != rank) return;
    any = true;
    fixed |= type->sizes[dimension] != kDynamic;
  };
  for (const mlir::OpId id : opsOf_[node.index()]) {
    const mlir::Op& op = module.op(id);
    for (std::uint32_t i = op.results.begin; i < op.results.end; ++i) look(mlir::ValueId(i));
    for (const mlir::Operand& operand : module.operandsOf(id)) look(operand.value);
  }
  return any && !fixed;
}

}  // namespace fxs::contract
