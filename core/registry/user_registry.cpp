// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/user_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/ascii.h"
#include "base/counted.h"
#include "base/nearest.h"
#include "fx/evaluated_text.h"
#include "ops/schema.h"
#include "registry/user_template.h"

namespace fxs::registry {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

/// The first word and the rest.
std::pair<std::string_view, std::string_view> firstWord(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  return {line.substr(0, end), trimmed(line.substr(end))};
}

std::string didYouMean(std::string_view wanted, const std::vector<std::string_view>& names,
                       const std::string& otherwise) {
  const std::vector<std::string> close = nearest(wanted, names, 1);
  return close.empty() ? otherwise : "did you mean '" + close.front() + "'?";
}

std::optional<std::int64_t> integerOf(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(out)
                                                                  : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}
  Result<std::shared_ptr<const Registry>> read();

 private:
  tl::unexpected<Error> error(const std::string& what) const { return errorAt(number_, what); }
  tl::unexpected<Error> errorAt(std::size_t line, const std::string& what) const {
    return fail(ErrorCode::InvalidInput, fmt::format("{}:{}: {}", file_, line, what));
  }
  bool nextLine();
  /// Advances to the next line that is not blank or a comment.
  bool nextStatement();
  Result<Template> readOp(std::string_view rest);
  Result<> readArguments(Template&, std::string_view list) const;
  Result<> checkOp(const Template&) const;
  Result<> readConditions(Template&, std::string_view text) const;
  Result<Condition> readCondition(const Template&, std::string_view text) const;
  Result<> readBody(Template&);
  Result<BodyLine> readBodyLine(const Template&, std::string_view line) const;
  Result<Fact> readFact(const Template&, std::string_view text) const;
  Result<> checkArgument(const Template&, std::string_view name) const;
  Result<> finishBody(Template&, const std::vector<std::pair<std::size_t, std::string>>& used,
                      const std::set<std::string, std::less<>>& defined, std::size_t begin) const;

  std::string_view text_, file_, line_;
  std::size_t at_ = 0, number_ = 0;
};

bool Reader::nextLine() {
  if (at_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = trimmed(text_.substr(at_, end - at_));
  at_ = end + 1;
  ++number_;
  return true;
}

bool Reader::nextStatement() {
  while (nextLine())
    if (!line_.empty() && line_.front() != '#') return true;
  return false;
}

Result<> Reader::checkArgument(const Template& entry, std::string_view name) const {
  const auto& known = entry.arguments;
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  const std::vector<std::string_view> names(known.begin(), known.end());
  return error(fmt::format(
      "'{}' is not an argument of this entry; {}", name,
      didYouMean(
          name, names,
          known.empty() ? "it has none" : "it has " + fmt::format("{}", fmt::join(known, ", ")))));
}

Result<> Reader::readArguments(Template& entry, std::string_view list) const {
  list = trimmed(list);
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = trimmed(list.substr(0, comma));
    if (!fx::isIdentifier(name)) return error(fmt::format("'{}' is not an argument name", name));
    if (name == "result")
      return error("an argument cannot be named 'result', which refers to the node's result");
    if (std::find(entry.arguments.begin(), entry.arguments.end(), name) != entry.arguments.end())
      return error(fmt::format("argument '{}' is repeated", name));
    entry.arguments.emplace_back(name);
    if (comma == list.size()) break;
    list = trimmed(list.substr(comma + 1));
    if (list.empty()) return error("expected an argument after the comma");
  }
  return {};
}

