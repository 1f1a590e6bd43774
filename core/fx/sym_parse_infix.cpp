// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operator precedence parsing of what infix() prints, with its own stack: one frame for each open
// bracket.
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/number_from.h"
#include "fx/evaluated_text.h"
#include "fx/sym_expr.h"

namespace fxs::fx {
namespace {

using Kind = SymExpr::Kind;

struct Operand {
  SymExprPtr expr;
  std::size_t depth = 1;
};

struct Operator {
  std::string_view text;
  int precedence;
  bool prefix = false;
};
// Longest first.
constexpr std::array<Operator, 15> kOperators{{{"**", 60},
                                               {"//", 50},
                                               {"<=", 35},
                                               {">=", 35},
                                               {"==", 35},
                                               {"!=", 35},
                                               {"*", 50},
                                               {"/", 50},
                                               {"%", 50},
                                               {"+", 40},
                                               {"-", 40},
                                               {"<", 35},
                                               {">", 35},
                                               {"&", 30},
                                               {"|", 20}}};
constexpr Operator kNegate{"-", 45, true};  // -2*s0 is -(2*s0), as sympy prints a negative product
constexpr Operator kInvert{"~", 55, true};

struct OpenBracket {
  std::string head;  // "" for a plain bracket
  std::vector<Operand> arguments;
  std::vector<Operand> values;
  std::vector<Operator> operators;
};

bool isEmptyCall(const OpenBracket& bracket) {
  return !bracket.head.empty() && bracket.arguments.empty() && bracket.values.empty();
}

bool isNumberOne(const SymExpr& e) { return e.kind == Kind::Integer && e.integer == 1; }

/// The rational coefficient in front of a product and the other factors.
struct Product {
  std::int64_t numerator = 1, denominator = 1;
  std::vector<SymExprPtr> factors;
};

Product productOf(const SymExprPtr& e) {
  Product out;
  const bool isMul = e->kind == Kind::Call && e->name == "Mul";
  std::vector<SymExprPtr> factors = isMul ? e->operands : std::vector<SymExprPtr>{e};
  if (!factors.empty() &&
      (factors[0]->kind == Kind::Integer || factors[0]->kind == Kind::Rational)) {
    out.numerator = factors[0]->integer;
    out.denominator = factors[0]->kind == Kind::Rational ? factors[0]->denominator : 1;
    factors.erase(factors.begin());
  }
  out.factors = std::move(factors);
  return out;
}

SymExprPtr productExpr(Product p) {
  SymExprPtr coefficient = p.denominator == 1 ? SymExpr::integerOf(p.numerator)
                                              : SymExpr::rationalOf(p.numerator, p.denominator);
  if (p.factors.empty()) return coefficient;
  if (isNumberOne(*coefficient) && p.factors.size() == 1) return p.factors[0];
  if (!isNumberOne(*coefficient)) p.factors.insert(p.factors.begin(), coefficient);
  return SymExpr::call("Mul", std::move(p.factors));
}

SymExprPtr negated(const SymExprPtr& e) {
  if (e->kind == Kind::Float) return SymExpr::floatOf(-e->real);
  Product p = productOf(e);
  if (__builtin_sub_overflow(std::int64_t{0}, p.numerator, &p.numerator))
    return SymExpr::call("Mul", {SymExpr::integerOf(-1), e});
  return productExpr(std::move(p));
}

SymExprPtr reciprocal(const SymExprPtr& e) {
  if (e->kind == Kind::Call && e->name == "Pow" && e->operands.size() == 2 &&
      e->operands[1]->kind == Kind::Integer)
    return SymExpr::call("Pow", {e->operands[0], negated(e->operands[1])});
  return SymExpr::call("Pow", {e, SymExpr::integerOf(-1)});
}

/// The operands of a call, moved if `e` is the only owner, so that long sums are parsed in linear
/// time. The const_cast is valid because every expression is created non-const.
std::vector<SymExprPtr> operandsOf(SymExprPtr e) {
  if (e.use_count() == 1) return std::move(const_cast<SymExpr&>(*e).operands);
  return e->operands;
}

/// Whether a factor can be appended: the product does not start with a coefficient.
bool isPlainProduct(const SymExpr& e) {
  if (e.kind != Kind::Call || e.name != "Mul" || e.operands.size() < 2) return false;
  const SymExpr& first = *e.operands.front();
  return !isNumberOne(first) && !(first.kind == Kind::Rational && first.denominator == 1);
}

SymExprPtr times(SymExprPtr a, const SymExprPtr& b) {
  if (isPlainProduct(*a)) {
    std::vector<SymExprPtr> factors = operandsOf(std::move(a));
    factors.push_back(b);
    return SymExpr::call("Mul", std::move(factors));
  }
  Product p = productOf(a);
  if (p.factors.empty() && p.numerator == 1 && p.denominator == 1) return b;
  p.factors.push_back(b);
  return productExpr(std::move(p));
}

SymExprPtr dividedBy(const SymExprPtr& a, const SymExprPtr& b) {
  Product p = productOf(a);
  Product q = productOf(b);
  if (q.denominator == 1 && q.numerator > 0 &&
      !__builtin_mul_overflow(p.denominator, q.numerator, &p.denominator)) {
    for (const SymExprPtr& f : q.factors) p.factors.push_back(reciprocal(f));
    return productExpr(std::move(p));
  }
  p = productOf(a);
  p.factors.push_back(reciprocal(b));
  return productExpr(std::move(p));
}

SymExprPtr apply(std::string_view op, SymExprPtr a, const SymExprPtr& b) {
  if (op == "+" || op == "-") {
    const bool isSum = a->kind == Kind::Call && a->name == "Add";
    std::vector<SymExprPtr> terms = isSum ? operandsOf(std::move(a)) : std::vector<SymExprPtr>{a};
    terms.push_back(op == "-" ? negated(b) : b);
    return SymExpr::call("Add", std::move(terms));
  }
  if (op == "*") return times(std::move(a), b);
  if (op == "/") return dividedBy(a, b);
  if (op == "&" || op == "|") {
    std::string head = op == "&" ? "And" : "Or";
    const bool isSame = a->kind == Kind::Call && a->name == head;
    std::vector<SymExprPtr> terms = isSame ? operandsOf(std::move(a)) : std::vector<SymExprPtr>{a};
    terms.push_back(b);
    return SymExpr::call(head, std::move(terms));
  }
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kHeads{
      {{"**", "Pow"},
       {"//", "FloorDiv"},
       {"%", "PythonMod"},
       {"<", "StrictLessThan"},
       {">", "StrictGreaterThan"},
       {"<=", "LessThan"},
       {">=", "GreaterThan"},
       {"==", "Equality"},
       {"!=", "Unequality"}}};
  for (const auto& [text, head] : kHeads)
    if (text == op) return SymExpr::call(head, {a, b});
  return nullptr;
}

class InfixParser {
 public:
  explicit InfixParser(std::string_view text) : text_(text) {}

