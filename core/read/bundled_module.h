// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The MLIR module in a reproducer bundle of one. formats/bundle.cpp opens bundles of programs.
#include <memory>
#include <optional>
#include <string>

#include "read/format.h"

namespace fxs::read {

/// Its text, checked against the manifest; nullopt if the file is not such a bundle.
Result<std::optional<std::string>> bundledModule(std::shared_ptr<const ByteSource>,
                                                 const std::string& label, const ReadOptions&,
                                                 const RunContext&);

}  // namespace fxs::read
