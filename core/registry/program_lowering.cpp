// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/program_lowering.h"

#include <algorithm>
#include <array>

#include "base/joined.h"

namespace fxs::registry {
namespace {

constexpr std::size_t kNodesBetweenStops = 256;

/// Whether the node asserts what the program records of a tensor: the types in the text say it,
/// too.
bool isKnownAssertion(const fx::Program& program, const fx::Node& node) {
  if (node.target != fx::kAssertTensorMetadata || node.args.empty()) return false;
  const fx::NodeId* of = node.args[0].value.node();
  const fx::TensorMeta* meta = of != nullptr ? program.node(*of).val.tensor() : nullptr;
  if (meta == nullptr) return false;
  return std::all_of(node.args.begin() + 1, node.args.end(), [&](const fx::NodeArgument& argument) {
    if (const auto* dtype = std::get_if<DType>(&argument.value)) return *dtype == meta->dtype;
    return argument.value.isNone() || argument.name == "device" || argument.name == "layout";
  });
}

std::string targetText(const fx::Node& node, const NodeCoverage& coverage) {
  return "'" + node.target + "'" + (coverage.opClass.empty() ? "" : " (" + coverage.opClass + ")");
}

Value i64Of(OpBuilder& emit, std::int64_t size) {
  const Value index = emit.index(size);
  const std::string type = "i64";
  return emit.ops("arith.index_cast", std::span(&index, 1), std::span(&type, 1)).front();
}

/// Whether the text has random numbers for the node.
bool isDrawn(const NodeCoverage& coverage) {
  static constexpr std::array<std::string_view, 6> kRandom{
      "RandOp", "RandLikeOp", "RandnOp", "RandnLikeOp", "BernoulliOp", "NativeDropoutOp"};
  return coverage.registry == "linalg" &&
         std::find(kRandom.begin(), kRandom.end(), coverage.opClass) != kRandom.end();
}

/// Registries that refuse for the same reason share a line: "tosa, linalg: ..".
void addRefusal(std::vector<std::string>& refusals, const std::string& registry,
                const std::string& reason) {
  if (!refusals.empty() && refusals.back().ends_with(": " + reason))
    refusals.back().insert(refusals.back().size() - reason.size() - 2, ", " + registry);
  else refusals.push_back(registry + ": " + reason);
}

bool isRangeAssertion(const fx::Node& node) {
  return node.target == fx::kAssertScalar || node.target.starts_with("aten.sym_constrain_range");
}

}  // namespace

ProgramLowering::ProgramLowering(const fx::Program& program, const DirectOptions& options,
                                 std::vector<const Registry*> chain)
    : program_(program),
      options_(options),
      chain_(std::move(chain)),
      weights_(program, options, options.primary == "tosa" ? "tosa.const" : "arith.constant"),
      values_(program.nodes.size()),
      out_(std::make_shared<DirectLowering>()) {}

void ProgramLowering::locate(const fx::Node& node) {
  const fx::Node& origin = program_.originOf(node);
  emit_.setLocation(origin.name, origin.id.index());
}

/// The type of a value as text, with '?' for dynamic sizes; "none" if it is neither a tensor nor a
/// number.
std::string ProgramLowering::typeText(const fx::Value& value) {
  if (const auto type = tensorTypeOf(value, &symbols_)) return type->text();
  if (const fx::TensorMeta* meta = value.tensor()) {
    std::string out = "tensor<";
    for (const fx::SymInt& size : meta->sizes)
      out += (size.isStatic() && size.value() >= 0 ? std::to_string(size.value()) : "?") + "x";
    const std::string element = elementOf(meta->dtype);
    return out + (element.empty() ? "none" : element) + ">";
  }
  const fx::SymValue* symbol = value.symbol();
  if (symbol == nullptr) return "none";
  if (symbol->kind == fx::SymKind::Int) return "i64";
  return symbol->kind == fx::SymKind::Float ? "f64" : "i1";
}

std::vector<std::string> ProgramLowering::resultTypes(const fx::Node& node) {
  std::vector<std::string> out;
  if (const fx::ValueList* parts = node.val.list()) {
    for (const fx::Value& part : *parts) out.push_back(typeText(part));
  } else if (!std::holds_alternative<fx::NoneValue>(node.val)) {
    out.push_back(typeText(node.val));
  }
  return out;
}

bool ProgramLowering::hasSymbolicSizes(const fx::Node& node) {
  const auto isSymbolicValue = [](const fx::Value& value) {
    const fx::TensorMeta* meta = value.tensor();
    const fx::SymValue* symbol = value.symbol();
    return (meta != nullptr && !meta->isStaticShape()) ||
           (symbol != nullptr && symbol->expr != nullptr);
  };
  const fx::ValueList* parts = node.val.list();
  bool out = parts != nullptr ? std::any_of(parts->begin(), parts->end(), isSymbolicValue)
                              : isSymbolicValue(node.val);
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value,
                    [&](fx::NodeId id) { out |= isSymbolicValue(program_.node(id).val); });
  return out;
}

