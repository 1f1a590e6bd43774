// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of a kernel. Their graphs read outer values by placeholders; what they change
// are the graph's outputs and the host tensors that they store to. `_phi` nodes say which outer
// value an output replaces.
#include <algorithm>

#include "registry/kernel/kernel_branches.h"
#include "registry/kernel/kernel_lowering.h"
#include "registry/linalg/slices.h"

namespace fxs::registry {
namespace {

std::vector<std::string> textsOfTypes(std::span<const Value> values) {
  std::vector<std::string> out;
  for (const Value& value : values) out.push_back(value.type);
  return out;
}

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

KernelLowering::Why KernelLowering::bindPlaceholders(const fx::Graph& graph,
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
        resultTypes(*placeholders[i]) != textsOfTypes(values))
      return "'" + placeholders[i]->name +
             "' of its graph has another type than the value that is passed";
  }
  return std::nullopt;
}

KernelLowering::Why KernelLowering::outputsOf(const fx::Graph& graph,
                                              const std::vector<std::size_t>& wanted, Values& out) {
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

KernelLowering::Why KernelLowering::carriedBy(const fx::Node& loop, const fx::Graph& graph,
                                              const fx::ArgumentList& arguments,
                                              std::vector<Carried>& out) {
  const std::size_t outputs = outputList(program_, graph).size();
  for (std::size_t output = 0; output < outputs; ++output) {
    const fx::NodeId* before = nullptr;
    bool isUsed = false;
    for (const fx::Node* part : partsOf(loop, output))
      for (const fx::NodeId id : users_[part->id.index()]) {
        isUsed = true;
        const fx::Node& user = program_.node(id);
        if (calls(user, "_tracing_ops._phi") && argument(user, 1) == fx::Argument(part->id))
          before = argument(user, 0).node();
      }
    if (before == nullptr && isUsed)
      return "output " + std::to_string(output) +
             " of its graph has no value before the loop; set it there";
    if (before == nullptr) continue;
    Carried carried;
    carried.output = output;
    const auto value = valueOf(fx::Argument(*before));
    if (!value || value->tensor.element.empty())
      return "it carries '" + program_.node(*before).name +
             "', which is not a tensor whose value is known";
    carried.before = *value;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] != fx::Argument(*before)) continue;
      if (carried.argument)
        return "it carries '" + program_.node(*before).name +
               "' as two variables; compute one of them anew before the loop";
      carried.argument = i;
    }
    for (const Carried& other : out)
      if (other.argument && other.argument == carried.argument)
        return "it carries '" + program_.node(*before).name +
               "' as two variables; compute one of them anew before the loop";
    out.push_back(std::move(carried));
  }
  return std::nullopt;
}

