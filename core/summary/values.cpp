// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "summary/values.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "fx/shared_weights.h"
#include "ops/schema.h"
#include "rewrite/view_ops.h"
#include "summary/saturating.h"

namespace fxs::summary {
namespace {

std::uint64_t bytesOf(DType dtype, std::uint64_t elements) {
  return saturatingProduct(elements, static_cast<std::uint64_t>(facts(dtype).bytes));
}

/// The tensors in a value.
std::vector<const fx::TensorMeta*> tensorsOf(const fx::Value& value) {
  std::vector<const fx::TensorMeta*> out;
  std::vector<const fx::Value*> pending{&value};
  while (!pending.empty()) {
    const fx::Value& each = *pending.back();
    pending.pop_back();
    if (const fx::TensorMeta* tensor = each.tensor()) out.push_back(tensor);
    if (const fx::ValueList* list = each.list())
      for (const fx::Value& element : *list) pending.push_back(&element);
  }
  return out;
}

/// The node whose memory the value of a call is; invalid if it has memory of its own.
fx::NodeId memoryOf(const fx::Program& program, const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return {};
  if (node.target == fx::kGetitem) {
    const fx::NodeArgument* tuple = node.find("a");
    const fx::NodeId* of = tuple ? tuple->value.node() : nullptr;
    return of ? *of : fx::NodeId{};
  }
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr) return {};
  if (!schema->isMutable) {
    const rewrite::Shares shares = rewrite::sharesOf(program, node);
    const bool isShared =
        shares.sharing == rewrite::Sharing::View || shares.sharing == rewrite::Sharing::Same;
    return isShared ? shares.of : fx::NodeId{};
  }
  for (const ops::SchemaArgument& formal : schema->arguments) {
    const fx::NodeArgument* given =
        formal.alias == ops::Alias::Write ? node.find(formal.name) : nullptr;
    if (const fx::NodeId* written = given ? given->value.node() : nullptr) return *written;
  }
  return {};
}

/// Whether the node's value is among the activations, unless it is a view.
bool isActivation(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::Placeholder) {
    const fx::InputSpec* input = program.inputOf(node.id);
    return node.graph == program.main().id && (input == nullptr || !fx::isWeight(input->kind));
  }
  return node.op == fx::NodeOp::CallFunction || node.op == fx::NodeOp::CallMethod ||
         node.op == fx::NodeOp::CallModule;
}

struct Memory {
  fx::NodeId root;                           ///< whose memory the value is; itself, or another
  std::optional<std::uint64_t> bytes = {0};  ///< of a root
};

/// Bytes alive at a time, by the last use of each root.
void findPeak(const fx::Program& program, const std::vector<Memory>& memory, Activations& out) {
  const std::vector<fx::NodeId>& order = program.main().nodes;
  std::vector<std::size_t> lastUse(memory.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const fx::Node& node = program.node(order[i]);
    const std::size_t root = memory[order[i].index()].root.index();
    lastUse[root] = std::max(lastUse[root], i);
    if (node.op == fx::NodeOp::Placeholder) lastUse[root] = order.size();
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId used) {
        std::size_t& last = lastUse[memory[used.index()].root.index()];
        last = std::max(last, i);
      });
  }
  std::vector<std::uint64_t> endsAfter(order.size() + 1, 0);
  std::uint64_t alive = 0, most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Memory& own = memory[order[i].index()];
    if (own.root == order[i]) {
      if (!own.bytes) return;
      alive = saturatingSum(alive, *own.bytes);
      std::uint64_t& ends = endsAfter[lastUse[order[i].index()]];
      ends = saturatingSum(ends, *own.bytes);
    }
    if (alive > most) {
      most = alive;
      out.peak = program.node(order[i]).name;
    }
    alive -= std::min(alive, endsAfter[i]);
  }
  out.peakBytes = most;
}

}  // namespace

