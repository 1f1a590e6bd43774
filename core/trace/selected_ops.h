// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The operations of a module that the terms of a condition select.
#include <span>
#include <vector>

#include "trace/condition.h"
#include "trace/node_changes.h"
#include "trace/provenance.h"

namespace fxs::trace {

class OpSelection {
 public:
  /// Usage if a term names a node that the trace does not have. Keeps a reference to the terms.
  static Result<OpSelection> of(std::span<const OpTerm> terms, const Trace&);
  /// In text order; valid as long as the text.
  std::vector<SeenOp> in(const OpenText&, const RunContext&) const;

 private:
  struct Term {
    const OpTerm* term;
    std::vector<bool> nodes;  ///< of Key::Node, by NodeId: whether its name matches
  };
  bool holds(const Term&, const OpenText&, const SeenOp&) const;
  std::vector<Term> cheap_;  ///< those that need not the text of the operation
  std::vector<Term> ofText_;
};

/// Whether a type is of the element type, or contains it: "f32" of `tensor<2x?xf32>`.
bool hasElementType(std::string_view type, std::string_view element);

}  // namespace fxs::trace
