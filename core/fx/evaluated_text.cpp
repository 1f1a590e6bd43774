// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/evaluated_text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fx/text_words.h"
#include "ops/schema.h"

namespace fxs::fx {
namespace {

constexpr std::size_t kMaxUnbackedDigits = 6;
constexpr std::size_t kMaxGuardBrackets = 64;
constexpr std::size_t kMaxShown = 60;

constexpr auto kSympyHeads = std::to_array<std::string_view>({"Abs",
                                                              "Add",
                                                              "And",
                                                              "BitwiseFn_bitwise_and",
                                                              "BitwiseFn_bitwise_or",
                                                              "BitwiseFn_bitwise_xor",
                                                              "CeilDiv",
                                                              "CeilToInt",
                                                              "CleanDiv",
                                                              "Equality",
                                                              "ExprCondPair",
                                                              "FloatPow",
                                                              "FloatTrueDiv",
                                                              "FloorDiv",
                                                              "FloorToInt",
                                                              "GreaterThan",
                                                              "ITE",
                                                              "Identity",
                                                              "IntTrueDiv",
                                                              "IsNonOverlappingAndDenseIndicator",
                                                              "LShift",
                                                              "LessThan",
                                                              "Max",
                                                              "Min",
                                                              "Mod",
                                                              "ModularIndexing",
                                                              "Mul",
                                                              "Not",
                                                              "OpaqueUnaryFn_acos",
                                                              "OpaqueUnaryFn_asin",
                                                              "OpaqueUnaryFn_asinh",
                                                              "OpaqueUnaryFn_atan",
                                                              "OpaqueUnaryFn_cos",
                                                              "OpaqueUnaryFn_cosh",
                                                              "OpaqueUnaryFn_exp",
                                                              "OpaqueUnaryFn_log",
                                                              "OpaqueUnaryFn_log2",
                                                              "OpaqueUnaryFn_sin",
                                                              "OpaqueUnaryFn_sinh",
                                                              "OpaqueUnaryFn_sqrt",
                                                              "OpaqueUnaryFn_tan",
                                                              "OpaqueUnaryFn_tanh",
                                                              "Or",
                                                              "Piecewise",
                                                              "Pow",
                                                              "PowByNatural",
                                                              "PythonMod",
                                                              "RShift",
                                                              "RoundDecimal",
                                                              "RoundToInt",
                                                              "StrictGreaterThan",
                                                              "StrictLessThan",
                                                              "ToFloat",
                                                              "TruncToFloat",
                                                              "TruncToInt",
                                                              "Unequality",
                                                              "Where",
                                                              "Xor",
                                                              "acos",
                                                              "asin",
                                                              "asinh",
                                                              "atan",
                                                              "ceiling",
                                                              "cos",
                                                              "cosh",
                                                              "exp",
                                                              "floor",
                                                              "log",
                                                              "sin",
                                                              "sinh",
                                                              "tan",
                                                              "tanh"});
static_assert(std::is_sorted(kSympyHeads.begin(), kSympyHeads.end()));

constexpr auto kSympyConstants =
    std::to_array<std::string_view>({"E", "False", "I", "IntInfinity", "NegativeIntInfinity",
                                     "True", "false", "int_oo", "nan", "oo", "pi", "true", "zoo"});
static_assert(std::is_sorted(kSympyConstants.begin(), kSympyConstants.end()));

/// _SYM_OPS of the serializer, what the verifier allows, and the functions of vmap and jvp before
/// dispatch.
constexpr auto kPythonTargets =
    std::to_array<std::string_view>({"_operator.abs",
                                     "_operator.add",
                                     "_operator.and_",
                                     "_operator.eq",
                                     "_operator.floordiv",
                                     "_operator.ge",
                                     "_operator.getitem",
                                     "_operator.gt",
                                     "_operator.le",
                                     "_operator.lshift",
                                     "_operator.lt",
                                     "_operator.mod",
                                     "_operator.mul",
                                     "_operator.ne",
                                     "_operator.neg",
                                     "_operator.not_",
                                     "_operator.or_",
                                     "_operator.pos",
                                     "_operator.pow",
                                     "_operator.rshift",
                                     "_operator.sub",
                                     "_operator.truediv",
                                     "builtins.round",
                                     "math.ceil",
                                     "math.floor",
                                     "math.trunc",
                                     "torch._functorch.predispatch._add_batch_dim",
                                     "torch._functorch.predispatch._enter_dual_level",
                                     "torch._functorch.predispatch._exit_dual_level",
                                     "torch._functorch.predispatch._jvp_decrement_nesting",
                                     "torch._functorch.predispatch._jvp_increment_nesting",
                                     "torch._functorch.predispatch._make_dual",
                                     "torch._functorch.predispatch._remove_batch_dim",
                                     "torch._functorch.predispatch._unpack_dual",
                                     "torch._functorch.predispatch._unwrap_for_grad",
                                     "torch._functorch.predispatch._vmap_decrement_nesting",
                                     "torch._functorch.predispatch._vmap_increment_nesting",
                                     "torch._functorch.predispatch.lazy_load_decompositions",
                                     "torch.sym_float",
                                     "torch.sym_int",
                                     "torch.sym_ite",
                                     "torch.sym_max",
                                     "torch.sym_min",
                                     "torch.sym_not",
                                     "torch.sym_sqrt"});
static_assert(std::is_sorted(kPythonTargets.begin(), kPythonTargets.end()));

/// First parts that are not operator namespaces: Python modules, and attributes of torch.ops
/// itself.
constexpr auto kNoNamespaces = std::to_array<std::string_view>(
    {"_operator", "builtins", "higher_order", "import_module", "load_library", "loaded_libraries",
     "math", "operator", "torch"});
static_assert(std::is_sorted(kNoNamespaces.begin(), kNoNamespaces.end()));

/// Names allowed in a guard besides L, the arguments of forward().
constexpr auto kGuardWords =
    std::to_array<std::string_view>({"False",     "FloorDiv", "IsNonOverlappingAndDenseIndicator",
                                     "L",         "Mod",      "None",
                                     "PythonMod", "True",     "abs",
                                     "and",       "ceil",     "else",
                                     "float",     "floor",    "if",
                                     "inf",       "int",      "isinf",
                                     "isnan",     "log2",     "math",
                                     "max",       "min",      "not",
                                     "or",        "pow",      "round",
                                     "size",      "sqrt",     "storage_offset",
                                     "stride",    "trunc"});
static_assert(std::is_sorted(kGuardWords.begin(), kGuardWords.end()));

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
     "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
     "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
     "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::binary_search(words.begin(), words.end(), word);
}

bool areDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

/// "aten", "add", "Tensor" of "aten.add.Tensor"; empty when a part is no identifier.
std::vector<std::string_view> partsOf(std::string_view target) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t dot = target.find('.');
    const std::string_view part = target.substr(0, dot);
    if (!isIdentifier(part)) return {};
    out.push_back(part);
    if (dot == std::string_view::npos) return out;
    target.remove_prefix(dot + 1);
  }
}

