// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random_module.h"

#include <algorithm>
#include <map>

namespace fxs::test {
namespace {

using Random = std::mt19937;
// Not std::uniform_int_distribution: its numbers differ from library to library.
int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<std::uint32_t>(limit));
}

class Maker {
 public:
  Maker(std::uint32_t seed, int size, bool distinct)
      : random_(seed), left_(size), distinct_(distinct) {}

  RandomModule make() {
    RandomOp function{"func.func", "sym_name = \"main\"", {}, {}, -1, {}};
    function.regions.push_back(region(0, 3));
    RandomOp module{"builtin.module", "", {}, {}, -1, {}};
    module.regions.push_back({RandomBlock{}});
    module.regions[0][0].ops.push_back(std::move(function));
    return {std::move(module), values_};
  }

 private:
  std::vector<RandomBlock> region(int depth, int arguments) {
    std::vector<RandomBlock> out(below(random_, 6) == 0 ? 2u : 1u);
    const std::size_t seen = visible_.size();
    for (std::size_t b = 0; b < out.size(); ++b) {
      const std::size_t seenInBlock = visible_.size();
      for (int i = 0; i < arguments; ++i) out[b].arguments.push_back(value());
      const int count =
          depth == 0 ? left_ / static_cast<int>(out.size()) + 1 : 1 + below(random_, 5);
      for (int i = 0; i < count && left_ > 0; ++i) out[b].ops.push_back(op(depth));
      RandomOp last{"d.end", "", {}, operands(), b + 1 < out.size() ? static_cast<int>(b) + 1 : -1,
                    {}};
      out[b].ops.push_back(std::move(last));
      if (b > 0) visible_.resize(seenInBlock);
    }
    visible_.resize(seen);
    return out;
  }

  RandomOp op(int depth) {
    --left_;
    RandomOp out;
    const int number = below(random_, 12);
    out.name = "d.op" + std::to_string(number);
    if (distinct_) out.attribute = "n = " + std::to_string(serial_++) + " : i32";
    else if (below(random_, 3) == 0)
      out.attribute = "a = " + std::to_string(below(random_, 4)) + " : i32";
    if (number > 2) out.operands = operands();
    if (depth < 4 && below(random_, 6) == 0)
      for (int r = 1 + below(random_, 2); r > 0; --r)
        out.regions.push_back(region(depth + 1, below(random_, 3)));
    for (int r = below(random_, 8) == 0 ? 2 : 1; r > 0; --r) out.results.push_back(value());
    return out;
  }

  std::vector<int> operands() {
    std::vector<int> out;
    for (int i = below(random_, 4); i > 0 && !visible_.empty(); --i)
      // Mostly near ones, as in real programs.
      out.push_back(
          visible_[visible_.size() - 1 -
                   static_cast<std::size_t>(below(
                       random_, static_cast<int>(std::min<std::size_t>(visible_.size(), 12))))]);
    return out;
  }
  int value() {
    visible_.push_back(values_);
    return values_++;
  }

  Random random_;
  int left_;
  bool distinct_;
  int values_ = 0, serial_ = 0;
  std::vector<int> visible_;
};

class Printer {
 public:
  explicit Printer(const Printing& printing) : printing_(printing), random_(printing.seed) {}

  Printed print(const RandomModule& module) {
    names_.resize(static_cast<std::size_t>(module.values));
    numbers_.resize(static_cast<std::size_t>(module.values));
    op(module.top, 0);
    std::string aliases;
    for (const auto& [body, name] : attributeAliases_) aliases += name + " = " + body + "\n";
    for (const auto& [name, body] : locationAliases_) out_.text += name + " = loc(" + body + ")\n";
    out_.text = aliases + out_.text;
    for (std::size_t at = 0; (at = out_.dump.find('\x01', at)) != std::string::npos;) {
      const std::size_t end = out_.dump.find('\x02', at);
      out_.dump.replace(at, end - at + 1,
                        std::to_string(blocks_.at(out_.dump.substr(at + 1, end - at - 1))));
    }
    return std::move(out_);
  }

 private:
  static std::string typeOf(int value) {
    static const std::vector<std::string> kTypes{"i32", "tensor<4x?xf32>", "!d.t<[1,2],si64>",
                                                 "memref<2xf32, strided<[1]>>", "(i1) -> i1"};
    return kTypes[static_cast<std::size_t>(value) % 4];
  }
  std::string defined(int value) {
    return names_[static_cast<std::size_t>(value)] + "[" +
           std::to_string(numbers_[static_cast<std::size_t>(value)]) + "]";
  }

