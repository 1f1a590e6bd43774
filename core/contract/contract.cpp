// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/counted.h"
#include "base/safe_text.h"
#include "contract/argument_use.h"
#include "contract/given_sizes.h"
#include "contract/result_sizes.h"
#include "mlir/text/token_ends.h"

namespace fxs::contract {
namespace {

/// Operations that change only how much of a tensor's shape is known.
constexpr std::array<std::string_view, 4> kCasts{"tensor.cast", "memref.cast",
                                                 "torch.tensor_static_info_cast",
                                                 "builtin.unrealized_conversion_cast"};
/// Operations whose result starts from the value of `outs`, besides matmuls.
constexpr std::array<std::string_view, 5> kAccumulating{
    "linalg.generic", "linalg.reduce", "linalg.matvec", "linalg.vecmat", "linalg.dot"};
constexpr std::array<std::string_view, 3> kAccumulatingPrefixes{
    "linalg.conv_", "linalg.depthwise_conv_", "linalg.pooling_"};
/// Limit of findings of a kind that a text may have many of.
constexpr std::size_t kMaxBreaches = 32;
std::string_view dialectOf(std::string_view op) { return op.substr(0, op.find('.')); }

bool isCast(std::string_view op) {
  return std::find(kCasts.begin(), kCasts.end(), op) != kCasts.end();
}

bool isAccumulation(std::string_view op) {
  return op.ends_with("matmul") ||
         std::find(kAccumulating.begin(), kAccumulating.end(), op) != kAccumulating.end() ||
         std::any_of(kAccumulatingPrefixes.begin(), kAccumulatingPrefixes.end(),
                     [&](std::string_view prefix) { return op.starts_with(prefix); });
}

/// The dimensions that are symbolic in the first type and have a size in the second.
std::vector<std::size_t> narrowedDimensions(const mlir::TensorType& from,
                                            const mlir::TensorType& to) {
  std::vector<std::size_t> out;
  if (from.sizes.size() != to.sizes.size()) return out;
  for (std::size_t d = 0; d < to.sizes.size(); ++d)
    if (from.sizes[d] == kDynamic && to.sizes[d] != kDynamic) out.push_back(d);
  return out;
}

class Checker {
 public:
  Checker(const lower::OutputTypeSpec& spec, const Promise& promise, const Text& text,
          const fx::Program& user, std::string_view pass)
      : spec_(spec),
        promise_(promise),
        text_(text),
        module_(text.module),
        user_(user),
        given_(user),
        pass_(pass) {}

  std::vector<Breach> run() {
    if (module_.form != mlir::TextForm::Mlir)
      return {};  // what its tool promises is checked when it ran
    if (!spec_.after) checkOperations();
    if (!spec_.contract || spec_.contract->function) {
      checkFunction();
      checkCasts();
      checkReads();
      if (out_.empty()) checkSizes();  // those of a text with another breach follow from it
    }
    if (spec_.contract && !spec_.contract->anyDialect) checkDialects();
    return std::move(out_);
  }

 private:
  Breach& add(Rule rule, fx::NodeId node, std::string message) {
    Breach& breach = out_.emplace_back();
    breach.rule = rule;
    fx::Finding& finding = breach.finding;
    if (node.valid() && node.index() < user_.nodes.size())
      finding = fx::findingAt(user_, user_.node(node), std::string(kKind), std::move(message));
    else {
      finding.kind = kKind;
      finding.message = std::move(message);
    }
    finding.severity = fx::Severity::Error;
    finding.stage = spec_.stage.id;
    finding.pass = pass_;
    return breach;
  }

  void checkOperations() {
    const std::size_t written = promise_.module().ops.size(), printed = module_.ops.size();
    if (written == printed) return;
    add(Rule::Operations, {},
        fmt::format("the text has {}, and the program has {}", counted(printed, "operation"),
                    written));
  }

  void checkFunction() {
    if (promise_.functionName().empty()) return;
    const auto function = mlir::functionIn(module_, promise_.functionName());
    if (!function) {
      add(Rule::Function, {},
          fmt::format("the text has no function @{}, which is the program",
                      printable(promise_.functionName())));
      return;
    }
    checkTypes(promise_.signature().arguments, function->signature.arguments, false);
    checkTypes(promise_.signature().results, function->signature.results, true);
    checkOrder(*function);
    if (out_.empty()) checkArguments(*function);
  }

