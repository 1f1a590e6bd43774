// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/user_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.h"
#include "base/counted.h"
#include "base/nearest.h"
#include "base/number_from.h"
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

struct ConditionForm {
  std::string_view name;
  ConditionKind kind;
  std::size_t arguments;
  bool compares;
};
constexpr std::array kConditionForms{ConditionForm{"float", ConditionKind::Float, 1, false},
                                     ConditionForm{"integer", ConditionKind::Integer, 1, false},
                                     ConditionForm{"bool", ConditionKind::Bool, 1, false},
                                     ConditionForm{"constant", ConditionKind::Constant, 1, false},
                                     ConditionForm{"none", ConditionKind::None, 1, false},
                                     ConditionForm{"same_type", ConditionKind::SameType, 2, false},
                                     ConditionForm{"rank", ConditionKind::Rank, 1, true},
                                     ConditionForm{"size", ConditionKind::Size, 2, true},
                                     ConditionForm{"element", ConditionKind::Element, 1, true}};

struct FactForm {
  std::string_view name;
  FactKind kind;
};
constexpr std::array kFactForms{
    FactForm{"type", FactKind::Type},   FactForm{"element", FactKind::Element},
    FactForm{"shape", FactKind::Shape}, FactForm{"rank", FactKind::Rank},
    FactForm{"size", FactKind::Size},   FactForm{"float", FactKind::Float}};

/// The form of that name, or null.
template <class Form, std::size_t kCount>
const Form* formNamed(std::string_view name, const std::array<Form, kCount>& forms) {
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const Form& each) { return each.name == name; });
  return form == forms.end() ? nullptr : &*form;
}

/// What to say of a name that no form has.
template <class Forms>
std::string formsLike(std::string_view name, const Forms& forms) {
  std::vector<std::string_view> names;
  for (const auto& form : forms) names.push_back(form.name);
  return didYouMean(name, names, fmt::format("there are {}", fmt::join(names, ", ")));
}

std::vector<std::string_view> partsBetweenCommas(std::string_view list) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = list.find(',');
    out.push_back(trimmed(list.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    list = list.substr(comma + 1);
  }
}

bool hasArgument(const Template& entry, std::string_view name) {
  return std::find(entry.arguments.begin(), entry.arguments.end(), name) != entry.arguments.end();
}

/// The names in a body, to check that each that is used is defined too.
struct BodyNames {
  std::vector<std::pair<std::size_t, std::string>> used;  ///< with the line
  std::set<std::string, std::less<>> defined;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}
  Result<std::shared_ptr<const Registry>> read();

 private:
  tl::unexpected<Error> error(const std::string& message) const {
    return errorAt(number_, message);
  }
  tl::unexpected<Error> errorAt(std::size_t line, const std::string& message) const {
    return fail(ErrorCode::InvalidInput, fmt::format("{}:{}: {}", file_, line, message));
  }
  bool nextLine();
  /// Advances to the next line that is not blank or a comment.
  bool nextStatement();
  Result<Template> readOp(std::string_view rest);
  Result<> readArguments(Template&, std::string_view list) const;
  Result<> checkOp(const Template&) const;
  Result<> readConditions(Template&, std::string_view text) const;
  Result<Condition> readCondition(const Template&, std::string_view text) const;
  Result<> readOperands(Condition&, const Template&, const ConditionForm&,
                        std::string_view list) const;
  Result<> readComparison(Condition&, const ConditionForm&, std::string_view text) const;
  Result<> readBody(Template&);
  Result<> readReturn(Template&, const BodyLine&, BodyNames&) const;
  Result<> readNames(const Template&, BodyNames&) const;
  Result<BodyLine> readBodyLine(const Template&, std::string_view line) const;
  Result<Fact> readFact(const Template&, std::string_view text) const;
  Result<> checkArgument(const Template&, std::string_view name) const;
  Result<> checkNames(const Template&, const BodyNames&) const;
  Result<std::string> readName(std::string_view rest) const;

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
  if (hasArgument(entry, name)) return {};
  const auto& known = entry.arguments;
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
    if (hasArgument(entry, name)) return error(fmt::format("argument '{}' is repeated", name));
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

