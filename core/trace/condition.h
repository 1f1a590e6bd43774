// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A condition on the modules of a trace, to stop at the first pass at which it holds:
//
//   op=linalg.* appears               none before the pass, some after it
//   op~/^torch\./ node=softmax vanishes
//   node=softmax changes              an operation is added, removed, or has another text
//   count(op=linalg.generic) > 3
//   type=f64 vanishes                 operations with a result or argument of the element type
//   type f32 -> f16 appears           operations with operands of the one and results of the other
//   size static                       a dynamic size of a result becomes static
//   type changes                      a result gets another element type
//   node=softmax type changes         of these operations; `size static` has terms, too
//   line=9 after=12 changes           the operation on that line of the module after pass 12 is
//                                     made, has another text, or is replaced; 0 is the import
//   origins lost                      more operations without a node
//   match /dense<1\./                 of the module as it is shown
//   fails                             a pass, or the verifier after it
//
// Terms select operations and must all hold. As in core/query, `key=value` is equal, but for `*`,
// `key~text` contains, `key~/expression/` is a regular expression, letters match in either case,
// and quotes hold a value together.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/pattern.h"

namespace fxs::trace {

enum class Event : std::uint8_t {
  Appears,
  Vanishes,
  Changes,
  Count,
  SizeStatic,
  TypeChanges,
  OriginsLost,
  Match,
  Fails
};

/// A property of an operation.
struct OpTerm {
  enum class Key : std::uint8_t { Op, Text, Node, Type, Line, Conversion, After };
  Key key = Key::Op;
  std::optional<query::Pattern> pattern = {};  ///< of Op, Text and Node
  std::string node = {};                       ///< of Node, its name if it is without `*`
  std::string type = {}, toType = {};  ///< element types: of Type the first, of Conversion both
  std::uint32_t number = 0;            ///< of Line, see SnapshotOrigins::lineOf(), and of After
};

/// Operations of one module: terms as above, or `line=12`, the line in its file. Usage, with what
/// is wrong and what is expected.
Result<std::vector<OpTerm>> opTermsFrom(std::string_view text);

enum class Comparison : std::uint8_t { Less, AtMost, Equal, AtLeast, More };

struct Condition {
  std::string text;  ///< as written
  Event event = Event::Fails;
  std::vector<OpTerm> terms;  ///< of Appears, Vanishes, Changes and Count; may be of
                              ///< SizeStatic and TypeChanges
  Comparison comparison = Comparison::Equal;
  std::uint64_t count = 0;
  std::optional<std::uint32_t> after;  ///< of Changes: the pass, from 1, in whose module the terms
                                       ///< select operations, which are then followed
  std::optional<query::Pattern> expression;  ///< of Match
};

/// Usage, with what is wrong and what is expected.
Result<Condition> conditionFrom(std::string_view text);

}  // namespace fxs::trace
