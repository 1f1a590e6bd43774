// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/shadowed_names.h"

#include <algorithm>
#include <array>

namespace fxs::fx {
namespace {

/// Python's keywords and builtins, and globals of torch.fx, which generated names must not shadow.
constexpr auto kShadowed = [] {
  std::array names = std::to_array<std::string_view>(
      {"False",       "None",       "NoneType",     "True",      "abs",       "aiter",
       "all",         "and",        "anext",        "any",       "as",        "ascii",
       "assert",      "async",      "await",        "bin",       "bool",      "break",
       "breakpoint",  "bytearray",  "bytes",        "callable",  "chr",       "class",
       "classmethod", "compile",    "complex",      "continue",  "copyright", "credits",
       "def",         "del",        "delattr",      "device",    "dict",      "dir",
       "divmod",      "elif",       "else",         "enumerate", "eval",      "except",
       "exec",        "exit",       "filter",       "finally",   "float",     "for",
       "format",      "from",       "frozenset",    "fx_pytree", "getattr",   "global",
       "globals",     "hasattr",    "hash",         "help",      "hex",       "id",
       "if",          "import",     "in",           "inf",       "input",     "int",
       "is",          "isinstance", "issubclass",   "iter",      "lambda",    "len",
       "license",     "list",       "locals",       "map",       "max",       "memoryview",
       "min",         "nan",        "next",         "nonlocal",  "not",       "object",
       "oct",         "open",       "or",           "ord",       "pass",      "pow",
       "print",       "property",   "pytree",       "quit",      "raise",     "range",
       "repr",        "return",     "reversed",     "round",     "set",       "setattr",
       "slice",       "sorted",     "staticmethod", "str",       "sum",       "super",
       "torch",       "try",        "tuple",        "type",      "vars",      "while",
       "with",        "yield",      "zip"});
  return names;
}();
static_assert(std::is_sorted(kShadowed.begin(), kShadowed.end()));

}  // namespace

bool isShadowedName(std::string_view name) {
  return std::binary_search(kShadowed.begin(), kShadowed.end(), name);
}

}  // namespace fxs::fx
