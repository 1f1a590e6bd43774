// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Imports an FX program as RAW torch dialect text, like torch-mlir's FX importer
// (torch_mlir/extras/fx_importer.py, wheel 2026.10.9). The text is in generic form with schema
// defaults filled in; every op, argument and return has the location loc("<node name>"("fx":<node
// index>:0)) of its origin in the user's program.
//
// Mode::Lowering (default) writes parameters and buffers as literals, takes the user inputs in
// order as arguments, drops None results and writes no symbolic-shape ops; mutated values are extra
// results, returned first. Frozen and Program match torch-mlir's import_frozen_program and
// import_program, without rewrites.
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

/// Reads a weight as dense row-major little-endian bytes; supplied by the caller.
using WeightBytes = std::function<Result<std::string>(const fx::Weight&)>;

/// The user's options; equal choices give equal text for the same program.
struct ImportChoices {
  Mode mode = Mode::Lowering;
  std::string functionName = "main";
  bool symbolicShapes = false;  ///< writes torch.symbolic_int and torch.bind_symbolic_shape
  bool asTorchMlir =
      false;  ///< reports what torch-mlir's importer refuses: import/torch_mlir_refusals.h
  bool embedWeights =
      false;  ///< appends resources with the data of weights; requires ImportOptions::weights
  bool operator==(const ImportChoices&) const = default;
};

struct ImportOptions : ImportChoices {
  /// For writing small constants inline (one element of any type, up to kInlineElements integers);
  /// null: writes handles only.
  WeightBytes weights;
  /// Torch-dialect operations that the engine registers ("torch.aten.add.Tensor"); others are
  /// written as torch.operator. Null: pinnedRegisteredOps().
  const std::set<std::string, std::less<>>* registeredOps = nullptr;
};
inline constexpr std::size_t kInlineElements = 64;
/// Whether Mode::Lowering writes the weight's elements inline, where an engine can fold them.
bool isWrittenInline(const fx::Weight&);

struct Imported {
  std::string text;  ///< one MLIR module; complete even if there are findings
  std::vector<fx::Finding>
      findings;  ///< nodes that could not be imported: they are written as torch.operator, or the
                 ///< module is empty if that is impossible
  std::vector<std::string> unregisteredOps;  ///< MLIR names written as torch.operator, sorted
  std::vector<std::string>
      registrationQueries;  ///< MLIR names whose registration was queried, sorted
  std::size_t ops = 0;
};

Result<std::shared_ptr<const Imported>> importProgram(const fx::Program&, const ImportOptions&,
                                                      const RunContext&);

/// The torch-dialect names of a program's nodes ("torch.aten.add.Tensor"), sorted; for querying
/// which ones the engine registers.
std::vector<std::string> wantedOps(const fx::Program&, const RunContext&);
/// The names that the pinned engine registers.
const std::set<std::string, std::less<>>& pinnedRegisteredOps();

}  // namespace fxs::import
