// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reproducer bundles, as archives and by the manifest alone: what opens has the checksums that it
// claims, a manifest that reads prints to one that reads the same, and a replay ends in a verdict
// whatever the engine does.
#include "base/sha256.h"
#include "bundle/archive.h"
#include "bundle/replay.h"
#include "fuzz_input.h"
#include "pt2_writer.h"

using namespace fxs;

namespace {

/// An engine that says nothing and ends at once, well or badly.
class SilentRunner final : public CommandRunner {
 public:
  explicit SilentRunner(int status) : status_(status) {}
  Result<Exit> run(const Command&, std::stop_token) override {
    Exit exit;
    exit.status = status_;
    return exit;
  }

 private:
  int status_;
};

void replay(const bundle::Bundle& opened) {
  const lower::Engine engine{
      "torch-mlir-opt", opened.manifest.engineVersion, opened.manifest.engineSha256, {}};
  for (const int status : {0, 1}) {
    SilentRunner runner(status);
    session::Environment environment;
    environment.runner = &runner;
    const auto verdict = bundle::replay(opened, "fuzz", engine, {}, environment, {});
    if (!verdict) continue;
    fuzz::require(!verdict->statement.empty() && verdict->bundle == opened.name,
                  "a verdict says what it is about");
    for (const std::string& name : verdict->checked)
      fuzz::require(opened.files.contains(name), "what was checked is there");
  }
}

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
  replay(*opened);
}

void checkManifest(std::string_view text) {
  auto manifest = bundle::parseManifest(text, "fuzz");
  if (!manifest) return;
  const std::string printed = bundle::manifestJson(*manifest);
  const auto again = bundle::parseManifest(printed, "again");
  fuzz::require(again && bundle::manifestJson(*again) == printed, "a manifest prints as it reads");
  // Archives whose manifest is in order are made here: no mutation finds a checksum by itself.
  const auto packed =
      bundle::pack(*std::move(manifest), {{"raw.mlir", std::string(text), false},
                                          {"input.mlir", std::string(text), false},
                                          {"program.pt2", test::Pt2().bytes(), false},
                                          {"run.sh", "", true}});
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
