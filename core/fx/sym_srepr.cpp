// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sympy's srepr: Head(argument, .., keyword=value), where an argument is an expression or a bare
// number; the name of a Symbol and the value of a Float are quoted. PyTorch evaluates the text as
// Python: whatever else a text holds is an error, not something to skip.
#include <charconv>

#include "base/ascii.h"
#include "base/number_from.h"
#include "fx/evaluated_text.h"
#include "fx/sym_expr.h"

namespace fxs::fx {
namespace {

struct OpenCall {
  std::string head;
  std::vector<SymExprPtr> operands;
  std::vector<std::string>
      texts;             // quoted strings and bare numbers, as in Symbol('s0') and Rational(1, 2)
  bool keyword = false;  // the current argument is a keyword argument, which is dropped
};

bool isSymbolHead(std::string_view head) { return head == "Symbol" || head == "Dummy"; }

class SreprParser {
 public:
  explicit SreprParser(std::string_view text) : text_(text) {}

  Result<SymExprPtr> parse() {
    if (text_.size() > kMaxSymExprLength)
      return fail(ErrorCode::InvalidInput,
                  "symbolic expression of " + std::to_string(text_.size()) +
                      " characters; the limit is " + std::to_string(kMaxSymExprLength));
    for (;;) {
      FXS_CHECK(readArgument());
      if (opened_) continue;
      FXS_CHECK(closeFrames());
      if (stack_.empty()) break;
    }
    skipSpace();
    if (at_ != text_.size()) return wrong("unexpected '" + std::string(1, text_[at_]) + "'");
    return done_ ? Result<SymExprPtr>(done_) : wrong("no expression");
  }

