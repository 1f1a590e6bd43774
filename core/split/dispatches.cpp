// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split/dispatches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.h"
#include "mlir/text/function_types.h"
#include "mlir/text/text_edits.h"
#include "mlir/text/token_ends.h"

namespace fxs::split {
namespace {

constexpr std::string_view kDispatch = "flow.dispatch";
constexpr std::string_view kFunction = "util.func";
constexpr std::string_view kInitializer = "util.initializer";

/// The name of the symbol at `at`, which is moved behind it; "" if there is none.
std::string takeSymbol(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] != '@') return {};
  const std::size_t begin = at + 1;
  if (begin < text.size() && text[begin] == '"') {
    at = mlir::afterQuoted(text, begin);
    return at > begin + 1 ? std::string(text.substr(begin + 1, at - begin - 2)) : std::string();
  }
  at = mlir::afterAll(text, begin, mlir::kWord);
  return std::string(text.substr(begin, at - begin));
}

/// Behind `%5` or `%5#1`.
std::size_t afterValueName(std::string_view text, std::size_t at) {
  std::size_t end = mlir::afterName(text, at);
  if (end + 1 < text.size() && text[end] == '#' && mlir::is(text[end + 1], mlir::kDigit))
    end = mlir::afterAll(text, end + 1, mlir::kDigit);
  return std::max(end, at + 1);
}

std::size_t afterBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

/// What a list in brackets has, which begins at `at`; `at` is moved behind it. One item without
/// brackets ends with the text.
std::vector<std::string_view> takeList(std::string_view text, std::size_t& at) {
  if (at >= text.size() || (text[at] != '(' && text[at] != '[')) {
    const std::string_view item = trimmed(text.substr(std::min(at, text.size())));
    at = text.size();
    return item.empty() ? std::vector<std::string_view>() : std::vector{item};
  }
  const std::size_t end = mlir::afterBracket(text, at);
  if (end == std::string_view::npos) {
    at = text.size();
    return {};
  }
  std::vector<std::string_view> out = mlir::topLevelParts(text.substr(at + 1, end - at - 2));
  at = end;
  return out;
}

/// `tensor<?x8xf32>{%0}` as its type and the names of its sizes.
DispatchValue typedValue(std::string_view item) {
  DispatchValue out;
  const std::size_t brace =
      mlir::walkTopLevel(item, 0, item.size(), [&](std::size_t i) { return item[i] == '{'; });
  out.type = trimmed(item.substr(0, brace));
  if (brace >= item.size()) return out;
  const std::size_t end = std::min(mlir::afterBracket(item, brace), item.size());
  for (const std::string_view size : mlir::topLevelParts(item.substr(brace + 1, end - brace - 2)))
    out.sizes.emplace_back(size);
  return out;
}

/// Reads the text of one call.
class CallReader {
 public:
  CallReader(const mlir::Module& module, mlir::OpId id)
      : module_(module), op_(module.op(id)), head_(op_.head.of(module.text)) {}

  /// Leaves `untaken` for what it does not know.
  void read(DispatchCall& out) {
    const std::size_t name = op_.name.begin - op_.head.begin;
    std::size_t at = afterBlanks(head_, name + kDispatch.size());
    out.executable = takeSymbol(head_, at);
    if (head_.substr(std::min(at, head_.size())).starts_with("::")) {
      at += 2;
      out.function = takeSymbol(head_, at);
    }
    if (out.executable.empty() || out.function.empty()) {
      out.untaken = "the call does not name one dispatch";
      return;
    }
    if (at < head_.size() && head_[at] == '[') takeList(head_, at);
    const std::vector<std::string_view> arguments = takeList(head_, at);
    const std::size_t colon =
        mlir::walkTopLevel(head_, at, head_.size(), [&](std::size_t i) { return head_[i] == ':'; });
    at = afterBlanks(head_, colon + 1);
    const std::vector<std::string_view> types = takeList(head_, at);
    const std::size_t arrow = head_.find("->", std::min(at, head_.size()));
    if (arguments.size() != types.size() || arrow == std::string_view::npos) {
      out.untaken = "the text of the call is not known";
      return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) addOperand(arguments[i], types[i], out);
    at = afterBlanks(head_, arrow + 2);
    addResults(takeList(head_, at), out);
    addOthers(out);
    findConstants(out);
  }

