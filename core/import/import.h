#pragma once
// FX program -> RAW torch dialect text: the native counterpart of torch-mlir's FX importer (torch_mlir/extras/fx_importer.py,
// wheel 2026.10.9). Generic form, schema defaults filled in, every op, argument and return located at
// loc("<node name>"("fx":<node index>:0)) of the node of the *user's* program it came from.
//
// Modes: Lowering (default) freezes parameters and buffers to literals, arguments are the user inputs in order, drops None
// results, emits no symbolic-shape ops; mutated values are extra outputs, returned first. Frozen is import_frozen_program, Program is
// import_program: parity with torch-mlir, without rewrites.
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::import {

enum class Mode : std::uint8_t { Lowering, Frozen, Program };

/// Bytes of a weight, dense row-major little endian; supplied by the caller.
using WeightBytes = std::function<Result<std::string>(const fx::Weight&)>;

/// What a user chooses; with equal choices, the same program gives the same text.
struct ImportChoices {
  Mode mode = Mode::Lowering;
  std::string functionName = "main";
  bool symbolicShapes = false;  ///< torch.symbolic_int and torch.bind_symbolic_shape
  bool embedWeights = false;    ///< resources with data at the end of the text; requires ImportOptions::weights
  bool operator==(const ImportChoices&) const = default;
};

struct ImportOptions : ImportChoices {
  /// Small constants (one element of any type, integers up to kInlineElements) are read and written inline; null: handles only.
  WeightBytes weights;
  /// Torch-dialect operations that the engine registers ("torch.aten.add.Tensor"); what is not in it becomes torch.operator.
  /// Null: the table of the pinned engine.
  const std::set<std::string, std::less<>>* registeredOps = nullptr;
};
inline constexpr std::size_t kInlineElements = 64;
/// Whether its numbers stand in the module for lowering, where an engine sees and folds them; the numbers of the others never do.
bool isWrittenInline(const fx::Weight&);

struct Imported {
  std::string text;                   ///< one MLIR module; complete also when there are findings
  std::vector<fx::Finding> findings;  ///< nodes that could not be expressed: their op is left out of the dialect as torch.operator, or the
                                      ///< module is empty when that is impossible
  std::vector<std::string> unregisteredOps;      ///< MLIR names written as torch.operator, sorted
  std::vector<std::string> registrationQueries;  ///< MLIR names whose registration was queried, sorted
  std::size_t ops = 0;
};

Result<std::shared_ptr<const Imported>> importProgram(const fx::Program&, const ImportOptions&, const RunContext&);

/// The torch-dialect names of a program's nodes ("torch.aten.add.Tensor"), sorted: what the engine is queried for.
std::vector<std::string> wantedOps(const fx::Program&, const RunContext&);
/// The names that the pinned engine registers.
const std::set<std::string, std::less<>>& pinnedRegisteredOps();

}  // namespace fxs::import
