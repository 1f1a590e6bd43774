// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of a kernel. Their graphs read outer values by placeholders; what they change
// are the graph's outputs and the host tensors that they store to. `_phi` nodes say which outer
// value an output replaces.
#include <algorithm>
#include <array>

#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/slices.h"

namespace fxs::registry {
namespace {

const fx::ArgumentList kNothing;
const fx::ArgumentList& listOf(const fx::Argument& argument) {
  return argument.list() != nullptr ? *argument.list() : kNothing;
}

std::vector<const fx::Node*> placeholdersOf(const fx::Program& program, const fx::Graph& graph) {
  std::vector<const fx::Node*> out;
  for (const fx::NodeId id : graph.nodes)
    if (program.node(id).op == fx::NodeOp::Placeholder) out.push_back(&program.node(id));
  return out;
}

const fx::ArgumentList& outputList(const fx::Program& program, const fx::Graph& graph) {
  const fx::Node& output = program.output(graph.id);
  return output.args.empty() ? kNothing : listOf(output.args.front().value);
}

/// The variable of a branch that is joined by two parts, which are numbered by variable, first on
/// the one side, then on the other; nullopt if they are not of one variable.
std::optional<std::size_t> branchVariable(const fx::Node& branch, const std::int64_t* a,
                                          const std::int64_t* b) {
  if (a == nullptr || b == nullptr) return std::nullopt;
  const fx::ValueList* parts = branch.val.list();
  const std::int64_t pairs = parts != nullptr ? static_cast<std::int64_t>(parts->size() / 2) : 0;
  const auto [first, second] = std::minmax(*a, *b);
  if (first < 0 || second - first != pairs) return std::nullopt;
  return static_cast<std::size_t>(first);
}

}  // namespace

std::optional<Value> KernelLowering::valueOf(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  if (id == nullptr || values_[id->index()].size() != 1 ||
      values_[id->index()].front().name.empty())
    return std::nullopt;
  return values_[id->index()].front();
}

/// The getitem nodes that select a part of a node's results.
std::vector<const fx::Node*> KernelLowering::partsOf(const fx::Node& node, std::size_t part) const {
  std::vector<const fx::Node*> out;
  for (const fx::NodeId id : users_[node.id.index()]) {
    const fx::Node& user = program_.node(id);
    const std::int64_t* index = user.target == fx::kGetitem ? argument(user, 1).integer() : nullptr;
    if (index != nullptr && *index >= 0 && static_cast<std::size_t>(*index) == part)
      out.push_back(&user);
  }
  return out;
}

KernelLowering::Reason KernelLowering::bindPlaceholders(const fx::Graph& graph,
                                                        const fx::ArgumentList& arguments) {
  const std::vector<const fx::Node*> placeholders = placeholdersOf(program_, graph);
  if (placeholders.size() != arguments.size())
    return "it passes " + std::to_string(arguments.size()) + " values to a graph of " +
           std::to_string(placeholders.size()) + " arguments";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Values& values = values_[placeholders[i]->id.index()];
    values.clear();
    if (const auto value = valueOf(arguments[i])) values = {*value};
    if (!values.empty() && !values.front().tensor.element.empty() &&
        resultTypes(*placeholders[i]) != typesOf(values))
      return "'" + placeholders[i]->name +
             "' of its graph has another type than the value that is passed";
  }
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::outputsOf(const fx::Graph& graph,
                                                 const std::vector<std::size_t>& wanted,
                                                 Values& out) {
  const fx::ArgumentList& outputs = outputList(program_, graph);
  for (const std::size_t output : wanted) {
    const auto value = output < outputs.size() ? valueOf(outputs[output]) : std::nullopt;
    if (!value) return "output " + std::to_string(output) + " of its graph has no value";
    out.push_back(*value);
  }
  return std::nullopt;
}

/// The nodes of a loop or branch at this place in the text.
void KernelLowering::lowerWithin(const fx::Graph& graph) {
  std::vector<NodeCoverage> coverage = lowerNodes(graph);
  std::move(coverage.begin(), coverage.end(), std::back_inserter(nested_));
}

// -- loops
// -------------------------------------------------------------------------------------------------

KernelLowering::VariableBefore KernelLowering::variableBefore(const fx::Node& loop,
                                                              std::size_t output) const {
  VariableBefore out;
  for (const fx::Node* part : partsOf(loop, output))
    for (const fx::NodeId id : users_[part->id.index()]) {
      out.isUsed = true;
      const fx::Node& user = program_.node(id);
      if (calls(user, "_tracing_ops._phi") && argument(user, 1) == fx::Argument(part->id))
        out.node = argument(user, 0).node();
    }
  return out;
}

KernelLowering::Reason KernelLowering::carriedBy(const fx::Node& loop, const fx::Graph& graph,
                                                 const fx::ArgumentList& arguments,
                                                 std::vector<Carried>& out) {
  const std::size_t outputs = outputList(program_, graph).size();
  for (std::size_t output = 0; output < outputs; ++output) {
    const VariableBefore before = variableBefore(loop, output);
    if (before.node == nullptr && before.isUsed)
      return "output " + std::to_string(output) +
             " of its graph has no value before the loop; set it there";
    if (before.node == nullptr) continue;
    const std::string& name = program_.node(*before.node).name;
    const auto value = valueOf(fx::Argument(*before.node));
    if (!value || value->tensor.element.empty())
      return "it carries '" + name + "', which is not a tensor whose value is known";
    Carried carried{*value, std::nullopt, output};
    const fx::Argument outer(*before.node);
    const auto found = std::find(arguments.begin(), arguments.end(), outer);
    if (found != arguments.end())
      carried.argument = static_cast<std::size_t>(found - arguments.begin());
    const bool isTwice = std::count(arguments.begin(), arguments.end(), outer) > 1 ||
                         std::any_of(out.begin(), out.end(), [&](const Carried& other) {
                           return other.argument && other.argument == carried.argument;
                         });
    if (isTwice)
      return "it carries '" + name + "' as two variables; compute one of them anew before the loop";
    out.push_back(std::move(carried));
  }
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::loopOf(const fx::Node& node, Loop& out) {
  out.graph = graphOf(argument(node, 0));
  if (out.graph == nullptr) return "its graph is not in the file, or another loop has it";
  out.begins = &listOf(argument(node, 1));
  out.ends = &listOf(argument(node, 2));
  out.arguments = &listOf(argument(node, 3));
  if (const auto known = kernel_.graphs.find(out.graph->name); known != kernel_.graphs.end())
    out.blocks = known->second.blocks;
  if (out.blocks.empty() || out.begins->size() != out.blocks.size() ||
      out.ends->size() != out.blocks.size())
    return "its begin and end do not fit the " + std::to_string(out.blocks.size()) +
           " blocks of its graph";
  out.hosts = hostsStoredIn({out.graph});
  return carriedBy(node, *out.graph, *out.arguments, out.carried);
}

/// A bound as a number, if it is known; otherwise a symbol of no value.
std::int64_t KernelLowering::boundOf(const fx::Argument& bound) const {
  if (const std::int64_t* number = bound.integer()) return *number;
  const auto recordedNumber =
      bound.node() != nullptr ? knownNumber(program_.node(*bound.node()).val) : std::nullopt;
  return recordedNumber && recordedNumber->integer() != nullptr ? *recordedNumber->integer()
                                                                : kFirstSymbol;
}

/// The ends by row of a jagged tile: the first value that is passed to its loop.
KernelLowering::Reason KernelLowering::jaggedEnds(const Loop& loop, std::size_t at, Tile& tile) {
  const fx::KernelBlock& block = kernel_.blocks[static_cast<std::size_t>(loop.blocks[at])];
  const fx::NodeId* end = (*loop.ends)[at].node();
  const bool isOfData = end != nullptr && recorded(program_.node(*end)).val.tensor() != nullptr;
  if (!block.knowsJagged && isOfData)
    return "the file does not say whether the tile of '" + block.symbol +
           "' is jagged; capture the kernel again with fxscope_capture.py";
  if (!block.isJagged) return std::nullopt;
  const fx::NodeId* id = loop.arguments->empty() ? nullptr : loop.arguments->front().node();
  const auto ends = id != nullptr ? tensorOf(loop.arguments->front()) : std::nullopt;
  const fx::TensorMeta* meta = id != nullptr ? recorded(program_.node(*id)).val.tensor() : nullptr;
  if (!ends || meta == nullptr || !ends->tensor.isInteger())
    return "the ends of its jagged tile are not known";
  for (const fx::SymInt& size : meta->sizes) tile.rows.push_back(size.text());
  tile.ends = *ends;
  tile.endsDtype = meta->dtype;
  tile.full = false;
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::enterLoops(const Loop& loop, ForNest& nest) {
  for (std::size_t i = 0; i < loop.blocks.size(); ++i) {
    const auto block = static_cast<std::size_t>(loop.blocks[i]);
    if (!plan_.tiles[block]) return sizeUnknown(kernel_.blocks[block]);
    if (tiles_[block])
      return "it runs over block '" + kernel_.blocks[block].symbol +
             "' within a loop over the same";
    const fx::Argument &begins = (*loop.begins)[i], &ends = (*loop.ends)[i];
    const auto begin = indexOf(begins), end = indexOf(ends);
    if (!begin || !end) return "its begin or end is not an integer that is known at run time";
    const Value offset = nest.enter(*begin, *end, emit_.index(*plan_.tiles[block]));
    tiles_[block] = tileOf(loop.blocks[i], offset, boundOf(begins), boundOf(ends), *end);
    if (const Reason reason = jaggedEnds(loop, i, *tiles_[block])) return reason;
  }
  return std::nullopt;
}

/// Writes an iteration, with the carried values in `now`; then, `now` are those after it.
KernelLowering::Reason KernelLowering::writeBody(const fx::Node& node, const Loop& loop,
                                                 Values& now) {
  if (const Reason reason = bindPlaceholders(*loop.graph, *loop.arguments)) return reason;
  const std::vector<const fx::Node*> placeholders = placeholdersOf(program_, *loop.graph);
  for (std::size_t i = 0; i < loop.carried.size(); ++i)
    if (const auto& argument = loop.carried[i].argument)
      values_[placeholders[*argument]->id.index()] = {now[i]};
  setHosts(loop.hosts, now);
  lowerWithin(*loop.graph);
  locate(node);
  std::vector<std::size_t> wanted;
  for (const Carried& each : loop.carried) wanted.push_back(each.output);
  now.clear();
  if (const Reason reason = outputsOf(*loop.graph, wanted, now)) return reason;
  const Values stored = hostValues(loop.hosts);
  now.insert(now.end(), stored.begin(), stored.end());
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::forLoop(const fx::Node& node) {
  Loop loop;
  if (const Reason reason = loopOf(node, loop)) return reason;
  Values now;
  for (const Carried& each : loop.carried) now.push_back(each.before);
  const Values before = hostValues(loop.hosts);
  now.insert(now.end(), before.begin(), before.end());
  ForNest nest(emit_, std::move(now));
  if (const Reason reason = enterLoops(loop, nest)) return reason;
  now = nest.now();
  if (const Reason reason = writeBody(node, loop, now)) return reason;
  if (typesOf(now) != nest.types()) return "its graph returns values of other types than it reads";
  now = nest.leave(std::move(now));
  setHosts(loop.hosts, now);
  Values results(outputList(program_, *loop.graph).size());
  for (std::size_t i = 0; i < loop.carried.size(); ++i) results[loop.carried[i].output] = now[i];
  values_[node.id.index()] = std::move(results);
  return std::nullopt;
}

/// The host tensors that the graphs store to, in order.
std::vector<std::size_t> KernelLowering::hostsStoredIn(
    std::initializer_list<const fx::Graph*> graphs) const {
  std::vector<std::size_t> out;
  for (const fx::Graph* graph : graphs)
    if (const auto stored = storedIn_.find(graph->id.index()); stored != storedIn_.end())
      for (const std::size_t host : stored->second)
        if (std::find(out.begin(), out.end(), host) == out.end()) out.push_back(host);
  return out;
}

Values KernelLowering::hostValues(const std::vector<std::size_t>& hosts) const {
  Values out;
  for (const std::size_t host : hosts) out.push_back(hosts_[host].now);
  return out;
}

/// The values of the host tensors are the last ones of `values`.
void KernelLowering::setHosts(const std::vector<std::size_t>& hosts,
                              std::span<const Value> values) {
  values = values.last(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[hosts[i]].now = values[i];
}

// -- branches
// -------------------------------------------------------------------------------------------------

KernelLowering::Reason KernelLowering::conditionOf(const fx::Argument& test, Value& out) {
  const fx::NodeId* id = test.node();
  const auto number = id != nullptr ? knownNumber(program_.node(*id).val) : std::nullopt;
  if (const auto* flag = number ? std::get_if<bool>(&*number) : std::get_if<bool>(&test)) {
    out = emit_.scalar("i1", *flag);
    return std::nullopt;
  }
  const auto value = valueOf(test);
  if (!value) return "its condition is not known";
  out = *value;
  if (value->type == "i1") return std::nullopt;
  if (!value->tensor.isBool() || !value->tensor.isStatic() || value->tensor.elements() != 1)
    return "its condition is a tensor of " + value->type +
           "; use torch.where for conditions on elements";
  const std::vector<Value> zeros(value->tensor.sizes.size(), emit_.index(0));
  out = linalg::extract(emit_, *value, zeros);
  return std::nullopt;
}

/// The variables that a branch sets.
KernelLowering::Reason KernelLowering::pairsOf(const fx::Node& node, const fx::Graph& then,
                                               const fx::Graph& otherwise,
                                               std::vector<BranchPair>& out) {
  BranchSides sides;
  sides.program = &program_;
  sides.then = {&outputList(program_, then), &listOf(argument(node, 3))};
  sides.otherwise = {&outputList(program_, otherwise), &listOf(argument(node, 4))};
  const auto known = kernel_.graphs.find(then.name);
  if (known != kernel_.graphs.end() && known->second.knowsBranches) sides.known = &known->second;
  const fx::ValueList* parts = node.val.list();
  sides.pairs = parts != nullptr ? parts->size() / 2 : 0;
  return branchPairs(sides, out);
}

KernelLowering::Side KernelLowering::sideOf(const fx::Graph& graph, const fx::Argument& arguments,
                                            const std::vector<BranchPair>& pairs,
                                            BranchValue BranchPair::* side) const {
  Side out{&graph, &listOf(arguments), {}, {}};
  for (const BranchPair& pair : pairs) {
    out.gives.push_back(pair.*side);
    out.kept.push_back(valueOf((pair.*side).kept));
  }
  return out;
}

/// Writes what a side does, and appends what it gives to `now`.
KernelLowering::Reason KernelLowering::writeSide(const fx::Node& node, const Side& side,
                                                 Values& now) {
  if (const Reason reason = bindPlaceholders(*side.graph, *side.arguments)) return reason;
  lowerWithin(*side.graph);
  locate(node);
  for (std::size_t i = 0; i < side.gives.size(); ++i) {
    if (const auto& output = side.gives[i].output) {
      if (const Reason reason = outputsOf(*side.graph, {*output}, now)) return reason;
    } else if (side.kept[i]) {
      now.push_back(*side.kept[i]);
    } else {
      return "a value that it does not change is not known";
    }
  }
  return std::nullopt;
}

/// The types of the first results of a node.
KernelLowering::Reason KernelLowering::recordedTypes(const fx::Node& node, std::size_t count,
                                                     std::vector<std::string>& out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = tensorTypeOf((*node.val.list())[i], &symbols_);
    if (!type) return type.error().message;
    out.push_back(type->text());
  }
  return std::nullopt;
}

KernelLowering::Reason KernelLowering::branch(const fx::Node& node) {
  const fx::Graph *then = graphOf(argument(node, 1)), *otherwise = graphOf(argument(node, 2));
  if (then == nullptr || otherwise == nullptr)
    return "its graphs are not in the file, or another branch has them";
  Value condition;
  if (const Reason reason = conditionOf(argument(node, 0), condition)) return reason;
  std::vector<BranchPair> pairs;
  if (const Reason reason = pairsOf(node, *then, *otherwise, pairs)) return reason;

  std::vector<std::string> types;
  if (const Reason reason = recordedTypes(node, pairs.size(), types)) return reason;
  const std::vector<std::size_t> hosts = hostsStoredIn({then, otherwise});
  const Values before = hostValues(hosts);
  for (const Value& host : before) types.push_back(host.type);

  // Both before either is written, which changes what stands for the values that they keep.
  const std::array sides{sideOf(*then, argument(node, 3), pairs, &BranchPair::then),
                         sideOf(*otherwise, argument(node, 4), pairs, &BranchPair::otherwise)};
  auto open = emit_.begin("scf.if", std::span(&condition, 1), types);
  for (const Side& side : sides) {
    emit_.beginRegion(open, {});
    setHosts(hosts, before);
    Values now;
    if (const Reason reason = writeSide(node, side, now)) return reason;
    const Values stored = hostValues(hosts);
    now.insert(now.end(), stored.begin(), stored.end());
    if (typesOf(now) != types)
      return "its branches give values of other types than the file records";
    emit_.ops("scf.yield", now, {});
    emit_.endRegion(open);
  }
  const std::vector<Value> results = emit_.finish(open);
  setHosts(hosts, results);
  // A part by itself is an outer value that this side keeps; `_phi` of both is the result.
  Values values;
  for (const Side& side : sides)
    for (const std::optional<Value>& kept : side.kept) values.push_back(kept.value_or(Value{}));
  for (std::size_t i = 0; i < pairs.size(); ++i) joined_[{node.id, i}] = results[i];
  values_[node.id.index()] = std::move(values);
  for (const BranchPair& pair : pairs)
    if (!pair.assumed.empty()) noteAssumed(node, pair.assumed);
  return std::nullopt;
}

void KernelLowering::noteAssumed(const fx::Node& node, const std::string& message) {
  fx::Finding finding = fx::findingAt(program_, node, "assumed", message);
  finding.severity = fx::Severity::Note;
  finding.stage = "registry";
  out_->findings.push_back(std::move(finding));
}

/// The node of whose results this one is a part; null if it is none.
const fx::Node* KernelLowering::nodeOfPart(fx::NodeId id) const {
  const fx::Node& part = program_.node(id);
  const fx::NodeId* of = part.target == fx::kGetitem ? argument(part, 0).node() : nullptr;
  return of != nullptr ? &program_.node(*of) : nullptr;
}

/// Joins the value before a loop with that after it, or those of two branches.
KernelLowering::Reason KernelLowering::phi(const fx::Node& node) {
  const fx::NodeId *a = argument(node, 0).node(), *b = argument(node, 1).node();
  if (a == nullptr || b == nullptr) return "it does not join two values";
  const fx::Node *first = nodeOfPart(*a), *second = nodeOfPart(*b);
  if (second != nullptr && calls(*second, "_tracing_ops._for_loop")) {
    const auto value = valueOf(fx::Argument(*b));
    if (!value) return "the loop does not carry this value";
    return take(node, {*value});
  }
  if (first == nullptr || first != second || !calls(*first, "_tracing_ops._if"))
    return "it joins what is not the values of one loop or branch";
  const auto variable = branchVariable(*first, argument(program_.node(*a), 1).integer(),
                                       argument(program_.node(*b), 1).integer());
  if (!variable) return "it joins values that the branches do not give for one variable";
  const auto joined = joined_.find({first->id, *variable});
  if (joined == joined_.end()) return "the branch has no value for it";
  return take(node, {joined->second});
}

}  // namespace fxs::registry
