// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/kernel/kernel_lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "registry/linalg/arith.h"
#include "registry/linalg/slices.h"

namespace fxs::registry {
namespace {

const fx::Argument kNoArgument{fx::None{}};

bool callsStore(const fx::Node& node) {
  return node.target == "helion.language.memory_ops.store" ||
         node.target == "helion.language.atomic_ops.atomic_add";
}
bool callsLoad(const fx::Node& node) {
  return node.target == "helion.language.memory_ops.load" ||
         node.target == "helion.language.atomic_ops.atomic_add";
}

/// The name of a number that is a symbol by itself; null of any other value.
const std::string* symbolNameOf(const fx::Value& val) {
  const fx::SymValue* symbol = val.symbol();
  return symbol != nullptr && symbol->expr && symbol->expr->kind == fx::SymExpr::Kind::Symbol
             ? &symbol->expr->name
             : nullptr;
}

}  // namespace

KernelLowering::KernelLowering(const fx::Program& program, const DirectOptions& options,
                               std::vector<const Registry*> chain)
    : ProgramLowering(program, options, std::move(chain)),
      plan_(*options.kernel),
      kernel_(*plan_.kernel),
      users_(fx::usersOf(program)),
      live_(program.nodes.size(), 0),
      tiles_(kernel_.blocks.size()) {
  for (std::size_t i = 0; i < kernel_.blocks.size(); ++i)
    blockBySymbol_.emplace(kernel_.blocks[i].symbol, i);
}

bool KernelLowering::calls(const fx::Node& node, std::string_view name) {
  return node.op == fx::NodeOp::CallFunction && node.target.starts_with("helion.language.") &&
         node.target.ends_with(name);
}

std::string KernelLowering::sizeUnknown(const fx::KernelBlock& block) {
  if (block.isReduction)
    return "it runs over block '" + block.symbol + "', which is a whole dimension";
  return "the kernel gives the size of block '" + block.symbol +
         "', which the file does not say; choose it with --block-size " + block.symbol + "=SIZE";
}

const fx::Argument& KernelLowering::argument(const fx::Node& node, std::size_t at) const {
  return at < node.args.size() ? node.args[at].value : kNoArgument;
}

// -- what is in the kernel
// -------------------------------------------------------------------------------------------------

/// Which nodes the stores depend on. Helion leaves others in a graph, such as intermediate buffers
/// of an operator that is one again.
void KernelLowering::findLive(const fx::Graph& graph) {
  for (auto id = graph.nodes.rbegin(); id != graph.nodes.rend(); ++id) {
    const fx::Node& node = program_.node(*id);
    bool isNeeded = live_[id->index()] != 0 || node.op == fx::NodeOp::Output || callsStore(node);
    const auto visit = [&](fx::NodeId each) {
      const fx::Node& of = program_.node(each);
      if (of.op == fx::NodeOp::GetAttr && of.subgraph.valid())
        isNeeded |= storedIn_.contains(of.subgraph.index());
    };
    for (const fx::NodeArgument& each : node.args) fx::forEachNode(each.value, visit);
    if (!isNeeded) continue;
    live_[id->index()] = 1;
    for (const fx::NodeArgument& each : node.args)
      fx::forEachNode(each.value, [&](fx::NodeId of) {
        live_[of.index()] = 1;
        const fx::Node& subgraph = program_.node(of);
        if (subgraph.op == fx::NodeOp::GetAttr && subgraph.subgraph.valid())
          findLive(program_.graph(subgraph.subgraph));
      });
  }
}

/// Which graphs store, and what. Returns whether this one does.
bool KernelLowering::findStores(const fx::Graph& graph) {
  std::vector<std::size_t> stored;
  std::set<std::size_t> seen;
  const auto add = [&](std::size_t host) {
    if (seen.insert(host).second) stored.push_back(host);
  };
  for (const fx::NodeId id : graph.nodes) {
    const fx::Node& node = program_.node(id);
    if (callsStore(node))
      if (HostTensor* host = hostOf(argument(node, 0))) {
        ++stores_;
        host->isStored = true;
        add(static_cast<std::size_t>(host - hosts_.data()));
      }
    // Graphs that no call names are Helion's other forms of the same loops.
    if (node.op != fx::NodeOp::CallFunction) continue;
    for (const fx::NodeArgument& each : node.args)
      fx::forEachNode(each.value, [&](fx::NodeId of) {
        const fx::Node& subgraph = program_.node(of);
        if (subgraph.op != fx::NodeOp::GetAttr || !subgraph.subgraph.valid()) return;
        if (findStores(program_.graph(subgraph.subgraph)))
          for (const std::size_t host : storedIn_[subgraph.subgraph.index()]) add(host);
      });
  }
  if (stored.empty()) return false;
  storedIn_[graph.id.index()] = stored;
  return true;
}

KernelLowering::HostTensor* KernelLowering::hostOf(const fx::Argument& value) {
  const fx::NodeId* id = value.node();
  if (id == nullptr || !calls(program_.node(*id), "_tracing_ops._host_tensor")) return nullptr;
  const auto* name = std::get_if<std::string>(&argument(program_.node(*id), 0));
  const auto found = name != nullptr ? hostByName_.find(*name) : hostByName_.end();
  return found == hostByName_.end() ? nullptr : &hosts_[found->second];
}

void KernelLowering::findHosts(const fx::Graph& graph) {
  for (const fx::NodeId id : graph.nodes) {
    const fx::Node& node = program_.node(id);
    const auto* name = calls(node, "_tracing_ops._host_tensor")
                           ? std::get_if<std::string>(&argument(node, 0))
                           : nullptr;
    const auto type = name != nullptr ? tensorTypeOf(node.val, &symbols_)
                                      : tl::expected<TensorType, Refusal>(TensorType{});
    if (name != nullptr && type && hostByName_.try_emplace(*name, hosts_.size()).second) {
      HostTensor& host = hosts_.emplace_back();
      host.name = *name;
      host.node = id;
      host.type = *type;
      host.dtype = node.val.tensor()->dtype;
    }
    if (node.op != fx::NodeOp::CallFunction) continue;
    for (const fx::NodeArgument& each : node.args)
      fx::forEachNode(each.value, [&](fx::NodeId of) {
        const fx::Node& subgraph = program_.node(of);
        if (subgraph.op == fx::NodeOp::GetAttr && subgraph.subgraph.valid())
          findHosts(program_.graph(subgraph.subgraph));
      });
  }
}

// -- arguments and results
// -------------------------------------------------------------------------------------------------

void KernelLowering::bindScalar(const std::string& name, const fx::Node& node, fx::SymKind kind) {
  if (scalars_.contains(name)) return;
  std::string type = "i64";
  if (kind == fx::SymKind::Float) type = "f64";
  else if (kind == fx::SymKind::Bool) type = "i1";
  Value value = addParameter(node, type);
  value.tensor = {};
  if (kind == fx::SymKind::Int) {
    fx::SymValue recorded;
    recorded.expr = fx::SymExpr::symbol(name);
    symbols_.learn(fx::Value(std::move(recorded)), value);
  }
  scalars_.emplace(name, std::move(value));
}

void KernelLowering::bindHost(HostTensor& host) {
  const fx::Node& node = program_.node(host.node);
  host.now = addParameter(node, host.type.text());
  host.isArgument = true;
  symbols_.learn(node.val, host.now);
}

KernelLowering::HostNumbers KernelLowering::hostNumbers() const {
  HostNumbers out;
  for (const fx::Node& node : program_.nodes) {
    if (live_[node.id.index()] == 0 || !calls(node, "_tracing_ops._get_symnode")) continue;
    if (const std::string* name = symbolNameOf(recorded(node).val)) out.emplace(*name, &node);
  }
  return out;
}

void KernelLowering::bindArgument(const fx::KernelArgument& argument, const HostNumbers& numbers) {
  const fx::Node& first = program_.node(program_.main().nodes.front());
  const auto host = hostByName_.find(argument.name);
  // The host function may give the name of an argument to another tensor.
  const auto given = tensorTypeOf(argument.val, &symbols_);
  const bool isOther = host != hostByName_.end() && given && *given != hosts_[host->second].type;
  if (host != hostByName_.end() && !isOther && !hosts_[host->second].isArgument) {
    bindHost(hosts_[host->second]);
  } else if (const std::string* name = symbolNameOf(argument.val)) {
    const auto number = numbers.find(*name);
    bindScalar(*name, number != numbers.end() ? *number->second : first,
               argument.val.symbol()->kind);
  } else if (given) {
    symbols_.learn(argument.val, addParameter(first, given->text()));
  }
}

/// Whether neither another argument nor a size says a number of the host function.
bool KernelLowering::isArgumentOfItsOwn(const std::string& symbol, const fx::Node& node) const {
  const auto means = kernel_.symbols.find(symbol);
  const bool isOfHost =
      means == kernel_.symbols.end() || means->second.kind == fx::KernelSymbol::Kind::Host;
  return isOfHost && !knownNumber(node.val) && !blockOf(fx::Argument(node.id)) &&
         !symbols_.knows(*recorded(node).val.symbol()->expr);
}

void KernelLowering::bindArguments() {
  const HostNumbers numbers = hostNumbers();
  for (const fx::KernelArgument& each : kernel_.arguments) bindArgument(each, numbers);
  for (HostTensor& host : hosts_)
    if (host.isRead && !host.isArgument) bindHost(host);
  for (const auto& [symbol, node] : numbers)
    if (isArgumentOfItsOwn(symbol, *node))
      bindScalar(symbol, *node, recorded(*node).val.symbol()->kind);
}

/// The host tensors that the roots store to, each once.
void KernelLowering::findResults() {
  for (const Root& root : roots_) {
    const auto stored = storedIn_.find(root.graph->id.index());
    if (stored == storedIn_.end()) continue;
    for (const std::size_t host : stored->second)
      if (std::find(results_.begin(), results_.end(), host) == results_.end())
        results_.push_back(host);
  }
}

void KernelLowering::bindInputs() {
  rootsMissing_ = findRoots();
  for (const Root& root : roots_) findHosts(*root.graph);
  for (Root& root : roots_) {
    stores_ = 0;
    findStores(*root.graph);
    root.stores = stores_;
  }
  for (const Root& root : roots_) findLive(*root.graph);
  // A store by element may leave elements as the host function made them.
  for (const fx::Node& node : program_.nodes)
    if (live_[node.id.index()] != 0 && (callsLoad(node) || (callsStore(node) && isGather(node, 3))))
      if (HostTensor* host = hostOf(argument(node, 0))) host->isRead = true;
  bindArguments();
  findResults();
  locate(program_.node(program_.main().nodes.front()));
  // Sizes are computed before the loops, where every use can see them.
  for (const fx::Node& node : program_.nodes)
    if (live_[node.id.index()] != 0)
      symbols_.write(calls(node, "_tracing_ops._get_symnode") ? recorded(node).val : node.val);
  for (const fx::KernelBlock& block : kernel_.blocks)
    if (block.extent && !block.extent->isStatic()) {
      fx::SymValue extent;
      extent.expr = block.extent->expr();
      symbols_.write(fx::Value(std::move(extent)));
    }
}

std::vector<Value> KernelLowering::returned() {
  std::vector<Value> out;
  for (const std::size_t host : results_)
    if (!hosts_[host].now.name.empty()) out.push_back(hosts_[host].now);
  return out;
}

// -- nodes
// -------------------------------------------------------------------------------------------------

std::vector<NodeCoverage> KernelLowering::lowerNodes(const fx::Graph& graph) {
  std::vector<NodeCoverage> outer = std::exchange(nested_, {});
  std::vector<NodeCoverage> out;
  for (const fx::NodeId id : graph.nodes) {
    const fx::Node& node = program_.node(id);
    if (graph.id != program_.main().id && node.op == fx::NodeOp::Placeholder) continue;
    NodeCoverage one;
    one.node = id;
    lowerNode(node, one);
    out.push_back(std::move(one));
    std::move(nested_.begin(), nested_.end(), std::back_inserter(out));
    nested_.clear();
  }
  nested_ = std::move(outer);
  return out;
}

Result<> KernelLowering::lowerMain(const RunContext& context) {
  if (context.stop.stop_requested())
    return fail(ErrorCode::Cancelled, "lowering by registries was cancelled");
  context.report({"lowering by registries", -1});
  const OpBuilder::Mark mark = emit_.mark();
  Reason reason;
  try {
    reason = writeGrid();
  } catch (const BadSizes& bad) {
    reason = bad.what();
  }
  if (!reason) return {};
  emit_.rollback(mark);
  results_.clear();
  out_->coverage.clear();
  const fx::Node& output = program_.output(program_.main().id);
  NodeCoverage coverage;
  coverage.node = output.id;
  coverage.status = CoverageStatus::Refused;
  coverage.refusals = {*reason};
  out_->coverage.push_back(std::move(coverage));
  refuse(output, "refused", "the kernel's grid is not supported; " + *reason);
  return {};
}

/// The values of a node, cast to the recorded types.
KernelLowering::Reason KernelLowering::take(const fx::Node& node, Values values) {
  if (auto refusal = takeRecordedTypes(node, values)) return refusal->message;
  values_[node.id.index()] = std::move(values);
  return std::nullopt;
}

void KernelLowering::attempt(const fx::Node& node, NodeCoverage& coverage,
                             const std::function<Reason()>& write) {
  locate(node);
  const OpBuilder::Mark mark = emit_.mark();
  const std::size_t findings = out_->findings.size(), nested = nested_.size();
  Reason reason;
  try {
    reason = write();
  } catch (const BadSizes& bad) {
    reason = bad.what();
  }
  if (!reason) return;
  emit_.rollback(mark);
  const bool isWithin = out_->findings.size() > findings;  // what is within says more
  if (!isWithin && nested_.size() > nested) nested_.resize(nested);
  coverage.status = CoverageStatus::Refused;
  coverage.refusals = {printedType(*reason)};
  if (!isWithin)
    refuse(node, "refused",
           "'" + node.target + "' is not supported in a kernel; " + coverage.refusals.front());
  locate(node);
  writeUnmapped(node);
}

/// For loops and branches: what they leave behind if they are refused is undone.
KernelLowering::Reason KernelLowering::keepingHosts(const std::function<Reason()>& write) {
  emit_.spend((hosts_.size() + tiles_.size()) * sizeof(HostTensor));
  const std::vector<HostTensor> hosts = hosts_;
  const std::vector<std::optional<Tile>> tiles = tiles_;
  Reason reason;
  try {
    reason = write();
  } catch (const BadSizes& bad) {
    reason = bad.what();
  }
  tiles_ = tiles;
  if (reason) hosts_ = hosts;
  return reason;
}

void KernelLowering::lowerNode(const fx::Node& node, NodeCoverage& coverage) {
  using Write = Reason (KernelLowering::*)(const fx::Node&);
  struct Known {
    std::string_view name;
    Write write;
  };
  static constexpr std::array kKnown{
      Known{"memory_ops.load", &KernelLowering::load},
      Known{"memory_ops.store", &KernelLowering::store},
      Known{"atomic_ops.atomic_add", &KernelLowering::store},
      Known{"creation_ops.full", &KernelLowering::full},
      Known{"view_ops.subscript", &KernelLowering::subscript},
      Known{"view_ops.split", &KernelLowering::split},
      Known{"view_ops.join", &KernelLowering::join},
      Known{"matmul_ops.dot", &KernelLowering::dot},
      Known{"_tracing_ops._mask_to", &KernelLowering::maskTo},
      Known{"_tracing_ops._for_loop", &KernelLowering::forLoop},
      Known{"_tracing_ops._if", &KernelLowering::branch},
      Known{"_tracing_ops._phi", &KernelLowering::phi},
      Known{"_tracing_ops._get_symnode", &KernelLowering::symbolNode},
      Known{"tile_ops.tile_begin", &KernelLowering::tileNumber},
      Known{"tile_ops.tile_end", &KernelLowering::tileNumber},
      Known{"tile_ops.tile_id", &KernelLowering::tileNumber},
      Known{"tile_ops.tile_index", &KernelLowering::tileIndex},
  };
  if (node.op != fx::NodeOp::CallFunction || live_[node.id.index()] == 0 ||
      calls(node, "_tracing_ops._host_tensor"))
    return;
  const std::size_t before = emit_.ops();
  const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                  [&](const Known& each) { return calls(node, each.name); });
  if (known != kKnown.end()) {
    if (knownNumber(node.val)) return;
    const bool hasGraphs =
        known->write == &KernelLowering::forLoop || known->write == &KernelLowering::branch;
    const auto write = [&] { return (this->*known->write)(node); };
    attempt(node, coverage, [&] { return hasGraphs ? keepingHosts(write) : write(); });
  } else if (calls(node, "_tracing_ops._new_var")) {
    if (const fx::NodeId* of = argument(node, 0).node())
      values_[node.id.index()] = values_[of->index()];
  } else if (node.target.starts_with("_operator.") && node.target != fx::kGetitem &&
             !knownNumber(node.val) && node.val.list() == nullptr) {
    attempt(node, coverage, [&] { return arithmetic(node); });
  } else if (node.target == "prims.iota.default" && node.find("start") != nullptr &&
             node.find("start")->value.node() != nullptr) {
    attempt(node, coverage, [&] { return iota(node); });
  } else if (Reason reason = notAskedOf(node)) {
    attempt(node, coverage, [&] { return reason; });
  } else {
    ProgramLowering::lowerNode(node, coverage);
    return;
  }
  coverage.ops = emit_.ops() - before;
}

