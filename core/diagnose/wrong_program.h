// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The smallest part found of a program that lowers and computes a wrong result, with the inputs for
// which it does.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch_directory.h"
#include "base/work_time.h"
#include "diagnose/reduce.h"
#include "numbers/compare.h"

namespace fxs::diagnose {

/// A program that computes wrong in the same way as a larger one.
struct WrongProgram {
  session::SnapshotPtr snapshot;  ///< imported, as the receiver gets it
  std::vector<tensor::NamedTensor> inputs;
  compare::ComparisonPtr comparison;
  const compare::TargetComparison& target() const { return comparison->targets.front(); }
};

/// A candidate in the form in which its receiver gets it, imported.
using Prepare = std::function<Result<session::SnapshotPtr>(const fx::Program&)>;

struct WrongProgramOptions {
  numbers::CompareOptions compare;  ///< of the snapshot's output type, whatever its targets are
  Prepare prepare;
  bool weightsAsInputs = false;  ///< where it computes wrong with them, too
};

class WrongProgramSearch {
 public:
  /// The snapshot was imported for the output type that it asks for. Refers to its arguments.
  WrongProgramSearch(session::SnapshotPtr, const WrongProgramOptions&, const session::Environment&,
                     const RunContext&, ScratchDirectory);

  /// Usage if nothing is wrong or if that is not certain; errors of compare(); Unsupported if it is
  /// right once it is prepared.
  Result<WrongProgram> smallest();
  /// A prepared program with other inputs, if it computes wrong in the same way with them.
  Result<std::optional<WrongProgram>> with(const session::SnapshotPtr& prepared,
                                           std::vector<tensor::NamedTensor> inputs, bool findFirst);

  /// "tosa", with the stage, pass and operator where it begins to differ.
  FailureSignature signatureOf(const WrongProgram&) const;
  /// Of symbols, with which the whole program computes wrong; none before that is known.
  compare::Sizes sizes() const;
  const std::string& kind() const { return kind_; }  ///< compare::kindOf()

 private:
  Result<> compareAll();
  Error nothingWrong(const compare::TargetComparison&) const;
  Result<std::vector<tensor::NamedTensor>> inputsOf(const fx::Program&) const;
  Result<std::optional<WrongProgram>> judged(const fx::Program& candidate, bool findFirst);
  bool hasNode(const fx::Program& candidate) const;
  Result<fx::ProgramPtr> fewestOperations();
  Result<fx::ProgramPtr> withWeightsAsInputs(const fx::ProgramPtr&);

  const session::SnapshotPtr snapshot_;
  const session::Snapshot& original_;
  const fx::ProgramPtr user_;
  numbers::CompareOptions compareOptions_;
  const Prepare prepare_;
  const bool weightsAsInputs_;
  WorkTime work_;
  session::Environment env_;
  const RunContext& context_;
  const ScratchDirectory folder_;
  compare::ComparisonPtr inAll_;
  std::string kind_;
  std::size_t worst_ = 0;  ///< the inputs of inAll_ to keep
  fx::NodeId node_;        ///< of the user's program: the first that differs; invalid if not known
  std::vector<std::int64_t> worstElement_;                      ///< of that node's value
  std::map<std::string, tensor::Tensor, std::less<>> weights_;  ///< by name of what became inputs
};

/// The bytes of a .pt2 with the weights that `withBytes` chooses, read from `capture`; equal
/// programs give equal bytes.
Result<std::string> writtenProgram(const fx::Program&,
                                   const std::function<bool(const fx::Weight&)>& withBytes,
                                   const read::Capture& capture, const RunContext&);

}  // namespace fxs::diagnose