 private:
  void addOperand(std::string_view name, std::string_view type, DispatchCall& out) {
    if (find(name, out) != nullptr) return;
    DispatchValue value = typedValue(type);
    value.name = name;
    out.operands.push_back(std::move(value));
  }

  static const DispatchValue* find(std::string_view name, const DispatchCall& call) {
    const auto found = std::find_if(call.operands.begin(), call.operands.end(),
                                    [&](const DispatchValue& value) { return value.name == name; });
    return found == call.operands.end() ? nullptr : &*found;
  }

  /// `tensor<4xf32>`, `%0 as tensor<?xf32>{%1}` or `%0{%1}`: a result in the memory of an operand.
  void addResults(const std::vector<std::string_view>& items, DispatchCall& out) {
    const std::size_t count = op_.results.size();
    if (items.size() != count) {
      out.untaken = "the text of the call is not known";
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::string_view item = items[i];
      const std::size_t as = item.find(" as ");
      if (item.starts_with('%') && as != std::string_view::npos) item.remove_prefix(as + 4);
      DispatchValue value = typedValue(item);
      if (value.type.starts_with('%')) {
        const DispatchValue* tied = find(value.type, out);
        value.type = tied == nullptr ? std::string() : tied->type;
      }
      value.name = module_.values[op_.results.begin].name.of(module_.text);
      if (count > 1) value.name += "#" + std::to_string(i);
      out.results.push_back(std::move(value));
    }
  }

  /// Values of the workload and of sizes.
  void addOthers(DispatchCall& out) {
    std::vector<std::string> others;
    for (std::uint32_t i = op_.operands.begin; i < op_.operands.end; ++i)
      others.emplace_back(module_.operands[i].text.of(module_.text));
    for (const auto* values : {&out.operands, &out.results})
      for (const DispatchValue& value : *values)
        others.insert(others.end(), value.sizes.begin(), value.sizes.end());
    for (std::string& name : others)
      if (find(name, out) == nullptr) out.operands.push_back({std::move(name), "index", {}, {}});
  }

  void findConstants(DispatchCall& out) {
    std::map<std::string_view, mlir::ValueId> values;
    for (std::uint32_t i = op_.operands.begin; i < op_.operands.end; ++i)
      values[module_.operands[i].text.of(module_.text)] = module_.operands[i].value;
    for (DispatchValue& operand : out.operands) {
      const auto known = values.find(operand.name);
      if (known == values.end()) continue;  // of a size
      if (!known->second.valid()) {
        out.untaken = "the value " + operand.name + " is not known";
        return;
      }
      const mlir::OpId by = module_.value(known->second).op;
      if (module_.value(known->second).kind == mlir::ValueKind::Result &&
          module_.nameOf(by) == "arith.constant" && !operand.type.starts_with("tensor<"))
        operand.definition = trimmed(module_.op(by).head.of(module_.text));
      if (operand.definition.find(" = ") == std::string::npos) operand.definition.clear();
    }
  }

  const mlir::Module& module_;
  const mlir::Op& op_;
  const std::string_view head_;
};

mlir::OpId callerOf(const mlir::Module& module, mlir::OpId id) {
  while (id.valid() && module.nameOf(id) != kFunction && module.nameOf(id) != kInitializer)
    id = module.op(id).parent;
  return id;
}

/// Whether the operation is in the first block of the region, where it runs exactly once.
bool runsOnce(const mlir::Module& module, mlir::OpId id, mlir::OpId caller) {
  const auto regions = module.regionsOf(caller);
  if (regions.empty() || module.blocksOf(regions.front()).empty()) return false;
  return module.op(id).block == module.blocksOf(regions.front()).front();
}

bool isStatic(const DispatchValue& value) { return value.sizes.empty(); }