/// Checks that the operator exists, if it has a known namespace: custom operators have no schema.
Result<> Reader::checkOp(const Template& entry) const {
  if (entry.op.find('.') == std::string::npos) {
    if (OpClasses::builtin().has(entry.op)) return {};
    const std::vector<std::string> names = OpClasses::builtin().names();
    const std::vector<std::string_view> views(names.begin(), names.end());
    return error(
        fmt::format("'{}' is not an op class; {}", entry.op,
                    didYouMean(entry.op, views, "an FX target has the form aten.add.Tensor")));
  }
  const ops::SchemaTable& table = ops::SchemaTable::builtin();
  const std::string_view ns = std::string_view(entry.op).substr(0, entry.op.find('.'));
  if (!table.hasNamespace(ns)) return {};
  const ops::Schema* schema = table.find(entry.op);
  if (schema == nullptr) {
    const std::vector<std::string> close = table.didYouMean(entry.op, 1);
    return error(fmt::format("PyTorch has no '{}'{}", entry.op,
                             close.empty() ? "" : "; did you mean '" + close.front() + "'?"));
  }
  if (schema->fxName() != entry.op)
    return error(fmt::format("'{}' lacks an overload; write '{}'", entry.op, schema->fxName()));
  for (const std::string& name : entry.arguments) {
    if (schema->find(name) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const ops::SchemaArgument& argument : schema->arguments) names.push_back(argument.name);
    return error(
        fmt::format("{} has no argument '{}'; it has {}", entry.op, name, fmt::join(names, ", ")));
  }
  return {};
}