  /// Results that are computed from an argument on which the program's do not depend: the wrong
  /// argument is returned, or the wrong result.
  void checkArguments(const mlir::Function& function) {
    const auto isMemory = [](std::string_view type) {
      return type.starts_with("memref") || type.starts_with("!llvm") ||
             type.starts_with("!torch.tensor");
    };
    const std::vector<std::string_view>& arguments = function.signature.arguments;
    if (std::any_of(arguments.begin(), arguments.end(), isMemory))
      return;  // it has no values to follow
    const ArgumentUse used = argumentUse(module_, function, Use::Certain);
    std::size_t breaches = 0;
    for (std::size_t r = 0; r < used.size() && breaches < kMaxBreaches; ++r) {
      if (!used[r]) continue;
      for (std::size_t a = 0; a < used[r]->size(); ++a) {
        if (!(*used[r])[a] || promise_.mayUse(r, a)) continue;
        const std::string origin =
            function.resultValues[r] == function.argumentValues[a] ? "is" : "is computed from";
        const fx::NodeId node = promise_.argumentNode(a);
        Breach& breach = add(
            Rule::Type, promise_.resultNode(r),
            fmt::format("result {} of @{} {} argument {}{}, on which the program's does not depend",
                        r, printable(promise_.functionName()), origin, a,
                        node.valid() ? " (" + nameOf(node) + ")" : ""));
        breach.result = true;
        breach.position = r;
        ++breaches;
        break;
      }
    }
  }

  void checkSizes() {
    for (const WrongSize& wrong : wrongSizes(module_, promise_, user_, given_)) {
      Breach& breach = add(
          Rule::Type, promise_.resultNode(wrong.result),
          fmt::format("dimension {} of result {} of @{} is {}, but the program's is {}, where {}",
                      wrong.dimension, wrong.result, printable(promise_.functionName()), wrong.size,
                      wrong.wanted, printable(wrong.where)));
      breach.result = true;
      breach.position = wrong.result;
    }
  }

  /// Results of one type that changed places, told by the nodes that they come from.
  void checkOrder(const mlir::Function& function) {
    const std::size_t count = function.signature.results.size();
    if (count != promise_.signature().results.size()) return;
    std::vector<fx::NodeId> found(count);
    for (std::size_t i = 0; i < count; ++i) {
      const mlir::ValueId value = function.resultValues[i];
      if (!value.valid() || module_.value(value).kind != mlir::ValueKind::Result) continue;
      if (const auto nodes = text_.nodesOf(module_.value(value).op); nodes.size() == 1)
        found[i] = nodes.front();
    }
    std::set<fx::NodeId> wantedNodes, foundNodes;
    for (std::size_t i = 0; i < count; ++i) {
      wantedNodes.insert(promise_.resultNode(i));
      foundNodes.insert(found[i]);
    }
    std::size_t breaches = 0;
    for (std::size_t i = 0; i < count && breaches < kMaxBreaches; ++i) {
      const fx::NodeId wanted = promise_.resultNode(i);
      // A result may come from another node: a view that was folded. Only a result that another one
      // of the program is has moved.
      if (!wanted.valid() || !found[i].valid() || wanted == found[i] ||
          !wantedNodes.contains(found[i]) || !foundNodes.contains(wanted))
        continue;
      ++breaches;
      Breach& breach =
          add(Rule::Type, found[i],
              fmt::format("result {} of @{} comes from {}, but the program returns {} there: "
                          "results are in another order",
                          i, printable(promise_.functionName()), nameOf(found[i]), nameOf(wanted)));
      breach.result = true;
      breach.position = i;
    }
  }
  std::string nameOf(fx::NodeId node) const {
    return node.index() < user_.nodes.size() ? printable(user_.node(node).name)
                                             : std::to_string(node.index());
  }

