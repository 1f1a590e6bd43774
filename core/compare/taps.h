// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Makes values of inner nodes visible: the same program with further results. The compiler then has
// to compute them, which can change what it fuses; a node that differs only without taps is found
// by running it by itself.
#include <vector>

#include "fx/program.h"

namespace fxs::compare {

struct Tapped {
  fx::ProgramPtr program;
  std::vector<fx::NodeId>
      nodes;  ///< of the program; their values follow the program's own results, in this order
};

/// The nodes of the main graph whose values can be results: tensors that calls compute, in order,
/// without those that are results already.
std::vector<fx::NodeId> tappableNodes(const fx::Program&);
/// `nodes`: of tappableNodes(program).
Result<Tapped> withTaps(const fx::ProgramPtr& program, const std::vector<fx::NodeId>& nodes);

/// The results of the program's main function, as the importer writes it (import::Mode::Lowering),
/// and their nodes; invalid for a constant.
std::vector<const fx::OutputSpec*> resultSpecs(const fx::Program&);
std::vector<fx::NodeId> resultNodes(const fx::Program&);

}  // namespace fxs::compare
