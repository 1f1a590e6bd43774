// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The strides that the values of a rewritten program have in PyTorch. Recorded ones are those of
// the user's program: what replaces an operation may be laid out otherwise, and PyTorch refuses a
// view across dimensions that are not adjacent in memory. Strides are known of inputs, of calls
// that are the user's own with operands as recorded, and of calls whose operator determines them;
// unknown elsewhere.
#include <map>
#include <optional>
#include <vector>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::rewrite {

class KnownStrides {
 public:
  /// Refers to the program.
  explicit KnownStrides(const fx::Program&);

  /// The recorded value of a tensor node with the strides that it has; std::nullopt if they are
  /// unknown.
  std::optional<fx::TensorMeta> of(fx::NodeId) const;
  /// Whether a call is one of the user's program, with operands of the recorded strides.
  bool isAsRecorded(const fx::Node&) const;

 private:
  using Parts =
      std::vector<std::optional<std::vector<fx::SymInt>>>;  ///< one for each tensor of a tuple
  Parts partsOf(const fx::Node&) const;
  std::optional<std::vector<fx::TensorMeta>> operandsOf(const fx::Node&) const;
  std::optional<std::vector<fx::SymInt>> ofElementwise(const fx::Node&,
                                                       const fx::TensorMeta& out) const;
  bool isRowMajorCatOrPad(const fx::Node&, const fx::TensorMeta& out) const;
  std::optional<std::vector<fx::SymInt>> determinedBy(const fx::Node&) const;
  bool isSame(const fx::Argument& mine, const fx::Argument& users) const;

  const fx::Program& program_;
  std::map<fx::NodeId, Parts> known_;
};

/// aten.reshape in place of every call that may be refused as a view. `changed` receives the calls,
/// as nodes of the argument.
fx::ProgramPtr withReshapes(const fx::ProgramPtr&, std::vector<fx::NodeId>& changed);
/// The calls whose results depend on strides of operands that are unknown: a view as another type,
/// as_strided.
std::vector<fx::NodeId> readUnknownStrides(const fx::Program&);

}  // namespace fxs::rewrite
