// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/inline_control_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace fxs::rewrite {
namespace {

/// Limit for conditions and loops in each other.
constexpr std::size_t kDeepest = 64;
constexpr std::int64_t kMostSteps = 64;

/// A predicate that compares a number read from a tensor, as a comparison of that tensor.
struct Comparison {
  fx::Argument tensor;
  std::string target;  ///< "aten.gt.Scalar"
  fx::Argument number;
};

/// The number with which a tensor of this type compares as Python's number does. PyTorch rounds the
/// number to the type.
std::optional<fx::Argument> comparedAs(DType dtype, std::string_view relation,
                                       const fx::Argument& number) {
  if (number.integer() != nullptr && isIntegral(dtype)) return number;
  const auto* real = std::get_if<double>(&number);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  if (dtype == DType::Float64) return number;
  if (dtype != DType::Float32) return std::nullopt;
  const float nearest = static_cast<float>(*real);
  if (!std::isfinite(nearest)) return std::nullopt;
  if (nearest == *real) return number;
  const bool isBelow = relation == "gt" || relation == "le";
  if (!isBelow && relation != "ge" && relation != "lt") return std::nullopt;
  const float toward = isBelow ? -INFINITY : INFINITY;
  const bool fits = isBelow ? nearest < *real : nearest > *real;
  return static_cast<double>(fits ? nearest : std::nextafter(nearest, toward));
}

/// A condition whose branches can be inlined.
struct Condition {
  fx::Argument predicate;
  std::optional<Comparison> comparison;        ///< that the predicate is
  std::array<const fx::Graph*, 2> branches{};  ///< for true, for false
  const fx::ArgumentList* operands = nullptr;
};

/// A scan or a map whose steps can be inlined.
struct Loop {
  const fx::Graph* body = nullptr;  ///< of what is carried, a slice of each of `over`, and `others`
  fx::ArgumentList carried, over, others;
  std::int64_t steps = 0;
};

bool isPlaceholder(const fx::Node& node) { return node.op == fx::NodeOp::Placeholder; }

/// The values that a branch returns.
fx::ArgumentList returnsOf(const fx::Program& program, const fx::Graph& graph) {
  if (graph.nodes.empty()) return {};
  const fx::Node& output = program.node(graph.nodes.back());
  if (output.op != fx::NodeOp::Output || output.args.empty()) return {};
  const fx::ArgumentList* list = output.args[0].value.list();
  return list != nullptr ? *list : fx::ArgumentList{output.args[0].value};
}

class ControlFlowInliner {
 public:
  ControlFlowInliner(const fx::Program& source, std::set<std::string_view> targets, Report& report,
                     const RunContext& run)
      : step_(source, report, run), source_(source), run_(run), targets_(std::move(targets)) {}

  Result<fx::Program> run() {
    graphs_.push_back({&source_.main(), step_.draft().main()});
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      writing_ = graphs_[g].second;
      for (const fx::NodeId id : graphs_[g].first->nodes) FXS_CHECK(visit(source_.node(id), 0));
    }
    return std::move(step_).take();
  }

 private:
  Result<> visit(const fx::Node& node, std::size_t depth) {
    if (run_.stop.stop_requested())
      return fail(ErrorCode::Cancelled, "cancelled while inlining control flow");
    step_.at(node, writing_);
    if (node.subgraph.valid()) {
      const fx::GraphId made = step_.draft().addGraph(source_, source_.graph(node.subgraph));
      graphs_.emplace_back(&source_.graph(node.subgraph), made);
      step_.draft().node(step_.copy()).subgraph = made;
      return {};
    }
    if (step_.takePart()) return {};
    if (node.op == fx::NodeOp::CallFunction) {
      if (const std::optional<Condition> condition = conditionOf(node, depth))
        return select(node, *condition, depth);
      if (const std::optional<Loop> loop = loopOf(node, depth)) return unroll(node, *loop, depth);
    }
    step_.copy();
    return {};
  }

  const fx::TensorMeta* tensorOf(const fx::Argument& value) const {
    return value.node() ? source_.node(*value.node()).val.tensor() : nullptr;
  }

  bool isBoolScalar(const fx::Argument& value) const {
    const fx::TensorMeta* meta = tensorOf(value);
    return meta != nullptr && meta->dtype == DType::Bool && meta->rank() == 0;
  }

  /// What `item() > 0.5` compares.
  std::optional<Comparison> comparisonOf(const fx::Argument& predicate) const {
    constexpr std::array<std::string_view, 6> kRelations{"eq", "ge", "gt", "le", "lt", "ne"};
    constexpr std::string_view kOperator = "_operator.";
    const fx::Node* compare =
        predicate.node() == nullptr ? nullptr : &source_.node(*predicate.node());
    if (compare == nullptr || compare->args.size() != 2 || !compare->target.starts_with(kOperator))
      return std::nullopt;
    const std::string relation = compare->target.substr(kOperator.size());
    if (std::find(kRelations.begin(), kRelations.end(), relation) == kRelations.end())
      return std::nullopt;
    const fx::NodeId* left = compare->args[0].value.node();
    const fx::Node* item = left == nullptr ? nullptr : &source_.node(*left);
    if (item == nullptr || item->target != "aten.item.default" || item->args.empty())
      return std::nullopt;
    const fx::TensorMeta* read = tensorOf(item->args[0].value);
    if (read == nullptr || read->rank() != 0) return std::nullopt;
    const auto number = comparedAs(read->dtype, relation, compare->args[1].value);
    if (!number) return std::nullopt;
    return Comparison{item->args[0].value, "aten." + relation + ".Scalar", *number};
  }