KernelLowering::Why KernelLowering::forLoop(const fx::Node& node) {
  const fx::Graph* graph = graphOf(argument(node, 0));
  if (graph == nullptr) return "its graph is not in the file, or another loop has it";
  const fx::ArgumentList &begins = listOf(argument(node, 1)), &ends = listOf(argument(node, 2)),
                         &arguments = listOf(argument(node, 3));
  const auto known = kernel_.graphs.find(graph->name);
  const std::vector<std::int64_t> blocks =
      known == kernel_.graphs.end() ? std::vector<std::int64_t>() : known->second.blocks;
  if (blocks.empty() || begins.size() != blocks.size() || ends.size() != blocks.size())
    return "its begin and end do not fit the " + std::to_string(blocks.size()) +
           " blocks of its graph";
  std::vector<Carried> carried;
  if (const Why why = carriedBy(node, *graph, arguments, carried)) return why;
  const auto stored = storedIn_.find(graph->id.index());
  const std::vector<std::size_t> hosts =
      stored == storedIn_.end() ? std::vector<std::size_t>() : stored->second;

  Values now;
  for (const Carried& each : carried) now.push_back(each.before);
  for (const std::size_t host : hosts) now.push_back(hosts_[host].now);
  const std::vector<std::string> types = textsOfTypes(now);
  std::vector<std::string> inside{"index"};
  inside.insert(inside.end(), types.begin(), types.end());
  std::vector<OpBuilder::Open> loops;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto block = static_cast<std::size_t>(blocks[i]);
    if (!plan_.tiles[block]) return sizeUnknown(kernel_.blocks[block]);
    if (tiles_[block])
      return "it runs over block '" + kernel_.blocks[block].symbol +
             "' within a loop over the same";
    const auto begin = indexOf(begins[i]), end = indexOf(ends[i]);
    if (!begin || !end) return "its begin or end is not an integer that is known at run time";
    const auto numberOfBound = [&](const fx::Argument& bound) {
      if (const std::int64_t* number = bound.integer()) return *number;
      const auto recordedNumber =
          bound.node() != nullptr ? knownNumber(program_.node(*bound.node()).val) : std::nullopt;
      return recordedNumber && recordedNumber->integer() != nullptr ? *recordedNumber->integer()
                                                                    : kFirstSymbol;
    };
    std::vector<Value> operands{*begin, *end, emit_.index(*plan_.tiles[block])};
    operands.insert(operands.end(), now.begin(), now.end());
    loops.push_back(emit_.begin("scf.for", operands, types));
    now = emit_.beginRegion(loops.back(), inside);
    tiles_[block] =
        tileOf(blocks[i], now.front(), numberOfBound(begins[i]), numberOfBound(ends[i]), *end);
    now.erase(now.begin());
  }
  if (const Why why = bindPlaceholders(*graph, arguments)) return why;
  const std::vector<const fx::Node*> placeholders = placeholdersOf(program_, *graph);
  for (std::size_t i = 0; i < carried.size(); ++i)
    if (carried[i].argument) values_[placeholders[*carried[i].argument]->id.index()] = {now[i]};
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[hosts[i]].now = now[carried.size() + i];
  lowerWithin(*graph);
  locate(node);
  std::vector<std::size_t> wanted;
  for (const Carried& each : carried) wanted.push_back(each.output);
  now.clear();
  if (const Why why = outputsOf(*graph, wanted, now)) return why;
  for (const std::size_t host : hosts) now.push_back(hosts_[host].now);
  if (textsOfTypes(now) != types) return "its graph returns values of other types than it reads";
  for (; !loops.empty(); loops.pop_back()) {
    emit_.ops("scf.yield", now, {});
    emit_.endRegion(loops.back());
    now = emit_.finish(loops.back());
  }
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[hosts[i]].now = now[carried.size() + i];
  Values results(outputList(program_, *graph).size());
  for (std::size_t i = 0; i < carried.size(); ++i) results[carried[i].output] = now[i];
  values_[node.id.index()] = std::move(results);
  return std::nullopt;
}

// -- branches
// -------------------------------------------------------------------------------------------------