bool isOneOf(std::string_view characters, char c) {
  return characters.find(c) != std::string_view::npos;
}

/// Reads a guard part by part.
class GuardReader {
 public:
  explicit GuardReader(std::string_view text) : text_(text) {}

  bool isValid() {
    while (at_ < text_.size())
      if (!readPart()) return false;
    return !text_.empty() && open_.empty();
  }

 private:
  bool readPart() {
    if (isWordChar(text_[at_])) return readWord();
    if (text_[at_] == '\'') return readString();
    return readSign();
  }

  /// A number may have a fraction and an exponent, but no letters, which could be an attribute
  /// access.
  bool readWord() {
    const bool number = isDigit(text_[at_]);
    const std::size_t begin = at_;
    while (at_ < text_.size() && (isWordChar(text_[at_]) || (number && text_[at_] == '.'))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (number) return word.find_first_not_of("0123456789.e") == word.npos;
    return isOneOf(kGuardWords, word);
  }

  bool readString() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == text_.npos || !isQualifiedName(text_.substr(at_ + 1, end - at_ - 1))) return false;
    at_ = end + 1;
    return true;
  }

  bool readSign() {
    const char c = text_[at_++];
    if (c == '(') return open(')');
    if (c == '[') return open(']');
    if (c == ')' || c == ']') return close(c);
    if (c == '=' || c == '!') return isComparison();
    return isOneOf(" .,+-*/%<>&|~", c);
  }

  bool open(char closing) {
    if (open_.size() == kMaxGuardBrackets) return false;
    open_ += closing;
    return true;
  }

  bool close(char closing) {
    if (!open_.ends_with(closing)) return false;
    open_.pop_back();
    return true;
  }

  /// Whether the sign before `at_` is of a comparison, never of an assignment.
  bool isComparison() const {
    const bool second = at_ > 1 && isOneOf("=<>!", text_[at_ - 2]);
    return second || (at_ < text_.size() && text_[at_] == '=');
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;  // the expected closing brackets
};

}  // namespace

