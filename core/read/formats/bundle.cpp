// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reproducer bundle: opens the program in it like any other, and checks it against the manifest.
// core/bundle reads the rest.
#include <algorithm>

#include "base/json.h"
#include "base/sha256.h"
#include "read/bundled_module.h"
#include "read/pt2/archive.h"

namespace fxs::read {

namespace {

constexpr std::string_view kManifest = "/manifest.json", kProgram = "/program.pt2",
                           kModule = "/program.mlir", kBundleSchema = "fxscope-bundle/2",
                           kFirstBundleSchema = "fxscope-bundle/1";
constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{1} << 20;

/// The one folder that holds everything; "" when there is none.
std::string rootOf(const ZipReader& zip) {
  if (zip.entries().empty()) return "";
  const std::string& first = zip.entries().front().name;
  const auto slash = first.find('/');
  return slash == std::string::npos ? "" : first.substr(0, slash);
}

/// Whether it is a bundle with that member.
bool isBundleWith(std::string_view member, const ZipReader& zip) {
  const std::string root = rootOf(zip);
  return root.starts_with("fxscope-") && zip.find(root + std::string(kManifest)) &&
         zip.find(root + std::string(member));
}

bool sniffBundle(const Sniffed& sniffed, const RunContext&) {
  return sniffed.zip && isBundleWith(kProgram, *sniffed.zip);
}

/// The checksum of a member in the manifest.
Result<std::string> checksumOf(std::string_view file, const ZipReader& zip,
                               const ZipEntry& manifest, const std::string& label,
                               const RunContext& context) {
  FXS_TRY(const std::string text, zip.read(manifest, kMaxManifestBytes, context));
  FXS_TRY(const auto document,
          JsonDocument::parse(text, label + ": manifest.json", {kMaxManifestBytes, 16}, context));
  const Json root = document->root();
  FXS_TRY(const Json schema, root.at("schema"));
  FXS_TRY(const std::string_view name, schema.asString());
  if (name != kBundleSchema && name != kFirstBundleSchema)
    return tl::unexpected<Error>(
        schema.error("expected '" + std::string(kBundleSchema) +
                     "'; a newer fxscope may be able to open this bundle"));
  FXS_TRY(const Json members, root.arrayAt("members"));
  for (const Json member : members) {
    FXS_TRY(const Json memberName, member.at("name"));
    if (memberName.isString() && *memberName.asString() == file) {
      FXS_TRY(const std::string_view digits, member.stringAt("sha256"));
      return std::string(digits);
    }
  }
  return tl::unexpected<Error>(members.error("does not name " + std::string(file)));
}

/// The bytes of a member that the bundle has, as the manifest says.
Result<std::string> checkedMember(std::string_view member, const ZipReader& zip,
                                  const std::string& label, const ReadOptions& options,
                                  const RunContext& context) {
  const std::string root = rootOf(zip);
  const std::string file(member.substr(1));
  FXS_TRY(const std::string checksum,
          checksumOf(file, zip, *zip.find(root + std::string(kManifest)), label, context));
  const ZipEntry& entry = *zip.find(root + std::string(member));
  context.spend(Resource::Text, std::min(entry.size, options.maxModelBytes), label + ": " + file);
  FXS_TRY(std::string bytes, zip.read(entry, options.maxModelBytes, context));
  if (sha256(bytes) != checksum)
    return fail(ErrorCode::InvalidInput, label + ": the bundle was altered: " + file +
                                             " does not match its checksum in the manifest");
  return bytes;
}

Result<Capture> readBundle(std::shared_ptr<const ByteSource> source, const Sniffed& sniffed,
                           std::string label, const ReadOptions& options,
                           const RunContext& context) {
  FXS_TRY(std::string bytes, checkedMember(kProgram, *sniffed.zip, label, options, context));
  const auto program = memorySource(std::move(bytes));
  Sniffed inner;
  FXS_TRY(inner.zip, ZipReader::open(program, label + ": program.pt2"));
  // A bundle contains a program, never another bundle.
  if (!pt2::Archive::recognizes(*inner.zip, context))
    return fail(ErrorCode::InvalidInput, label + ": program.pt2 is not an exported program");
  FormatRegistry registry;
  registerAllFormats(registry);
  for (const Format& format : registry.formats()) {
    if (format.id != "pt2") continue;
    FXS_TRY(Capture capture,
            format.read(program, inner, label + ": program.pt2", options, context));
    capture.label = std::move(label);
    capture.format = "reproducer bundle of fxscope: " + capture.format;
    capture.fileBytes = source->size();
    return capture;
  }
  return fail(ErrorCode::Internal, label + ": no reader of exported programs");
}

}  // namespace

Result<std::optional<std::string>> bundledModule(std::shared_ptr<const ByteSource> source,
                                                 const std::string& label,
                                                 const ReadOptions& options,
                                                 const RunContext& context) {
  const auto zip = ZipReader::open(std::move(source), label);
  if (!zip || !isBundleWith(kModule, **zip)) return std::optional<std::string>();
  FXS_TRY(std::string text, checkedMember(kModule, **zip, label, options, context));
  return std::optional(std::move(text));
}

void registerBundle(FormatRegistry& registry) {
  registry.add({"bundle", "reproducer bundle of fxscope (.zip)", sniffBundle, readBundle});
}

}  // namespace fxs::read