Result<Condition> Reader::readCondition(const Template& entry, std::string_view text) const {
  struct Form {
    std::string_view name;
    ConditionKind kind;
    std::size_t arguments;
    bool compares;
  };
  static constexpr Form kForms[] = {
      {"float", ConditionKind::Float, 1, false},   {"integer", ConditionKind::Integer, 1, false},
      {"bool", ConditionKind::Bool, 1, false},     {"constant", ConditionKind::Constant, 1, false},
      {"none", ConditionKind::None, 1, false},     {"same_type", ConditionKind::SameType, 2, false},
      {"rank", ConditionKind::Rank, 1, true},      {"size", ConditionKind::Size, 2, true},
      {"element", ConditionKind::Element, 1, true}};
  Condition out{};
  out.text = std::string(text);
  const std::size_t open = text.find('('), close = text.find(')');
  const std::string_view name = trimmed(text.substr(0, std::min(open, text.size())));
  const auto form = std::find_if(std::begin(kForms), std::end(kForms),
                                 [&](const Form& f) { return f.name == name; });
  if (form == std::end(kForms)) {
    std::vector<std::string_view> names;
    for (const Form& f : kForms) names.push_back(f.name);
    return error(
        fmt::format("unknown condition '{}'; {}", name,
                    didYouMean(name, names, fmt::format("there are {}", fmt::join(names, ", ")))));
  }
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return error(fmt::format("condition '{}' requires arguments in parentheses", name));
  out.kind = form->kind;
  std::vector<std::string_view> given;
  for (std::string_view list = text.substr(open + 1, close - open - 1);;) {
    const std::size_t comma = list.find(',');
    given.push_back(trimmed(list.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    list = list.substr(comma + 1);
  }
  if (given.size() != form->arguments)
    return error(fmt::format("condition '{}' takes {}, not {}", name,
                             counted(form->arguments, "argument"), given.size()));
  FXS_CHECK(checkArgument(entry, given[0]));
  out.argument = std::string(given[0]);
  if (form->kind == ConditionKind::SameType) {
    FXS_CHECK(checkArgument(entry, given[1]));
    out.other = std::string(given[1]);
  } else if (form->kind == ConditionKind::Size) {
    const auto dim = integerOf(given[1]);
    if (!dim) return error(fmt::format("'{}' is not a dimension", given[1]));
    out.dim = *dim;
  }
  std::string_view rest = trimmed(text.substr(close + 1));
  if (!form->compares) {
    if (!rest.empty())
      return error(
          fmt::format("'{}' after condition '{}'; conditions are joined by 'and'", rest, name));
    return out;
  }
  for (const std::string_view relation : {"==", "!=", "<=", ">=", "<", ">"})
    if (out.relation.empty() && rest.starts_with(relation)) out.relation = std::string(relation);
  if (out.relation.empty())
    return error(fmt::format("condition '{}' requires a comparison, such as {}(..) == {}", name,
                             name, form->kind == ConditionKind::Element ? "f32" : "2"));
  rest = trimmed(rest.substr(out.relation.size()));
  if (form->kind == ConditionKind::Element) {
    if (out.relation != "==" && out.relation != "!=")
      return error("element types can only be compared with == or !=");
    if (rest.empty() || !std::all_of(rest.begin(), rest.end(), isWordChar))
      return error(fmt::format("'{}' is not an element type", rest));
    out.element = std::string(rest);
    return out;
  }
  const auto number = integerOf(rest);
  if (!number) return error(fmt::format("'{}' is not an integer", rest));
  out.number = *number;
  return out;
}

Result<> Reader::readConditions(Template& entry, std::string_view text) const {
  if (text.empty()) return error("'when' requires a condition, such as: when float(x)");
  for (;;) {
    const std::size_t joint = text.find(" and ");
    FXS_TRY(Condition condition, readCondition(entry, trimmed(text.substr(0, joint))));
    entry.conditions.push_back(std::move(condition));
    if (joint == std::string_view::npos) return {};
    text = trimmed(text.substr(joint + 5));
  }
}

Result<Fact> Reader::readFact(const Template& entry, std::string_view text) const {
  const auto [first, rest] = firstWord(trimmed(text));
  struct Form {
    std::string_view name;
    FactKind kind;
  };
  static constexpr Form kForms[] = {{"type", FactKind::Type},   {"element", FactKind::Element},
                                    {"shape", FactKind::Shape}, {"rank", FactKind::Rank},
                                    {"size", FactKind::Size},   {"float", FactKind::Float}};
  if (first.empty()) return error("${} is empty; write ${type x}, or ${x} for a constant argument");
  if (rest.empty()) {
    FXS_CHECK(checkArgument(entry, first));
    return Fact{FactKind::Constant, std::string(first), 0};
  }
  const auto form = std::find_if(std::begin(kForms), std::end(kForms),
                                 [&, word = first](const Form& f) { return f.name == word; });
  if (form == std::end(kForms)) {
    std::vector<std::string_view> names;
    for (const Form& f : kForms) names.push_back(f.name);
    return error(
        fmt::format("unknown fact '{}' in ${{{}}}; {}", first, trimmed(text),
                    didYouMean(first, names, fmt::format("there are {}", fmt::join(names, ", ")))));
  }
  const auto [argument, number] = firstWord(rest);
  const bool ofResult = argument == "result";
  if (!ofResult) FXS_CHECK(checkArgument(entry, argument));
  if (ofResult && (form->kind == FactKind::Float || form->kind == FactKind::Size))
    return error(fmt::format("'{}' applies to an argument, not to a result", first));
  const bool wantsNumber = form->kind == FactKind::Size;
  Fact out{form->kind, std::string(argument), 0};
  if (number.empty()) {
    if (wantsNumber)
      return error(
          fmt::format("${{{}}} requires a dimension: ${{size {} 0}}", trimmed(text), argument));
    return out;
  }
  const auto value = integerOf(number);
  if (!value || (!wantsNumber && !ofResult) || (ofResult && (*value < 0 || *value > 255)))
    return error(
        fmt::format("unexpected '{}' after '{}' in ${{{}}}", number, argument, trimmed(text)));
  out.number = *value;
  return out;
}

Result<BodyLine> Reader::readBodyLine(const Template& entry, std::string_view line) const {
  BodyLine out;
  std::string plain = "    ";
  const auto flush = [&] {
    if (!plain.empty()) out.pieces.emplace_back(std::move(plain));
    plain.clear();
  };
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '"') {
      const std::size_t begin = i++;
      while (i < line.size() && line[i] != '"') i += line[i] == '\\' ? 2 : 1;
      if (i >= line.size()) return error("unterminated string");
      plain += line.substr(begin, ++i - begin);
    } else if (c == '$' && i + 1 < line.size() && line[i + 1] == '{') {
      const std::size_t end = line.find('}', i);
      if (end == std::string_view::npos) return error("'${' without '}' on its line");
      FXS_TRY(Fact fact, readFact(entry, line.substr(i + 2, end - i - 2)));
      flush();
      out.pieces.emplace_back(std::move(fact));
      i = end + 1;
    } else if (c == '%') {
      std::size_t end = i + 1;
      while (end < line.size() && isWordChar(line[end])) ++end;
      const std::string name(line.substr(i + 1, end - i - 1));
      if (name.empty()) return error("'%' without a name");
      flush();
      const bool isOperand =
          std::find(entry.arguments.begin(), entry.arguments.end(), name) != entry.arguments.end();
      if (isOperand) out.pieces.emplace_back(OperandName{name});
      else out.pieces.emplace_back(LocalName{name});
      i = end;
    } else {
      plain += c;
      ++i;
    }
  }
  flush();
  const char last = line.back();
  out.isWhole = last != '{' && last != '(' && last != ',' && line.front() != '^';
  out.isOp = line.front() != '}' && line.front() != '^' && line.front() != ')';
  return out;
}

