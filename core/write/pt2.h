// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes a program as a .pt2 archive in the layout of torch.export.save (PyTorch 2.13,
// schema 8.20), so that fxscope and torch.export.load can open programs that were computed, such as
// reduced ones. Parts that fx::Program does not have are left out: there are no sample inputs (a
// pickle). Metadata is not redacted; for programs to share, see bundle/public_program.h. PyTorch
// evaluates no unchecked text, see fx/evaluated_text.h. Only the bytes of weights are copied from
// the user's archive, no pickles.
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "base/run_context.h"
#include "fx/call_structure.h"
#include "fx/program.h"

namespace fxs::write {

/// How weights lie in their records. Rows: each dense and row-major, in a record of its own; only
/// equal ones are tied. AsStored: with their strides and offsets, in one record for all that share
/// their storage, as torch.export.save writes them.
enum class WeightLayout : std::uint8_t { Rows, AsStored };

struct Pt2Options {
  std::string name = "program";  ///< the archive's root folder
  /// Whether to write the bytes of a weight. Without them it keeps its shape and dtype;
  /// torch.export.load fills it with zeros, and fxscope reports that it has no data.
  std::function<bool(const fx::Weight&)> withBytes = [](const fx::Weight&) { return false; };
  /// Dense row-major bytes of a weight, or of a contiguous part of one; called if `withBytes` is
  /// true.
  std::function<Result<std::string>(const fx::Weight&)> bytes;
  WeightLayout layout = WeightLayout::Rows;
  /// Of the program that this one is called as: with its pytrees. Inputs and outputs are a flat
  /// tuple if it is null, has other numbers of leaves, or leavesOf() refuses it.
  const fx::CallStructure* calls = nullptr;
};

/// The archive's bytes. Contains the weights that the program's inputs name, then the others in
/// Program::weights for which `withBytes` is true. Unsupported for anything the schema cannot
/// represent, for text that fails checkEvaluated(), and beyond kMaxWrittenZip bytes. Guards that
/// fail fx::isGuard() are left out.
Result<std::string> pt2Bytes(const fx::Program&, const Pt2Options&, const RunContext&);
/// The same to a file of any size, which it replaces atomically. Weights are copied in pieces. Also
/// Io.
Result<> writePt2(const std::string& path, const fx::Program&, const Pt2Options&,
                  const RunContext&);

}  // namespace fxs::write