/// The arguments of a condition, which must fit its form.
Result<> Reader::readOperands(Condition& condition, const Template& entry,
                              const ConditionForm& form, std::string_view list) const {
  const std::vector<std::string_view> given = partsBetweenCommas(list);
  if (given.size() != form.arguments)
    return error(fmt::format("condition '{}' expects {}, got {}", form.name,
                             counted(form.arguments, "argument"), given.size()));
  FXS_CHECK(checkArgument(entry, given[0]));
  condition.argument = std::string(given[0]);
  if (form.kind == ConditionKind::SameType) {
    FXS_CHECK(checkArgument(entry, given[1]));
    condition.other = std::string(given[1]);
  } else if (form.kind == ConditionKind::Size) {
    const auto dim = numberFrom<std::int64_t>(given[1]);
    if (!dim) return error(fmt::format("'{}' is not a dimension", given[1]));
    condition.dim = *dim;
  }
  return {};
}

/// A relation and what it compares with: "== 2".
Result<> Reader::readComparison(Condition& condition, const ConditionForm& form,
                                std::string_view text) const {
  for (const std::string_view relation : {"==", "!=", "<=", ">=", "<", ">"})
    if (condition.relation.empty() && text.starts_with(relation))
      condition.relation = std::string(relation);
  if (condition.relation.empty())
    return error(fmt::format("condition '{}' requires a comparison, such as {}(..) == {}",
                             form.name, form.name,
                             form.kind == ConditionKind::Element ? "f32" : "2"));
  text = trimmed(text.substr(condition.relation.size()));
  if (form.kind == ConditionKind::Element) {
    if (condition.relation != "==" && condition.relation != "!=")
      return error("element types can only be compared with == or !=");
    if (text.empty() || !std::all_of(text.begin(), text.end(), isWordChar))
      return error(fmt::format("'{}' is not an element type", text));
    condition.element = std::string(text);
    return {};
  }
  const auto number = numberFrom<std::int64_t>(text);
  if (!number) return error(fmt::format("'{}' is not an integer", text));
  condition.number = *number;
  return {};
}

Result<Condition> Reader::readCondition(const Template& entry, std::string_view text) const {
  const std::size_t open = text.find('('), close = text.find(')');
  const std::string_view name = trimmed(text.substr(0, std::min(open, text.size())));
  const ConditionForm* form = formNamed(name, kConditionForms);
  if (form == nullptr)
    return error(fmt::format("unknown condition '{}'; {}", name, formsLike(name, kConditionForms)));
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return error(fmt::format("condition '{}' requires arguments in parentheses", name));
  Condition out{};
  out.text = std::string(text);
  out.kind = form->kind;
  FXS_CHECK(readOperands(out, entry, *form, text.substr(open + 1, close - open - 1)));
  const std::string_view rest = trimmed(text.substr(close + 1));
  if (form->compares) {
    FXS_CHECK(readComparison(out, *form, rest));
  } else if (!rest.empty()) {
    return error(
        fmt::format("'{}' after condition '{}'; conditions are joined by 'and'", rest, name));
  }
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

/// What results do not have.
bool isOfArgumentsOnly(FactKind kind) { return kind == FactKind::Float || kind == FactKind::Size; }

bool isResultNumber(std::int64_t number) { return number >= 0 && number <= 255; }

Result<Fact> Reader::readFact(const Template& entry, std::string_view text) const {
  const auto [first, rest] = firstWord(trimmed(text));
  if (first.empty()) return error("${} is empty; write ${type x}, or ${x} for a constant argument");
  if (rest.empty()) {
    FXS_CHECK(checkArgument(entry, first));
    return Fact{FactKind::Constant, std::string(first), 0};
  }
  const FactForm* form = formNamed(first, kFactForms);
  if (form == nullptr)
    return error(fmt::format("unknown fact '{}' in ${{{}}}; {}", first, trimmed(text),
                             formsLike(first, kFactForms)));
  const auto [argument, number] = firstWord(rest);
  const bool ofResult = argument == "result";
  if (!ofResult) FXS_CHECK(checkArgument(entry, argument));
  if (ofResult && isOfArgumentsOnly(form->kind))
    return error(fmt::format("'{}' applies to an argument, not to a result", first));
  const bool wantsNumber = form->kind == FactKind::Size;
  Fact out{form->kind, std::string(argument), 0};
  if (number.empty()) {
    if (wantsNumber)
      return error(
          fmt::format("${{{}}} requires a dimension: ${{size {} 0}}", trimmed(text), argument));
    return out;
  }
  const auto value = numberFrom<std::int64_t>(number);
  if (!value || (!wantsNumber && !ofResult) || (ofResult && !isResultNumber(*value)))
    return error(
        fmt::format("unexpected '{}' after '{}' in ${{{}}}", number, argument, trimmed(text)));
  out.number = *value;
  return out;
}

/// The position after a string that begins at `begin`; npos if it does not end.
std::size_t endOfString(std::string_view line, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < line.size() && line[i] != '"') i += line[i] == '\\' ? 2 : 1;
  return i < line.size() ? i + 1 : std::string_view::npos;
}

