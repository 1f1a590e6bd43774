// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// For what a verdict holds, derived from what ran: the sets of inputs that were compared, their
// sizes and values, what was not tried and why, what operators did not see, and which results were
// not compared.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "compare/coverage.h"
#include "compare/inputs.h"
#include "compare/operator_values.h"
#include "fx/program.h"

namespace fxs::compare {

struct Comparison;
struct TargetComparison;

struct Scope {
  /// The values of an input in the sets that were compared.
  struct Tried {
    std::string input;
    DType dtype = DType::Unknown;
    std::optional<double> min, max;  ///< of the finite elements; not known if there are none
    bool isFullRange = false;        ///< integers over all of their type
    Values values;
  };
  /// Values that floats could have and no compared set had, in these inputs.
  struct NotTried {
    Values values;
    std::vector<std::string> inputs;
    std::string because;  ///< the operator that does not bear them; "" if they were not drawn for
                          ///< another reason
  };
  struct NotCompared {
    std::string name, message;
  };

  std::vector<std::size_t> sets;             ///< that were compared, by index in Comparison::inputs
  std::map<std::string, std::size_t> alone;  ///< how many of them only this executor ran
  std::map<std::string, std::set<std::int64_t>> sizes;
  std::vector<Tried> tried;  ///< by tensor of the inputs
  std::vector<NotTried> notTried;
  /// A condition or loop, and what of it ran in the sets: of "true" and "false", or of "0", "1" and
  /// "several" trips. Nothing: not known.
  struct Control {
    std::string name;
    bool isLoop = false;
    std::set<std::string> taken;
    bool isComplete() const { return taken.size() >= (isLoop ? 3U : 2U); }
  };
  std::vector<Control> control;              ///< of the main graph
  std::vector<Unseen> unseen;                ///< empty if node values are not known
  std::vector<Sight> sights;                 ///< likewise
  bool knowsNodes = false;                   ///< `unseen` was looked for
  std::vector<NotCompared> notCompared;      ///< results
  std::vector<std::string> setsNotCompared;  ///< why, once each

  /// "6 input sets, sizes s0 in {1, 2, 17}, int8 over its range, NaN not tried in x (exp)"; "no
  /// inputs" if nothing was compared.
  std::string message() const;
};

/// The values of one set, by tensor.
std::vector<Scope::Tried> valuesOf(const Inputs&, const fx::Program& program);

/// Without `unseen` and `sights`. `program`: the user's.
Scope scopeOf(const TargetComparison&, const Comparison&, const fx::Program& program,
              const RunContext&);

}  // namespace fxs::compare
