// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One linalg.generic for a pointwise operator: its arguments, tensors or numbers, converted to the
// type that PyTorch computes in, a body on elements, and the result converted to what the program
// says. The half types compute in f32 and are rounded once.
#include <functional>
#include <initializer_list>

#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"

namespace fxs::registry::linalg {

using Body = std::function<Value(const Arith&, Elements)>;

struct Computing {
  DType common = DType::Unknown;  ///< the operands' common type; Unknown: that of the result
  bool gives = false;    ///< the body gives i1 (a comparison), not an element of the computing type
  bool exact = false;    ///< computes in the common type itself, without widening the half types
  bool complex = false;  ///< the body computes with complex numbers, too
};

/// `names` are the schema names of the operands, in the order of the body's elements.
Handled elementwise(Call&, std::initializer_list<std::string_view> names, const Computing&,
                    const Body& body);

}  // namespace fxs::registry::linalg