/// The name of the value whose '%' is at `begin`; may be empty.
std::string_view valueNameAt(std::string_view line, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < line.size() && isWordChar(line[end])) ++end;
  return line.substr(begin + 1, end - begin - 1);
}

Piece valuePiece(const Template& entry, std::string_view name) {
  if (hasArgument(entry, name)) return OperandName{std::string(name)};
  return LocalName{std::string(name)};
}

bool isOneOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

Result<BodyLine> Reader::readBodyLine(const Template& entry, std::string_view line) const {
  BodyLine out;
  std::string plain = "    ";
  const auto flush = [&] {
    if (!plain.empty()) out.pieces.emplace_back(std::move(plain));
    plain.clear();
  };
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      const std::size_t end = endOfString(line, i);
      if (end == std::string_view::npos) return error("unterminated string");
      plain += line.substr(i, end - i);
      i = end;
    } else if (line.substr(i).starts_with("${")) {
      const std::size_t end = line.find('}', i);
      if (end == std::string_view::npos) return error("'${' without '}' on its line");
      FXS_TRY(Fact fact, readFact(entry, line.substr(i + 2, end - i - 2)));
      flush();
      out.pieces.emplace_back(std::move(fact));
      i = end + 1;
    } else if (line[i] == '%') {
      const std::string_view name = valueNameAt(line, i);
      if (name.empty()) return error("'%' without a name");
      flush();
      out.pieces.push_back(valuePiece(entry, name));
      i += 1 + name.size();
    } else {
      plain += line[i++];
    }
  }
  flush();
  out.isComplete = !isOneOf(line.back(), "{(,") && line.front() != '^';
  out.isOp = !isOneOf(line.front(), "}^)");
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

/// Whether a name that ends at `end` is one of the results listed at the start of a line, which are
/// defined by the '=' after the last of them.
bool isListedResult(std::string_view line, std::size_t end) {
  const std::size_t equals = line.find(" = ");
  return line.front() == '%' && equals != std::string_view::npos && end <= equals &&
         line.substr(0, equals).find_first_of("({\"") == std::string_view::npos;
}

/// How many more brackets a line opens than it closes, outside of strings.
std::int64_t depthOf(std::string_view line) {
  std::int64_t depth = 0;
  bool inString = false;
  for (const char c : line) {
    inString ^= c == '"';
    if (inString) continue;
    if (isOneOf(c, "({[")) ++depth;
    else if (isOneOf(c, ")}]")) --depth;
  }
  return depth;
}