/// A size, or a condition on sizes, of which every symbol has a value.
bool ProgramLowering::isComputedAtUse(const fx::Node& node) const {
  const fx::SymValue* symbol = node.val.symbol();
  return symbol != nullptr && symbol->expr && symbol->kind != fx::SymKind::Float &&
         symbols_.knows(*symbol->expr);
}

void ProgramLowering::learnSizes(const fx::Node& node) {
  const Values& values = values_[node.id.index()];
  const fx::ValueList* parts = node.val.list();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (parts == nullptr || i < parts->size())
      symbols_.learn(parts != nullptr ? (*parts)[i] : node.val, values[i]);
}

void ProgramLowering::writeSizes(const fx::Node& node) {
  symbols_.write(node.val);
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) { symbols_.write(program_.node(id).val); });
}

/// The results as the program records them; those of which a handler knows more or less are cast.
std::optional<Refusal> ProgramLowering::takeRecordedTypes(const fx::Node& node, Values& values) {
  const std::vector<std::string> wanted = resultTypes(node);
  std::vector<std::string> given;
  for (const Value& value : values) given.push_back(value.type);
  bool same = given.size() == wanted.size();
  for (std::size_t i = 0; same && i < wanted.size(); ++i) {
    if (given[i] == wanted[i]) continue;
    const auto type = parseTensorType(wanted[i]);
    same = type && type->element == values[i].tensor.element &&
           type->rank() == values[i].tensor.rank();
    for (std::size_t d = 0; same && d < type->sizes.size(); ++d)
      same = isSymbolic(type->sizes[d]) || isSymbolic(values[i].tensor.sizes[d]) ||
             type->sizes[d] == values[i].tensor.sizes[d];
    if (!same) break;
    if (printedType(given[i]) != printedType(wanted[i]))
      values[i] = emit_.op("tensor.cast", {values[i]}, *type);
    values[i].type = wanted[i];
    values[i].tensor = *type;
  }
  if (same) return std::nullopt;
  return Refusal{"its handler returns (" + joined(given, ", ") + "), but the program records (" +
                 joined(wanted, ", ") + ")"};
}

Value ProgramLowering::addParameter(const fx::Node& node, const std::string& type) {
  const fx::Node& origin = program_.originOf(node);
  emit_.spend(type.size());
  Value value{"%arg" + std::to_string(parameters_.size()), type,
              parseTensorType(type).value_or(TensorType{})};
  parameters_.push_back({value, locationText(origin.name, origin.id.index())});
  return value;
}

void ProgramLowering::bindInput(const fx::InputSpec& spec) {
  const fx::Node& node = program_.node(spec.node);
  Value value = addParameter(node, typeText(node.val));
  if (!tensorTypeOf(node.val, &symbols_)) value.tensor = {};  // it has no such type
  symbols_.learn(node.val, value);
  values_[spec.node.index()] = {std::move(value)};
}

/// The weights that are arguments, parameters first.
std::vector<const fx::InputSpec*> ProgramLowering::weightArguments() const {
  std::vector<const fx::InputSpec*> out;
  if (options_.arguments == Arguments::Lowering) return out;
  for (const fx::InputKind kind : {fx::InputKind::Parameter, fx::InputKind::Buffer})
    for (const fx::InputSpec& spec : program_.inputs)
      if (spec.kind == kind && program_.node(spec.node).val.tensor() != nullptr)
        out.push_back(&spec);
  return out;
}

void ProgramLowering::bindInputs() {
  const std::vector<const fx::InputSpec*> weights = weightArguments();
  if (options_.arguments == Arguments::Packed) bindPacked(weights);
  else
    for (const fx::InputSpec* spec : weights) bindInput(*spec);

  for (const fx::InputSpec& spec : program_.inputs) {
    const fx::Node& node = program_.node(spec.node);
    if (!values_[spec.node.index()].empty() ||
        std::find(weights.begin(), weights.end(), &spec) != weights.end())
      continue;
    const bool isTensor = node.val.tensor() != nullptr;
    const bool isNumberArgument =
        node.val.symbol() != nullptr && !knownNumber(node.val) && spec.constant.isNone();
    if (isTensor && isWeight(spec.kind)) constants_[spec.node] = &spec;
    else if (isTensor || isNumberArgument) bindInput(spec);
  }
}

