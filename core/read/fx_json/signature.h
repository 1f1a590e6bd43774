// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads the parts of a capture other than its graphs: the signature, attributes (parameters,
// buffers, other tensors) with or without data, ranges of symbols, guards, versions.
#include <map>
#include <memory>
#include <string>

#include "fx/builder.h"
#include "read/format.h"
#include "read/fx_json/argument.h"

namespace fxs::read::fx_json {

/// Reads input and output specs; without a "signature", as plainSignature().
Result<> readSignature(const Json& top, fx::Builder&, const Names& main);
/// Makes every placeholder a user input and every output a user output.
Result<> plainSignature(fx::Builder&);
/// Reads ranges, guards, argument names of forward(), torch version and dialect.
Result<> readFacts(const Json& top, fx::Program&);

/// The reason of a graph break and its place in the user's code, in one line; "" if there was none.
Result<std::string> graphBreak(const Json& top);

/// Tensor data in the capture by name, base64.
using StoredData = std::map<std::string, std::string, std::less<>>;
/// Fills in Program::weights from "attributes", and from stored inputs that are not listed there.
/// Call after readSignature.
Result<> readAttributes(const Json& top, fx::Builder&, StoredData&);
std::shared_ptr<const WeightReader> storedWeights(std::string label, StoredData);

/// Finishes the program and completes the capture; error messages start with `label`.
Result<Capture> finished(Capture, fx::Builder&&, std::string label, const ByteSource&);

}  // namespace fxs::read::fx_json