/// Names that a line defines: before '=' with spaces allowed, or right before ':' (block arguments,
/// several results).
bool definesAt(std::string_view line, std::size_t after) {
  if (after < line.size() && line[after] == ':') return true;
  while (after < line.size() && isSpace(line[after])) ++after;
  if (after >= line.size()) return false;
  if (line[after] == '=') return after + 1 >= line.size() || line[after + 1] != '=';
  // `%a, %b = ..`: a list of results at the start of a line.
  return false;
}

Result<> Reader::readBody(Template& entry) {
  const std::size_t begin = number_;
  std::vector<std::pair<std::size_t, std::string>> used;
  std::set<std::string, std::less<>> defined;
  std::int64_t depth = 0;
  bool returned = false;
  for (;;) {
    if (!nextLine()) return errorAt(begin, "this body has no 'end'");
    if (line_.empty() || line_.starts_with("//")) continue;
    if (line_ == "end" && depth <= 0) break;
    if (returned) return error("unexpected text after 'return'");
    const auto [word, rest] = firstWord(line_);
    FXS_TRY(BodyLine line, readBodyLine(entry, line_));
    bool inString = false;
    for (const char c : line_) {
      inString ^= c == '"';
      if (inString) continue;
      if (c == '(' || c == '{' || c == '[') ++depth;
      else if (c == ')' || c == '}' || c == ']') --depth;
    }
    if (depth < 0) return error("unmatched closing bracket");
    if (word == "return" && depth == 0) {
      for (const Piece& piece : line.pieces) {
        if (std::holds_alternative<LocalName>(piece) || std::holds_alternative<OperandName>(piece))
          entry.returned.push_back(piece);
        else if (std::holds_alternative<Fact>(piece))
          return error("'return' expects values, such as %x");
      }
      if (entry.returned.empty())
        return error("'return' requires the node's results, such as: return %r");
      for (const Piece& piece : entry.returned)
        if (const auto* local = std::get_if<LocalName>(&piece))
          used.emplace_back(number_, local->name);
      returned = true;
      continue;
    }
    // Results listed at the start of a line are defined by the '=' after the last of them.
    const std::size_t equals = line_.find(" = ");
    for (std::size_t i = line_.find('%'); i != std::string_view::npos; i = line_.find('%', i + 1)) {
      std::size_t end = i + 1;
      while (end < line_.size() && isWordChar(line_[end])) ++end;
      const std::string name(line_.substr(i + 1, end - i - 1));
      const bool atHead = line_.front() == '%' && equals != std::string_view::npos &&
                          end <= equals &&
                          line_.substr(0, equals).find_first_of("({\"") == std::string_view::npos;
      const bool isOperand =
          std::find(entry.arguments.begin(), entry.arguments.end(), name) != entry.arguments.end();
      if (atHead || definesAt(line_, end)) {
        if (isOperand)
          return error(fmt::format("%{} is an argument and cannot be defined again", name));
        defined.insert(name);
      } else if (!isOperand) {
        used.emplace_back(number_, name);
      }
    }
    entry.body.push_back(std::move(line));
  }
  if (!returned) return error("this body does not end with 'return' and the node's results");
  return finishBody(entry, used, defined, begin);
}

Result<> Reader::finishBody(Template& entry,
                            const std::vector<std::pair<std::size_t, std::string>>& used,
                            const std::set<std::string, std::less<>>& defined, std::size_t) const {
  for (const auto& [line, name] : used) {
    if (defined.contains(name)) continue;
    std::vector<std::string_view> names(entry.arguments.begin(), entry.arguments.end());
    names.insert(names.end(), defined.begin(), defined.end());
    return errorAt(line,
                   fmt::format("%{} is neither an argument of this entry nor defined in its body{}",
                               name, [&] {
                                 const std::vector<std::string> close = nearest(name, names, 1);
                                 return close.empty() ? std::string()
                                                      : "; did you mean '%" + close.front() + "'?";
                               }()));
  }
  return {};
}

