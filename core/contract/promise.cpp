#include "contract/promise.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "mlir/text/token_ends.h"

namespace fxs::contract {
namespace {

bool isInteger(std::string_view element) {
  return !element.empty() && std::all_of(element.begin(), element.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "si64", "ui64" and "i64" as "i64"; `complex<..>` and floats as they are.
std::string_view signless(std::string_view element) {
  if ((element.starts_with("si") || element.starts_with("ui")) && isInteger(element.substr(2))) return element.substr(1);
  return element;
}

std::optional<std::int64_t> sizeOf(std::string_view text) {
  if (text == "?") return kDynamic;
  std::int64_t size = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), size);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || size < 0) return std::nullopt;
  return size;
}

/// The parts of `a, b`, without the commas in brackets; none for "".
std::vector<std::string_view> listed(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    if (const std::string_view part = trimmed(text.substr(begin, end - begin)); !part.empty()) out.push_back(part);
    begin = end + 1;
  };
  mlir::walkTopLevel(text, 0, text.size(), [&](std::size_t i) {
    if (text[i] == ',') take(i);
    return false;
  });
  take(text.size());
  return out;
}

/// The operand types of a return: `return %a, %b : f32, i64` or `"func.return"(%a, %b) : (f32, i64) -> ()`.
std::vector<std::string_view> returnedTypes(std::string_view head) {
  std::size_t colon = 0;
  mlir::walkTopLevel(head, 0, head.size(), [&](std::size_t i) {
    if (head[i] == ':') colon = i + 1;
    return false;
  });
  if (colon == 0) return {};
  std::string_view types = trimmed(head.substr(colon));
  if (types.starts_with('(')) {
    const std::size_t close = mlir::walkTopLevel(types, 1, types.size(), [](std::size_t) { return false; });
    types = types.substr(1, close - 1);
  }
  return listed(types);
}

/// The name of a function: of `func.func private @f(` or of `sym_name = "f"`.
std::string_view symbolOf(const mlir::Module& module, const mlir::Op& op) {
  const std::string_view head = op.head.of(module.text);
  if (head.starts_with('"')) {
    constexpr std::string_view kName = "sym_name = \"";
    const std::size_t at = head.find(kName);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + kName.size();
    return head.substr(begin, head.find('"', begin) - begin);
  }
  const std::size_t at = head.find('@');
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + 1);
  if (!rest.starts_with('"')) return rest.substr(0, mlir::afterAll(rest, 0, mlir::kWord));
  return rest.substr(1, rest.find('"', 1) - 1);
}

std::optional<Function> functionOf(const mlir::Module& module, mlir::OpId id) {
  const auto regions = module.regionsOf(id);
  if (regions.empty() || module.blocksOf(regions.front()).empty()) return std::nullopt;
  const auto blocks = module.blocksOf(regions.front());
  const auto ops = module.opsOf(blocks.back());
  if (ops.empty() || module.nameOf(ops.back()) != "func.return") return std::nullopt;
  Function out;
  out.op = id;
  const mlir::Block& entry = module.block(blocks.front());
  for (std::uint32_t i = entry.arguments.begin; i < entry.arguments.end; ++i) {
    const mlir::ValueId argument(i);
    out.signature.arguments.push_back(module.typeOf(argument).of(module.text));
    out.argumentValues.push_back(argument);
  }
  const mlir::Op& last = module.op(ops.back());
  out.signature.results = returnedTypes(last.head.of(module.text));
  for (const mlir::Operand& operand : module.operandsOf(ops.back())) out.resultValues.push_back(operand.value);
  out.resultValues.resize(out.signature.results.size());
  return out;
}

/// The function that the importer wrote: the only one that is not private.
std::pair<std::optional<Function>, std::string> firstFunction(const mlir::Module& module) {
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(static_cast<std::uint32_t>(i));
    if (module.nameOf(id) != "func.func") continue;
    const std::string_view head = module.ops[i].head.of(module.text);
    if (head.find("func.func private") != std::string_view::npos || head.find("sym_visibility = \"private\"") != std::string_view::npos)
      continue;
    if (auto found = functionOf(module, id)) return {std::move(found), std::string(symbolOf(module, module.ops[i]))};
  }
  return {};
}

}  // namespace

