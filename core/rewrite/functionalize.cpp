// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/functionalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "fx/shared_weights.h"
#include "fx/typed_operand.h"
#include "ops/operators.h"
#include "ops/schema.h"
#include "rewrite/aliases.h"
#include "rewrite/functional_variant.h"
#include "rewrite/output_sizes.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

constexpr std::string_view kRule = "functionalize";
/// Limit for the growth of a program: a write to a deep view adds a node for each step up, and for
/// each view that is read again.
constexpr std::size_t kMaxGrowth = 32;
constexpr std::size_t kMinRoom = 10'000;

const ops::Schema* schemaOf(const fx::Node& node) {
  return node.op == fx::NodeOp::CallFunction ? ops::SchemaTable::builtin().find(node.target)
                                             : nullptr;
}

bool isRename(std::string_view packet) {
  return ops::operatorNamed(packet).is(ops::Trait::Renames);
}

/// Of batch norms whose schema does not show that training mutates the running statistics.
bool updatesStatistics(const fx::Node& node) {
  const std::string_view flag =
      ops::operatorNamed(packetOf(node.target)).rule(ops::Rule::Statistics);
  if (!node.target.starts_with("aten.") || flag.empty()) return false;
  const fx::Argument training = argumentOf(node, flag);
  const bool* on = std::get_if<bool>(&training);
  return on && *on &&
         (argumentOf(node, "running_mean").node() || argumentOf(node, "running_var").node());
}

/// A call of an unknown operator without results is assumed to mutate its arguments.
bool writesUnseen(const fx::Node& node) {
  return node.op == fx::NodeOp::CallFunction && !schemaOf(node) &&
         std::holds_alternative<fx::NoneValue>(node.val) && !node.target.starts_with("torch.") &&
         !node.target.starts_with("higher_order.") && !node.target.starts_with("_operator.");
}

class Functionalizer {
 public:
  Functionalizer(const fx::Program& source, bool asPyTorch, Report& report, const RunContext& run)
      : step_(source, report, run),
        source_(source),
        asPyTorch_(asPyTorch),
        keepsRenames_(asPyTorch && !writesToTensors(source)),
        aliases_(step_),
        shared_(source),
        outputSizes_(source) {}

