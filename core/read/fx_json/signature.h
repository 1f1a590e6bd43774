#pragma once
// The parts of a capture besides its graphs: the signature of an exported program, attributes (parameters, buffers, other tensors) with
// or without data, ranges of symbols, guards, versions.
#include <map>
#include <memory>
#include <string>

#include "fx/builder.h"
#include "read/format.h"
#include "read/fx_json/argument.h"

namespace fxs::read::fx_json {

/// Input and output specs; without a "signature", every placeholder is a user input and every output a user output.
Result<> readSignature(const Json& top, fx::Builder&, const Names& main);
/// Every placeholder a user input, every output a user output.
Result<> plainSignature(fx::Builder&);
/// Ranges, guards, names of forward's arguments, torch version, dialect.
Result<> readFacts(const Json& top, fx::Program&);

/// Why the graph ended in a break, in one line with the place in the user's code; "" when it did not.
Result<std::string> graphBreak(const Json& top);

/// Tensor data that the capture holds, by name, in base64.
using StoredData = std::map<std::string, std::string, std::less<>>;
/// Program::weights from "attributes", and from inputs that are stored but not listed. Call after readSignature.
Result<> readAttributes(const Json& top, fx::Builder&, StoredData&);
std::shared_ptr<const WeightReader> storedWeights(std::string label, StoredData);

/// The capture with its program; an error of the program names the file.
Result<Capture> finished(Capture, fx::Builder&&, std::string label, const ByteSource&);

}  // namespace fxs::read::fx_json
