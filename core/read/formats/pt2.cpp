// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The .pt2 archive of torch.export.save, and the older layouts that PyTorch 2.13 still loads.
// Pickles are never executed.
#include "fx/builder.h"
#include "fx/evaluated_text.h"
#include "read/format.h"
#include "read/pt2/archive.h"
#include "read/pt2/graph_decoder.h"
#include "read/pt2/signature.h"
#include "read/pt2/weights.h"

namespace fxs::read {

namespace {

using namespace pt2;

constexpr std::int64_t kSchemaMajor = 8;
constexpr std::uint64_t kMaxVersionBytes = 64;

bool sniffPt2(const Sniffed& sniffed, const RunContext& context) {
  return sniffed.zip && Archive::recognizes(*sniffed.zip, context);
}

/// "8.20"; torch itself accepts 0.0 besides its own major version.
Result<std::string> schemaVersion(const Json& top) {
  FXS_TRY(Json version, top.at("schema_version"));
  FXS_TRY(std::int64_t major, version.intAt("major"));
  FXS_TRY(std::int64_t minor, version.intAt("minor"));
  std::string text = std::to_string(major) + "." + std::to_string(minor);
  if (major != kSchemaMajor && !(major == 0 && minor == 0))
    return tl::unexpected<Error>(
        Error{ErrorCode::Unsupported,
              version
                  .error("schema version " + text + " is not supported; fxscope reads version " +
                         std::to_string(kSchemaMajor) + ", as written by PyTorch 2.5 to 2.13")
                  .message,
              {}});
  return text;
}

std::string formatTitle(const Archive& archive, const std::string& schema) {
  switch (archive.layout()) {
    case ArchiveLayout::Current: return "PyTorch exported program (.pt2, schema " + schema + ")";
    case ArchiveLayout::PickledDicts:
      return "PyTorch exported program (.pt2 of PyTorch 2.8, schema " + schema + ")";
    case ArchiveLayout::Unprefixed:
      return "PyTorch exported program (.pt2 of PyTorch 2.7 or earlier, schema " + schema + ")";
  }
  return "";
}

void noteWhatIsNotOpened(const Archive& archive, std::vector<std::string>& notes) {
  if (archive.models().size() > 1) {
    std::string others;
    for (std::size_t i = 1; i < archive.models().size(); ++i)
      others += (i > 1 ? ", " : "") + archive.models()[i];
    notes.push_back("the archive holds " + std::to_string(archive.models().size()) + " models; '" +
                    archive.model() + "' was opened; choose another with --model: " + others);
  }
  if (!archive.membersUnder("data/aotinductor/").empty())
    notes.push_back("the compiled code in data/aotinductor was not opened");
}

/// The arguments that the program was exported with. Their pickle is read as data; one that holds
/// anything but tensors and numbers is not.
Result<> readExamples(const Archive& archive, std::uint64_t maxBytes, Capture& out,
                      std::vector<PickledWeights>& pickled, const RunContext& context) {
  const std::string member = archive.sampleInputsMember();
  const ZipEntry* samples = archive.find(member);
  if (samples == nullptr || samples->size == 0) return {};
  std::vector<Example> leaves;
  auto read = PickledWeights::openArguments(archive, member, maxBytes, leaves, context);
  if (!read && read.error().code != ErrorCode::Unsupported &&
      read.error().code != ErrorCode::InvalidInput)
    return tl::unexpected<Error>(read.error());
  if (!read) {
    out.notes.push_back("the sample inputs in " + member + " were not read: it " +
                        read.error().message);
    return {};
  }
  pickled.push_back(*std::move(read));
  out.examples = std::move(leaves);
  return {};
}

void noteGuards(const fx::Program& program, std::vector<std::string>& notes) {
  for (const std::string& guard : program.guards)
    if (!fx::isGuard(guard))
      notes.push_back("the guard " + fx::shownText(guard) +
                      " is not a condition on input sizes, and PyTorch would run it as Python; "
                      "fxscope shows it but never writes it");
}

/// Decodes the model's JSON; the document is freed afterwards.
Result<> decodeProgram(const Archive& archive, const ReadOptions& options,
                       const RunContext& context, ValueDecoder& values, fx::Builder& builder,
                       Capture& capture) {
  FXS_TRY(auto document, archive.readJson(archive.modelMember(), options.maxModelBytes, context));
  const Json top = document->root();
  FXS_TRY(builder.program().schemaVersion, schemaVersion(top));
  FXS_TRY(Json module, top.at("graph_module"));
  FXS_TRY(Json signature, module.at("signature"));
  FXS_TRY(Json graph, module.at("graph"));
  FXS_TRY(std::vector<InputHint> hints, inputHints(signature));
  capture.calls = callStructure(module);
  GraphDecoder decoder(builder, values, capture.notes, context);
  FXS_CHECK(decoder.decodeMain(graph, hints));
  FXS_CHECK(decodeSignature(signature, builder, decoder));
  return decodeFacts(top, builder.program());
}

Result<Capture> readPt2(std::shared_ptr<const ByteSource> source, const Sniffed& sniffed,
                        std::string label, const ReadOptions& options, const RunContext& context) {
  FXS_TRY(Archive archive, Archive::open(sniffed.zip, label, options.model, context));
  if (archive.layout() == ArchiveLayout::Unprefixed) {
    // The loader of that layout reads this member first.
    FXS_TRY(std::string version, archive.readText("version", kMaxVersionBytes, context));
    if (version.empty())
      return fail(ErrorCode::InvalidInput,
                  label + ": member version is empty; the archive was not saved completely");
  }
  Capture capture;
  ValueDecoder values(context);
  fx::Builder builder(context);
  FXS_CHECK(decodeProgram(archive, options, context, values, builder, capture));

  fx::Program& program = builder.program();
  WeightCatalogue catalogue;
  if (archive.layout() == ArchiveLayout::Current) {
    FXS_TRY(catalogue,
            readCatalogue(archive, values, options.maxModelBytes, capture.notes, context));
    addMissing(catalogue, program, capture.notes);
  } else {
    FXS_TRY(catalogue,
            readPickled(archive, program, options.maxModelBytes, capture.notes, context));
  }
  FXS_CHECK(readExamples(archive, options.maxModelBytes, capture, catalogue.pickled, context));
  program.weights = std::move(catalogue.weights);
  noteGuards(program, capture.notes);
  noteWhatIsNotOpened(archive, capture.notes);

  capture.format = formatTitle(archive, program.schemaVersion);
  capture.fileBytes = source->size();
  capture.weightBytes = catalogue.storedBytes;
  capture.models = archive.models();
  auto finished = std::move(builder).finish();
  if (!finished)
    return fail(finished.error().code,
                label + ": " + archive.modelMember() + ": " + finished.error().message);
  capture.program = std::move(*finished);
  capture.weights = weightReader(archive, std::move(catalogue.pickled), capture.program, context);
  capture.label = std::move(label);
  return capture;
}

}  // namespace

void registerPt2(FormatRegistry& registry) {
  registry.add({"pt2", "PyTorch exported program (.pt2)", sniffPt2, readPt2});
}

}  // namespace fxs::read