  /// Null if it cannot be inlined.
  const fx::Graph* inlinable(const fx::Argument& attribute, std::size_t operands,
                             std::size_t depth) const {
    const fx::NodeId* id = attribute.node();
    if (id == nullptr || !source_.node(*id).subgraph.valid()) return nullptr;
    const fx::Graph& graph = source_.graph(source_.node(*id).subgraph);
    return isPure(graph, operands, depth) ? &graph : nullptr;
  }

  /// Whether one of two results can be selected by aten.where.
  bool areSelectable(const fx::Argument& yes, const fx::Argument& no) const {
    if (yes.isNone() && no.isNone()) return true;
    const fx::TensorMeta *a = tensorOf(yes), *b = tensorOf(no);
    return a != nullptr && b != nullptr && a->dtype == b->dtype &&
           a->sizes.size() == b->sizes.size();
  }

  std::optional<Condition> conditionOf(const fx::Node& call, std::size_t depth) const {
    if (call.target != kCond || !targets_.contains(kCond) || call.args.size() < 4 ||
        depth >= kDeepest)
      return std::nullopt;
    Condition out{
        call.args[0].value, comparisonOf(call.args[0].value), {}, call.args[3].value.list()};
    if ((!isBoolScalar(out.predicate) && !out.comparison) || out.operands == nullptr)
      return std::nullopt;
    for (std::size_t b = 0; b < 2; ++b) {
      out.branches[b] = inlinable(call.args[b + 1].value, out.operands->size(), depth);
      if (out.branches[b] == nullptr) return std::nullopt;
    }
    const fx::ArgumentList yes = returnsOf(source_, *out.branches[0]),
                           no = returnsOf(source_, *out.branches[1]);
    const bool fits = std::equal(yes.begin(), yes.end(), no.begin(), no.end(),
                                 [&](const auto& a, const auto& b) { return areSelectable(a, b); });
    return fits ? std::optional(out) : std::nullopt;
  }

  /// Whether the branch only computes: what it asserts or draws would happen in any case.
  bool isPure(const fx::Graph& graph, std::size_t operands, std::size_t depth) const {
    std::size_t inputs = 0;
    for (const fx::NodeId id : graph.nodes) {
      const fx::Node& node = source_.node(id);
      if (isPlaceholder(node)) ++inputs;
      if (node.op != fx::NodeOp::CallFunction || node.target == fx::kAssertTensorMetadata) continue;
      const bool isInlined = conditionOf(node, depth + 1) || loopOf(node, depth + 1);
      if (!isInlined && (node.target == kCond || hasEffect(node))) return false;
    }
    return inputs == operands;
  }

