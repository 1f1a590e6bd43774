// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graphFrom: the statements of a program's text, in the dump's form and in the short form (text.h).
#include <array>
#include <map>

#include "fx/builder.h"
#include "fx/evaluated_text.h"
#include "fx/text.h"
#include "fx/text_cursor.h"
#include "fx/text_words.h"
#include "ops/schema.h"

namespace fxs::fx {
namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{256} << 20;

std::optional<InputKind> inputKind(std::string_view word) {
  for (int i = 0; i < 7; ++i)
    if (name(static_cast<InputKind>(i)) == word) return static_cast<InputKind>(i);
  return std::nullopt;
}
std::optional<OutputKind> outputKind(std::string_view word) {
  for (int i = 0; i < 8; ++i)
    if (name(static_cast<OutputKind>(i)) == word) return static_cast<OutputKind>(i);
  return std::nullopt;
}

class ProgramText {
 public:
  Result<ProgramPtr> parse(std::string_view text) {
    if (text.size() > kMaxTextBytes)
      return fail(ErrorCode::InvalidInput, "the program's text is larger than 256 MiB");
    builder_.program().dialect = "TRAINING";
    known_.emplace_back();
    for (std::size_t number = 1; !text.empty(); ++number) {
      std::size_t end = text.find('\n');
      TextCursor line(text.substr(0, end), number);
      FXS_CHECK(statement(line));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return std::move(builder_).finish();
  }

 private:
  Result<> statement(TextCursor& line) {
    if (line.atEnd() || line.startsWith("#")) return {};
    if (line.consume("Range constraints:")) {
      FXS_CHECK(ranges(line));
    } else if (line.consume("graph(") || line.consume("graph ")) {
      FXS_CHECK(header(line));
    } else if (line.consume("return")) {
      FXS_CHECK(returned(line));
    } else if (line.consume("%")) {
      FXS_CHECK(longNode(line));
    } else {
      FXS_CHECK(shortNode(line));
    }
    return line.atEnd() ? Result<>{} : line.expected("the end of the line");
  }

  TextCursor::Resolve resolver() {
    return [this](const std::string& name) -> std::optional<NodeId> {
      auto it = known_[graph_.index()].find(name);
      return it == known_[graph_.index()].end() ? std::nullopt : std::optional(it->second);
    };
  }

  /// "):" of main, or "A.B():" of a subgraph.
  Result<> header(TextCursor& line) {
    graph_ = builder_.main();
    if (line.consume("):")) return {};
    FXS_TRY(const std::vector<std::string> path, graphPath(line));
    line.consume("()");
    FXS_CHECK(line.expect(":"));
    if (path.size() == 1 && path[0] == "main") return {};
    NodeId holder;
    GraphId at = builder_.main();
    for (const std::string& part : path) {
      auto it = at.valid() ? known_[at.index()].find(part) : known_[0].end();
      if (!at.valid() || it == known_[at.index()].end() ||
          builder_.node(it->second).op != NodeOp::GetAttr)
        return line.wrong("no get_attr node '" + part + "' holds this graph");
      holder = it->second;
      at = builder_.node(holder).subgraph;
    }
    if (at.valid()) return line.wrong("the graph of '" + path.back() + "' is defined twice");
    graph_ = builder_.addSubgraphOf(holder);
    known_.emplace_back();
    return {};
  }
  /// Names separated by dots; a name that contains dots is quoted.
  static Result<std::vector<std::string>> graphPath(TextCursor& line) {
    std::vector<std::string> out;
    for (;;) {
      if (line.startsWith("'") || line.startsWith("\"")) {
        FXS_TRY(std::string part, line.quoted());
        out.push_back(std::move(part));
        if (line.consume(".")) continue;
        return out;
      }
      const std::string_view word = line.word();
      if (word.empty()) return line.expected("the name of a graph");
      for (std::size_t begin = 0; begin < word.size();) {
        const std::size_t dot = std::min(word.find('.', begin), word.size());
        out.emplace_back(word.substr(begin, dot - begin));
        begin = dot + 1;
      }
      if (!word.ends_with('.')) return out;
    }
  }

  Result<NodeId> addNode(TextCursor& line, NodeOp op, const std::string& name, std::string target,
                         std::vector<NodeArgument> args, Value val) {
    if (known_[graph_.index()].contains(name))
      return line.wrong("there are two nodes named '" + name + "'");
    NodeId id = builder_.add(graph_, op, name, std::move(target), std::move(args), std::move(val));
    known_[graph_.index()].emplace(name, id);
    return id;
  }

  // -- nodes
  // -----------------------------------------------------------------------------------------------

  Result<> longNode(TextCursor& line) {
    FXS_TRY(std::string name, line.nameOrString());
    FXS_CHECK(line.expect(":"));
    Value value;
    if (!line.startsWith("[num_users=")) {
      FXS_TRY(value, line.value());
    }
    if (line.consume("[num_users=")) {
      FXS_CHECK(line.integer());
      FXS_CHECK(line.expect("]"));
    }
    FXS_CHECK(line.expect("="));
    const std::string op(line.word());
    FXS_CHECK(line.expect("[target="));
    if (op == "call_function") {
      FXS_TRY(std::string target, line.target());
      FXS_CHECK(line.expect("]"));
      FXS_TRY(std::vector<NodeArgument> args, longArguments(line, target));
      return addNode(line, NodeOp::CallFunction, name, std::move(target), std::move(args),
                     std::move(value))
          .map([](NodeId) {});
    }
    FXS_TRY(std::string target, line.nameOrString());
    FXS_CHECK(line.expect("]"));
    if (op == "get_attr")
      return addNode(line, NodeOp::GetAttr, name, std::move(target), {}, std::move(value))
          .map([](NodeId) {});
    if (op == "call_method" || op == "call_module") {
      FXS_TRY(std::vector<NodeArgument> args, longArguments(line, target));
      const NodeOp kind = op == "call_method" ? NodeOp::CallMethod : NodeOp::CallModule;
      return addNode(line, kind, name, std::move(target), std::move(args), std::move(value))
          .map([](NodeId) {});
    }
    if (op != "placeholder")
      return line.wrong("'" + op +
                        "' is not a node op; expected placeholder, get_attr, call_function, "
                        "call_method or call_module");
    FXS_TRY(NodeId id,
            addNode(line, NodeOp::Placeholder, name, std::move(target), {}, std::move(value)));
    return graph_ == builder_.main() ? input(line, id, InputKind::UserInput, line.atEnd())
                                     : Result<>{};
  }

  Result<std::vector<NodeArgument>> longArguments(TextCursor& line, const std::string& target) {
    std::vector<NodeArgument> out;
    FXS_CHECK(line.expect("(args = ("));
    while (!line.consume(")")) {
      if (!out.empty()) {
        FXS_CHECK(line.expect(","));
        if (line.consume(")")) break;
      }
      FXS_TRY(Argument value, line.argument(resolver()));
      out.push_back({"", std::move(value), false});
    }
    FXS_CHECK(namePositional(line, target, out));
    FXS_CHECK(line.expect(", kwargs = {"));
    for (bool first = true; !line.consume("}"); first = false) {
      if (!first) FXS_CHECK(line.expect(","));
      FXS_TRY(std::string name, line.nameOrString());
      FXS_CHECK(line.expect(":"));
      FXS_TRY(Argument value, line.argument(resolver()));
      out.push_back({std::move(name), std::move(value), true});
    }
    FXS_CHECK(line.expect(")"));
    return out;
  }

  /// Names from the schema; a and b for Python's operators; none for unknown ops.
  static Result<> namePositional(TextCursor& line, const std::string& target,
                                 std::vector<NodeArgument>& args) {
    if (const ops::Schema* schema = ops::SchemaTable::builtin().find(target)) {
      for (std::size_t i = 0; i < args.size(); ++i) {
        if (i >= schema->arguments.size() || schema->arguments[i].keywordOnly)
          return line.wrong(target + ": expected " + std::to_string(i) +
                            " positional arguments, got " + std::to_string(args.size()));
        args[i].name = schema->arguments[i].name;
      }
    } else if (target.starts_with("_operator.")) {
      constexpr std::array<const char*, 2> kNames{"a", "b"};
      for (std::size_t i = 0; i < args.size() && i < kNames.size(); ++i) args[i].name = kNames[i];
    } else if (target.starts_with("math.") && args.size() == 1) {
      args[0].name = "x";
    }
    return {};
  }

  // -- the short form
  // -----------------------------------------------------------------------------------------------

  Result<> shortNode(TextCursor& line) {
    line.readBareNames();
    FXS_TRY(std::string name, line.nameOrString());
    Value value;
    if (line.consume(":")) {
      FXS_TRY(value, line.value());
    }
    FXS_CHECK(line.expect("="));
    if (line.consume("get_attr"))
      return addNode(line, NodeOp::GetAttr, name, name, {}, std::move(value)).map([](NodeId) {});
    FXS_TRY(std::string target, line.target());
    const std::optional<InputKind> kind =
        target == "placeholder" ? std::optional(InputKind::UserInput) : inputKind(target);
    if (kind) {
      FXS_TRY(NodeId id, addNode(line, NodeOp::Placeholder, name, name, {}, std::move(value)));
      return graph_ == builder_.main() ? input(line, id, *kind, true) : Result<>{};
    }
    if (target == "getitem") target = kGetitem;
    if (const ops::Schema* schema = ops::SchemaTable::builtin().find(target))
      target = schema->fxName();
    FXS_CHECK(line.expect("("));
    std::vector<NodeArgument> args, keywords;
    while (!line.consume(")")) {
      if (!args.empty() || !keywords.empty()) FXS_CHECK(line.expect(","));
      TextCursor ahead = line;
      std::string keyword(ahead.word());
      if (!keyword.empty() && ahead.consume("=")) {
        line = ahead;
        FXS_TRY(Argument item, line.argument(resolver()));
        keywords.push_back({std::move(keyword), std::move(item), true});
      } else {
        FXS_TRY(Argument item, line.argument(resolver()));
        args.push_back({"", std::move(item), false});
      }
    }
    FXS_CHECK(namePositional(line, target, args));
    for (NodeArgument& a : keywords) args.push_back(std::move(a));
    return addNode(line, NodeOp::CallFunction, name, std::move(target), std::move(args),
                   std::move(value))
        .map([](NodeId) {});
  }

  // -- inputs and outputs
  // -----------------------------------------------------------------------------------------------

  /// `[KIND] ['TARGET'] [non_persistent] [= CONSTANT]`.
  Result<> input(TextCursor& line, NodeId id, InputKind kind, bool kindIsRead) {
    InputSpec spec;
    spec.node = id;
    spec.kind = kind;
    if (!kindIsRead) {
      const std::string word(line.word());
      const std::optional<InputKind> found = inputKind(word);
      if (!found)
        return line.wrong("'" + word +
                          "' is not an input kind; expected user_input, parameter, buffer, "
                          "tensor_constant, constant_input, custom_obj or token");
      spec.kind = *found;
    }
    if (line.startsWith("'") || line.startsWith("\"")) {
      FXS_TRY(spec.target, line.quoted());
    }
    spec.persistent = !line.consume("non_persistent");
    if (line.consume("=")) {
      FXS_TRY(spec.constant, line.argument(resolver()));
    }
    if (const TensorMeta* tensor = builder_.node(id).val.tensor(); tensor && isWeight(spec.kind))
      builder_.program().weights.push_back(weightOf(spec, *tensor));
    builder_.program().inputs.push_back(std::move(spec));
    return {};
  }
  static Weight weightOf(const InputSpec& spec, const TensorMeta& tensor) {
    Weight out;
    out.fqn = spec.target;
    out.constant = spec.kind == InputKind::ConstantTensor || !spec.persistent;
    out.isParameter = spec.kind == InputKind::Parameter;
    out.requiresGrad = out.isParameter && tensor.requiresGrad;
    out.dtype = tensor.dtype;
    for (const SymInt& size : tensor.sizes) out.sizes.push_back(size.hint().value_or(0));
    for (const SymInt& stride : tensor.strides) out.strides.push_back(stride.hint().value_or(0));
    out.readable = false;
    out.reason = "the program was written as text";
    return out;
  }

  /// After "return": "(a, b)", "a" of a subgraph, or "a, b"; then the kinds of main's outputs.
  Result<> returned(TextCursor& line) {
    line.readBareNames();
    ArgumentList values;
    const bool isTuple = line.consume("(");
    while (isTuple ? !line.consume(")") : !line.atEnd()) {
      if (!values.empty()) {
        if (!isTuple && !line.startsWith(",")) break;  // the kinds follow
        FXS_CHECK(line.expect(","));
        if (isTuple && line.consume(")")) break;
      }
      FXS_TRY(Argument value, line.argument(resolver()));
      values.push_back(std::move(value));
    }
    builder_.graph(graph_).isSingleTensorReturn =
        !isTuple && values.size() == 1 && graph_ != builder_.main();
    if (graph_ == builder_.main()) {
      for (const Argument& value : values)
        builder_.program().outputs.push_back({OutputKind::UserOutput, value, ""});
      FXS_CHECK(outputKinds(line));
    }
    builder_.output(graph_, std::move(values));
    return {};
  }
  Result<> outputKinds(TextCursor& line) {
    if (line.atEnd()) return {};
    for (OutputSpec& spec : builder_.program().outputs) {
      if (&spec != &builder_.program().outputs.front()) FXS_CHECK(line.expect(","));
      const std::string word(line.word());
      const std::optional<OutputKind> kind = outputKind(word);
      if (!kind) return line.wrong("'" + word + "' is not an output kind");
      spec.kind = *kind;
      if (line.startsWith("'") || line.startsWith("\"")) {
        FXS_TRY(spec.target, line.quoted());
      }
    }
    return {};
  }

  /// "{s0: VR[2, 128], u0: VR[0, int_oo]}".
  Result<> ranges(TextCursor& line) {
    FXS_CHECK(line.expect("{"));
    std::vector<RangeConstraint>& out = builder_.program().ranges;
    while (!line.consume("}")) {
      if (!out.empty()) FXS_CHECK(line.expect(","));
      RangeConstraint range;
      range.symbol = line.word();
      if (!isSymbolName(range.symbol))
        return line.wrong(shownText(range.symbol) +
                          " is not the name of a symbol, such as s0 or u3");
      FXS_CHECK(line.expect(": VR["));
      if (!line.consume("-int_oo")) {
        FXS_TRY(range.min, line.integer());
      }
      FXS_CHECK(line.expect(","));
      if (!line.consume("int_oo")) {
        FXS_TRY(range.max, line.integer());
      }
      FXS_CHECK(line.expect("]"));
      out.push_back(std::move(range));
    }
    return {};
  }

  Builder builder_;
  GraphId graph_ = GraphId::of(0);
  std::vector<std::map<std::string, NodeId>> known_;  // per graph: its nodes by name
};

}  // namespace

Result<ProgramPtr> graphFrom(std::string_view text) { return ProgramText().parse(text); }

}  // namespace fxs::fx
