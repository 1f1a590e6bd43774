// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A user's registry: a text file of templates that lower operators to MLIR, read at run time.
//
//   # A line that begins with '#' is a comment.
//   registry acme
//   title Acme's fused operators
//
//   op acme.swiglu.default (x, y, beta)    an FX target or an op class (op SiluOp (self)), with
//   names for the arguments
//     when float(x) and same_type(x, y)    optional, may be repeated: restricts the template to
//     matching calls body
//       %s = tosa.sigmoid %x : (${type x}) -> ${type x}
//       ..
//       return %s
//     end
//
//   op acme.rotate.default (x, angle)
//     external acme_rotate                 instead of a body: a call of a function that is defined
//     elsewhere, with the tensors, integers,
//                                          floats and bools of the call; further types get a
//                                          declaration acme_rotate_1, ..
//
// A body is MLIR in custom or generic form; a line that ends in '{', '(' or ',' continues on the
// next one. `%name` is a tensor argument or a value defined by the body; the latter are renamed to
// be unique in the function. The body ends with `return` and the node's results, which must have
// the types recorded in the program. `${` .. `}` inserts a property of the call:
//   x               a constant argument: 1.5, true, 3, [1, 2]; `float x` formats it as a float
//   type x          the type of a tensor argument, `type result`, or `type result 1` of several:
//   tensor<2x3xf32> element x       its element type: f32         shape x     its sizes, each
//   followed by 'x': 2x3x, as in tensor<${shape x}i1> rank x          its rank: 2 size x -1   the
//   size of one dimension: 3
// Conditions are float(x), integer(x), bool(x), constant(x), none(x), same_type(x, y), rank(x) ==
// 2, size(x, -1) > 1 and element(x) == f32, with == != < <= > >=, joined by `and`. If the call does
// not meet all conditions of an entry, the next entry for the operator is tried, then the next
// registry of the chain.
#include <memory>
#include <string_view>

#include "base/result.h"
#include "registry/registry.h"

namespace fxs::registry {

/// `file` is used in messages: "acme.fxreg:12: .." (1-based line). InvalidInput if the text is not
/// well formed.
Result<std::shared_ptr<const Registry>> readUserRegistry(std::string_view text,
                                                         std::string_view file);

}  // namespace fxs::registry