bool isIdentifier(std::string_view text) {
  return !text.empty() && !isDigit(text[0]) && std::all_of(text.begin(), text.end(), isWordChar);
}

bool isArgumentName(std::string_view text) {
  return !text.empty() && !isDigit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return isWordChar(c) || static_cast<unsigned char>(c) >= 0x80;
  });
}

bool isPythonKeyword(std::string_view text) { return isOneOf(kKeywords, text); }

std::string attributeName(std::string_view name) {
  std::string out;
  while (true) {
    const std::size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    out += part;
    if (part.empty() || isPythonKeyword(part)) out += '_';
    if (dot == std::string_view::npos) return out;
    out += '.';
    name.remove_prefix(dot + 1);
  }
}

bool isSymbolName(std::string_view text) {
  if (!isIdentifier(text)) return false;
  for (const std::string_view unbacked : {"u", "zuf"})
    if (text.starts_with(unbacked) && areDigits(text.substr(unbacked.size())))
      return text.size() - unbacked.size() <= kMaxUnbackedDigits;
  return true;
}

bool isSympyHead(std::string_view head, bool hasOperands) {
  if (hasOperands) return isOneOf(kSympyHeads, head);
  if (head.starts_with('-')) head.remove_prefix(1);
  return isOneOf(kSympyConstants, head) || areDigits(head);
}

bool isTargetText(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return !text.empty() && !isDigit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return isWordChar(c) || c == '.' || c == ':';
  });
}

std::string_view packetOf(std::string_view target) {
  const std::size_t first = target.find('.');
  if (first == std::string_view::npos) return target;
  const std::size_t second = target.find('.', first + 1);
  return target.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
}

bool isExportedTarget(std::string_view target) {
  if (isOneOf(kPythonTargets, target)) return true;
  if (target.starts_with('#')) return isTargetText(target);  // looked up in a table, not evaluated
  const std::vector<std::string_view> parts = partsOf(target);
  if (parts.size() == 2) return parts[0] == "higher_order" && !parts[1].starts_with("__");
  if (parts.size() != 3 || isOneOf(kNoNamespaces, parts[0])) return false;
  // Every Python object has such attributes; some ATen operators are named so too, such as __and__.
  const bool special = std::any_of(parts.begin(), parts.end(),
                                   [](std::string_view part) { return part.starts_with("__"); });
  return !special || ops::SchemaTable::builtin().find(target) != nullptr;
}

bool isQualifiedName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && c != '\'' && c != '"' && c != '\\';
  });
}

bool isGuard(std::string_view text) { return GuardReader(text).isValid(); }

std::string shownText(std::string_view text) {
  return "'" + std::string(text.substr(0, kMaxShown)) + (text.size() > kMaxShown ? ".." : "") + "'";
}

}  // namespace fxs::fx