  void define(const std::vector<int>& values, const std::string& name, bool together) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto v = static_cast<std::size_t>(values[i]);
      uses_[values[i]] = together && values.size() > 1 ? name + "#" + std::to_string(i) : name;
      names_[v] = name;
      numbers_[v] = next_++;
    }
  }
  std::string freshName() {
    const std::string serial = std::to_string(serial_++);
    switch (below(random_, 4)) {
      case 0: return "%arg" + serial;
      case 1: return "%a-b.c_" + serial;
      default: return "%" + serial;
    }
  }

  std::string location() {
    static const std::vector<std::string> kBodies{"unknown", "\"n\"(\"fx\":3:0)", "\"a)(\\\"b\"",
                                                  "fused[\"x\", \"f\":1:2]",
                                                  "callsite(\"f\" at \"g.py\":2:3)"};
    std::string body = kBodies[static_cast<std::size_t>(below(random_, 5))];
    if (!printing_.aliases) return body;
    std::string name = "#loc" + std::to_string(locationAliases_.size());
    locationAliases_.emplace_back(name, std::move(body));
    return name;
  }

  void op(const RandomOp& op, int depth) {
    const bool generic = printing_.generic;
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    std::string& text = out_.text;
    std::string operands, operandTypes, resultTypes;
    for (const int v : op.operands) {
      const auto use = uses_.find(v);
      operands += (operands.empty() ? "" : ", ") + (use == uses_.end() ? "%gone" : use->second);
      operandTypes += (operandTypes.empty() ? "" : ", ") + typeOf(v);
    }
    text += indent;
    out_.dump += indent + op.name;
    for (const int v : op.operands) out_.dump += " " + defined(v);
    if (!op.results.empty()) {
      const std::string name = freshName();
      define(op.results, name, true);
      text += name + (op.results.size() > 1 ? ":" + std::to_string(op.results.size()) : "") + " = ";
      for (const int v : op.results) {
        out_.dump += (v == op.results[0] ? " -> " : ", ") + defined(v) + ":" + typeOf(v);
        resultTypes += (resultTypes.empty() ? "" : ", ") + typeOf(v);
      }
    }
    if (op.successor >= 0)
      out_.dump += " ^\x01" + region_ + "." + std::to_string(op.successor) + "\x02";
    // The location is printed last, but the dump has it here.
    const std::string loc = printing_.locations ? location() : "";
    out_.dump += (loc.empty() ? "" : " @" + loc) + "\n";

    const std::string next = op.successor >= 0 ? "^bb" + std::to_string(op.successor) : "";
    text += generic
                ? "\"" + op.name + "\"(" + operands + ")" + (next.empty() ? "" : "[" + next + "]")
                : op.name + (operands.empty() ? "" : " " + operands) +
                      (next.empty() ? "" : (operands.empty() ? " " : ", ") + next);
    std::string attribute = op.attribute;
    if (printing_.aliases && attribute.find(" = ") != std::string::npos && below(random_, 2) == 0) {
      const std::string body = attribute.substr(attribute.find(" = ") + 3);
      const auto [at, fresh] = attributeAliases_.try_emplace(
          body, "#at" + std::to_string(printing_.seed % 7 + attributeAliases_.size()));
      attribute = attribute.substr(0, attribute.find(" = ") + 3) + at->second;
    }
    if (!attribute.empty()) text += (generic ? " <{" : " {") + attribute + (generic ? "}>" : "}");
    const std::string types = " : (" + operandTypes + ") -> (" + resultTypes + ")";
    // Types stand after the regions in the generic form, before them in most others.
    if (!generic) text += types;
    for (std::size_t r = 0; r < op.regions.size(); ++r) {
      text += r == 0 ? (generic ? " ({\n" : " {\n") : (generic ? ", {\n" : " else {\n");
      out_.dump += indent + "{\n";
      const std::string outer = region_;
      region_ = std::to_string(regions_++);
      for (std::size_t b = 0; b < op.regions[r].size(); ++b)
        block(op.regions[r][b], b, depth, indent);
      region_ = outer;
      text += indent + "}";
      out_.dump += indent + "}\n";
    }
    if (!op.regions.empty() && generic) text += ")";
    if (generic) text += types;
    text += (loc.empty() ? "" : " loc(" + loc + ")") + "\n";
  }

  void block(const RandomBlock& block, std::size_t index, int depth, const std::string& indent) {
    blocks_[region_ + "." + std::to_string(index)] = nextBlock_;
    if (index > 0 || !block.arguments.empty()) {
      out_.text += indent + "^bb" + std::to_string(index);
      out_.dump += indent + "^" + std::to_string(nextBlock_) + "^bb" + std::to_string(index);
      for (const int v : block.arguments) {
        define({v}, freshName(), false);
        const std::string loc = printing_.locations ? location() : "";
        out_.text += (v == block.arguments[0] ? "(" : ", ") + uses_[v] + ": " + typeOf(v) +
                     (loc.empty() ? "" : " loc(" + loc + ")");
        out_.dump += " " + defined(v) + ":" + typeOf(v) + (loc.empty() ? "" : "@" + loc);
      }
      out_.text += block.arguments.empty() ? ":  // pred\n" : "):\n";
      out_.dump += "\n";
    }
    ++nextBlock_;
    for (const RandomOp& inner : block.ops) op(inner, depth + 1);
  }

  Printing printing_;
  Random random_;
  Printed out_;
  std::vector<std::string> names_;
  std::vector<int> numbers_;
  std::map<int, std::string> uses_;
  std::map<std::string, std::string> attributeAliases_;
  std::vector<std::pair<std::string, std::string>> locationAliases_;
  std::map<std::string, int> blocks_;
  std::string region_;
  int next_ = 0, serial_ = 0, regions_ = 0, nextBlock_ = 0;
};

}  // namespace

RandomModule randomModule(std::uint32_t seed, int size, bool distinct) {
  return Maker(seed, size, distinct).make();
}
Printed print(const RandomModule& module, const Printing& printing) {
  return Printer(printing).print(module);
}

}  // namespace fxs::test