 private:
  tl::unexpected<Error> wrong(const std::string& message) const {
    std::string shown(text_.substr(0, 60));
    return fail(ErrorCode::InvalidInput, "symbolic expression '" + shown +
                                             (text_.size() > 60 ? ".." : "") + "' at offset " +
                                             std::to_string(at_) + ": " + message);
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  /// One argument, or the opening of a call (`opened_`).
  Result<> readArgument() {
    opened_ = false;
    skipSpace();
    if (at_ == text_.size()) return wrong("expected an expression, got the end of the text");
    const char c = text_[at_];
    if (c == '\'' || c == '"') return readString(c);
    if (c == ')' && !stack_.empty()) return {};  // Head()
    std::string word = readWord();
    if (word.empty() || word == "-" || word == "+") return wrong("expected an expression");
    skipSpace();
    if (isNext("(") && !isDigit(word[0])) return openCall(std::move(word));
    if (isNext("=") && !stack_.empty()) return readKeyword(word);
    return accept(word);
  }
  bool isNext(std::string_view oneOf) const {
    return at_ < text_.size() && oneOf.find(text_[at_]) != std::string_view::npos;
  }
  /// A name or a number, with its sign and that of its exponent; may be empty.
  std::string readWord() {
    const std::size_t begin = at_;
    const bool number = isDigit(text_[begin]) || text_[begin] == '-';
    if (isNext("-+")) ++at_;
    while (at_ < text_.size() && (isWordChar(text_[at_]) || text_[at_] == '.')) {
      const bool exponent = number && isNext("eE");
      ++at_;
      if (exponent && isNext("-+")) ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }
  Result<> openCall(std::string head) {
    if (!isIdentifier(head))
      return wrong(shownText(head) + " is not the name of a function of sympy");
    if (stack_.size() >= kMaxSymExprDepth)
      return wrong("deeper than " + std::to_string(kMaxSymExprDepth) + " levels");
    ++at_;
    stack_.push_back({std::move(head), {}, {}, false});
    opened_ = true;
    return {};
  }
  Result<> readKeyword(const std::string& name) {
    if (!isIdentifier(name)) return wrong(shownText(name) + " is not the name of an argument");
    ++at_;
    stack_.back().keyword = true;
    return readKeywordValue();
  }
  /// The value of a keyword: a word or a number (sympy writes nothing else there).
  Result<> readKeywordValue() {
    skipSpace();
    std::size_t begin = at_;
    while (at_ < text_.size() && (isWordChar(text_[at_]) || text_[at_] == '.' || text_[at_] == '-'))
      ++at_;
    if (begin == at_) return wrong("expected the value of a keyword");
    return {};
  }
  Result<> readString(char quote) {
    std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return wrong("unterminated string");
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    if (stack_.empty()) return wrong("a string is not an expression");
    if (!isSymbolHead(stack_.back().head) && stack_.back().head != "Float")
      return wrong("a string is allowed in Symbol and Float, not in '" + stack_.back().head + "'");
    stack_.back().texts.push_back(std::move(value));
    return {};
  }
  /// A bare word: a number, or a constant such as `oo` or `true`.
  Result<> accept(const std::string& word) {
    const std::string_view unsignedWord =
        std::string_view(word).substr(word[0] == '-' || word[0] == '+' ? 1 : 0);
    if (!isDigit(unsignedWord[0]) && !isIdentifier(unsignedWord))
      return wrong(shownText(word) + " is not a constant of sympy");
    if (!stack_.empty() && (isDigit(word[0]) || word[0] == '-'))
      stack_.back().texts.push_back(word);
    const auto integer = numberFrom<std::int64_t>(word);
    SymExprPtr leaf = integer ? SymExpr::integerOf(*integer) : SymExpr::call(word, {});
    if (stack_.empty()) done_ = leaf;
    else stack_.back().operands.push_back(leaf);
    return {};
  }

  /// After an argument: a comma, or as many ')' as there are.
  Result<> closeFrames() {
    while (!stack_.empty()) {
      skipSpace();
      if (at_ == text_.size()) return wrong("'" + stack_.back().head + "(' is not closed");
      stack_.back().keyword = false;
      char c = text_[at_];
      if (c == ',') {
        ++at_;
        return {};
      }
      if (c != ')') return wrong("expected ',' or ')'");
      ++at_;
      OpenCall frame = std::move(stack_.back());
      stack_.pop_back();
      FXS_TRY(SymExprPtr value, build(frame));
      if (stack_.empty()) done_ = value;
      else stack_.back().operands.push_back(value);
    }
    return {};
  }

  Result<SymExprPtr> build(OpenCall& frame) const {
    if (isSymbolHead(frame.head)) return buildSymbol(frame);
    if (frame.head == "Integer" || frame.head == "Rational") return buildRational(frame);
    if (frame.head == "Float") return buildFloat(frame);
    return SymExpr::call(std::move(frame.head), std::move(frame.operands));
  }
  Result<SymExprPtr> buildSymbol(const OpenCall& frame) const {
    if (frame.texts.empty()) return wrong("Symbol without a name");
    if (frame.texts.size() > 1 || !frame.operands.empty())
      return wrong("a Symbol has only a name and assumptions");
    if (!isSymbolName(frame.texts[0]))
      return wrong(shownText(frame.texts[0]) + " is not the name of a symbol, such as s0 or u3");
    return SymExpr::symbol(frame.texts[0]);
  }
  Result<SymExprPtr> buildRational(const OpenCall& frame) const {
    std::vector<std::int64_t> numbers;
    for (const std::string& t : frame.texts) {
      std::int64_t number = 0;
      auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), number);
      if (error == std::errc::result_out_of_range)
        return SymExpr::call(t, {});  // kept as it is written
      if (error != std::errc() || end != t.data() + t.size())
        return wrong("'" + t + "' is not an integer");
      numbers.push_back(number);
    }
    if (numbers.size() == 1) return SymExpr::integerOf(numbers[0]);
    if (numbers.size() == 2 && numbers[1] > 0) return SymExpr::rationalOf(numbers[0], numbers[1]);
    return wrong("'" + frame.head + "' has the wrong number of arguments");
  }
  Result<SymExprPtr> buildFloat(const OpenCall& frame) const {
    if (frame.texts.empty()) return wrong("Float without a value");
    const std::string& t = frame.texts[0];
    const auto real = numberFrom<double>(t);
    if (!real) return wrong("'" + t + "' is not a number");
    return SymExpr::floatOf(*real);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool opened_ = false;
  std::vector<OpenCall> stack_;
  SymExprPtr done_;
};

}  // namespace

Result<SymExprPtr> parseSrepr(std::string_view text) { return SreprParser(text).parse(); }

}  // namespace fxs::fx
