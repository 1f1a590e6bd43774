// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What torch-mlir's FX importer refuses and this one takes; for fx.export_and_import's own outcome.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fx/finding.h"
#include "fx/program.h"

namespace fxs::import {

inline constexpr std::string_view kWhileLoop = "higher_order.while_loop";

/// As torch.export.load gives the program, or with what the Python of a fix mends of it
/// (diagnose::Mends): a loaded loop has lists in place of tuples, and sizes lack ranges.
enum class Form : std::uint8_t { Loaded, Mended };

/// A permutation with dimensions counted from the back, which the dialect's verifier refuses.
bool isPermutedFromBack(const fx::Node&);
/// A mutated input named as something of Python, as "input": PyTorch renames the node when it
/// decomposes the program, and looks for the old name.
bool isMutationNotFound(const fx::OutputSpec&);
/// A number of the program that became a constant, so that nothing uses the call. torch.export.save
/// writes it without a result, and torch.export.load does not read that.
bool isUnusedNumber(const fx::Node&);
/// A call of prims.view_of or the like, at which ExportedProgram.run_decompositions() stops.
bool isViewOutsideAten(const fx::Node&);
/// The nodes that a call writes to, by its schema.
std::vector<fx::NodeId> writtenBy(const fx::Node&);
/// A write to what as_strided makes of a view, also as aten.fill_diagonal_ of a view does, at which
/// ExportedProgram.run_decompositions() stops; null if there is none, or if only operands decide.
const fx::Node* stridedWrite(const fx::Program&);
/// A weight that is mutated and shares its storage with another one, so that PyTorch does not
/// decompose the program; null if there is none.
const fx::Node* sharedAndMutated(const fx::Program&);
/// As torchMlirRefusals(), without what PyTorch refuses before the importer runs.
std::vector<fx::Finding> importerRefusals(const fx::Program&, Form = Form::Loaded);
/// At the first weight that was exported without its values, which the importer copies;
/// std::nullopt if there is none.
std::optional<fx::Finding> missingValues(const fx::Program&);
/// Whether PyTorch raises the exception of a refusal, before the importer runs.
bool isOfPyTorch(const fx::Finding&);
/// Whether only a program that was saved and loaded meets a refusal.
bool isOfLoaded(const fx::Finding&);
/// Errors of stage "raw" at the nodes at which import_frozen_program raises an exception, in order;
/// it stops at the first. Source: torch_mlir/extras/fx_importer.py, wheel 2026.10.9.
std::vector<fx::Finding> torchMlirRefusals(const fx::Program&, Form = Form::Loaded);

}  // namespace fxs::import
