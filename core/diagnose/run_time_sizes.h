// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sizes that are known only at run time: the unbacked symbols (u0) of a program that a call makes,
// such as aten.nonzero, or aten.item where a size is computed from it. Which blocked operations
// depend on them, and whether they lower by themselves with numbers in their place. Leaves out
// symbols that are never a size of a tensor, and those that an input has.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/change.h"
#include "diagnose/survey.h"

namespace fxs::diagnose {

class RunTimeSizes {
 public:
  RunTimeSizes() = default;
  RunTimeSizes(const fx::Program& user, const RunContext&);

  const std::vector<SizeSource>& sources() const { return sources_; }
  bool empty() const { return sources_.empty(); }
  /// Of a node of the user's program, before it is tested: of the first of several sources.
  /// nullopt if neither a result nor an operand has such a size.
  std::optional<SizeDependence> of(fx::NodeId) const;
  /// A number for each symbol of the sources.
  const std::map<std::string, std::int64_t>& numbers() const { return numbers_; }

 private:
  std::map<std::string, std::size_t> addSources(const fx::Program& user,
                                                const std::vector<std::set<std::string>>& symbols,
                                                const std::set<std::string>& ofTensors);
  std::vector<SizeSource> sources_;
  std::vector<std::optional<SizeDependence>> byNode_;
  std::map<std::string, std::int64_t> numbers_;
};

/// The first slice with a bound that is known only at run time; invalid if there is none. PyTorch
/// limits such bounds to the size of the tensor when it traces the program.
fx::NodeId sliceAtRunTime(const fx::Program&);

/// Fills in Blocked::sizes of one output type's entries: each operation is lowered by itself, cut
/// out of the program as it is rewritten with numbers in place of the sizes. An entry whose forms
/// differ in it becomes several.
Result<> findSizeDependence(const Subject&, const RunTimeSizes&, const RewriteBase&,
                            std::vector<BlockedEntry>&, const RunContext&);
/// The same of entries that were found in the whole program only, where nothing was run.
void findSizeDependenceOfWhole(const RunTimeSizes&, std::vector<BlockedEntry>&);

}  // namespace fxs::diagnose
