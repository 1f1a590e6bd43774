// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/archive.h"

#include <algorithm>
#include <array>

#include "base/safe_text.h"
#include "base/sha256.h"
#include "base/zip.h"
#include "base/zip_writer.h"

namespace fxs::bundle {
namespace {

constexpr std::string_view kManifestFile = "manifest.json";
/// All file names allowed in a bundle besides the manifest.
constexpr std::array<std::string_view, 26> kFiles{
    "README.md",  kScriptFile,       kReproFile,         kE2eTestFile,      kLitTestFile,
    "issue.md",   kProgramFile,      "program.txt",      kRawFile,          kInputFile,
    kFailureFile, kMinimalFile,      kExtraLibraryFile,  "pipeline.txt",    "commands.txt",
    "engine.txt", "diagnostics.txt", "diagnostics.json", "environment.txt", kOutputTypesFile,
    kLoweredFile, kInputsFile,       kExpectedFile,      kFoundFile,        kModuleFile,
    kEditedFile};
constexpr std::string_view kFolderPrefix = "fxscope-";
constexpr std::size_t kIdDigits = 12;
constexpr std::size_t kMaxProgramName = 40;

/// The program's name for use in a file name: truncated, with '_' for characters other than
/// letters, digits, '_' and '-'.
std::string plainName(std::string_view program) {
  std::string out;
  for (const char c : program.substr(0, kMaxProgramName)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-';
    out += plain ? c : '_';
  }
  return out.empty() ? "program" : out;
}

std::string bundleName(const Manifest& manifest, const std::string& sha256) {
  return std::string(kFolderPrefix) + plainName(manifest.program) + "-" +
         sha256.substr(0, kIdDigits);
}

class Opening {
 public:
  Opening(std::shared_ptr<const ZipReader> zip, const std::string& label,
          const lower::OutputTypes& types)
      : zip_(std::move(zip)), label_(label), types_(types) {}

  Result<Bundle> run() && {
    FXS_CHECK(readManifest());
    FXS_CHECK(checkNames());
    std::uint64_t total = 0;
    for (const Member& member : bundle_.manifest.members) {
      total += member.bytes;
      if (total > kMaxWrittenZip)
        return wrong("its files exceed " + std::to_string(kMaxWrittenZip >> 20) + " MiB in total");
      FXS_CHECK(readMember(member));
    }
    return std::move(bundle_);
  }

 private:
  tl::unexpected<Error> wrong(const std::string& message) const {
    return fail(ErrorCode::InvalidInput, label_ + ": " + message);
  }

  Result<> readManifest() {
    const auto& entries = zip_->entries();
    const std::size_t slash = entries.empty() ? std::string::npos : entries.front().name.find('/');
    if (slash != std::string::npos) bundle_.name = entries.front().name.substr(0, slash);
    const ZipEntry* entry = zip_->find(bundle_.name + "/" + std::string(kManifestFile));
    if (entry == nullptr)
      return wrong("is not a reproducer bundle of fxscope: it has no manifest.json");
    FXS_TRY(const std::string text, zip_->read(*entry, kMaxManifestBytes));
    FXS_TRY(bundle_.manifest, parseManifest(text, label_ + ": manifest.json", types_));
    bundle_.sha256 = sha256(text);
    if (bundle_.name != bundleName(bundle_.manifest, bundle_.sha256))
      return wrong("the bundle was altered: its folder " + printableName(bundle_.name) +
                   " should be called " +
                   printableName(bundleName(bundle_.manifest, bundle_.sha256)) +
                   " for this manifest.json");
    return {};
  }

  Result<> checkNames() const {
    for (const Member& member : bundle_.manifest.members)
      if (std::find(kFiles.begin(), kFiles.end(), member.name) == kFiles.end())
        return wrong("the bundle was altered: fxscope writes no " + printableName(member.name));
    for (const ZipEntry& entry : zip_->entries()) {
      const std::string prefix = bundle_.name + "/";
      const std::string_view name = std::string_view(entry.name).starts_with(prefix)
                                        ? std::string_view(entry.name).substr(prefix.size())
                                        : "";
      if (name == kManifestFile) continue;
      const auto& members = bundle_.manifest.members;
      if (std::none_of(members.begin(), members.end(),
                       [&](const Member& member) { return member.name == name; }))
        return wrong("the bundle was altered: " + printableName(entry.name) +
                     " is not in its manifest");
    }
    return {};
  }

  Result<> readMember(const Member& member) {
    const ZipEntry* entry = zip_->find(bundle_.name + "/" + member.name);
    if (entry == nullptr) return wrong("the bundle was altered: " + member.name + " is missing");
    if (entry->size != member.bytes)
      return wrong("the bundle was altered: " + member.name + " has " +
                   std::to_string(entry->size) + " bytes, but the manifest says " +
                   std::to_string(member.bytes));
    FXS_TRY(std::string bytes, zip_->read(*entry, member.bytes));
    if (sha256(bytes) != member.sha256)
      return wrong("the bundle was altered: " + member.name +
                   " does not match its checksum in the manifest");
    bundle_.files.emplace(member.name, std::move(bytes));
    return {};
  }

  std::shared_ptr<const ZipReader> zip_;
  const std::string& label_;
  const lower::OutputTypes& types_;
  Bundle bundle_;
};

}  // namespace

Result<Packed> pack(Manifest manifest, const std::vector<File>& files) {
  manifest.members.clear();
  for (const File& file : files) {
    if (!isMemberName(file.name))
      return fail(ErrorCode::Internal, "'" + file.name + "' is not a valid file name in a bundle");
    manifest.members.push_back({file.name, file.bytes.size(), sha256(file.bytes)});
  }
  const std::string text = manifestJson(manifest);
  Packed out;
  out.sha256 = sha256(text);
  out.name = bundleName(manifest, out.sha256);
  out.fileName = out.name.substr(kFolderPrefix.size()) + ".fxscope.zip";
  std::vector<ZipPart> parts{
      {out.name + "/" + std::string(kManifestFile), text, ZipPacking::Deflated}};
  for (const File& file : files)
    parts.push_back({out.name + "/" + file.name, file.bytes, ZipPacking::Deflated,
                     file.executable ? ZipMode::Executable : ZipMode::Plain});
  FXS_TRY(out.bytes, writeZip(parts));
  return out;
}

const std::string& Bundle::file(std::string_view member) const {
  static const std::string kNone;
  const auto found = files.find(member);
  return found == files.end() ? kNone : found->second;
}

Result<Bundle> open(std::shared_ptr<const ByteSource> source, const std::string& label,
                    const lower::OutputTypes& types) {
  FXS_TRY(auto zip, ZipReader::open(std::move(source), label));
  if (zip->entries().size() > kMaxMembers + 1)
    return fail(ErrorCode::InvalidInput, label +
                                             ": is not a reproducer bundle of fxscope: it has " +
                                             std::to_string(zip->entries().size()) + " files");
  return Opening(std::move(zip), label, types).run();
}

}  // namespace fxs::bundle
