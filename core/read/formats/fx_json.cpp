// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "fxscope-fx/1": any torch.fx graph and its metadata as found, in JSON
// (resources/schemas/fx.schema.json), as fxscope_capture.py writes it: exported programs, graphs of
// Dynamo, symbolic traces.
#include "fx/builder.h"
#include "read/folder.h"
#include "read/fx_json/graphs.h"
#include "read/fx_json/json_file.h"
#include "read/fx_json/signature.h"
#include "read/pt2/one_of.h"

namespace fxs::read {

namespace {

using namespace fx_json;

constexpr std::string_view kFxJsonSchema = "fxscope-fx/1", kFxJsonFamily = "fxscope-fx/";

bool sniffFxJson(const Sniffed& sniffed, const RunContext&) {
  return saysSchema(sniffed.head, kFxJsonFamily);
}

/// The title of the capture.
Result<std::string> titleOf(const Json& top, const fx::Program& program) {
  std::string out = "FX graph (" + std::string(kFxJsonSchema);
  if (auto kind = pt2::present(top, "kind")) {
    FXS_TRY(const std::string_view text, kind->asString());
    out += ", " + std::string(text);
  }
  if (auto title = pt2::present(top, "title")) {
    FXS_TRY(const std::string_view text, title->asString());
    out += " of " + std::string(text);
  }
  if (!program.torchVersion.empty()) out += ", torch " + program.torchVersion;
  return out + ")";
}

Result<> readNotes(const Json& top, std::vector<std::string>& notes) {
  FXS_TRY(const std::string reason, graphBreak(top));
  if (!reason.empty()) notes.push_back(kGraphBreakNote + reason);
  const auto list = pt2::present(top, "notes");
  if (!list) return {};
  FXS_CHECK(list->asArray());
  for (const Json note : *list) {
    FXS_TRY(const std::string_view text, note.asString());
    notes.emplace_back(text);
  }
  return {};
}

Result<Capture> readFxJson(std::shared_ptr<const ByteSource> source, const Sniffed&,
                           std::string label, const ReadOptions& options,
                           const RunContext& context) {
  Capture capture;
  fx::Builder builder(context);
  {
    FXS_TRY(const auto document, parseFile(*source, label, options, context));
    const Json top = document->root();
    FXS_CHECK(expectSchema(top, kFxJsonSchema));
    FXS_TRY(const Json graphs, top.at("graphs"));
    GraphsReader reader(builder, context);
    FXS_CHECK(reader.read(graphs));
    FXS_CHECK(readSignature(top, builder, reader.mainNames()));
    FXS_CHECK(readFacts(top, builder.program()));
    StoredData data;
    FXS_CHECK(readAttributes(top, builder, data));
    for (const auto& [name, text] : data) capture.weightBytes += text.size() / 4 * 3;
    capture.weights = storedWeights(label, std::move(data));
    FXS_TRY(capture.format, titleOf(top, builder.program()));
    FXS_CHECK(readNotes(top, capture.notes));
  }
  return finished(std::move(capture), std::move(builder), std::move(label), *source);
}

}  // namespace

void registerFxJson(FormatRegistry& registry) {
  registry.add({"fx_json", "FX graph in JSON (fxscope-fx/1)", sniffFxJson, readFxJson});
}

}  // namespace fxs::read