/// "" if the values can be results of the program.
std::string untakenOf(const mlir::Module& module, const DispatchCall& call,
                      std::string_view function) {
  if (!call.caller.valid()) return "it is called outside of functions";
  const bool isInitializer = module.nameOf(call.caller) == kInitializer;
  if (!isInitializer && mlir::symbolOf(module, module.op(call.caller)) != function)
    return "it is called by another function than the one that is run";
  if (!runsOnce(module, call.op, call.caller)) return "it is called in a branch or a loop";
  for (const auto* values : {&call.operands, &call.results})
    for (const DispatchValue& value : *values) {
      if (value.type.find('#') != std::string::npos || value.type.empty())
        return "it takes or gives a value of type " + value.type;
      if (isInitializer && !isStatic(value))
        return "it is called before the program is, with dynamic sizes";
    }
  return {};
}

std::string withSizes(const DispatchValue& value) {
  if (value.sizes.empty()) return value.type;
  std::string out = value.type + "{";
  for (std::size_t i = 0; i < value.sizes.size(); ++i) out += (i == 0 ? "" : ", ") + value.sizes[i];
  return out + "}";
}

bool isTensor(const DispatchValue& value) { return value.type.starts_with("tensor<"); }
/// The type by which it passes the program's boundary.
std::string outerType(const DispatchValue& value) {
  if (isTensor(value)) return "!hal.buffer_view";
  return value.type == "index" ? "i64" : value.type;
}

mlir::OpId functionNamed(const mlir::Module& module, std::string_view name) {
  for (std::size_t i = 0; i < module.ops.size(); ++i)
    if (module.nameOf(mlir::OpId::of(i)) == kFunction &&
        mlir::symbolOf(module, module.ops[i]) == name)
      return mlir::OpId::of(i);
  return {};
}

/// Writes the module with further results.
class ValuesAsResults {
 public:
  ValuesAsResults(const mlir::Module& module, mlir::OpId function)
      : module_(module), function_(function) {}

  void add(const DispatchCall& call) {
    for (const auto* values : {&call.operands, &call.results})
      for (const DispatchValue& value : *values)
        if (value.definition.empty() && known_.emplace(call.caller, value.name).second)
          add(value, call.caller);
  }

  Result<ModuleWithValues> write() {
    if (!extendSignature())
      return fail(ErrorCode::Unsupported, "the function's results cannot be extended");
    for (std::size_t i = 0; i < module_.ops.size(); ++i) {
      const mlir::OpId id = mlir::OpId::of(i);
      if (module_.nameOf(id) != "util.return") continue;
      const mlir::OpId caller = module_.op(id).parent;
      if (caller == function_) extendReturn(id);
      else if (const auto stores = stores_.find(caller); stores != stores_.end())
        edits_.insert(module_.op(id).text.begin, stores->second);
    }
    for (const auto& [caller, globals] : globals_)
      edits_.insert(module_.op(caller).text.begin, globals);
    return ModuleWithValues{edits_.applied(module_.text), ownResults_, std::move(values_)};
  }

 private:
  void add(const DispatchValue& value, mlir::OpId caller) {
    const std::size_t n = values_.size();
    values_.push_back({caller, value});
    std::string name = value.name;
    if (caller != function_) {
      const std::string global = fmt::format("@fxscope_value_{}", n);
      globals_[caller] +=
          fmt::format("util.global private mutable {} : {}\n  ", global, value.type);
      stores_[caller] +=
          fmt::format("util.global.store {}, {} : {}\n    ", name, global, value.type);
      name = fmt::format("%fxscope_loaded_{}", n);
      lines_ += fmt::format("{} = util.global.load {} : {}\n    ", name, global, value.type);
    }
    if (isTensor(value)) {
      lines_ += fmt::format("%fxscope_{0} = hal.tensor.export {1} \"value{0}\" : {2} -> {3}\n    ",
                            n, name, withSizes(value), outerType(value));
      name = fmt::format("%fxscope_{}", n);
    } else if (value.type == "index") {
      lines_ += fmt::format("%fxscope_{} = arith.index_cast {} : index to i64\n    ", n, name);
      name = fmt::format("%fxscope_{}", n);
    }
    names_ += (n == 0 ? "" : ", ") + name;
    types_ += (n == 0 ? "" : ", ") + outerType(value);
  }