  void checkTypes(const std::vector<std::string_view>& wanted,
                  const std::vector<std::string_view>& found, bool results) {
    const std::string_view kind = results ? "result" : "argument";
    if (wanted.size() != found.size()) {
      add(Rule::Count, {},
          fmt::format("@{} has {}, but the program has {}", printable(promise_.functionName()),
                      counted(found.size(), kind), std::to_string(wanted.size())))
          .result = results;
      return;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const fx::NodeId node = results ? promise_.resultNode(i) : promise_.argumentNode(i);
      const std::string problem = difference(wanted[i], found[i], node);
      if (problem.empty()) continue;
      Breach& breach = add(Rule::Type, node,
                           fmt::format("{} {} of @{} is {}, but the program's is {}: {}", kind, i,
                                       printable(promise_.functionName()), printable(found[i]),
                                       printable(wanted[i]), problem));
      breach.result = results;
      breach.position = i;
    }
  }

  /// How a type of the text differs from the program's; "" if it keeps it.
  std::string difference(std::string_view wanted, std::string_view found, fx::NodeId node) const {
    const auto promised = mlir::tensorType(wanted);
    const auto type = mlir::tensorType(found);
    if (wanted == found || !promised || found.empty()) return "";
    if (!type) return "it is not a ranked tensor";
    if (!isSameElement(promised->element, type->element)) return "another element type";
    if (promised->sizes.size() != type->sizes.size()) return "another rank";
    for (std::size_t d = 0; d < type->sizes.size(); ++d) {
      if (promised->sizes[d] == type->sizes[d] || isGiven(node, *type, d)) continue;
      if (promised->sizes[d] == kDynamic)
        return fmt::format("dimension {} is symbolic, and the text works only for size {}", d,
                           type->sizes[d]);
      if (type->sizes[d] == kDynamic)
        return fmt::format("the size {} of dimension {} became unknown", promised->sizes[d], d);
      return fmt::format("another size of dimension {}", d);
    }
    return "";
  }

  /// Whether a size of the text is the number that the program's symbolic one is.
  bool isGiven(fx::NodeId id, const mlir::TensorType& type, std::size_t dimension) const {
    const fx::TensorMeta* meta =
        id.index() < user_.nodes.size() ? user_.node(id).val.tensor() : nullptr;
    return meta != nullptr && meta->rank() == type.sizes.size() &&
           given_.of(meta->sizes[dimension]) == type.sizes[dimension];
  }

  /// What the program calls the size of a dimension of a node's value or operand: "s0 (dimension
  /// 0)", or "of dimension 0".
  std::string sizeName(fx::NodeId id, std::size_t rank, std::size_t dimension) const {
    if (id.index() < user_.nodes.size()) {
      const fx::Node& node = user_.node(id);
      std::vector<const fx::TensorMeta*> tensors{node.val.tensor()};
      for (const fx::NodeArgument& argument : node.args)
        fx::forEachNode(argument.value, [&](fx::NodeId operand) {
          tensors.push_back(user_.node(operand).val.tensor());
        });
      for (const fx::TensorMeta* meta : tensors)
        if (meta != nullptr && meta->rank() == rank && !meta->sizes[dimension].isStatic())
          return fmt::format("{} (dimension {})", printable(meta->sizes[dimension].text()),
                             dimension);
    }
    return fmt::format("of dimension {}", dimension);
  }

