// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A query for nodes of a graph, one language for the window and the command line:
//
//   op=linalg.generic shape~1x4x dtype=f16 module=layers.3 name~/q_proj|k_proj/ problem=yes relu
//
// Terms with spaces between, which must all hold. `key=value` is equal, `key~text` contains,
// `key~/expression/` is a regular expression; a word without a key looks in name, operator and
// modules, `~/expression/` too. Quotes hold a value or a word together and have no keys in them:
// name~"a b", "dim=1". What each key means is in docs/command-line.md. There is no "or" and no
// "not": an expression has `|`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/dtype.h"
#include "query/pattern.h"

namespace fxs::query {

enum class Key : std::uint8_t { Any, Name, Op, Module, Shape, Dtype, File, Line, Problem };

struct Term {
  Key key = Key::Any;
  Pattern pattern;
  std::optional<DType> dtype;        ///< of dtype=
  std::optional<std::int64_t> line;  ///< of line=
  std::optional<bool> problem;       ///< of problem=yes and problem=no
};

struct Query {
  std::string text;  ///< as written
  std::vector<Term> terms;
  /// Whether a term has a key or is a regular expression, so that this is more than text to look
  /// for.
  bool hasKeys = false;
};

/// Usage, with the term that is wrong and what is expected, if the text does not parse. No terms
/// for blank text.
Result<Query> parse(std::string_view text);

}  // namespace fxs::query