  Result<SymExprPtr> parse() {
    if (text_.size() > kMaxSymExprLength)
      return fail(ErrorCode::InvalidInput,
                  "symbolic expression of " + std::to_string(text_.size()) +
                      " characters; the limit is " + std::to_string(kMaxSymExprLength));
    frames_.emplace_back();
    bool wantValue = true;
    for (skipSpace(); at_ < text_.size(); skipSpace()) {
      if (wantValue) {
        FXS_TRY(wantValue, readValue());
      } else {
        FXS_TRY(wantValue, readOperator());
      }
    }
    if (frames_.size() != 1) return wrong("unclosed bracket");
    FXS_TRY(Operand out, finishFrame(frames_[0]));
    return out.expr;
  }

 private:
  tl::unexpected<Error> wrong(const std::string& message) const {
    return fail(ErrorCode::InvalidInput, "symbolic expression '" +
                                             std::string(text_.substr(0, 60)) +
                                             (text_.size() > 60 ? ".." : "") + "' at offset " +
                                             std::to_string(at_) + ": " + message);
  }
  void skipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  /// Reads a number, symbol, opening bracket or call, or prefix operator; true if a value is still
  /// expected.
  Result<bool> readValue() {
    char c = text_[at_];
    if (c == '(') return open("");
    if (c == '-') return readPrefix(kNegate);
    if (c == '~') return readPrefix(kInvert);
    if (c == ')' && isEmptyCall(frames_.back())) return close();
    return isDigit(c) ? readNumber() : readName();
  }
  Result<bool> readPrefix(const Operator& op) {
    ++at_;
    frames_.back().operators.push_back(op);
    if (frames_.back().operators.size() > kMaxSymExprDepth)
      return wrong("too many operators in a row");
    return true;
  }
  /// A call, a constant or a symbol.
  Result<bool> readName() {
    std::size_t begin = at_;
    while (at_ < text_.size() && isWordChar(text_[at_])) ++at_;
    if (begin == at_) return wrong("expected a value");
    std::string word(text_.substr(begin, at_ - begin));
    if (at_ < text_.size() && text_[at_] == '(') return open(std::move(word));
    if (word == "int_oo") return value({SymExpr::call("IntInfinity", {}), 1});
    if (word == "oo" || word == "True" || word == "False" || word == "nan")
      return value({SymExpr::call(std::move(word), {}), 1});
    if (!isSymbolName(word))
      return wrong(shownText(word) + " is not the name of a symbol, such as s0 or u3");
    return value({SymExpr::symbol(std::move(word)), 1});
  }
  Result<bool> readNumber() {
    std::size_t begin = at_;
    while (at_ < text_.size() && (isDigit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && text_[at_] == 'e') {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      while (at_ < text_.size() && isDigit(text_[at_])) ++at_;
    }
    std::string_view word = text_.substr(begin, at_ - begin);
    std::int64_t integer = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), integer);
    if (end == word.data() + word.size())
      return value({error == std::errc() ? SymExpr::integerOf(integer)
                                         : SymExpr::call(std::string(word), {}),
                    1});
    const auto real = numberFrom<double>(word);
    if (!real) return wrong("'" + std::string(word) + "' is not a number");
    return value({SymExpr::floatOf(*real), 1});
  }
  Result<bool> value(Operand v) {
    frames_.back().values.push_back(std::move(v));
    return false;
  }
  Result<bool> open(std::string head) {
    if (frames_.size() >= kMaxSymExprDepth)
      return wrong("deeper than " + std::to_string(kMaxSymExprDepth) + " levels");
    ++at_;
    frames_.push_back({std::move(head), {}, {}, {}});
    return true;
  }

