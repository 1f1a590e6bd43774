// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Changes as Python for the user's own script: what rewriting does to a program, as functions for
// the decomposition table of torch_mlir.fx.export_and_import, and its other arguments.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/change.h"

namespace fxs::diagnose {

/// What becomes of an operator's calls, in Python.
struct PythonDecomposition {
  std::string target;             ///< of the calls after functionalization: "aten.diff.default"
  std::vector<fx::NodeId> nodes;  ///< of the user's program, ascending
  std::string function;           ///< rewrite::pythonFunction(); "" for that of PyTorch's table
  bool corrects = false;          ///< by a rule that does: rewrite::Rule::corrects
  bool isOfViews = false;  ///< of calls that PyTorch would refuse, because of the others' layouts
  /// Of views whose calls become aten.reshape before: what replaces a composite operator is traced
  /// where no table replaces views.
  bool asReshape = false;
};

class PythonChanges {
 public:
  explicit PythonChanges(RewriteBase base) : base_(std::move(base)) {}

  /// A higher-order operator that torch-mlir's importer does not take also from an exported
  /// program: then no script lowers it. "" if there is none.
  std::string stop() const;
  /// The functions that make of the user's program what the base with `changes` makes of it, sorted
  /// by target; at the end those of views. Operators that a table cannot replace are left out:
  /// control flow, operators of other libraries, and those that PyTorch takes apart by itself.
  /// Cancelled; errors of rewriting.
  Result<std::vector<PythonDecomposition>> with(const std::vector<const Change*>& changes,
                                                const RunContext&);
  /// The script that does the same to the whole program: PythonScript::text(); "" if there is a
  /// stop(), if a table cannot replace what a change does, or if the base makes a program that
  /// torch-mlir's importer refuses.
  Result<std::string> scriptFor(const lower::OutputType&, const std::vector<Change>& changes,
                                const RunContext&);
  /// Operators that the last with() left out.
  const std::set<std::string>& leftOut() const { return leftOut_; }
  /// What the base without changes of these operators is rewritten to. Cancelled; errors of
  /// rewriting.
  Result<fx::ProgramPtr> programWithout(const std::set<std::string>& targets,
                                        const RunContext&) const;

 private:
  struct Call {
    fx::ProgramPtr alone;  ///< fx::singleCall, of the functional program
    std::string target;
    std::vector<fx::NodeId> nodes;  ///< the user's
  };
  Result<const std::vector<Call>*> callsOf(const RewritePlan&, const RunContext&);
  Result<bool> isRefused(const RunContext&);

  RewriteBase base_;
  std::map<std::pair<bool, bool>, std::vector<Call>>
      calls_;  // by static sizes, and whether PyTorch decomposed it
  std::optional<bool> refused_;
  std::set<std::string> leftOut_;
};

/// Adds what makes views of copies, where PyTorch would refuse views of the changed program. What
/// is written through such a view would be lost in a copy: then the calls that it views stay, and
/// their operators are returned. Errors of rewrite::pythonFunction().
Result<std::set<std::string>> addViewsOfCopies(std::vector<PythonDecomposition>&,
                                               const fx::ProgramPtr& changed);

/// What a script mends of the program that it is given, before torch-mlir lowers it.
struct Mends {
  bool loops = false;   ///< makes tuples of the lists that a loaded while_loop has
  bool ranges = false;  ///< of symbols of strides and of derived dimensions, in a loaded program
  bool guards = false;  ///< on the tensor that an example input is a view of
  /// Calls of aten.detach_ for tensors of torch.tensor() with several elements, with which
  /// PyTorch does not export a loaded program again.
  bool detached = false;
  bool any() const { return loops || ranges || guards; }
};
Mends mendsOf(const fx::Program&);

/// Those that replace any of the nodes, and those of views.
std::vector<PythonDecomposition> decompositionsOf(const std::vector<PythonDecomposition>&,
                                                  const std::vector<fx::NodeId>& nodes);

/// A Python module with a function lower(program) that lowers an ExportedProgram with torch-mlir.
struct PythonScript {
  lower::OutputType target;
  std::vector<PythonDecomposition> decompositions = {};
  bool exportAgain = false;  ///< with static sizes
  bool runDecompositions = false;
  std::set<std::string> backendLegal = {};
  /// Operators of PyTorch that its own functions decompose: torch.export.default_decompositions()
  /// and torch._decomp.get_decompositions().
  std::set<std::string> byDefault = {}, byTable = {};
  /// Those of forward() that are left out, as constants in Python, and "" for each value that the
  /// lowered program returns. Empty if all are.
  std::vector<std::string> results = {};
  /// The pytree of these results: fx::CallStructure::out; "" for a list.
  std::string structure = {};
  Mends mends = {};
  /// Whether it is an unchanged call of export_and_import.
  bool isEmpty() const {
    return !exportAgain && !runDecompositions && backendLegal.empty() && results.empty() &&
           !hasTable() && !mends.any();
  }
  /// "" if the output type is not one of torch-mlir's.
  std::string text() const;

 private:
  /// Those of PyTorch's table: `byTable`, and `decompositions` without a function.
  std::set<std::string> ofPytorchTable() const;
  bool hasTable() const {
    return !decompositions.empty() || !byDefault.empty() || !byTable.empty();
  }
  /// Whether `aten` is short for torch.ops.aten: where more than one line needs it.
  bool namesAten() const {
    return uses("aten.") || decompositions.size() + byTable.size() + byDefault.size() > 1;
  }
  bool uses(std::string_view word) const;  ///< in one of the functions
  bool hasReshapes() const;
  std::string reshapedViews() const;
  std::string nameOf(const std::string& op) const;
  /// The statements that mend `program`.
  std::string mendedSizes() const;
  std::string mendedLoops() const;
  std::string imports() const;
  std::string table() const;
  std::string withoutConstants() const;
  std::string putBack(const std::string& leaves) const;
};

}  // namespace fxs::diagnose