Result<Template> Reader::readOp(std::string_view rest) {
  Template out;
  const std::size_t begin = number_, open = rest.find('(');
  if (open == std::string_view::npos || rest.back() != ')')
    return error(
        "an entry begins with its operator and its arguments: op aten.relu.default (self)");
  out.op = std::string(trimmed(rest.substr(0, open)));
  if (out.op.empty() ||
      !std::all_of(out.op.begin(), out.op.end(), [](char c) { return isWordChar(c) || c == '.'; }))
    return error(fmt::format(
        "'{}' is not an operator; write an FX target (aten.add.Tensor) or an op class (AddOp)",
        out.op));
  FXS_CHECK(readArguments(out, rest.substr(open + 1, rest.size() - open - 2)));
  FXS_CHECK(checkOp(out));
  while (nextStatement()) {
    const auto [word, more] = firstWord(line_);
    if (word == "when") {
      FXS_CHECK(readConditions(out, more));
    } else if (word == "body" && more.empty()) {
      FXS_CHECK(readBody(out));
      return out;
    } else if (word == "external") {
      if (!fx::isIdentifier(more))
        return error(
            fmt::format("'{}' is not the name of a function; write: external acme_rotate", more));
      out.external = std::string(more);
      return out;
    } else {
      return error(fmt::format("expected 'when', 'body' or 'external', found '{}'", word));
    }
  }
  return errorAt(begin, fmt::format("entry '{}' has no body", out.op));
}

Result<std::shared_ptr<const Registry>> Reader::read() {
  if (text_.size() > kMaxBytes)
    return errorAt(1, fmt::format("a registry has at most {} bytes, this one has {}", kMaxBytes,
                                  text_.size()));
  auto registry = std::make_shared<Registry>();
  std::map<std::string, std::vector<Template>> entries;
  while (nextStatement()) {
    const auto [word, rest] = firstWord(line_);
    if (registry->name.empty() && word != "registry")
      return error(fmt::format("expected 'registry NAME', found '{}'", word));
    if (word == "registry") {
      if (!registry->name.empty())
        return error("a file defines one registry; this is the second 'registry'");
      if (!fx::isIdentifier(rest))
        return error(fmt::format("'{}' is not a registry name; use letters, digits and _", rest));
      if (builtinRegistries().find(rest) != nullptr)
        return error(fmt::format("registry '{}' is built in; choose another name", rest));
      registry->name = std::string(rest);
    } else if (word == "title") {
      if (!registry->title.empty()) return error("the title is given twice");
      registry->title = std::string(rest);
    } else if (word == "op") {
      FXS_TRY(Template entry, readOp(rest));
      entries[entry.op].push_back(std::move(entry));
    } else {
      return error(fmt::format("expected 'op' or 'title', found '{}'", word));
    }
  }
  if (registry->name.empty()) return errorAt(1, "expected 'registry NAME'; this file is empty");
  if (entries.empty())
    return errorAt(
        std::max<std::size_t>(number_, 1),
        fmt::format("registry '{}' has no entry; one begins with: op aten.relu.default (self)",
                    registry->name));
  for (auto& [op, templates] : entries)
    registry->handlers.emplace(op,
                               [shared = std::make_shared<const std::vector<Template>>(
                                    std::move(templates))](Call& call) -> Handled {
                                 std::string why;
                                 for (const Template& entry : *shared) {
                                   const OpBuilder::Mark mark = call.emit.mark();
                                   Handled handled = expand(entry, call);
                                   if (handled) return handled;
                                   call.emit.rollback(mark);
                                   why += (why.empty() ? "" : "; ") + handled.error().why;
                                 }
                                 return refuse(std::move(why));
                               });
  return std::shared_ptr<const Registry>(std::move(registry));
}

}  // namespace

Result<std::shared_ptr<const Registry>> readUserRegistry(std::string_view text,
                                                         std::string_view file) {
  return Reader(text, file).read();
}

}  // namespace fxs::registry