  /// By number of an operation's name: whether it is one of these.
  template <class Is>
  std::vector<bool> namesThat(Is is) const {
    std::vector<bool> out(module_.names.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = is(module_.names[static_cast<std::uint32_t>(i)]);
    return out;
  }

  void checkCasts() {
    const std::vector<bool> casts = namesThat(isCast);
    if (std::find(casts.begin(), casts.end(), true) == casts.end()) return;
    std::set<std::pair<fx::NodeId, std::size_t>> seen;
    for (std::size_t i = 0; i < module_.ops.size() && seen.size() < kMaxBreaches; ++i) {
      const mlir::Op& op = module_.ops[i];
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      if (!casts[op.nameNumber] || op.results.size() != 1 || op.operands.size() != 1) continue;
      const auto [before, after] = castTypes(id);
      const auto from = mlir::tensorType(before), to = mlir::tensorType(after);
      if (!from || !to) continue;
      for (const std::size_t d : narrowedDimensions(*from, *to))
        for (const fx::NodeId node : text_.nodesOf(id))
          if (promise_.isSymbolic(node, to->sizes.size(), d) && !isGiven(node, *to, d) &&
              seen.emplace(node, d).second)
            addNarrowed(id, node, *to, d);
    }
  }

  void addNarrowed(mlir::OpId cast, fx::NodeId node, const mlir::TensorType& type,
                   std::size_t dimension) {
    const auto [before, after] = castTypes(cast);
    Breach& breach =
        add(Rule::Narrowed, node,
            fmt::format(
                "the size {} became {}{}: {} casts {} to {}; other sizes abort or compute wrong "
                "values; export the program with this size fixed, or write this part in other "
                "operations",
                sizeName(node, type.sizes.size(), dimension), type.sizes[dimension],
                pass_.empty() ? "" : " in " + printable(pass_), module_.nameOf(cast),
                printable(before), printable(after)));
    breach.position = dimension;
    breach.finding.op = module_.nameOf(cast);
  }

  /// Operations of linalg whose result starts from the value of `outs`: reading `tensor.empty`
  /// there gives what memory holds.
  void checkReads() {
    const auto empty = namesThat([](std::string_view name) { return name == "tensor.empty"; });
    if (std::find(empty.begin(), empty.end(), true) == empty.end()) return;
    const std::vector<bool> accumulations = namesThat(isAccumulation);
    std::size_t breaches = 0;
    for (std::size_t i = 0; i < module_.ops.size() && breaches < kMaxBreaches; ++i) {
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      if (!accumulations[module_.ops[i].nameNumber] || !readsResultOf(empty, id)) continue;
      const auto nodes = text_.nodesOf(id);
      Breach& breach =
          add(Rule::Uninitialized, nodes.empty() ? fx::NodeId() : nodes.front(),
              fmt::format("{} reads the result of tensor.empty, whose elements are not initialized",
                          module_.nameOf(id)));
      breach.finding.op = module_.nameOf(id);
      ++breaches;
    }
  }

  /// Whether an operation uses the initial value of an out that an operation of these names makes.
  bool readsResultOf(const std::vector<bool>& names, mlir::OpId id) const {
    const mlir::Op& op = module_.op(id);
    const std::size_t outs = op.head.of(module_.text).rfind(" outs(");
    if (outs == std::string_view::npos) return false;
    const auto operands = module_.operandsOf(id);
    for (std::size_t o = 0; o < operands.size(); ++o)
      if (operands[o].text.begin >= op.head.begin + outs && isResultOf(names, operands[o].value) &&
          isRead(id, operands.size() - 1 - o))
        return true;
    return false;
  }

  bool isResultOf(const std::vector<bool>& names, mlir::ValueId value) const {
    return value.valid() && module_.value(value).kind == mlir::ValueKind::Result &&
           names[module_.op(module_.value(value).op).nameNumber];
  }

  /// Whether a result that is used depends on the initial value of the out that is `fromLast`
  /// before the last one.
  bool isRead(mlir::OpId id, std::size_t fromLast) const {
    if (module_.nameOf(id) != "linalg.generic") return true;
    const auto regions = module_.regionsOf(id);
    if (regions.empty() || module_.blocksOf(regions.front()).empty()) return false;
    const mlir::BlockId block = module_.blocksOf(regions.front()).front();
    const mlir::IndexRange arguments = module_.block(block).arguments;
    if (fromLast >= arguments.size()) return false;
    std::set<mlir::ValueId> depends{
        mlir::ValueId(static_cast<std::uint32_t>(arguments.end - 1 - fromLast))};
    for (const mlir::OpId inner : module_.opsOf(block))
      if (module_.nameOf(inner) == "linalg.yield") return yieldsForUse(id, inner, depends);
      else if (!module_.regionsOf(inner).empty() || usesAnyOf(inner, depends))
        for (std::size_t r = 0; r < module_.op(inner).results.size(); ++r)
          depends.insert(resultOf(inner, r));
    return false;
  }

  mlir::ValueId resultOf(mlir::OpId id, std::size_t index) const {
    return mlir::ValueId(static_cast<std::uint32_t>(module_.op(id).results.begin + index));
  }

  bool usesAnyOf(mlir::OpId id, const std::set<mlir::ValueId>& values) const {
    const auto operands = module_.operandsOf(id);
    return std::any_of(operands.begin(), operands.end(),
                       [&](const mlir::Operand& o) { return values.contains(o.value); });
  }

  /// Whether an operation yields one of the values as a result that is used.
  bool yieldsForUse(mlir::OpId id, mlir::OpId yield, const std::set<mlir::ValueId>& values) const {
    const auto operands = module_.operandsOf(yield);
    for (std::size_t r = 0; r < operands.size() && r < module_.op(id).results.size(); ++r)
      if (values.contains(operands[r].value) && !module_.usesOf(resultOf(id, r)).empty())
        return true;
    return false;
  }

  /// The types of `%1 = tensor.cast %0 : A to B`, `%1 = torch.x %0 : A to B` or `%1 = "x"(%0) : (A)
  /// -> B`.
  std::pair<std::string_view, std::string_view> castTypes(mlir::OpId id) const {
    const mlir::Op& op = module_.op(id);
    const std::string_view to = module_.typeOf(mlir::ValueId(op.results.begin)).of(module_.text);
    const mlir::ValueId operand = module_.operandsOf(id).front().value;
    std::string_view from =
        operand.valid() ? module_.typeOf(operand).of(module_.text) : std::string_view();
    const std::string_view head = op.head.of(module_.text);
    if (const std::size_t colon = head.rfind(" : ");
        from.empty() && colon != std::string_view::npos) {
      from = head.substr(colon + 3);
      from = from.substr(0, from.find(" to "));
    }
    return {from, to};
  }

  bool mayBeLeft(std::string_view op) const {
    const std::vector<std::string>& left = spec_.contract->left;
    return dialectOf(op) == "builtin" ||
           std::find(left.begin(), left.end(), dialectOf(op)) != left.end() ||
           std::find(left.begin(), left.end(), op) != left.end();
  }
  const lower::WarnedDialect* warned(std::string_view dialect) const {
    for (const lower::WarnedDialect& each : spec_.contract->warned)
      if (each.dialect == dialect) return &each;
    return nullptr;
  }

  void checkDialects() {
    std::vector<bool> isStrange(module_.names.size());
    bool any = false;
    for (std::size_t i = 0; i < module_.names.size(); ++i) {
      // A name without a dialect is that of a form this reader does not know.
      const std::string_view name = module_.names[static_cast<std::uint32_t>(i)];
      isStrange[i] = name.find('.') != std::string_view::npos && !mayBeLeft(name);
      any |= isStrange[i];
    }
    if (any) leftOperations(isStrange);
    leftTypes();
  }

  void leftOperations(const std::vector<bool>& isStrange) {
    using Position = std::map<fx::NodeId, std::size_t>;  // the breach of each node
    std::map<std::pair<std::string_view, std::string_view>, Position>
        positions;  // by operation and target
    for (std::size_t i = 0; i < module_.ops.size(); ++i) {
      if (!isStrange[module_.ops[i].nameNumber]) continue;
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      const std::string_view name = module_.nameOf(id);
      const lower::WarnedDialect* warning = warned(dialectOf(name));
      // The end of a body comes with its operation.
      if (warning != nullptr && name.ends_with(".yield")) continue;
      const auto nodes = text_.nodesOf(id);
      const fx::NodeId node = nodes.empty() ? fx::NodeId() : nodes.front();
      const bool known = node.valid() && node.index() < user_.nodes.size();
      const std::string_view target =
          known ? std::string_view(user_.node(node).target) : std::string_view();
      if (positions.size() >= kMaxBreaches && !positions.contains({name, target})) continue;
      if (!positions[{name, target}].try_emplace(known ? node : fx::NodeId(), out_.size()).second)
        continue;
      Breach& breach = add(Rule::Left, node, leftMessage(name, target, warning));
      breach.dialect = dialectOf(name);
      breach.finding.op = name;
      if (warning != nullptr) breach.finding.severity = fx::Severity::Warning;
    }
    for (const auto& [key, position] : positions)
      for (const auto& [node, breach] : position) out_[breach].finding.count = position.size();
  }

  std::string leftMessage(std::string_view op, std::string_view target,
                          const lower::WarnedDialect* warning) const {
    const std::string left = fmt::format("{} is left in {}", printable(op), spec_.stage.id);
    if (warning == nullptr) return left + ", which may hold only " + allowed();
    const auto& decompose = warning->decompose;
    const bool avoidable = std::find(decompose.begin(), decompose.end(), target) != decompose.end();
    return left + ": " + warning->message +
           (avoidable ? fmt::format("; --decompose {} lowers without it", target) : std::string());
  }
  std::string allowed() const {
    std::string out;
    for (const std::string& each : spec_.contract->left) out += (out.empty() ? "" : ", ") + each;
    return out;
  }

  /// Types such as `!torch.vtensor<..>` of a dialect that may not be left.
  void leftTypes() {
    std::set<std::string_view> seen;
    const std::string_view text = module_.text;
    for (std::size_t at = text.find('!'); at != std::string_view::npos;
         at = text.find('!', at + 1)) {
      const std::size_t end = mlir::afterAll(text, at + 1, mlir::kWord);
      const std::string_view name = text.substr(at + 1, end - at - 1);
      const std::size_t dot = name.find('.');
      if (dot == std::string_view::npos || dot == 0 || mayBeLeft(name) ||
          warned(dialectOf(name)) != nullptr || seen.contains(name))
        continue;
      const mlir::OpId id = module_.opAt(at);
      if (!id.valid() || isQuoted(id, at)) continue;
      if (const auto argument = unusedArgumentAt(id, at)) {
        leftArgument(name, *argument);
        continue;
      }
      seen.insert(name);
      const auto nodes = text_.nodesOf(id);
      Breach& breach = add(Rule::Left, nodes.empty() ? fx::NodeId() : nodes.front(),
                           fmt::format("a type !{} is left in {}, at {}", printable(name),
                                       spec_.stage.id, printable(module_.nameOf(id))));
      breach.dialect = "!" + std::string(name);
      breach.finding.op = module_.nameOf(id);
      if (seen.size() >= kMaxBreaches) return;
    }
  }
  /// The number of the function's argument whose type is at this offset, if it is None or a string
  /// in the program and nothing uses it.
  std::optional<std::size_t> unusedArgumentAt(mlir::OpId function, std::size_t offset) const {
    const auto regions = module_.regionsOf(function);
    if (module_.nameOf(function) != "func.func" || regions.empty() ||
        module_.blocksOf(regions.front()).empty())
      return std::nullopt;
    const mlir::IndexRange arguments =
        module_.block(module_.blocksOf(regions.front()).front()).arguments;
    for (std::size_t i = arguments.begin; i < arguments.end; ++i) {
      const mlir::ValueId argument(static_cast<std::uint32_t>(i));
      const TextRange type = module_.typeOf(argument);
      if (offset < type.begin || offset >= type.end || !module_.usesOf(argument).empty()) continue;
      const std::size_t number = i - arguments.begin;
      const auto& promised = promise_.signature().arguments;
      const std::string_view text = type.of(module_.text);
      const bool isConstant = text == "!torch.none" || text == "!torch.str";
      if (isConstant && number < promised.size() && promised[number] == text) return number;
    }
    return std::nullopt;
  }
  /// An argument such as None, which nothing uses and which has no type in the output type.
  void leftArgument(std::string_view type, std::size_t number) {
    Breach& breach = add(Rule::Left, promise_.argumentNode(number),
                         fmt::format("a type !{} is left in {}, at the unused argument {}",
                                     printable(type), spec_.stage.id, number));
    breach.position = number;
    breach.dialect = "!" + std::string(type);
    breach.finding.op = "func.func";
    breach.finding.severity = fx::Severity::Warning;
  }
  /// Whether an offset in an operation is in a string.
  bool isQuoted(mlir::OpId id, std::size_t offset) const {
    bool quoted = false;
    for (std::size_t i = module_.op(id).text.begin; i < offset; ++i) {
      if (module_.text[i] == '\\' && quoted) ++i;
      else if (module_.text[i] == '"') quoted = !quoted;
    }
    return quoted;
  }

  const lower::OutputTypeSpec& spec_;
  const Promise& promise_;
  const Text& text_;
  const mlir::Module& module_;
  const fx::Program& user_;
  const GivenSizes given_;
  const std::string_view pass_;  ///< that the text is the result of; "" for a stage
  std::vector<Breach> out_;
};

}  // namespace

bool isSame(const Breach& a, const Breach& b) {
  return a.rule == b.rule && a.result == b.result && a.position == b.position &&
         a.dialect == b.dialect && a.finding.node == b.finding.node;
}

Text textOf(const mlir::Document& document) {
  return {document.module, [&document](mlir::OpId id) { return document.nodesOf(id); }};
}

std::vector<Breach> check(const lower::OutputTypeSpec& spec, const Promise& promise,
                          const Text& text, const fx::Program& user) {
  return Checker(spec, promise, text, user, "").run();
}

std::vector<fx::Finding> findingsIn(const lower::OutputTypeSpec& spec, const std::string& raw,
                                    const std::string& lowered, const fx::Program& user) {
  const mlir::Document before(raw), after(lowered);
  std::vector<fx::Finding> out;
  for (Breach& breach : check(spec, Promise(before), textOf(after), user))
    out.push_back(std::move(breach.finding));
  return out;
}

std::vector<fx::Finding> errorsIn(const lower::OutputTypeSpec& spec, const std::string& raw,
                                  const std::string& lowered, const fx::Program& user) {
  std::vector<fx::Finding> out = findingsIn(spec, raw, lowered, user);
  std::erase_if(out, [](const fx::Finding& f) { return f.severity != fx::Severity::Error; });
  return out;
}

bool isKept(const std::vector<fx::Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(), [](const fx::Finding& f) {
    return f.severity == fx::Severity::Error && f.kind == kKind;
  });
}

std::vector<Breach> checkSnapshot(const lower::OutputTypeSpec& spec, const Promise& promise,
                                  const trace::Trace& trace, std::size_t snapshot,
                                  const fx::Program& user) {
  const auto open = trace.open(snapshot);
  if (!open) return {};
  const auto origins = trace.origins(snapshot);
  const Text text{*(*open)->module, [&origins](mlir::OpId id) {
                    const trace::OpOrigin origin = origins->of(id);
                    return std::vector<fx::NodeId>(origin.nodes.begin(), origin.nodes.end());
                  }};
  const int pass = trace.passes().snapshots[snapshot].pass;
  return Checker(spec, promise, text, user,
                 pass < 0 ? std::string_view()
                          : trace.passes().passes[static_cast<std::size_t>(pass)].pass)
      .run();
}

std::optional<Origin> passOf(const Breach& breach, const lower::OutputTypeSpec& spec,
                             const Promise& promise, const fx::Program& user,
                             const trace::Trace& trace) {
  const lower::PassTrace& passes = trace.passes();
  bool isBegin = true;
  for (std::size_t i = 0; i < passes.snapshots.size(); ++i) {
    const lower::IrSnapshot& snapshot = passes.snapshots[i];
    if (snapshot.pass < 0 || snapshot.stage != spec.stage.id) continue;
    std::vector<Breach> found = checkSnapshot(spec, promise, trace, i, user);
    auto first = std::find_if(found.begin(), found.end(),
                              [&](const Breach& each) { return isSame(each, breach); });
    if (first == found.end() && breach.rule == Rule::Narrowed) {
      // A cast moves to earlier nodes: it comes from the nearest one that has it now.
      for (auto each = found.begin(); each != found.end(); ++each)
        if (each->rule == breach.rule && !(each->finding.node < breach.finding.node) &&
            (first == found.end() || each->finding.node < first->finding.node))
          first = each;
    }
    const bool wasThere = std::exchange(isBegin, false) && breach.rule == Rule::Left;
    if (first == found.end()) continue;
    if (wasThere) return std::nullopt;  // perhaps before the stage
    return Origin{passes.passes[static_cast<std::size_t>(snapshot.pass)].pass, std::move(*first)};
  }
  return std::nullopt;
}

}  // namespace fxs::contract