  bool extendSignature() {
    if (values_.empty()) return true;
    const std::string_view text = module_.text;
    const mlir::Op& op = module_.op(function_);
    std::size_t at = text.find('@', op.head.begin);
    if (at >= op.head.end || takeSymbol(text, at).empty() || at >= op.head.end || text[at] != '(')
      return false;
    at = mlir::afterBracket(text, at);
    if (at == std::string_view::npos || at > op.head.end) return false;
    const std::size_t arrow = afterBlanks(text, at);
    if (!text.substr(arrow).starts_with("->")) {
      edits_.insert(at, " -> (" + types_ + ")");
      return true;
    }
    const std::size_t begin = afterBlanks(text, arrow + 2);
    if (begin >= op.head.end) return false;
    if (text[begin] == '(') {
      const std::size_t end = mlir::afterBracket(text, begin);
      if (end == std::string_view::npos || end > op.head.end) return false;
      const bool none = trimmed(text.substr(begin + 1, end - begin - 2)).empty();
      edits_.insert(end - 1, (none ? "" : ", ") + types_);
      return true;
    }
    const std::size_t end =
        mlir::walkTopLevel(text, begin, op.head.end, [&](std::size_t i) { return text[i] == ' '; });
    edits_.insert(begin, "(");
    edits_.insert(end, ", " + types_ + ")");
    return true;
  }

  void extendReturn(mlir::OpId id) {
    const mlir::Op& op = module_.op(id);
    ownResults_ = op.operands.size();
    if (values_.empty()) return;
    edits_.insert(op.text.begin, lines_);
    const std::string_view head = op.head.of(module_.text);
    const std::size_t end = op.head.begin + trimmedLength(head);
    const std::size_t colon =
        mlir::walkTopLevel(head, 0, head.size(), [&](std::size_t i) { return head[i] == ':'; });
    if (op.operands.size() == 0 || colon >= head.size()) {
      edits_.insert(end, " " + names_ + " : " + types_);
      return;
    }
    edits_.insert(op.head.begin + trimmedLength(head.substr(0, colon)), ", " + names_);
    edits_.insert(end, ", " + types_);
  }

  static std::size_t trimmedLength(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
    return text.size();
  }

  const mlir::Module& module_;
  const mlir::OpId function_;
  std::set<std::pair<mlir::OpId, std::string>> known_;
  std::vector<CallValue> values_;
  std::size_t ownResults_ = 0;
  std::string names_, types_, lines_;
  std::map<mlir::OpId, std::string> globals_, stores_;  // by initializer
  mlir::TextEdits edits_;
};

}  // namespace

Dispatches dispatchesIn(const mlir::Module& module, std::string_view function) {
  Dispatches out;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    if (module.nameOf(id) == "flow.executable") {
      out.executables.emplace_back(mlir::symbolOf(module, module.ops[i]));
    } else if (module.nameOf(id) == kDispatch) {
      DispatchCall& call = out.calls.emplace_back();
      call.op = id;
      call.caller = callerOf(module, id);
      CallReader(module, id).read(call);
      if (call.untaken.empty()) call.untaken = untakenOf(module, call, function);
    }
  }
  return out;
}

std::vector<std::string> argumentTypes(const mlir::Module& module, std::string_view function) {
  std::vector<std::string> out;
  const mlir::OpId id = functionNamed(module, function);
  if (!id.valid() || module.regionsOf(id).empty()) return out;
  const auto blocks = module.blocksOf(module.regionsOf(id).front());
  if (blocks.empty()) return out;
  const mlir::IndexRange arguments = module.block(blocks.front()).arguments;
  for (std::uint32_t i = arguments.begin; i < arguments.end; ++i)
    out.emplace_back(module.typeOf(mlir::ValueId(i)).of(module.text));
  return out;
}