  std::optional<Loop> loopOf(const fx::Node& call, std::size_t depth) const {
    const bool isScan = call.target == kScan;
    if ((!isScan && call.target != kMap) || !targets_.contains(call.target) ||
        call.args.size() != (isScan ? 4 : 3) || depth >= kDeepest || !call.val.list())
      return std::nullopt;
    std::vector<fx::ArgumentList> lists;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      const fx::ArgumentList* list = call.args[i].value.list();
      if (list == nullptr) return std::nullopt;
      lists.push_back(*list);
    }
    if (!isScan) lists.insert(lists.begin(), fx::ArgumentList{});
    Loop out{nullptr, lists[0], lists[1], lists[2]};
    for (const fx::Argument& value : out.over) {
      const fx::TensorMeta* meta = tensorOf(value);
      if (meta == nullptr || meta->rank() == 0 || !meta->sizes.front().isStatic())
        return std::nullopt;
      out.steps = meta->sizes.front().value();
    }
    if (out.steps < 1 || out.steps > kMostSteps) return std::nullopt;
    out.body = inlinable(call.args[0].value,
                         out.carried.size() + out.over.size() + out.others.size(), depth);
    if (out.body == nullptr) return std::nullopt;
    const fx::ArgumentList results = returnsOf(source_, *out.body);
    const bool fits =
        results.size() == call.val.list()->size() && results.size() >= out.carried.size() &&
        std::ranges::all_of(
            results, [&](const fx::Argument& result) { return tensorOf(result) != nullptr; });
    return fits ? std::optional(std::move(out)) : std::nullopt;
  }

  /// Transcribes a subgraph in place of a call of it, and returns its results.
  Result<fx::ArgumentList> inlined(const fx::Graph& graph, const fx::ArgumentList& operands,
                                   std::size_t depth) {
    std::size_t next = 0;
    for (const fx::NodeId id : graph.nodes) {
      const fx::Node& node = source_.node(id);
      if (isPlaceholder(node)) step_.setValue(id, operands[next++]);
      else if (node.op != fx::NodeOp::Output) FXS_CHECK(visit(node, depth + 1));
    }
    return mappedAll(returnsOf(source_, graph));
  }

  /// x[index].
  fx::Argument part(const fx::Argument& x, std::int64_t index) {
    fx::TensorMeta meta = *step_.tensor(x);
    meta.sizes.erase(meta.sizes.begin());
    if (!meta.strides.empty()) {
      meta.storageOffset = meta.storageOffset + meta.strides.front() * fx::SymInt(index);
      meta.strides.erase(meta.strides.begin());
    }
    return step_.emit(
        "aten.select.int",
        {{"self", x, false}, {"dim", std::int64_t{0}, false}, {"index", index, false}},
        std::move(meta));
  }

  Result<> unroll(const fx::Node& call, const Loop& loop, std::size_t depth) {
    const std::size_t kept = loop.carried.size();
    step_.expectNodes(loop.body->nodes.size() * static_cast<std::uint64_t>(loop.steps));
    fx::ArgumentList carried = mappedAll(loop.carried);
    const fx::ArgumentList over = mappedAll(loop.over), others = mappedAll(loop.others);
    std::vector<fx::ArgumentList> rows(call.val.list()->size() - kept);
    for (std::int64_t i = 0; i < loop.steps; ++i) {
      step_.at(call, writing_);
      fx::ArgumentList operands = std::move(carried);
      for (const fx::Argument& x : over) operands.push_back(part(x, i));
      operands.insert(operands.end(), others.begin(), others.end());
      FXS_TRY(fx::ArgumentList results, inlined(*loop.body, operands, depth));
      for (std::size_t r = kept; r < results.size(); ++r) rows[r - kept].push_back(results[r]);
      results.resize(kept);
      carried = std::move(results);
    }
    step_.at(call, writing_);
    for (std::size_t r = 0; r < rows.size(); ++r)
      carried.emplace_back(
          step_.emit("aten.stack.default",
                     {{"tensors", std::move(rows[r]), false}, {"dim", std::int64_t{0}, false}},
                     (*call.val.list())[kept + r]));
    step_.applied("decompose:" + call.target);
    step_.setValue(call.id, std::move(carried));
    return {};
  }

  Result<> select(const fx::Node& call, const Condition& condition, std::size_t depth) {
    const fx::Argument predicate = predicateOf(condition);
    std::array<fx::ArgumentList, 2> results;
    for (std::size_t b = 0; b < 2; ++b) {
      FXS_TRY(results[b], inlined(*condition.branches[b], mappedAll(*condition.operands), depth));
    }
    step_.at(call, writing_);
    fx::ArgumentList chosen;
    for (std::size_t i = 0; i < results[0].size(); ++i) {
      const fx::Argument &yes = results[0][i], &no = results[1][i];
      const fx::TensorMeta* meta = step_.tensor(yes);
      if (meta == nullptr || yes == no) {
        chosen.push_back(yes);
        continue;
      }
      const fx::ValueList* recorded = call.val.list();
      fx::Value value =
          recorded != nullptr && i < recorded->size() ? (*recorded)[i] : fx::Value(*meta);
      chosen.emplace_back(
          step_.emit("aten.where.self",
                     {{"condition", predicate, false}, {"self", yes, false}, {"other", no, false}},
                     std::move(value)));
    }
    step_.applied("decompose:higher_order.cond");
    if (call.val.list() || chosen.size() != 1) step_.setValue(call.id, std::move(chosen));
    else step_.setValue(call.id, std::move(chosen.front()));
    return {};
  }

  fx::Argument predicateOf(const Condition& condition) {
    if (!condition.comparison) return step_.mapped(condition.predicate);
    const auto& [tensor, target, number] = *condition.comparison;
    fx::TensorMeta meta = *tensorOf(tensor);
    meta.dtype = DType::Bool;
    return step_.emit(target, {{"self", step_.mapped(tensor), false}, {"other", number, false}},
                      std::move(meta));
  }

  fx::ArgumentList mappedAll(const fx::ArgumentList& values) const {
    fx::ArgumentList out;
    for (const fx::Argument& value : values) out.push_back(step_.mapped(value));
    return out;
  }

  Transcription step_;
  const fx::Program& source_;
  const RunContext& run_;
  std::set<std::string_view> targets_;
  std::vector<std::pair<const fx::Graph*, fx::GraphId>> graphs_;
  fx::GraphId writing_;
};

}  // namespace

Result<fx::Program> inlineControlFlow(const fx::Program& source, std::set<std::string_view> targets,
                                      Report& report, const RunContext& run) {
  return ControlFlowInliner(source, std::move(targets), report, run).run();
}

}  // namespace fxs::rewrite