KernelLowering::Why KernelLowering::conditionOf(const fx::Argument& test, Value& out) {
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

KernelLowering::Why KernelLowering::branch(const fx::Node& node) {
  const fx::Graph *then = graphOf(argument(node, 1)), *otherwise = graphOf(argument(node, 2));
  if (then == nullptr || otherwise == nullptr)
    return "its graphs are not in the file, or another branch has them";
  Value condition;
  if (const Why why = conditionOf(argument(node, 0), condition)) return why;
  BranchSides sides;
  sides.program = &program_;
  sides.then = {&outputList(program_, *then), &listOf(argument(node, 3))};
  sides.otherwise = {&outputList(program_, *otherwise), &listOf(argument(node, 4))};
  const auto known = kernel_.graphs.find(then->name);
  sides.known =
      known != kernel_.graphs.end() && known->second.knowsBranches ? &known->second : nullptr;
  const fx::ValueList* parts = node.val.list();
  sides.pairs = parts != nullptr ? parts->size() / 2 : 0;
  std::vector<BranchPair> pairs;
  if (auto why = branchPairs(sides, pairs)) return why;

  std::vector<std::size_t> hosts;
  for (const fx::Graph* graph : {then, otherwise})
    if (const auto stored = storedIn_.find(graph->id.index()); stored != storedIn_.end())
      for (const std::size_t host : stored->second)
        if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
  std::vector<std::string> types;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto type = tensorTypeOf((*parts)[i], &symbols_);
    if (!type) return type.error().why;
    types.push_back(type->text());
  }
  for (const std::size_t host : hosts) types.push_back(hosts_[host].now.type);

  // The values that a branch leaves as they are, before the branches change what stands for them.
  std::vector<std::pair<std::optional<Value>, std::optional<Value>>> kept;
  for (const BranchPair& pair : pairs)
    kept.emplace_back(valueOf(pair.then.kept), valueOf(pair.otherwise.kept));
  std::vector<Value> before;
  for (const std::size_t host : hosts) before.push_back(hosts_[host].now);

  auto open = emit_.begin("scf.if", std::span(&condition, 1), types);
  for (const bool isThen : {true, false}) {
    const fx::Graph& graph = isThen ? *then : *otherwise;
    emit_.beginRegion(open, {});
    for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[hosts[i]].now = before[i];
    if (const Why why = bindPlaceholders(graph, listOf(argument(node, isThen ? 3 : 4)))) return why;
    lowerWithin(graph);
    locate(node);
    Values now;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const BranchValue& side = isThen ? pairs[i].then : pairs[i].otherwise;
      const auto& keeps = isThen ? kept[i].first : kept[i].second;
      if (side.output) {
        if (const Why why = outputsOf(graph, {*side.output}, now)) return why;
      } else if (keeps) {
        now.push_back(*keeps);
      } else {
        return "a value that it does not change is not known";
      }
    }
    for (const std::size_t host : hosts) now.push_back(hosts_[host].now);
    if (textsOfTypes(now) != types)
      return "its branches give values of other types than the file records";
    emit_.ops("scf.yield", now, {});
    emit_.endRegion(open);
  }
  const std::vector<Value> results = emit_.finish(open);
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[hosts[i]].now = results[pairs.size() + i];
  // A part by itself is an outer value that this side keeps; `_phi` of both is the result.
  Values values(2 * pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (kept[i].first) values[i] = *kept[i].first;
    if (kept[i].second) values[pairs.size() + i] = *kept[i].second;
    joined_[{node.id, i}] = results[i];
  }
  values_[node.id.index()] = std::move(values);
  for (const BranchPair& pair : pairs)
    if (!pair.assumed.empty()) noteAssumed(node, pair.assumed);
  return std::nullopt;
}

void KernelLowering::noteAssumed(const fx::Node& node, const std::string& what) {
  fx::Finding finding = fx::findingAt(program_, node, "assumed", what);
  finding.severity = fx::Severity::Note;
  finding.stage = "registry";
  out_->findings.push_back(std::move(finding));
}

/// Joins the value before a loop with that behind it, or those of two branches.
KernelLowering::Why KernelLowering::phi(const fx::Node& node) {
  const fx::NodeId *a = argument(node, 0).node(), *b = argument(node, 1).node();
  if (a == nullptr || b == nullptr) return "it does not join two values";
  const auto whole = [&](fx::NodeId id) -> const fx::Node* {
    const fx::Node& part = program_.node(id);
    const fx::NodeId* of = part.target == fx::kGetitem ? argument(part, 0).node() : nullptr;
    return of != nullptr ? &program_.node(*of) : nullptr;
  };
  const fx::Node *first = whole(*a), *second = whole(*b);
  if (second != nullptr && calls(*second, "_tracing_ops._for_loop")) {
    const auto value = valueOf(fx::Argument(*b));
    if (!value) return "the loop does not carry this value";
    return take(node, {*value});
  }
  if (first == nullptr || first != second || !calls(*first, "_tracing_ops._if"))
    return "it joins what is not the values of one loop or branch";
  const std::int64_t *left = argument(program_.node(*a), 1).integer(),
                     *right = argument(program_.node(*b), 1).integer();
  const fx::ValueList* parts = first->val.list();
  const std::int64_t pairs = parts != nullptr ? static_cast<std::int64_t>(parts->size() / 2) : 0;
  if (left == nullptr || right == nullptr || std::min(*left, *right) < 0 ||
      std::max(*left, *right) - std::min(*left, *right) != pairs)
    return "it joins values that the branches do not give for one variable";
  const auto joined = joined_.find({first->id, static_cast<std::size_t>(std::min(*left, *right))});
  if (joined == joined_.end()) return "the branch has no value for it";
  return take(node, {joined->second});
}

}  // namespace fxs::registry