Result<ModuleWithValues> withValuesOf(const mlir::Module& module, std::string_view function,
                                      const std::vector<const DispatchCall*>& calls) {
  const mlir::OpId id = functionNamed(module, function);
  if (!id.valid())
    return fail(ErrorCode::Unsupported,
                "the module has no function '" + std::string(function) + "'");
  ValuesAsResults out(module, id);
  for (const DispatchCall* call : calls) out.add(*call);
  return out.write();
}

namespace {

/// Code for the processor that compiles it, where the text names another one.
std::string forThisProcessor(std::string text) {
  if (text.find("\"llvm-cpu\"") == std::string::npos) return text;
  for (const std::string_view key : {"cpu = \"", "cpu_features = \""}) {
    const std::size_t at = text.find(key);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + key.size(), end = text.find('"', begin);
    if (end == std::string::npos || text.compare(begin, end - begin, "generic") == 0) return text;
    text.replace(begin, end - begin, "host");
  }
  return text;
}

bool names(std::string_view text, std::string_view symbol) {
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    std::size_t end = at;
    if (takeSymbol(text, end) == symbol) return true;
  }
  return false;
}

/// Writes the function that calls one dispatch.
class Alone {
 public:
  Alone(const mlir::Module& module, const DispatchCall& call) : module_(module), call_(call) {
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      inner_[call.operands[i].name] = fmt::format("%v{}", i);
    const std::string result = "%r";
    for (std::size_t i = 0; i < call.results.size(); ++i)
      inner_[call.results[i].name] =
          call.results.size() == 1 ? result : fmt::format("{}#{}", result, i);
  }

  std::string function() {
    std::string arguments, inside, imports;
    std::size_t count = 0;
    // Sizes come before the tensors that have them.
    for (const DispatchValue& operand : call_.operands) {
      const std::string& name = inner_.at(operand.name);
      if (!operand.definition.empty()) {
        const std::size_t equals = operand.definition.find(" = ");
        inside += "    " + name + operand.definition.substr(equals) + "\n";
        continue;
      }
      const bool direct = !isTensor(operand) && operand.type != "index";
      const std::string outer = direct ? name : fmt::format("%a{}", count);
      arguments += (count == 0 ? "" : ", ") + outer + ": " + outerType(operand);
      if (operand.type == "index")
        inside += fmt::format("    {} = arith.index_cast {} : i64 to index\n", name, outer);
      if (isTensor(operand))
        imports +=
            fmt::format("    {} = hal.tensor.import {} \"input{}\" : !hal.buffer_view -> {}\n",
                        name, outer, count, renamed(operand));
      ++count;
    }
    std::string returned, types;
    std::string exports;
    for (std::size_t i = 0; i < call_.results.size(); ++i) {
      const DispatchValue& result = call_.results[i];
      const std::string& name = inner_.at(result.name);
      const std::string outer = isTensor(result) ? fmt::format("%e{}", i) : name;
      if (isTensor(result))
        exports +=
            fmt::format("    {} = hal.tensor.export {} \"output{}\" : {} -> !hal.buffer_view\n",
                        outer, name, i, renamed(result));
      returned += (i == 0 ? "" : ", ") + outer;
      types += (i == 0 ? "" : ", ") + outerType(result);
    }
    return fmt::format(
        "  util.func public @{}({}) -> ({}) attributes {{iree.abi.stub}} {{\n{}{}    {}\n{}"
        "    util.return{}\n  }}\n",
        kAloneFunction, arguments, types, inside, imports, call(), exports,
        returned.empty() ? "" : " " + returned + " : " + types);
  }

 private:
  std::string renamed(const DispatchValue& value) const {
    DispatchValue out = value;
    for (std::string& size : out.sizes) size = inner_.at(size);
    return withSizes(out);
  }