  Result<fx::Program> run(const RunContext& run) {
    graphs_.push_back({source_.main().id, step_.draft().main()});
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const auto [from, to] = graphs_[g];
      for (fx::NodeId id : source_.graph(from).nodes) {
        if (run.stop.stop_requested())
          return fail(ErrorCode::Cancelled, "cancelled while functionalizing");
        step_.at(source_.node(id), to);
        visit(source_.node(id));
      }
    }
    return std::move(step_).take();
  }

 private:
  /// The replacement of a tuple element: an alias of a value, or a new value.
  struct Part {
    fx::NodeId same;
    fx::Argument value;
  };
  using Targets = WrittenTensors;

  void visit(const fx::Node& node) {
    refresh(node);
    if (node.op == fx::NodeOp::Output) return visitOutput(node);
    if (node.subgraph.valid()) return visitSubgraph(node);
    if (node.op != fx::NodeOp::CallFunction) return keep(node);
    if (node.target == fx::kGetitem && visitPart(node)) return;
    const ops::Schema* schema = schemaOf(node);
    if (schema && schema->ns == "aten" && visitAten(node)) return;
    if (schema && schema->isMutable) return write(node, *schema);
    if (writesUnseen(node))
      step_.finding("not-functionalized",
                    "it returns nothing, so it mutates operands, but the file does not record "
                    "which; decompose the program with "
                    "run_decompositions() before saving it");
    keep(node);
  }

  void visitSubgraph(const fx::Node& node) {
    const fx::GraphId made = step_.draft().addGraph(source_, source_.graph(node.subgraph));
    graphs_.emplace_back(node.subgraph, made);
    step_.draft().node(step_.copy()).subgraph = made;
  }

  /// Operators of ATen with a form of their own; whether the call is one of them.
  bool visitAten(const fx::Node& node) {
    const std::string_view packet = packetOf(node.target);
    if (keepsRenames_ && isKeptRename(node.target)) keep(node);
    else if (isRename(packet)) rename(node);
    else if (packet == "lift_fresh_copy") clone(node);
    else if (ops::operatorNamed(packet).is(ops::Trait::ViewsInPlace)) viewInPlace(node);
    else if (updatesStatistics(node)) batchNorm(node);
    else return false;
    return true;
  }

  const fx::TensorMeta* tensorOf(const fx::Argument& value) const {
    return value.node() ? source_.node(*value.node()).val.tensor() : nullptr;
  }

  /// Updates views among the operands after writes.
  void refresh(const fx::Node& node) {
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        if (!aliases_.knows(id)) return;
        reportPerhapsWritten(id, node);
        reportUnknownStorage(id, node);
        step_.setValue(id, aliases_.read(id));
      });
  }

  /// Reading a weight after a write to another one, where the file shows the storage of neither.
  void reportUnknownStorage(fx::NodeId id, const fx::Node& reader) {
    const auto write = maybeWritten_.find(aliases_.rootOf(id));
    if (write == maybeWritten_.end() || !unknownReported_.insert(write->second).second) return;
    const fx::Node& weight = source_.node(write->first);
    step_.findingAt(source_.node(write->second), "not-functionalized",
                    fmt::format("it may write to {}, which {} reads later; fxscope cannot read "
                                "from the file whether the two share memory: "
                                "save the program again with PyTorch 2.9 or later",
                                weight.name, reader.name));
  }

  void reportPerhapsWritten(fx::NodeId id, const fx::Node& reader) {
    const fx::NodeId by = aliases_.mayBeWrittenBy(id);
    if (!by.valid()) return;
    step_.findingAt(source_.node(by), "not-functionalized",
                    fmt::format("it may write to {}, which {} reads later; the file does not "
                                "record whether the two share memory",
                                source_.node(id).name, reader.name));
  }

  /// Copies the node, and records what its results alias.
  void keep(const fx::Node& node) {
    const Shares shares = sharesOf(source_, node);
    if (shares.sharing == Sharing::View && packetOf(node.target) == "as_strided")
      return keepAsStrided(node, shares);
    const fx::NodeId made = step_.copy();
    if (node.op == fx::NodeOp::Placeholder) placeholders_.emplace(node.id, made);
    note(node, shares, made);
  }

  void note(const fx::Node& node, const Shares& shares, fx::NodeId made) {
    const bool sharesKnown = (shares.sharing == Sharing::View || shares.sharing == Sharing::Same) &&
                             aliases_.knows(shares.of);
    if (node.val.list() && sharesKnown) {
      viewCalls_[node.id] = {shares, made, aliases_.generationOf(shares.of)};
      return;
    }
    if (!node.val.tensor()) return;
    if (sharesKnown) {
      ViewStep step{&node,
                    made,
                    shares.argument,
                    0,
                    false,
                    shares.sharing == Sharing::Same,
                    source_.node(shares.of).val.tensor(),
                    node.val.tensor()};
      aliases_.addView(node.id, shares.of, step, made, aliases_.generationOf(shares.of));
      return;
    }
    aliases_.addRoot(node.id, made);
    if (shares.sharing != Sharing::Perhaps) return;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        if (aliases_.knows(id)) aliases_.mayShare(node.id, id);
      });
  }

  /// as_strided refers to the storage, so it becomes a view of the root.
  void keepAsStrided(const fx::Node& node, const Shares& shares) {
    if (!aliases_.knows(shares.of)) {
      step_.copy();
      return;
    }
    const fx::NodeId root = aliases_.rootOf(shares.of);
    const fx::TensorMeta *rootMeta = source_.node(root).val.tensor(),
                         *operand = source_.node(shares.of).val.tensor();
    std::vector<fx::NodeArgument> args = step_.mapped(node.args);
    const fx::Argument given = argumentOf(node, "storage_offset");
    std::optional<std::int64_t> begin = given.isNone() ? aliases_.beginOf(shares.of) : std::nullopt;
    if (const std::int64_t* number = given.integer()) begin = *number;
    const bool ofRoot =
        rootMeta && operand && rootMeta->dtype == operand->dtype && (root == shares.of || begin);
    if (ofRoot && root != shares.of) {
      step_.applied(std::string(kRule));
      std::erase_if(args, [](const fx::NodeArgument& a) { return a.name == "storage_offset"; });
      args.push_back({"storage_offset", *begin, false});
      args[shares.argument].value = aliases_.read(root);
    }
    if (ofRoot)
      args[shares.argument].value = laidOut(step_, args[shares.argument].value, *rootMeta);
    const fx::NodeId made = step_.copyWith(std::move(args));
    const fx::NodeId of = ofRoot ? root : shares.of;
    ViewStep step{&node,
                  made,
                  shares.argument,
                  0,
                  false,
                  false,
                  source_.node(of).val.tensor(),
                  node.val.tensor()};
    if (ofRoot) step.begin = begin;
    aliases_.addView(node.id, of, step, made, aliases_.generationOf(of));
  }

  bool visitPart(const fx::Node& node) {
    const fx::NodeId* of = node.args.size() == 2 ? node.args[0].value.node() : nullptr;
    const std::int64_t* index = of ? node.args[1].value.integer() : nullptr;
    if (!index || *index < 0) return false;
    const auto part = static_cast<std::size_t>(*index);
    if (const auto parts = parts_.find(*of); parts != parts_.end() && part < parts->second.size()) {
      bindPart(node, parts->second[part]);
      return true;
    }
    const auto call = viewCalls_.find(*of);
    if (call == viewCalls_.end()) return false;
    const ViewCall& view = call->second;
    const fx::NodeId made = step_.copy();
    ViewStep step{&source_.node(*of),
                  view.made,
                  view.shares.argument,
                  part,
                  true,
                  false,
                  source_.node(view.shares.of).val.tensor(),
                  node.val.tensor()};
    aliases_.addView(node.id, view.shares.of, step, made, view.generation);
    return true;
  }

  void bindPart(const fx::Node& node, const Part& part) {
    if (part.same.valid()) {
      if (node.val.tensor()) aliases_.addSame(node.id, part.same);
      step_.setValue(node.id, aliases_.read(part.same));
    } else {
      step_.setValue(node.id, part.value);
      if (node.val.tensor()) aliases_.addRoot(node.id, part.value);
    }
  }

  void rename(const fx::Node& node) {
    const fx::NodeId* of = node.args.empty() ? nullptr : node.args[0].value.node();
    if (!of || !aliases_.knows(*of) || !node.val.tensor()) return keep(node);
    step_.applied(std::string(kRule));
    step_.setValue(node.id, step_.value(*of));
    aliases_.addSame(node.id, *of);
  }

  void clone(const fx::Node& node) {
    step_.applied(std::string(kRule));
    const fx::NodeId made = step_.copyAs("aten.clone.default", step_.mapped(node.args), node.val);
    if (node.val.tensor()) aliases_.addRoot(node.id, made);
  }

  void viewInPlace(const fx::Node& node) {
    const fx::NodeId* of = node.args.empty() ? nullptr : node.args[0].value.node();
    if (!of || !aliases_.knows(*of) || !node.val.tensor())
      return refuse(node, "it reshapes something that is not a tensor of the graph");
    if (source_.node(aliases_.rootOf(*of)).op == fx::NodeOp::Placeholder &&
        aliases_.rootOf(*of) == *of)
      return refuse(node, "it changes the shape of an input");
    const std::optional<FunctionalVariant> variant = variants_.of(*schemaOf(node));
    if (!variant) return refuse(node, "PyTorch has no operator that returns this view");
    step_.applied(std::string(kRule));
    const fx::NodeId made =
        step_.copyAs(variant->schema->fxName(), step_.mapped(node.args), node.val);
    ViewStep step{
        &node, made, 0, 0, false, false, source_.node(*of).val.tensor(), node.val.tensor()};
    aliases_.addView(node.id, *of, step, made, aliases_.generationOf(*of));
  }

  void refuse(const fx::Node& node, std::string_view reason) {
    step_.finding("not-functionalized", fmt::format("cannot be functionalized: {}", reason));
    const fx::NodeId made = step_.copy();
    if (node.val.tensor()) aliases_.addRoot(node.id, made);
  }

  /// Why this value cannot be mutated; "" if it can.
  std::string targetObstacle(fx::NodeId id) {
    if (!aliases_.knows(id) || !source_.node(id).val.tensor())
      return "it writes to something that is not a tensor of the graph";
    if (step_.draft().program().nodes.size() > kMaxGrowth * source_.nodes.size() + kMinRoom)
      return fmt::format("the program would become more than {} times as large", kMaxGrowth);
    const fx::Node& root = source_.node(aliases_.rootOf(id));
    if (root.op == fx::NodeOp::Placeholder) {
      if (root.graph != source_.main().id)
        return fmt::format("it writes to {}, an operand of its subgraph", root.name);
      const fx::InputSpec* input = source_.inputOf(root.id);
      if (const fx::NodeId other = shared_.overlaps(root.id); input && other.valid())
        return fmt::format("it writes to {}, whose memory {} views with a different shape",
                           root.name, source_.node(other).name);
    }
    if (std::string reason = aliases_.writeObstacle(id); !reason.empty()) return reason;
    return {};
  }

  /// Writes a value and, if it is an input with several names, all of them.
  void writeValue(fx::NodeId id, const fx::Argument& value) {
    aliases_.write(id, value);
    const fx::NodeId root = aliases_.rootOf(id);
    if (source_.node(root).op != fx::NodeOp::Placeholder) return;
    const std::vector<fx::NodeId> others = shared_.sameAs(root);
    step_.spend(Resource::Values, others.size());
    for (fx::NodeId same : others)
      if (aliases_.knows(same)) aliases_.write(same, aliases_.read(root));
    const std::vector<fx::NodeId> perhaps = shared_.mayShareWith(root);
    step_.spend(Resource::Values, perhaps.size());
    for (fx::NodeId other : perhaps) maybeWritten_.try_emplace(other, step_.current().id);
  }

  /// The operands that determine the result type: tensors, and numbers in their place.
  std::vector<ops::TypedOperand> operandsOf(const fx::Node& node, bool withoutOutputs,
                                            const ops::Schema& schema) const {
    static const std::unordered_set<std::string_view> kNumbers = {"self", "other", "exponent",
                                                                  "min", "max"};
    std::vector<ops::TypedOperand> operands;
    for (const fx::NodeArgument& argument : node.args) {
      const ops::SchemaArgument* formal = schema.find(argument.name);
      if (argument.name == "condition" ||
          (withoutOutputs && formal && formal->alias == ops::Alias::Write))
        continue;
      const std::optional<ops::TypedOperand> operand = fx::typedOperand(source_, argument.value);
      const bool isNumber = operand && operand->kind == ops::OperandKind::Number;
      if (operand && (!isNumber || kNumbers.contains(argument.name))) operands.push_back(*operand);
    }
    return operands;
  }

  fx::Argument castTo(const fx::Argument& value, const fx::TensorMeta& meta, bool dtype,
                      bool device) {
    std::vector<fx::NodeArgument> args{{"self", value, false}};
    if (dtype) args.push_back({"dtype", meta.dtype, true});
    if (device) args.push_back({"device", meta.device, true});
    return step_.emit("aten._to_copy.default", std::move(args), freshMeta(meta));
  }

  void copyInto(const fx::Node& node, fx::NodeId target) {
    const fx::TensorMeta& to = *source_.node(target).val.tensor();
    const fx::Argument source = argumentOf(node, "src");
    fx::Argument value = step_.mapped(source);
    const fx::TensorMeta* meta = tensorOf(source);
    if (!meta) return refuse(node, "it copies something that is not a tensor of the graph");
    if (meta->dtype != to.dtype || !(meta->device == to.device)) {
      fx::TensorMeta cast = *meta;
      cast.dtype = to.dtype;
      cast.device = to.device;
      value = castTo(value, cast, meta->dtype != to.dtype, !(meta->device == to.device));
    }
    if (!(meta->sizes == to.sizes)) {
      fx::ArgumentList size;
      for (std::size_t i = 0; i < to.rank(); ++i)
        size.push_back(step_.size(step_.value(target), to, i));
      value = step_.emit("aten.expand.default",
                         {{"self", value, false}, {"size", std::move(size), false}}, freshMeta(to));
    }
    finishWrite(node, target, value);
  }

  void finishWrite(const fx::Node& node, fx::NodeId target, const fx::Argument& value) {
    step_.applied(std::string(kRule));
    writeValue(target, value);
    if (node.val.tensor()) aliases_.addSame(node.id, target);
    step_.setValue(node.id, value);
  }

  void fillDiagonal(const fx::Node& node, fx::NodeId target) {
    const fx::TensorMeta& meta = *source_.node(target).val.tensor();
    const fx::Argument wrap = argumentOf(node, "wrap");
    const bool wraps = std::get_if<bool>(&wrap) && std::get<bool>(wrap);
    if (meta.rank() != 2 || !meta.isStaticShape() ||
        (wraps && meta.sizes[0].value() > meta.sizes[1].value()))
      return refuse(node, "only matrices of known size, without wrapping, can be functionalized");
    fx::TensorMeta line = meta;
    line.sizes = {std::min(meta.sizes[0].value(), meta.sizes[1].value())};
    line.strides = {std::int64_t{1}};
    line.storageOffset = 0;
    const fx::Argument base = step_.value(target);
    std::string view = "aten.diagonal";
    std::vector<fx::NodeArgument> args{{"self", base, false}};
    if (asPyTorch_) {  // whose kernel writes through as_strided, of which fewer forms lower
      view = "aten.as_strided";
      args.push_back({"size", fx::ArgumentList{line.sizes[0].value()}, false});
      args.push_back({"stride", fx::ArgumentList{meta.sizes[1].value() + 1}, false});
      args.push_back({"storage_offset", std::int64_t{0}, false});
    }
    const fx::NodeId diagonal = step_.emit(view + ".default", args, line);
    const fx::NodeId filled = step_.emit(
        "aten.fill.Scalar",
        {{"self", diagonal, false}, {"value", argumentOf(node, "fill_value"), false}}, line);
    args.insert(args.begin() + 1, {"src", filled, false});
    finishWrite(node, target, step_.emit(view + "_scatter.default", args, freshMeta(meta)));
  }

  void write(const fx::Node& node, const ops::Schema& schema) {
    Targets targets;
    for (const ops::SchemaArgument* formal : writtenArguments(schema)) {
      targets.emplace_back();
      fx::forEachNode(argumentOf(node, formal->name),
                      [&](fx::NodeId id) { targets.back().push_back(id); });
      for (fx::NodeId id : targets.back())
        if (const std::string reason = targetObstacle(id); !reason.empty())
          return refuse(node, reason);
    }
    const bool missing = std::any_of(targets.begin(), targets.end(),
                                     [](const auto& group) { return group.empty(); });
    if (targets.empty() || missing)
      return refuse(node, "it writes to something that is not a tensor of the graph");
    if (ops::operatorNamed(schema.packet).is(ops::Trait::Reallocates))
      return refuse(node, "it replaces the memory of the tensor");
    if (outputSizes_.of(node, targets) == OutputSizes::Unknown)
      return refuse(node, "it resizes the tensor that it writes to");
    if (node.target == "aten.copy_.default") return copyInto(node, targets.front().front());
    if (node.target == "aten.fill_diagonal_.default")
      return fillDiagonal(node, targets.front().front());
    const std::optional<FunctionalVariant> variant = variants_.of(schema);
    if (!variant) return refuse(node, "PyTorch has no functional variant of it");
    emitVariant(node, schema, *variant, targets);
  }

  /// The type and shape that the variant's new value for `target` has before it is cast to what the
  /// target is.
  fx::TensorMeta variantMeta(const fx::Node& node, const ops::Schema& schema,
                             const FunctionalVariant& variant, fx::NodeId target,
                             std::size_t index) const {
    fx::TensorMeta meta = freshMeta(*source_.node(target).val.tensor());
    const fx::TensorMeta* recorded = recordedOutput(node, index);
    if (variant.dropsOutputs && recorded && !(recorded->sizes == meta.sizes)) {
      meta.sizes = recorded->sizes;
      meta.strides = fx::contiguousStrides(meta.sizes);
    }
    meta.dtype =
        variantResultType(*variant.schema, meta, operandsOf(node, variant.dropsOutputs, schema),
                          !argumentOf(node, "rounding_mode").isNone());
    return meta;
  }

  /// The arguments that the variant has, too, under its names.
  std::vector<fx::NodeArgument> sharedArguments(const fx::Node& node, const ops::Schema& schema,
                                                const FunctionalVariant& variant) const {
    std::vector<fx::NodeArgument> args;
    for (const fx::NodeArgument& argument : node.args) {
      const ops::SchemaArgument* formal = schema.find(argument.name);
      const bool isTarget = formal && formal->alias == ops::Alias::Write;
      if (isTarget && variant.dropsOutputs) continue;
      const std::string_view name =
          isTarget ? variant.schema
                         ->arguments[static_cast<std::size_t>(formal - schema.arguments.data())]
                         .name
                   : argument.name;
      args.push_back({std::string(name), step_.mapped(argument.value), argument.keyword});
    }
    return args;
  }

  /// `first` is the first mutated tensor.
  std::vector<fx::NodeArgument> variantArguments(const fx::Node& node, const ops::Schema& schema,
                                                 const FunctionalVariant& variant,
                                                 const fx::TensorMeta& first) const {
    std::vector<fx::NodeArgument> args = sharedArguments(node, schema, variant);
    // p has a default in bernoulli_ but not in bernoulli.
    for (const ops::SchemaArgument& formal : variant.schema->arguments) {
      if (formal.hasDefault() || given(node, formal.name)) continue;
      const ops::SchemaArgument* own = schema.find(formal.name);
      if (own && own->hasDefault())
        args.push_back(
            {std::string(formal.name), argumentOf(node, formal.name), formal.keywordOnly});
    }
    // cumsum_ keeps int32, cumsum does not: pass the dtype.
    if (variant.schema->find("dtype") && argumentOf(node, "dtype").isNone()) {
      std::erase_if(args, [](const fx::NodeArgument& a) { return a.name == "dtype"; });
      args.push_back({"dtype", first.dtype, true});
    }
    if (variant.schema->find("device") && !schema.find("device"))
      args.push_back({"device", first.device, true});
    return args;
  }

  static bool returnsTuple(const ops::Schema& schema) { return schema.returns.size() > 1; }
  static bool returnsList(const ops::Schema& schema) {
    return schema.returns.size() == 1 && schema.returns.front().type.isTensorList();
  }

  /// What the variant returns: of a tuple its own results, then the new values of the targets.
  fx::ValueList variantResults(const fx::Node& node, const ops::Schema& schema,
                               const FunctionalVariant& variant, const Targets& targets) const {
    fx::ValueList results;
    if (returnsTuple(*variant.schema)) {
      const std::size_t own = variant.newValue.front();
      const fx::ValueList* parts = node.val.list();
      for (std::size_t i = 0; i < own; ++i)
        if (parts && i < parts->size()) results.push_back((*parts)[i]);
        else results.push_back(own == 1 ? node.val : fx::Value(fx::Unknown{}));
    }
    std::size_t index = 0;
    for (const auto& group : targets)
      for (fx::NodeId id : group)
        results.push_back(variantMeta(node, schema, variant, id, index++));
    return results;
  }

  void emitVariant(const fx::Node& node, const ops::Schema& schema,
                   const FunctionalVariant& variant, const Targets& targets) {
    const OutputSizes sizes = outputSizes_.of(node, targets);
    if (sizes == OutputSizes::Replaced && hasView(targets))
      return refuse(node, "it resizes a view");
    const fx::TensorMeta& first = *source_.node(targets.front().front()).val.tensor();
    const fx::ValueList results = variantResults(node, schema, variant, targets);
    const bool hasParts = returnsTuple(*variant.schema) || returnsList(*variant.schema);
    const fx::NodeId made =
        step_.emit(variant.schema->fxName(), variantArguments(node, schema, variant, first),
                   hasParts ? fx::Value(results) : results.front());
    std::size_t next = variant.newValue.front();
    std::vector<std::pair<fx::NodeId, fx::Argument>> written;
    for (const auto& group : targets)
      for (fx::NodeId id : group) {
        fx::Argument value = made;
        if (hasParts) value = step_.emitGetitem(made, next, results[next]);
        const fx::TensorMeta& target = *source_.node(id).val.tensor();
        const fx::TensorMeta* had = results[hasParts ? next : 0].tensor();
        ++next;
        if (had && had->dtype != target.dtype) {
          fx::TensorMeta cast = *had;
          cast.dtype = target.dtype;
          value = castTo(value, cast, true, false);
        }
        written.emplace_back(id, std::move(value));
      }
    step_.applied(std::string(kRule));
    for (const auto& [id, value] : written) writeAs(sizes, id, value);
    bindResults(node, schema, made, results, targets);
  }

  bool hasView(const Targets& targets) {
    return std::any_of(targets.begin(), targets.end(), [&](const auto& group) {
      return std::any_of(group.begin(), group.end(),
                         [&](fx::NodeId id) { return aliases_.rootOf(id) != id; });
    });
  }

  void writeAs(OutputSizes sizes, fx::NodeId id, const fx::Argument& value) {
    if (sizes == OutputSizes::Replaced) aliases_.addRoot(id, value);
    else if (sizes == OutputSizes::Filled) writeValue(id, filledWith(id, value));
    else writeValue(id, value);
  }

  /// A value of the target's sizes, of as many elements in others.
  fx::Argument filledWith(fx::NodeId target, const fx::Argument& elements) {
    const fx::TensorMeta& meta = *source_.node(target).val.tensor();
    fx::ArgumentList shape;
    for (const fx::SymInt& size : meta.sizes) shape.emplace_back(size.value());
    return step_.emit("aten.reshape.default",
                      {{"self", elements, false}, {"shape", std::move(shape), false}},
                      freshMeta(meta));
  }

  /// Binds the results of the mutating node: aliases of what it wrote, or results of the variant.
  void bindResults(const fx::Node& node, const ops::Schema& schema, fx::NodeId variant,
                   const fx::ValueList& results, const Targets& targets) {
    std::vector<Part> parts;
    std::size_t nextWritten = 0, nextOwn = 0;
    for (const ops::SchemaReturn& result : schema.returns) {
      if (result.alias == ops::Alias::Write) {
        if (nextWritten < targets.size() && !targets[nextWritten].empty())
          parts.push_back({targets[nextWritten].front(), {}});
        ++nextWritten;
      } else {
        parts.push_back({{}, step_.emitGetitem(variant, nextOwn, results[nextOwn])});
        ++nextOwn;
      }
    }
    if (node.val.list()) parts_[node.id] = std::move(parts);
    else if (node.val.tensor() && !parts.empty()) bindPart(node, parts.front());
  }

  /// The results of _native_batch_norm_legit_functional.
  static fx::ValueList batchNormResults(const fx::Node& node, const fx::TensorMeta& mean,
                                        const fx::TensorMeta& variance) {
    const fx::ValueList* parts = node.val.list();
    const fx::TensorMeta saved = freshMeta(mean);
    const fx::Value out = parts && !parts->empty() ? parts->front() : node.val;
    fx::ValueList results{out, saved, saved, freshMeta(mean), freshMeta(variance)};
    if (parts)
      for (std::size_t i = 1; i < 3 && i < parts->size(); ++i) results[i] = (*parts)[i];
    return results;
  }

  /// In training, the new statistics come from _native_batch_norm_legit_functional.
  void batchNorm(const fx::Node& node) {
    const std::string_view packet = packetOf(node.target);
    const fx::Argument mean = argumentOf(node, "running_mean"),
                       variance = argumentOf(node, "running_var");
    const fx::TensorMeta *meanMeta = tensorOf(mean), *varianceMeta = tensorOf(variance);
    if ((packet != "batch_norm" && packet != "native_batch_norm") || !meanMeta || !varianceMeta)
      return refuse(node, "only batch_norm with both running statistics can be functionalized");
    for (const fx::Argument* target : {&mean, &variance})
      if (const std::string reason = targetObstacle(*target->node()); !reason.empty())
        return refuse(node, reason);
    if (!node.val.list() && !node.val.tensor()) return refuse(node, "its result is not recorded");
    std::vector<fx::NodeArgument> args;
    for (std::string_view name :
         {"input", "weight", "bias", "running_mean", "running_var", "training", "momentum", "eps"})
      args.push_back({std::string(name), step_.mapped(argumentOf(node, name)), false});
    const fx::ValueList results = batchNormResults(node, *meanMeta, *varianceMeta);
    const fx::NodeId made =
        step_.emit("aten._native_batch_norm_legit_functional.default", std::move(args), results);
    step_.applied(std::string(kRule));
    if (node.val.list()) {
      for (std::size_t i = 0; i < 3; ++i)
        parts_[node.id].push_back({{}, step_.emitGetitem(made, i, results[i])});
    } else {
      const fx::NodeId first =
          step_.copyAs(fx::kGetitem, {{"a", made, false}, {"b", std::int64_t{0}, false}}, node.val);
      aliases_.addRoot(node.id, first);
    }
    writeValue(*mean.node(), step_.emitGetitem(made, 3, results[3]));
    writeValue(*variance.node(), step_.emitGetitem(made, 4, results[4]));
  }

  /// The final values of mutated inputs are returned first, in the order of the inputs.
  void visitOutput(const fx::Node& node) {
    if (node.graph != source_.main().id) {
      step_.copy();
      return;
    }
    std::vector<fx::OutputSpec> specs;
    for (const fx::InputSpec& input : source_.inputs) {
      if (!aliases_.knows(input.node)) continue;
      reportPerhapsWritten(input.node, node);
      if (!aliases_.wasWritten(input.node) || !shared_.standsForAll(input.node)) continue;
      // An unregistered tensor attribute is a constant, but state if it is mutated.
      const bool isState =
          input.kind == fx::InputKind::Buffer || input.kind == fx::InputKind::ConstantTensor;
      fx::OutputKind kind = fx::OutputKind::UserInputMutation;
      if (isState) kind = fx::OutputKind::BufferMutation;
      else if (input.kind == fx::InputKind::Parameter) kind = fx::OutputKind::ParameterMutation;
      const bool isWeight = kind != fx::OutputKind::UserInputMutation;
      specs.push_back({kind, aliases_.read(input.node),
                       isWeight ? input.target : source_.node(input.node).name});
    }
    for (const fx::OutputSpec& output : source_.outputs)
      specs.push_back({output.kind, step_.mapped(output.value), output.target});
    fx::ArgumentList values;
    for (const fx::OutputSpec& spec : specs) values.push_back(spec.value);
    for (fx::InputSpec input : source_.inputs) {
      input.node = *placeholderOf(input.node).node();
      step_.draft().program().inputs.push_back(std::move(input));
    }
    step_.draft().program().outputs = std::move(specs);
    std::vector<fx::NodeArgument> args = step_.mapped(node.args);
    if (args.empty()) args.push_back({});
    args.front().value = std::move(values);
    step_.copyWith(std::move(args));
  }

  /// The placeholder itself, before any writes.
  fx::Argument placeholderOf(fx::NodeId source) const { return placeholders_.at(source); }

  struct ViewCall {
    Shares shares;
    fx::NodeId made;
    std::uint32_t generation;
  };

  Transcription step_;
  const fx::Program& source_;
  const bool asPyTorch_, keepsRenames_;
  Aliases aliases_;
  FunctionalVariants variants_;
  fx::SharedWeights shared_;
  WrittenSizes outputSizes_;
  std::vector<std::pair<fx::GraphId, fx::GraphId>> graphs_;
  std::unordered_map<fx::NodeId, ViewCall> viewCalls_;       ///< calls whose parts are views
  std::unordered_map<fx::NodeId, std::vector<Part>> parts_;  ///< replaced tuples
  std::unordered_map<fx::NodeId, fx::Argument> placeholders_;
  std::unordered_map<fx::NodeId, fx::NodeId>
      maybeWritten_;  ///< weights of unknown storage: the first write to another one
  std::unordered_set<fx::NodeId> unknownReported_;  ///< writes
};

}  // namespace

bool writesToTensors(const fx::Program& program) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
    const ops::Schema* schema = schemaOf(node);
    return schema ? schema->isMutable || updatesStatistics(node) : writesUnseen(node);
  });
}

bool needsFunctionalization(const fx::Program& program) {
  return writesToTensors(program) ||
         std::any_of(program.nodes.begin(), program.nodes.end(), [](const fx::Node& node) {
           const ops::Schema* schema = schemaOf(node);
           const std::string_view packet = schema && schema->ns == "aten"
                                               ? std::string_view(schema->packet)
                                               : std::string_view();
           return isRename(packet) || packet == "lift_fresh_copy" || packet == "as_strided";
         });
}

bool isKeptRename(std::string_view target) {
  return target == "aten.alias.default" || target == "aten.detach.default";
}

Result<fx::Program> functionalize(const fx::Program& source, bool asPyTorch, Report& report,
                                  const RunContext& run) {
  return Functionalizer(source, asPyTorch, report, run).run(run);
}

}  // namespace fxs::rewrite
