// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rewrites FX programs. Files written by torch.export.save are not functional: they have in-place
// ops, detach_, lift_fresh_copy, and subgraphs in wrap_with_autocast and
// wrap_with_set_grad_enabled. This step inlines those regions, functionalizes writes (a write
// through a view becomes the matching scatter, or a finding at its node, never a wrong program),
// and applies decompositions. New nodes have origins in the user's program.
#include <compare>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::rewrite {

struct Applied {
  std::string rule;   ///< "functionalize", "inline-context", "decompose:aten.squeeze.dims"
  fx::NodeId origin;  ///< in the user's program
};

/// The decompositions that are applied without a request.
enum class Decompositions : std::uint8_t {
  None,
  Essential,  ///< rules with Rule::essential
  Default,    ///< what ExportedProgram.run_decompositions() decomposes: isDecomposedByDefault()
  TorchMlir,  ///< what fx.export_and_import decomposes: isDecomposedByTorchMlir()
  RunDecompositions  ///< Default, and TorchMlir after it
};
constexpr bool runsDefault(Decompositions d) {
  return d == Decompositions::Default || d == Decompositions::RunDecompositions;
}
/// Whether what is decomposed is what torch-mlir is given.
constexpr bool isAsTorchMlir(Decompositions d) { return d >= Decompositions::TorchMlir; }

/// An argument of a node of the user's program.
struct NodeArgumentName {
  std::string node;  ///< as Program::findNode() takes it
  std::string name;  ///< of the argument
  friend auto operator<=>(const NodeArgumentName&, const NodeArgumentName&) = default;
};

struct RewriteOptions {
  bool functionalize = true;  ///< also inlines context regions
  Decompositions decompositions = Decompositions::Essential;
  /// Other targets to decompose: "aten.gelu.default", or "aten.gelu" for all overloads.
  std::set<std::string> decompose = {};
  /// Names of nodes of the user's program to decompose, and of those to which no decomposition is
  /// applied, whatever is said of their target.
  std::set<std::string> decomposeNodes = {}, keepNodes = {};
  /// Other values for arguments, as fx::dumpArgument() writes them: "[1, 2]", "'tanh'".
  std::map<NodeArgumentName, std::string> arguments = {};
  bool operator==(const RewriteOptions&) const = default;
};

struct Rewritten {
  fx::ProgramPtr program;  ///< with `original` set
  std::vector<Applied> applied;
  std::vector<fx::Finding> findings;  ///< nodes that could not be rewritten and stay unchanged
};

/// Whether torch_mlir.fx.export_and_import decomposes calls of this target, by its table or because
/// PyTorch never keeps them.
bool isDecomposedByTorchMlir(std::string_view target);
/// Whether ExportedProgram.run_decompositions() takes calls of it apart by itself, whatever its
/// table has for them.
bool isNeverKept(std::string_view target);
/// Whether it does so above autograd only: the function of a decomposition, which is traced below,
/// keeps calls of it or makes others of them.
bool isDecomposedAboveAutograd(std::string_view target);
/// Whether ExportedProgram.run_decompositions(), without arguments, decomposes calls of this
/// target.
bool isDecomposedByDefault(std::string_view target);
/// Whether the rule of such a target is known to do what PyTorch does, operation by operation.
bool isKnownByDefault(std::string_view target);
/// Whether PyTorch keeps calls of it though a table has a function for it: it has a kernel of its
/// own for each backend, and one in Python for all.
bool isTableIgnored(std::string_view target);
/// Whether torch._decomp.get_decompositions() has a function for the target of which torch-mlir
/// lowers what it makes of calls with static sizes, where it lowers what the built-in rule makes.
bool isInPytorchTable(std::string_view target);
/// "unknown-form" at the first call of each operator of a program, rewritten for Default, that
/// PyTorch decomposes and nothing here does as PyTorch: what it makes of the program is not known.
std::vector<fx::Finding> unknownForms(const fx::Program&);
/// A note at the first call of each operator that fx.export_and_import decomposes, and whose form
/// is not known to be the one here.
std::vector<fx::Finding> otherForms(const fx::Program&);
/// What was applied that fx.export_and_import does not do, in order.
std::vector<Applied> beyondTorchMlir(const Rewritten&);

/// Usage if a requested decomposition, node or argument does not exist; the message suggests
/// similar names.
Result<std::shared_ptr<const Rewritten>> rewrite(fx::ProgramPtr, const RewriteOptions&,
                                                 const RunContext&);

}  // namespace fxs::rewrite