  /// After a value, reads an operator, comma or closing bracket; true if a value must follow.
  Result<bool> readOperator() {
    if (text_[at_] == ')') return close();
    if (text_[at_] == ',') {
      if (frames_.size() == 1) return wrong("unexpected ',' outside a call");
      ++at_;
      FXS_TRY(Operand argument, finishFrame(frames_.back()));
      frames_.back().arguments.push_back(std::move(argument));
      return true;
    }
    for (const Operator& op : kOperators) {
      if (!text_.substr(at_).starts_with(op.text)) continue;
      FXS_CHECK(reduce(frames_.back(), op.precedence + (op.text == "**" ? 1 : 0)));
      at_ += op.text.size();
      frames_.back().operators.push_back(op);
      return true;
    }
    return wrong("unexpected '" + std::string(1, text_[at_]) + "'");
  }
  Result<bool> close() {
    if (frames_.size() == 1) return wrong("unexpected ')'");
    ++at_;
    OpenBracket frame = std::move(frames_.back());
    frames_.pop_back();
    if (!frame.values.empty() || !frame.operators.empty() || !frame.arguments.empty()) {
      FXS_TRY(Operand last, finishFrame(frame));
      frame.arguments.push_back(std::move(last));
    }
    if (frame.head.empty()) {
      if (frame.arguments.size() != 1) return wrong("expected one expression in brackets");
      return value(std::move(frame.arguments[0]));
    }
    Operand out;
    std::vector<SymExprPtr> operands;
    for (Operand& a : frame.arguments) {
      out.depth = std::max(out.depth, a.depth + 1);
      operands.push_back(std::move(a.expr));
    }
    if (frame.head == "sqrt" && operands.size() == 1)
      out.expr = SymExpr::call("Pow", {operands[0], SymExpr::rationalOf(1, 2)});
    else if (frame.head == "Eq") out.expr = SymExpr::call("Equality", std::move(operands));
    else if (frame.head == "Ne") out.expr = SymExpr::call("Unequality", std::move(operands));
    else out.expr = SymExpr::call(std::move(frame.head), std::move(operands));
    return value(std::move(out));
  }

  /// Applies the operators that bind at least as tightly as `precedence`.
  Result<> reduce(OpenBracket& frame, int precedence) {
    while (!frame.operators.empty() && frame.operators.back().precedence >= precedence) {
      Operator op = frame.operators.back();
      frame.operators.pop_back();
      const std::size_t needed = op.prefix ? 1 : 2;
      if (frame.values.size() < needed)
        return wrong("'" + std::string(op.text) + "' has no operand");
      Operand b = std::move(frame.values.back());
      frame.values.pop_back();
      Operand out;
      if (op.prefix) {
        out = {op.text == "-" ? negated(b.expr) : SymExpr::call("Not", {b.expr}), b.depth + 1};
      } else {
        Operand a = std::move(frame.values.back());
        frame.values.pop_back();
        const bool flat =
            op.text == "+" || op.text == "-" || op.text == "*" || op.text == "&" || op.text == "|";
        out = {apply(op.text, std::move(a.expr), b.expr),
               std::max(flat && a.depth > 1 ? a.depth : a.depth + 1, b.depth + 2)};
      }
      if (out.depth > kMaxSymExprDepth)
        return wrong("deeper than " + std::to_string(kMaxSymExprDepth) + " levels");
      frame.values.push_back(std::move(out));
    }
    return {};
  }
  Result<Operand> finishFrame(OpenBracket& frame) {
    FXS_CHECK(reduce(frame, 0));
    if (frame.values.size() != 1) return wrong("expected a value");
    Operand out = std::move(frame.values[0]);
    frame.values.clear();
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<OpenBracket> frames_;
};

}  // namespace

Result<SymExprPtr> parseInfix(std::string_view text) { return InfixParser(text).parse(); }

}  // namespace fxs::fx
