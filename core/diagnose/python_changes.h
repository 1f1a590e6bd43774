#pragma once
// Changes as Python for the user's own script: what rewriting does to a program, as functions for the decomposition table of
// torch_mlir.fx.export_and_import, and its other arguments.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnose/change.h"
#include "diagnose/fixed.h"

namespace fxs::diagnose {

class PythonChanges {
 public:
  explicit PythonChanges(RewriteBase base) : base_(std::move(base)) {}

  /// The functions that make of the user's program what the base with `changes` makes of it, sorted by target. Operators that a table
  /// cannot replace are left out: control flow, and operators of other libraries. Cancelled; errors of rewriting.
  Result<std::vector<PythonDecomposition>> with(const std::vector<const Change*>& changes, const RunContext&);
  /// The script with which some of the user's nodes lower: PythonScript::text(), "" if there is none.
  Result<std::string> scriptFor(const std::vector<fx::NodeId>& nodes, const lower::OutputType&, const std::vector<Change>& changes,
                                const RunContext&);

 private:
  struct Call {
    fx::ProgramPtr alone;  ///< fx::singleCall, of the functional program
    std::string target;
    std::vector<fx::NodeId> nodes;  ///< the user's
  };
  Result<const std::vector<Call>*> callsOf(bool staticSizes, const RunContext&);

  RewriteBase base_;
  std::map<bool, std::vector<Call>> calls_;  // by static sizes
};

/// Those that replace any of the nodes.
std::vector<PythonDecomposition> decompositionsOf(const std::vector<PythonDecomposition>&, const std::vector<fx::NodeId>& nodes);

/// A Python module with a function lower(program) that lowers an ExportedProgram with torch-mlir.
struct PythonScript {
  lower::OutputType target;
  std::vector<PythonDecomposition> decompositions = {};
  bool exportAgain = false;  ///< with static sizes
  std::set<std::string> backendLegal = {};
  /// Whether it is an unchanged call of export_and_import.
  bool isEmpty() const { return decompositions.empty() && !exportAgain && backendLegal.empty(); }
  /// "" if the output type is not one of torch-mlir's.
  std::string text() const;
};

}  // namespace fxs::diagnose
