// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helion's own .irgraph.json: shown, not lowered.
#include "fx/builder.h"
#include "read/format.h"
#include "read/fx_json/json_file.h"
#include "read/fx_json/signature.h"
#include "read/helion/ir_graph.h"

namespace fxs::read {

namespace {

/// networkx's node-link form of a graph that says how many graphs the kernel has.
bool sniffHelionIrGraph(const Sniffed& sniffed, const RunContext&) {
  const std::string_view head = sniffed.head;
  const auto begin = head.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head[begin] == '{' &&
         head.find("\"directed\"") != std::string_view::npos &&
         head.find("\"num_graphs\"") != std::string_view::npos;
}

Result<Capture> readHelionIrGraph(std::shared_ptr<const ByteSource> source, const Sniffed&,
                                  std::string label, const ReadOptions& options,
                                  const RunContext& context) {
  Capture capture;
  fx::Builder builder(context);
  {
    FXS_TRY(const auto document, fx_json::parseFile(*source, label, options, context));
    FXS_CHECK(helion::readIrGraph(document->root(), builder, context));
    FXS_CHECK(fx_json::plainSignature(builder));
  }
  capture.format = "Device IR of a Helion kernel (.irgraph.json)";
  capture.notes.push_back(
      "this format lacks constant arguments: the graph is shown but cannot be lowered");
  capture.weights = fx_json::storedWeights(label, {});
  return fx_json::finished(std::move(capture), std::move(builder), std::move(label), *source);
}

}  // namespace

void registerHelionIrGraph(FormatRegistry& registry) {
  registry.add({"helion_ir_graph", "Device IR of a Helion kernel (.irgraph.json)",
                sniffHelionIrGraph, readHelionIrGraph});
}

}  // namespace fxs::read