std::optional<TensorType> tensorType(std::string_view type) {
  constexpr std::string_view kTorch = "!torch.vtensor<[";
  constexpr std::string_view kTorchMutable = "!torch.tensor<[";
  TensorType out;
  if (!type.ends_with('>')) return std::nullopt;
  if (type.starts_with(kTorch) || type.starts_with(kTorchMutable)) {
    const std::size_t open = type.find('[');
    const std::size_t close = type.find(']', open);
    if (close == std::string_view::npos || type.substr(close, 2) != "],") return std::nullopt;
    for (const std::string_view size : listed(type.substr(open + 1, close - open - 1))) {
      const auto number = sizeOf(size);
      if (!number) return std::nullopt;
      out.sizes.push_back(*number);
    }
    out.element = type.substr(close + 2, type.size() - close - 3);
  } else if (type.starts_with("tensor<") || type.starts_with("memref<")) {
    std::string_view rest = type.substr(7, type.size() - 8);
    for (std::size_t x = rest.find('x'); x != std::string_view::npos; x = rest.find('x')) {
      const auto number = sizeOf(rest.substr(0, x));
      if (!number) break;
      out.sizes.push_back(*number);
      rest.remove_prefix(x + 1);
    }
    if (rest.starts_with('*')) return std::nullopt;
    // An encoding or layout may follow.
    out.element = listed(rest).empty() ? rest : listed(rest).front();
  } else {
    return std::nullopt;
  }
  // `!torch.vtensor<[2],si64,#sparse>`
  if (const auto parts = listed(out.element); !parts.empty()) out.element = parts.front();
  return out;
}

bool isSameElement(std::string_view program, std::string_view text) {
  return program.starts_with('!') || program == "unk" || signless(program) == signless(text);
}

std::optional<Function> functionIn(const mlir::Module& module, std::string_view name) {
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const mlir::OpId id(static_cast<std::uint32_t>(i));
    if (module.nameOf(id) == "func.func" && symbolOf(module, module.ops[i]) == name) return functionOf(module, id);
  }
  return std::nullopt;
}

Promise::Promise(const mlir::Document& raw) : raw_(raw) {
  const mlir::Module& module = raw.module;
  auto [found, name] = firstFunction(module);
  if (!found) return;
  name_ = std::move(name);
  signature_ = std::move(found->signature);
  for (const mlir::ValueId argument : found->argumentValues) {
    const auto nodes = raw.locations.nodes(module.value(argument).location.of(module.text));
    argumentNodes_.push_back(nodes.empty() ? fx::NodeId() : nodes.front());
  }
  for (const mlir::ValueId result : found->resultValues) {
    fx::NodeId node;
    if (result.valid()) {
      const mlir::Value& value = module.value(result);
      const auto nodes =
          value.kind == mlir::ValueKind::Result ? raw.nodesOf(value.op) : raw.locations.nodes(value.location.of(module.text));
      if (!nodes.empty()) node = nodes.front();
    }
    resultNodes_.push_back(node);
  }
}

bool Promise::isSymbolic(fx::NodeId node, std::size_t rank, std::size_t dimension) const {
  const mlir::Module& module = raw_.module;
  if (!indexed_) {
    indexed_ = true;
    for (std::size_t i = 0; i < module.ops.size(); ++i) {
      const mlir::OpId id(static_cast<std::uint32_t>(i));
      for (const fx::NodeId at : raw_.nodesOf(id)) {
        if (opsOf_.size() <= at.index()) opsOf_.resize(at.index() + 1);
        opsOf_[at.index()].push_back(id);
      }
    }
  }
  if (!node.valid() || node.index() >= opsOf_.size()) return false;
  bool any = false;
  bool fixed = false;
  const auto look = [&](mlir::ValueId value) {
    const auto type = value.valid() ? tensorType(module.typeOf(value).of(module.text)) : std::nullopt;
    if (!type || type->sizes.size() != rank) return;
    any = true;
    fixed |= type->sizes[dimension] != kDynamic;
  };
  for (const mlir::OpId id : opsOf_[node.index()]) {
    const mlir::Op& op = module.op(id);
    for (std::uint32_t i = op.results.begin; i < op.results.end; ++i) look(mlir::ValueId(i));
    for (const mlir::Operand& operand : module.operandsOf(id)) look(operand.value);
  }
  return any && !fixed;
}

}  // namespace fxs::contract