Result<> Reader::readReturn(Template& entry, const BodyLine& line, BodyNames& names) const {
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
      names.used.emplace_back(number_, local->name);
  return {};
}

Result<> Reader::readNames(const Template& entry, BodyNames& names) const {
  for (std::size_t i = line_.find('%'); i != std::string_view::npos; i = line_.find('%', i + 1)) {
    const std::string_view name = valueNameAt(line_, i);
    const std::size_t end = i + 1 + name.size();
    const bool isOperand = hasArgument(entry, name);
    if (isListedResult(line_, end) || definesAt(line_, end)) {
      if (isOperand)
        return error(fmt::format("%{} is an argument and cannot be defined again", name));
      names.defined.emplace(name);
    } else if (!isOperand) {
      names.used.emplace_back(number_, name);
    }
  }
  return {};
}

Result<> Reader::readBody(Template& entry) {
  const std::size_t begin = number_;
  BodyNames names;
  std::int64_t depth = 0;
  bool returned = false;
  for (;;) {
    if (!nextLine()) return errorAt(begin, "this body has no 'end'");
    if (line_.empty() || line_.starts_with("//")) continue;
    if (line_ == "end" && depth <= 0) break;
    if (returned) return error("unexpected text after 'return'");
    FXS_TRY(BodyLine line, readBodyLine(entry, line_));
    depth += depthOf(line_);
    if (depth < 0) return error("unmatched closing bracket");
    returned = depth == 0 && firstWord(line_).first == "return";
    if (returned) {
      FXS_CHECK(readReturn(entry, line, names));
      continue;
    }
    FXS_CHECK(readNames(entry, names));
    entry.body.push_back(std::move(line));
  }
  if (!returned) return error("this body does not end with 'return' and the node's results");
  return checkNames(entry, names);
}

Result<> Reader::checkNames(const Template& entry, const BodyNames& names) const {
  for (const auto& [line, name] : names.used) {
    if (names.defined.contains(name)) continue;
    std::vector<std::string_view> known(entry.arguments.begin(), entry.arguments.end());
    known.insert(known.end(), names.defined.begin(), names.defined.end());
    const std::vector<std::string> close = nearest(name, known, 1);
    return errorAt(
        line, fmt::format("%{} is neither an argument of this entry nor defined in its body{}",
                          name, close.empty() ? "" : "; did you mean '%" + close.front() + "'?"));
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

/// The name of the registry, which must not be taken.
Result<std::string> Reader::readName(std::string_view rest) const {
  if (!fx::isIdentifier(rest))
    return error(fmt::format("'{}' is not a registry name; use letters, digits and _", rest));
  if (builtinRegistries().find(rest) != nullptr)
    return error(fmt::format("registry '{}' is built in; choose another name", rest));
  return std::string(rest);
}

/// Expands the first of an operator's entries that applies; if none does, says the reasons of all.
Handled expandFirst(const std::vector<Template>& entries, Call& call) {
  std::string reasons;
  for (const Template& entry : entries) {
    const OpBuilder::Mark mark = call.emit.mark();
    Handled handled = expand(entry, call);
    if (handled) return handled;
    call.emit.rollback(mark);
    reasons += (reasons.empty() ? "" : "; ") + handled.error().message;
  }
  return refuse(std::move(reasons));
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
      FXS_TRY(registry->name, readName(rest));
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
    registry->handlers.emplace(
        op, [shared = std::make_shared<const std::vector<Template>>(std::move(templates))](
                Call& call) { return expandFirst(*shared, call); });
  return std::shared_ptr<const Registry>(std::move(registry));
}

}  // namespace

Result<std::shared_ptr<const Registry>> readUserRegistry(std::string_view text,
                                                         std::string_view file) {
  return Reader(text, file).read();
}

}  // namespace fxs::registry