void TensorTotal::add(DType dtype, std::uint64_t ofElements) {
  const std::uint64_t ofBytes = bytesOf(dtype, ofElements);
  auto at = std::find_if(dtypes.begin(), dtypes.end(),
                         [dtype](const DtypeTotal& each) { return each.dtype == dtype; });
  if (at == dtypes.end()) at = dtypes.insert(at, {dtype});
  for (std::size_t* count : {&tensors, &at->tensors}) ++*count;
  for (std::uint64_t* sum : {&elements, &at->elements}) *sum = saturatingSum(*sum, ofElements);
  for (std::uint64_t* sum : {&bytes, &at->bytes}) *sum = saturatingSum(*sum, ofBytes);
}

void TensorTotal::sort() {
  std::stable_sort(dtypes.begin(), dtypes.end(),
                   [](const DtypeTotal& a, const DtypeTotal& b) { return a.bytes > b.bytes; });
}

std::optional<std::uint64_t> elementsOf(const std::vector<fx::SymInt>& sizes) {
  std::uint64_t out = 1;
  for (const fx::SymInt& size : sizes) {
    if (!size.isStatic() || size.value() < 0) return std::nullopt;
    out = saturatingProduct(out, static_cast<std::uint64_t>(size.value()));
  }
  return out;
}

std::optional<std::uint64_t> bytesOf(const fx::Value& value) {
  std::uint64_t out = 0;
  for (const fx::TensorMeta* tensor : tensorsOf(value)) {
    const auto elements = elementsOf(tensor->sizes);
    if (!elements) return std::nullopt;
    out = saturatingSum(out, bytesOf(tensor->dtype, *elements));
  }
  return out;
}

Stored storedOf(const fx::Program& program) {
  std::unordered_map<std::string_view, fx::InputKind> kinds;
  for (const fx::InputSpec& input : program.inputs)
    if (fx::isWeight(input.kind)) kinds.emplace(input.target, input.kind);
  Stored out;
  std::set<std::string> seen;
  for (const fx::Weight& weight : program.weights) {
    const std::string view = fx::storedView(weight);
    if (!view.empty() && !seen.insert(view).second) {
      ++out.otherNames;
      continue;
    }
    const auto kind = kinds.find(weight.fqn);
    const bool isBuffer =
        kind == kinds.end() ? !weight.constant : kind->second == fx::InputKind::Buffer;
    TensorTotal& ofOthers = isBuffer ? out.buffers : out.constants;
    (weight.isParameter ? out.parameters : ofOthers).add(weight.dtype, weight.elements());
  }
  if (program.dialect == fx::kMlirDialect)
    for (const fx::Node& node : program.nodes)
      if (const fx::TensorMeta* tensor = node.val.tensor();
          node.op == fx::NodeOp::GetAttr && tensor)
        if (const auto elements = elementsOf(tensor->sizes))
          out.constants.add(tensor->dtype, *elements);
  for (TensorTotal* total : {&out.parameters, &out.buffers, &out.constants}) total->sort();
  return out;
}

Activations activationsOf(const fx::Program& program) {
  Activations out;
  const bool isModule = program.dialect == fx::kMlirDialect;
  std::vector<Memory> memory(program.nodes.size());
  for (const fx::Node& node : program.nodes) {
    Memory& own = memory[node.id.index()];
    const fx::NodeId of = isModule ? fx::NodeId{} : memoryOf(program, node);
    own.root = of.valid() ? memory[of.index()].root : node.id;
    if (!isActivation(program, node)) continue;
    if (of.valid()) {
      ++out.views;
      continue;
    }
    // The types of other values of a module are not tensors, and not read.
    if (std::holds_alternative<fx::Unknown>(node.val) && !isModule) own.bytes = std::nullopt;
    for (const fx::TensorMeta* tensor : tensorsOf(node.val)) {
      const std::optional<std::uint64_t> elements = elementsOf(tensor->sizes);
      if (elements) out.values.add(tensor->dtype, *elements);
      own.bytes = elements && own.bytes
                      ? std::optional(saturatingSum(*own.bytes, bytesOf(tensor->dtype, *elements)))
                      : std::nullopt;
    }
    if (!own.bytes) ++out.unknown;
  }
  out.values.sort();
  if (!isModule) findPeak(program, memory, out);
  return out;
}

}  // namespace fxs::summary
