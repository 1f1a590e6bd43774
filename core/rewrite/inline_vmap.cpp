// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/inline_vmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ops/operators.h"
#include "ops/shapes.h"
#include "rewrite/other_names.h"

namespace fxs::rewrite {
namespace {

constexpr std::string_view kPrefix = "torch._functorch.predispatch.";
using Levels = std::vector<std::int64_t>;  ///< of the hidden dimensions, in front, ascending

bool isPointwise(std::string_view target) {
  return target.starts_with("aten.") &&
         ops::operatorNamed(packetOf(target)).is(ops::Trait::Pointwise);
}

/// Whether the operand gives no more than its element type and device.
bool readsNoSizes(const fx::Node& node) {
  if (node.target == "aten._assert_tensor_metadata.default")
    return argumentOf(node, "size").isNone() && argumentOf(node, "stride").isNone();
  return node.target.starts_with("aten.new_");
}

class VmapInliner {
 public:
  VmapInliner(const fx::Program& source, Report& report, const RunContext& run)
      : step_(source, report, run), source_(source), levels_(source.nodes.size()) {}

  Result<std::optional<fx::Program>> run(const RunContext& run) {
    graphs_.push_back({source_.main().id, step_.draft().main()});
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const auto [from, to] = graphs_[g];
      for (fx::NodeId id : source_.graph(from).nodes) {
        if (run.stop.stop_requested())
          return fail(ErrorCode::Cancelled, "cancelled while inlining vmap");
        step_.at(source_.node(id), to);
        if (!visit(source_.node(id))) return std::optional<fx::Program>();
      }
    }
    return std::optional(std::move(step_).take());
  }

 private:
  bool visit(const fx::Node& node) {
    if (node.subgraph.valid()) {
      const fx::GraphId made = step_.draft().addGraph(source_, source_.graph(node.subgraph));
      graphs_.emplace_back(node.subgraph, made);
      step_.draft().node(step_.copy()).subgraph = made;
      return true;
    }
    if (isPartOfVmap(node))
      return machinery(node, std::string_view(node.target).substr(kPrefix.size()));
    if (!touchesHidden(node) || readsNoSizes(node)) {
      step_.copy();
      return true;
    }
    if (node.target == "aten.expand.default") return expand(node);
    if (node.target == "aten.index.Tensor") return index(node);
    if (isPointwise(node.target)) return pointwise(node);
    return refuse(fmt::format(
        "it is inside a vmap, and {} over a vmapped dimension is not supported", node.target));
  }

  bool refuse(std::string reason) {
    step_.finding(
        "not-inlined",
        std::move(reason) + "; decompose the program with run_decompositions() before saving it");
    return false;
  }

  bool touchesHidden(const fx::Node& node) const {
    bool touches = false;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value,
                      [&](fx::NodeId id) { touches = touches || !levels_[id.index()].empty(); });
    return touches;
  }

  const fx::TensorMeta& physical(const fx::Argument& value) const { return *step_.tensor(value); }

  static fx::TensorMeta reshaped(const fx::TensorMeta& like, std::vector<fx::SymInt> sizes) {
    fx::TensorMeta meta = like;
    meta.strides = fx::contiguousStrides(sizes);
    meta.sizes = std::move(sizes);
    meta.storageOffset = 0;
    return meta;
  }