void ProgramLowering::writeWeights(const fx::Node& node) {
  const auto write = [&](fx::NodeId id) {
    const auto waiting = constants_.find(id);
    if (waiting == constants_.end()) return;
    const fx::Node& input = program_.node(id);
    locate(input);
    if (const auto type = tensorTypeOf(input.val))
      values_[id.index()] = {
          weights_.write(emit_, waiting->second->target, *type, input.val.tensor()->dtype)};
    else writeUnmapped(input);
    constants_.erase(waiting);
  };
  for (const fx::NodeArgument& argument : node.args) fx::forEachNode(argument.value, write);
  locate(node);
}

void ProgramLowering::refuse(const fx::Node& node, std::string kind, std::string message) {
  fx::Finding finding = fx::findingAt(program_, node, std::move(kind), std::move(message));
  finding.stage = "registry";
  finding.op = "fxscope.unmapped";
  out_->findings.push_back(std::move(finding));
}

void ProgramLowering::noteRandomNumbers(const fx::Node& node) {
  fx::Finding finding = fx::findingAt(program_, node, "random-numbers",
                                      "the random numbers of '" + program_.originOf(node).name +
                                          "' are not those of PyTorch, and the same at each call");
  finding.severity = fx::Severity::Note;
  finding.stage = "registry";
  out_->findings.push_back(std::move(finding));
}

void ProgramLowering::writeUnmapped(const fx::Node& node) {
  std::vector<Value> operands;
  const auto add = [&](fx::NodeId id) {
    operands.insert(operands.end(), values_[id.index()].begin(), values_[id.index()].end());
  };
  for (const fx::NodeArgument& argument : node.args) fx::forEachNode(argument.value, add);
  const std::vector<std::string> types = resultTypes(node);
  values_[node.id.index()] =
      emit_.ops("fxscope.unmapped", operands, types, "target = " + quoted(node.target));
}

std::optional<Refusal> ProgramLowering::ask(const fx::Node& node,
                                            const std::function<Handled(Call&)>& handler) {
  const OpBuilder::Mark mark = emit_.mark();
  NodeCall call(program_, node, emit_, symbols_, values_);
  Handled handled = [&]() -> Handled {
    try {
      return handler(call);
    } catch (const BadSizes& bad) {
      return tl::unexpected<Refusal>(Refusal{bad.what()});
    }
  }();
  std::optional<Refusal> refusal;
  if (!handled) refusal = handled.error();
  else refusal = takeRecordedTypes(node, *handled);
  if (refusal) {
    emit_.rollback(mark);
    return Refusal{printedType(refusal->message)};
  }
  values_[node.id.index()] = *std::move(handled);
  return std::nullopt;
}

/// Lowers a tensor without elements to a constant, since TOSA has no such tensors.
bool ProgramLowering::lowerEmpty(const fx::Node& node, NodeCoverage& coverage,
                                 const Registry& registry) {
  const auto isEmpty = [](const fx::Value& value) {
    const auto type = tensorTypeOf(value);
    return type && type->isEmpty();
  };
  const fx::ValueList* parts = node.val.list();
  const bool all = parts != nullptr
                       ? !parts->empty() && std::all_of(parts->begin(), parts->end(), isEmpty)
                       : isEmpty(node.val);
  if (!all) return false;
  Values out;
  for (const std::string& type : resultTypes(node))
    out.push_back(emit_.constant(*parseTensorType(type), {}, "arith.constant"));
  values_[node.id.index()] = std::move(out);
  coverage.status = CoverageStatus::Lowered;
  coverage.registry = registry.name;
  return true;
}

/// What the engine said of the text that the registry wrote for the node before.
std::optional<Refusal> ProgramLowering::rejectionOf(const fx::Node& node,
                                                    const std::string& registry) const {
  for (const Rejection& rejection : options_.rejections)
    if (rejection.node == program_.originOf(node).id && rejection.target == node.target &&
        rejection.registry == registry)
      return Refusal{"the engine rejects what it writes: " + rejection.message};
  return std::nullopt;
}

