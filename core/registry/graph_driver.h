// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The files that an import script of Buddy Compiler writes by its GraphDriver, and that its builds
// compile separately: a main function on memrefs that cuts parameters out of packed arguments and
// calls the groups, and one module on tensors for each group. The third kind, the bytes of a packed
// argument, are those of DirectLowering::packing in order.
#include <string>
#include <string_view>
#include <vector>

#include "registry/direct_lowering.h"

namespace fxs::registry {

struct NamedText {
  std::string file;  ///< "forward.mlir", "subgraph0.mlir"
  std::string text;  ///< one module, without locations
};

/// A file that was written of them.
struct DriverFile {
  std::string path;
  std::uint64_t bytes = 0;
  bool isVerified = false;  ///< by the engine; never for data
};

/// The main module, called like its function, and then one for each group. Of a lowering with
/// packed arguments in groups. Unsupported if it has symbolic sizes, is not complete, or if main
/// computes something itself.
Result<std::vector<NamedText>> driverTexts(const DirectLowering&, std::string_view function);

}  // namespace fxs::registry