  /// `from` of a tensor's dimensions moved to position `to`.
  fx::Argument moveDim(const fx::Argument& value, std::size_t from, std::size_t to) {
    if (from == to) return value;
    const fx::TensorMeta& meta = physical(value);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < meta.rank(); ++i)
      if (i != from) order.push_back(i);
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
    fx::TensorMeta moved = meta;
    fx::ArgumentList dims;
    for (std::size_t i = 0; i < order.size(); ++i) {
      dims.push_back(static_cast<std::int64_t>(order[i]));
      moved.sizes[i] = meta.sizes[order[i]];
      moved.strides[i] = meta.strides[order[i]];
    }
    return step_.emit("aten.permute.default",
                      {{"self", value, false}, {"dims", std::move(dims), false}}, std::move(moved));
  }

  fx::Argument unsqueeze(const fx::Argument& value, std::size_t dim) {
    std::vector<fx::SymInt> sizes = physical(value).sizes;
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim), fx::SymInt(1));
    return step_.emit("aten.unsqueeze.default",
                      {{"self", value, false}, {"dim", static_cast<std::int64_t>(dim), false}},
                      reshaped(physical(value), std::move(sizes)));
  }

  void bind(const fx::Node& node, fx::Argument value, Levels levels) {
    step_.setValue(node.id, std::move(value));
    levels_[node.id.index()] = std::move(levels);
  }

  bool machinery(const fx::Node& node, std::string_view name) {
    if (name == "lazy_load_decompositions" || name == "_vmap_increment_nesting" ||
        name == "_vmap_decrement_nesting") {
      step_.setValue(node.id, fx::None{});
      return true;
    }
    const fx::NodeId* of = node.args.empty() ? nullptr : node.args[0].value.node();
    if ((name != "_add_batch_dim" && name != "_remove_batch_dim") || !of ||
        !source_.node(*of).val.tensor() || !step_.tensor(step_.value(*of)))
      return refuse("this part of vmap is not supported");
    step_.applied("inline-vmap");
    return name == "_add_batch_dim" ? hide(node, *of) : show(node, *of);
  }

  /// _add_batch_dim(x, dim, level)
  bool hide(const fx::Node& node, fx::NodeId of) {
    const std::int64_t* dim = node.args.size() == 3 ? node.args[1].value.integer() : nullptr;
    const std::int64_t* level = dim ? node.args[2].value.integer() : nullptr;
    Levels levels = levels_[of.index()];
    if (physical(step_.value(of)).rank() != levels.size() + source_.node(of).val.tensor()->rank())
      return refuse("the recorded shapes do not agree");
    const std::optional<std::size_t> logical =
        dim ? ops::wrapIndex(*dim, source_.node(of).val.tensor()->rank()) : std::nullopt;
    if (!level || (!levels.empty() && levels.back() >= *level) || !logical)
      return refuse("its dimension or level is not in the form written by vmap");
    fx::Argument value = moveDim(step_.value(of), levels.size() + *logical, levels.size());
    levels.push_back(*level);
    bind(node, std::move(value), std::move(levels));
    return true;
  }

  /// _remove_batch_dim(x, level, size, dim)
  bool show(const fx::Node& node, fx::NodeId of) {
    const std::int64_t* level = node.args.size() == 4 ? node.args[1].value.integer() : nullptr;
    const std::int64_t* dim = level ? node.args[3].value.integer() : nullptr;
    const fx::TensorMeta* out = node.val.tensor();
    if (!dim || !out || *dim < 0 || *dim >= static_cast<std::int64_t>(out->rank()))
      return refuse("its dimension or level is not in the form written by vmap");
    Levels levels = levels_[of.index()];
    fx::Argument value = step_.value(of);
    const auto hidden = std::find(levels.begin(), levels.end(), *level);
    if (physical(value).rank() != levels.size() + out->rank() - 1)
      return refuse("the recorded shapes do not agree");
    if (hidden != levels.end()) {
      const auto from = static_cast<std::size_t>(hidden - levels.begin());
      levels.erase(hidden);
      value = moveDim(value, from, levels.size() + static_cast<std::size_t>(*dim));
    } else {
      // The result does not depend on the hidden dimension: expand it.
      const std::size_t at = levels.size() + static_cast<std::size_t>(*dim);
      value = unsqueeze(value, at);
      fx::TensorMeta meta = physical(value);
      meta.sizes[at] = out->sizes[static_cast<std::size_t>(*dim)];
      fx::ArgumentList size(meta.rank(), std::int64_t{-1});
      size[at] = step_.mapped(node.args[2].value);
      value = step_.emit("aten.expand.default",
                         {{"self", value, false}, {"size", std::move(size), false}},
                         reshaped(meta, meta.sizes));
    }
    bind(node, std::move(value), std::move(levels));
    return true;
  }

  Levels unionOf(const fx::Node& node) const {
    std::set<std::int64_t> all;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        all.insert(levels_[id.index()].begin(), levels_[id.index()].end());
      });
    return {all.begin(), all.end()};
  }

  /// The operand with a dimension for every level (of size 1 if it has none), followed by `rank`
  /// dimensions.
  fx::Argument aligned(fx::NodeId id, const Levels& levels, std::size_t rank) {
    const fx::TensorMeta* logical = source_.node(id).val.tensor();
    if (!logical) return step_.value(id);
    fx::Argument value = step_.value(id);
    const Levels& own = levels_[id.index()];
    if (own.empty()) return value;  // broadcasting aligns from the back
    for (std::size_t i = logical->rank(); i < rank; ++i) value = unsqueeze(value, own.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (std::find(own.begin(), own.end(), levels[i]) == own.end()) value = unsqueeze(value, i);
    return value;
  }

  /// Sizes of the result: those of the hidden dimensions, then the recorded ones.
  std::vector<fx::SymInt> resultSizes(const fx::Node& node, const Levels& levels,
                                      const std::vector<fx::SymInt>& logical) const {
    std::vector<fx::SymInt> sizes(levels.size(), fx::SymInt(1));
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        const Levels& own = levels_[id.index()];
        for (std::size_t i = 0; i < own.size(); ++i)
          sizes[static_cast<std::size_t>(std::find(levels.begin(), levels.end(), own[i]) -
                                         levels.begin())] = physical(step_.value(id)).sizes[i];
      });
    sizes.insert(sizes.end(), logical.begin(), logical.end());
    return sizes;
  }

  bool pointwise(const fx::Node& node) {
    const fx::TensorMeta* out = node.val.tensor();
    if (!out) return refuse("its result is not recorded");
    // A hidden dimension turns a 0-d tensor into one with dimensions, which has priority in type
    // promotion.
    std::set<DType> types;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        if (const fx::TensorMeta* meta = source_.node(id).val.tensor();
            meta && meta->dtype != DType::Bool)
          types.insert(meta->dtype);
      });
    if (types.size() > 1) return refuse("its operands have different types");
    const Levels levels = unionOf(node);
    std::vector<fx::NodeArgument> args;
    for (const fx::NodeArgument& argument : node.args)
      args.push_back({argument.name,
                      fx::mapNodes(argument.value,
                                   [&](fx::NodeId id) { return aligned(id, levels, out->rank()); }),
                      argument.keyword});
    // torch.vmap calls what a composite operator calls.
    const fx::NodeId made = step_.copyAs(sameOperator(node.target), std::move(args),
                                         reshaped(*out, resultSizes(node, levels, out->sizes)));
    bind(node, made, levels);
    return true;
  }

  /// An outer tensor, indexed in every dimension.
  bool index(const fx::Node& node) {
    const fx::Argument self = argumentOf(node, "self"), given = argumentOf(node, "indices");
    const fx::ArgumentList* indices = given.list();
    const fx::TensorMeta* out = node.val.tensor();
    const fx::TensorMeta* table = self.node() ? source_.node(*self.node()).val.tensor() : nullptr;
    if (!out || !indices || !table || !levels_[self.node()->index()].empty() ||
        indices->size() != table->rank())
      return refuse(
          "it is inside a vmap, where only a tensor from outside can be indexed, in all its "
          "dimensions");
    const Levels levels = unionOf(node);
    fx::ArgumentList moved;
    for (const fx::Argument& each : *indices) {
      if (!each.node() || !source_.node(*each.node()).val.tensor() ||
          source_.node(*each.node()).val.tensor()->dtype == DType::Bool)
        return refuse(
            "it is inside a vmap, where only a tensor from outside can be indexed, in all its "
            "dimensions");
      moved.push_back(aligned(*each.node(), levels, out->rank()));
    }
    const fx::NodeId made = step_.copyAs(
        node.target, {{"self", step_.mapped(self), false}, {"indices", std::move(moved), false}},
        reshaped(*out, resultSizes(node, levels, out->sizes)));
    bind(node, made, levels);
    return true;
  }

  bool expand(const fx::Node& node) {
    const fx::NodeId* of = node.args.empty() ? nullptr : node.args[0].value.node();
    const fx::TensorMeta* out = node.val.tensor();
    const fx::Argument wanted = argumentOf(node, "size");
    if (!of || !out || !wanted.list() || levels_[of->index()].empty())
      return refuse("its size depends on a vmapped value");
    const Levels levels = levels_[of->index()];
    const fx::Argument value = aligned(*of, levels, out->rank());
    fx::ArgumentList size(levels.size(), std::int64_t{-1});
    for (const fx::Argument& each : *wanted.list()) size.push_back(step_.mapped(each));
    const fx::NodeId made =
        step_.copyAs(node.target, {{"self", value, false}, {"size", std::move(size), false}},
                     reshaped(*out, resultSizes(node, levels, out->sizes)));
    bind(node, made, levels);
    return true;
  }

  Transcription step_;
  const fx::Program& source_;
  std::vector<Levels> levels_;  ///< by source node
  std::vector<std::pair<fx::GraphId, fx::GraphId>> graphs_;
};

}  // namespace

bool isPartOfVmap(const fx::Node& node) { return node.target.starts_with(kPrefix); }

bool hasVmap(const fx::Program& program) {
  return std::ranges::any_of(program.nodes, isPartOfVmap);
}

Result<std::optional<fx::Program>> inlineVmap(const fx::Program& source, Report& report,
                                              const RunContext& run) {
  Report attempt;
  attempt.said = report.said;
  FXS_TRY(std::optional<fx::Program> made, VmapInliner(source, attempt, run).run(run));
  if (made)
    report.applied.insert(report.applied.end(), attempt.applied.begin(), attempt.applied.end());
  report.findings.insert(report.findings.end(), attempt.findings.begin(), attempt.findings.end());
  report.said = std::move(attempt.said);
  return made;
}

}  // namespace fxs::rewrite