/// Why no handler is asked for the node, if none is.
KernelLowering::Reason KernelLowering::notAskedOf(const fx::Node& node) const {
  if (node.target.starts_with("helion."))
    return "this construct is not assembled; keep it out of the kernel, or lower the node by "
           "itself";
  if (const auto unsure = program_.meta(node, "helion_args_unsure"))
    return "Helion replaced its arguments: " + std::string(*unsure);
  return masksLostBy(node);
}

/// The tile of a block if, at the end of the loop, a part of it may be beyond; else null.
const KernelLowering::Tile* KernelLowering::partialTile(std::string_view symbol) const {
  const auto block = blockBySymbol_.find(symbol);
  if (block == blockBySymbol_.end() || !tiles_[block->second]) return nullptr;
  const Tile& tile = *tiles_[block->second];
  return tile.full ? nullptr : &tile;
}

/// An operator that Helion had split into buffers masks between them; put together again, it does
/// not.
KernelLowering::Reason KernelLowering::masksLostBy(const fx::Node& node) const {
  if (!program_.meta(node, "helion_args")) return std::nullopt;
  std::set<std::string> kept;
  const auto collect = [&](const fx::Value& value, std::set<std::string>& into) {
    if (const fx::TensorMeta* meta = value.tensor())
      for (const fx::SymInt& size : meta->sizes)
        if (!size.isStatic())
          fx::collectSymbols(*size.expr(), [&](const std::string& name) { into.insert(name); });
  };
  const fx::Value& val = recorded(node).val;
  if (const fx::ValueList* parts = val.list())
    for (const fx::Value& part : *parts) collect(part, kept);
  else collect(val, kept);
  Reason out;
  for (const fx::NodeArgument& each : node.args)
    fx::forEachNode(each.value, [&](fx::NodeId id) {
      std::set<std::string> used;
      collect(recorded(program_.node(id)).val, used);
      for (const std::string& name : used)
        if (!kept.contains(name) && partialTile(name) != nullptr)
          out = "it reduces over tiles of '" + name +
                "', of which the last is not whole; choose a size that divides the extent";
    });
  return out;
}

}  // namespace fxs::registry
