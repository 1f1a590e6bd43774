// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "base/sha256.h"
#include "fx/text.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

ZipMember bundleMember(std::string name, std::string bytes) {
  ZipMember out;
  out.name = std::move(name);
  out.bytes = std::move(bytes);
  return out;
}

/// A bundle that holds `program`, and claims that checksum of it.
std::string bundle(const std::string& program, const std::string& checksum,
                   const std::string& schema = "fxscope-bundle/2") {
  const std::string manifest =
      R"({"schema": ")" + schema +
      R"(", "members": [{"name": "run.sh", "sha256": ""}, {"name": "program.pt2", "sha256": ")" +
      checksum + "\"}]}";
  return writeZip(std::vector<ZipMember>{bundleMember("fxscope-small-0/manifest.json", manifest),
                                         bundleMember("fxscope-small-0/program.pt2", program)});
}

Result<read::Capture> openedBundle(const std::string& bytes) {
  return read::readCapture(memorySource(bytes), "b.zip", {}, {});
}
std::string reasonOf(const std::string& bytes) {
  const auto capture = openedBundle(bytes);
  return capture ? "it opens" : capture.error().message;
}

TEST(ReadBundle, OpensTheProgramInIt) {
  const std::string program = Pt2().bytes();
  const auto capture = openedBundle(bundle(program, sha256(program)));
  ASSERT_TRUE(capture) << capture.error().message;
  EXPECT_EQ(fx::dump(*capture->program), fx::dump(*openedBundle(program)->program));
  EXPECT_EQ(capture->format,
            "reproducer bundle of fxscope: PyTorch exported program (.pt2, schema 8.20)");
  EXPECT_EQ(capture->label, "b.zip");
}

TEST(ReadBundle, WhatIsWrongIsNamed) {
  const std::string program = Pt2().bytes();
  EXPECT_EQ(
      reasonOf(bundle(program, sha256("other"))),
      "b.zip: the bundle was altered: program.pt2 does not match its checksum in the manifest");
  EXPECT_EQ(reasonOf(bundle(program, sha256(program), "fxscope-bundle/7")),
            "b.zip: manifest.json: schema: expected 'fxscope-bundle/2'; a newer fxscope may be "
            "able to open this bundle");
  const std::string text = "no zip";
  EXPECT_EQ(reasonOf(bundle(text, sha256(text))),
            "b.zip: program.pt2: not a zip archive, or a truncated one: the central directory is "
            "missing");
  // One bundle in another goes no further.
  const std::string inner = bundle(program, sha256(program));
  EXPECT_EQ(reasonOf(bundle(inner, sha256(inner))),
            "b.zip: program.pt2 is not an exported program");
  EXPECT_EQ(reasonOf(writeZip(std::vector<ZipMember>{bundleMember("fxscope-x/manifest.json", "{}"),
                                                     bundleMember("fxscope-x/program.pt2", "")})),
            "b.zip: manifest.json: member 'schema' is missing");
}

}  // namespace
}  // namespace fxs::test