  /// The operation with its values renamed, also those of sizes in types.
  std::string call() const {
    const mlir::Op& op = module_.op(call_.op);
    const std::string_view text = trimmed(
        module_.text.substr(op.name.begin, std::max(op.head.end, op.name.end) - op.name.begin));
    std::string written;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i + 1;
      if (text[i] == '"') end = mlir::afterQuoted(text, i);
      else if (text[i] == '%') end = afterValueName(text, i);
      const std::string part(text.substr(i, end - i));
      const auto name = inner_.find(part);
      written += name == inner_.end() ? part : name->second;
      i = end;
    }
    if (call_.results.empty()) return written;
    const std::string count =
        call_.results.size() == 1 ? "" : ":" + std::to_string(call_.results.size());
    return "%r" + count + " = " + written;
  }

  const mlir::Module& module_;
  const DispatchCall& call_;
  std::map<std::string, std::string> inner_;  // names in the function, by those in the program
};

}  // namespace

Result<std::string> callAlone(const mlir::Module& module, const DispatchCall& call) {
  if (module.top.empty() || module.regionsOf(module.top.front()).empty())
    return fail(ErrorCode::Unsupported, "the text is not a module");
  const mlir::OpId top = module.top.front();
  if (!call.caller.valid()) return fail(ErrorCode::Unsupported, call.untaken);
  for (const DispatchValue& result : call.results)
    for (const std::string& size : result.sizes)
      if (std::none_of(call.operands.begin(), call.operands.end(),
                       [&](const DispatchValue& value) { return value.name == size; }))
        return fail(ErrorCode::Unsupported, "the size " + size + " is not known");
  const std::size_t open = module.region(module.regionsOf(top).front()).text.begin;
  const std::string_view head = module.text.substr(0, open + 1);
  std::string globals(head);
  globals += "\n";
  std::string executable;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id = mlir::OpId::of(i);
    if (module.op(id).parent != top) continue;
    const std::string_view symbol = mlir::symbolOf(module, module.op(id));
    const std::string_view text = module.op(id).text.of(module.text);
    if (module.nameOf(id) == "util.global" && names(head, symbol))
      globals.append("  ").append(text).append("\n");
    else if (module.nameOf(id) == "flow.executable" && symbol == call.executable) executable = text;
  }
  if (executable.empty())
    return fail(ErrorCode::Unsupported, "the module has no executable '" + call.executable + "'");
  return forThisProcessor(std::move(globals)) + "  " + executable + "\n" +
         Alone(module, call).function() + "}\n";
}

namespace {

/// The content of a string literal of MLIR that begins at `quote`, and where it ends.
std::string literalAt(std::string_view text, std::size_t quote, std::size_t& end) {
  end = mlir::afterQuoted(text, quote);
  std::string out;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  const auto isHex = [](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  };
  for (std::size_t i = quote + 1; i + 1 < end; ++i) {
    if (text[i] != '\\') out += text[i];
    else if (i + 3 < end && isHex(text[i + 1]) && isHex(text[i + 2])) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else if (i + 2 < end) {
      const char escaped = text[++i];
      if (escaped == 'n') out += '\n';
      else if (escaped == 't') out += '\t';
      else out += escaped;
    }
  }
  return out;
}

}  // namespace

Result<ModuleParameters> parametersIn(std::string_view text) {
  constexpr std::string_view kParameter = "#flow.parameter.named<";
  ModuleParameters out;
  std::set<std::string> known;
  for (std::size_t at = text.find(kParameter); at != std::string_view::npos;
       at = text.find(kParameter, at + 1)) {
    std::size_t end = at + kParameter.size();
    if (end >= text.size() || text[end] != '"') continue;
    std::string scope, name = literalAt(text, end, end);
    if (text.substr(std::min(end, text.size())).starts_with("::\"")) {
      scope = std::move(name);
      name = literalAt(text, end + 2, end);
    }
    if (!out.names.empty() && scope != out.scope)
      return fail(ErrorCode::Unsupported, "the module's parameters are of several files");
    out.scope = std::move(scope);
    if (known.insert(name).second) out.names.push_back(std::move(name));
  }
  return out;
}

}  // namespace fxs::split