std::optional<Refusal> ProgramLowering::askRegistry(const fx::Node& node, const Registry& registry,
                                                    std::string_view opClass,
                                                    const Handler& handler) {
  const bool isDynamic = hasSymbolicSizes(node);
  const bool isExcluded = isDynamic && !registry.anySizes.contains(opClass);
  if (isDynamic && !isExcluded) writeSizes(node);
  if (auto rejection = rejectionOf(node, registry.name)) return rejection;
  if (isExcluded) return Refusal{"its handler supports static sizes only"};
  return ask(node, handler);
}

/// Reports a node that no registry of the chain lowers; `isKnown`: something handles such nodes.
void ProgramLowering::refuseCall(const fx::Node& node, NodeCoverage& coverage, bool isKnown) {
  const std::string target = targetText(node, coverage);
  if (!coverage.refusals.empty()) {
    coverage.status = CoverageStatus::Refused;
    refuse(node, "refused", target + " is not supported; " + joined(coverage.refusals, "; "));
  } else if (isKnown) {
    coverage.status = CoverageStatus::NoLowering;
    refuse(node, "no-lowering",
           target + " has no handler in " + joined(out_->chain, ", ") +
               "; add one in a user registry (--stub writes a beginning)");
  } else {
    coverage.status = CoverageStatus::Unmapped;
    coverage.didYouMean = OpClasses::builtin().didYouMean(node.target);
    refuse(node, "unmapped",
           target + " belongs to no op class" +
               (coverage.didYouMean.empty()
                    ? ""
                    : " (did you mean '" + coverage.didYouMean.front() + "'?)") +
               "; add a handler in a user registry (--stub writes a beginning)");
  }
}

void ProgramLowering::lowerCall(const fx::Node& node, NodeCoverage& coverage) {
  coverage.opClass = OpClasses::builtin().of(node.target);
  bool isKnown = !coverage.opClass.empty();
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (isKnown && schema != nullptr && schema->isMutable) {
    // The mutation would be lost.
    coverage.refusals = {"it mutates its arguments"};
    coverage.status = CoverageStatus::Refused;
    refuse(node, "refused",
           targetText(node, coverage) + " mutates its arguments; functionalize the program first");
    return writeUnmapped(node);
  }
  for (const Registry* registry : chain_) {
    auto handler = registry->handlers.find(coverage.opClass);
    if (handler == registry->handlers.end()) handler = registry->handlers.find(node.target);
    if (handler == registry->handlers.end()) continue;
    isKnown = true;
    if (!rejectionOf(node, registry->name) && lowerEmpty(node, coverage, *registry)) return;
    if (const auto refusal = askRegistry(node, *registry, handler->first, handler->second)) {
      addRefusal(coverage.refusals, registry->name, refusal->message);
      continue;
    }
    coverage.status = CoverageStatus::Lowered;
    coverage.registry = registry->name;
    if (isDrawn(coverage)) noteRandomNumbers(node);
    return;
  }
  refuseCall(node, coverage, isKnown);
  writeUnmapped(node);
}

void ProgramLowering::lowerGetitem(const fx::Node& node, NodeCoverage& coverage) {
  const fx::NodeId* of = node.args.size() == 2 ? node.args[0].value.node() : nullptr;
  const std::int64_t* index = of != nullptr ? node.args[1].value.integer() : nullptr;
  if (index != nullptr && *index >= 0 &&
      static_cast<std::size_t>(*index) < values_[of->index()].size()) {
    values_[node.id.index()] = {values_[of->index()][static_cast<std::size_t>(*index)]};
    return;
  }
  coverage.status = CoverageStatus::Refused;
  coverage.refusals = {"it indexes an element that its operand does not have"};
  refuse(node, "refused", "'" + node.name + "' indexes an element that its operand does not have");
  writeUnmapped(node);
}

void ProgramLowering::lowerNode(const fx::Node& node, NodeCoverage& coverage) {
  if (node.op == fx::NodeOp::Placeholder || node.op == fx::NodeOp::Output) return;
  if (node.op == fx::NodeOp::GetAttr && node.subgraph.valid()) return;
  if (knownNumber(node.val)) return;  // users read it as a constant
  if (isComputedAtUse(node)) return;
  if (isKnownAssertion(program_, node) || isRangeAssertion(node)) return;
  writeWeights(node);
  const std::size_t before = emit_.ops();
  if (node.target == fx::kGetitem) lowerGetitem(node, coverage);
  else if (node.target == "higher_order.while_loop") lowerWhile(node, coverage);
  else lowerCall(node, coverage);
  learnSizes(node);
  coverage.ops = emit_.ops() - before;
}

