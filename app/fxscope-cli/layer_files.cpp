// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer_files.h"

#include <algorithm>
#include <limits>
#include <ostream>

#include "base/byte_source.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "notes/notes.h"
#include "summary/flops.h"
#include "summary/values.h"

namespace fxs::cli {
namespace {

using Entries = std::vector<std::optional<layer::Entry>>;  // by node

Entries flopsEntries(const fx::Program& program) {
  Entries out;
  for (const summary::Flops& flops : summary::flopsOf(program)) {
    std::optional<layer::Entry>& entry = out.emplace_back();
    if (flops.standing == summary::FlopStanding::Counted)
      entry = layer::Entry{static_cast<double>(flops.count), {}};
  }
  return out;
}

/// Of the inputs of the user and of calls, as the activations of a summary: not of what is stored.
bool isComputed(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::Output || node.op == fx::NodeOp::GetAttr) return false;
  const fx::InputSpec* input =
      node.op == fx::NodeOp::Placeholder ? program.inputOf(node.id) : nullptr;
  return !input || input->kind == fx::InputKind::UserInput;
}

Entries bytesEntries(const fx::Program& program) {
  Entries out;
  for (const fx::Node& node : program.nodes) {
    std::optional<layer::Entry>& entry = out.emplace_back();
    const auto bytes = isComputed(program, node) ? summary::bytesOf(node.val) : std::nullopt;
    if (bytes && *bytes > 0) entry = layer::Entry{static_cast<double>(*bytes), {}};
  }
  return out;
}

struct Computed {
  const char *name, *title, *unit;
  Entries (*entries)(const fx::Program&);
};
constexpr Computed kComputed[] = {{"flops", "FLOPs", "", flopsEntries},
                                  {"bytes", "Size of the result", "bytes", bytesEntries}};

layer::Layer layerOf(const Computed& computed, const fx::Program& program) {
  layer::Layer out;
  out.title = computed.title;
  out.unit = computed.unit;
  const Entries entries = computed.entries(program);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i])
      out.nodes[notes::fullName(notes::nameOf(program, fx::NodeId::of(i)))] = *entries[i];
  return out;
}

/// The layers that a word names.
Result<std::vector<layer::Layer>> layersCalled(const std::string& word,
                                               const fx::Program& program) {
  for (const Computed& computed : kComputed)
    if (word == computed.name) return std::vector{layerOf(computed, program)};
  FXS_TRY(const std::string text, readWholeFile(word, layer::kMaxLayerBytes));
  return layer::parse(text, word);
}

}  // namespace

Option layerOption(const std::string& help) {
  return {
      "--layer", "FILE",
      help +
          " the values of a layer: JSON or CSV with a column \"node\", or flops or bytes, which "
          "fxscope computes",
      true};
}

Option layerRowsOption() {
  return {"--layer-rows", "N", "rows of the table of layers, or all (default: as many as fit)"};
}

Result<Layers> layersFrom(const Arguments& arguments, const fx::Program& program,
                          Console& console) {
  Layers out;
  for (const std::string& word : arguments.raw("--layer")) {
    FXS_TRY(std::vector<layer::Layer> read, layersCalled(word, program));
    for (layer::Layer& each : read) {
      const layer::Layer& kept = out.kept.emplace_back(std::move(each));
      const layer::PlacedLayer& placed =
          out.shown.emplace_back(report::shownLayer(kept, program)).placed;
      if (!placed.unknown.empty() || placed.count == 0)
        console.err << "fxscope-cli: " << printable(word) << ": " << kept.title << ": "
                    << layer::summary(placed) << '\n';
    }
  }
  return out;
}

Result<std::optional<std::size_t>> layerRowsFrom(const Arguments& arguments) {
  const auto word = arguments.get("--layer-rows");
  if (!word) return std::nullopt;
  if (!arguments.has("--layer"))
    return fail(ErrorCode::Usage, "option '--layer-rows' requires --layer");
  if (*word == "all") return std::numeric_limits<std::size_t>::max();
  const auto rows = numberFrom<std::size_t>(*word);
  if (!rows || *rows == 0)
    return fail(ErrorCode::Usage,
                "--layer-rows: expected a number above 0, or all, got " + printableName(*word));
  return rows;
}

}  // namespace fxs::cli
