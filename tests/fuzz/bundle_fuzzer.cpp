// Reproducer bundles, as archives and by the manifest alone: what opens has the checksums that it claims, and a manifest that reads
// prints to one that reads the same.
#include "base/sha256.h"
#include "bundle/archive.h"
#include "fuzz_input.h"

using namespace fxs;

namespace {

void checkArchive(std::string bytes) {
  const auto opened = bundle::open(memorySource(std::move(bytes)), "fuzz");
  if (!opened) {
    fuzz::require(opened.error().message.find('\n') == std::string::npos, "an error is one line");
    return;
  }
  fuzz::require(opened->files.size() == opened->manifest.members.size(), "every file is a member");
  for (const bundle::Member& member : opened->manifest.members) {
    fuzz::require(bundle::isMemberName(member.name), "a member has a plain name");
    fuzz::require(sha256(opened->file(member.name)) == member.sha256, "a member has its checksum");
  }
}

void checkManifest(std::string_view text) {
  auto manifest = bundle::parseManifest(text, "fuzz");
  if (!manifest) return;
  const std::string printed = bundle::manifestJson(*manifest);
  const auto again = bundle::parseManifest(printed, "again");
  fuzz::require(again && bundle::manifestJson(*again) == printed, "a manifest prints as it reads");
  // Archives whose manifest is in order are made here: no mutation finds a checksum by itself.
  const auto packed = bundle::pack(*std::move(manifest), {{"raw.mlir", std::string(text), false}, {"run.sh", "", true}});
  if (packed) checkArchive(packed->bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  if (text.starts_with("PK")) checkArchive(std::string(text));
  else checkManifest(text);
  return 0;
}