std::vector<Value> ProgramLowering::returned() {
  const fx::Node& output = program_.output(program_.main().id);
  std::vector<Value> out;
  for (const fx::OutputSpec& spec : program_.outputs) {
    if (spec.kind == fx::OutputKind::Token) continue;
    const fx::NodeId* id = spec.value.node();
    std::optional<fx::Argument> number;
    if (id == nullptr) number = spec.value;
    else number = knownNumber(program_.node(*id).val);
    if (number) {
      locate(output);
      if (const auto* flag = std::get_if<bool>(&*number)) out.push_back(emit_.scalar("i1", *flag));
      else if (const std::int64_t* integer = number->integer())
        out.push_back(emit_.scalar("i64", *integer));
      else if (const auto* real = std::get_if<double>(&*number))
        out.push_back(emit_.scalar("f64", *real));
      continue;  // None and texts are not returned
    }
    const Values& values = values_[id->index()];
    if (const auto size =
            values.empty() ? symbols_.integer(program_.node(*id).val) : std::nullopt) {
      locate(output);
      symbols_.write(program_.node(*id).val);
      if (emit_.hasValue(*size)) out.push_back(i64Of(emit_, *size));
      continue;
    }
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

std::string ProgramLowering::wrap(const std::vector<Value>& results, const fx::Node& output) const {
  const fx::Node& head = program_.originOf(program_.node(program_.main().nodes.front()));
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::vector<std::string> arguments;
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) {
    from.push_back(printedType(parameter.value.type));
    arguments.push_back(parameter.value.name + ": " + printedType(parameter.value.type) +
                        parameter.location);
  }
  for (const Value& value : results) {
    to.push_back(printedType(value.type));
    names.push_back(value.name);
  }
  const std::string resultTypes = to.size() == 1 ? to.front() : "(" + joined(to, ", ") + ")";
  const fx::Node& end = program_.originOf(output);
  const std::string& body = emit_.text();
  std::string out(loadingLine(body));
  out += "\"builtin.module\"() ({\n  \"func.func\"() <{function_type = (" + joined(from, ", ") +
         ") -> " + resultTypes + ", sym_name = " + quoted(options_.functionName) + "}> ({\n";
  out += "  ^bb0(" + joined(arguments, ", ") + "):\n";
  out += body;
  out += "    \"func.return\"(" + joined(names, ", ") + ") : (" + joined(to, ", ") + ") -> ()" +
         locationText(end.name, end.id.index()) + "\n";
  out += "  }) : () -> ()" + locationText(head.name, head.id.index()) + "\n" +
         emit_.declarations() + "}) : () -> ()\n";
  return out + weights_.resources();
}

Result<> ProgramLowering::lowerMain(const RunContext& context) {
  std::size_t done = 0;
  const std::vector<fx::NodeId>& nodes = program_.main().nodes;
  for (const fx::NodeId id : nodes) {
    if (done++ % kNodesBetweenStops == 0) {
      if (context.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "lowering by registries was cancelled");
      context.report({"lowering by registries",
                      static_cast<double>(done) / static_cast<double>(nodes.size())});
    }
    NodeCoverage coverage;
    coverage.node = id;
    lowerNode(program_.node(id), coverage);
    out_->coverage.push_back(std::move(coverage));
    std::move(nested_.begin(), nested_.end(), std::back_inserter(out_->coverage));
    nested_.clear();
  }
  return {};
}

Result<std::shared_ptr<const DirectLowering>> ProgramLowering::run(const RunContext& context) {
  for (const Registry* registry : chain_) out_->chain.push_back(registry->name);
  emit_.spendFrom(context);
  bindInputs();
  FXS_CHECK(lowerMain(context));
  const fx::Node& output = program_.output(program_.main().id);
  writeWeights(output);
  const std::vector<Value> results = returned();
  out_->text = wrap(results, output);
  for (const auto& [fqn, reason] : weights_.unread())
    for (const fx::InputSpec& spec : program_.inputs)
      if (spec.target == fqn) {
        fx::Finding finding =
            fx::findingAt(program_, program_.node(spec.node), "weight-not-read",
                          "weight '" + fqn + "' is a resource handle without data: " + reason);
        finding.severity = fx::Severity::Note;
        finding.stage = "registry";
        out_->findings.push_back(std::move(finding));
      }
  out_->complete =
      std::all_of(out_->coverage.begin(), out_->coverage.end(), [](const NodeCoverage& c) {
        return c.status == CoverageStatus::Lowered || c.status == CoverageStatus::Structural;
      });
  return std::shared_ptr<const DirectLowering>(out_);
}

}  // namespace fxs::registry
