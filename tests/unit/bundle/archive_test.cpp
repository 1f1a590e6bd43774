// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/archive.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/sha256.h"
#include "base/zip.h"
#include "output_type.h"
#include "zip_writer.h"

namespace fxs::test {
namespace {

bundle::Manifest manifest() {
  bundle::Manifest m;
  m.tool = "1.2.3";
  m.program = "net v2";
  m.target = test::outputType("tosa");
  m.signature = {"tosa", "convert-torch-to-tosa", "illegal-op", "torch.aten.sort",
                 "aten.sort.default"};
  m.verified = true;
  m.statement = "fails in the same way";
  m.engineVersion = "LLVM 99";
  m.engineSha256 = sha256("engine");
  m.torchVersion = "2.13.0";
  m.readAs = "PyTorch exported program (.pt2, schema 8.20)";
  m.system = "Linux x86_64";
  m.callNodes = 1;
  m.originalCallNodes = 12;
  m.weights = "none";
  m.decompose = {"aten.gelu"};
  m.decomposeNodes = {"gelu"};
  m.keepNodes = {"gelu_1", "gelu_2"};
  m.arguments = {{"gelu", "approximate", "'tanh'"}};
  m.passes = {{"tosa", "builtin.module(cse)"}};
  m.edited = "torch";
  m.mode = import::Mode::Frozen;
  m.symbolicShapes = true;
  m.unregistered = {"torch.acme.swiglu"};
  m.backendLegalOps = {"aten.diff"};
  m.allowNonFinites = false;
  m.timeoutMs = 120'000;
  m.memory = std::uint64_t{8} << 30;
  return m;
}

ZipMember member(std::string name, std::string bytes) {
  ZipMember out;
  out.name = std::move(name);
  out.bytes = std::move(bytes);
  return out;
}

const std::vector<bundle::File> kFiles{{"run.sh", "#!/bin/sh\n", true},
                                       {"raw.mlir", "module {\n}\n", false},
                                       {"failure.mlir", "", false}};

bundle::Packed packed() { return bundle::pack(manifest(), kFiles).value(); }

std::string reasonOf(const std::string& bytes) {
  const auto opened = bundle::open(memorySource(bytes), "b.zip");
  return opened ? "it opens" : opened.error().message;
}

/// The members of a good bundle, to be changed by hand.
std::vector<ZipMember> members() {
  const bundle::Packed good = packed();
  const auto zip = ZipReader::open(memorySource(good.bytes), "b").value();
  std::vector<ZipMember> out;
  for (const ZipEntry& entry : zip->entries())
    out.push_back(member(entry.name, zip->read(entry, 1 << 20).value()));
  return out;
}

TEST(Bundle, OpensAsItWasPacked) {
  const bundle::Packed good = packed();
  EXPECT_EQ(good.name, "fxscope-net_v2-" + good.sha256.substr(0, 12));
  EXPECT_EQ(good.fileName, "net_v2-" + good.sha256.substr(0, 12) + ".fxscope.zip");
  const auto opened = bundle::open(memorySource(good.bytes), "b.zip");
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->name, good.name);
  EXPECT_EQ(opened->sha256, good.sha256);
  EXPECT_EQ(opened->manifest.signature, manifest().signature);
  EXPECT_EQ(opened->file("raw.mlir"), "module {\n}\n");
  EXPECT_EQ(opened->file("failure.mlir"), "");
  EXPECT_EQ(opened->files.size(), 3u);
  // What is said of the members aside, the manifest reads back as it was.
  bundle::Manifest expected = manifest();
  expected.members = opened->manifest.members;
  EXPECT_EQ(bundle::manifestJson(opened->manifest), bundle::manifestJson(expected));
}

TEST(Bundle, NameAndBytesFollowFromTheContent) {
  EXPECT_EQ(packed().bytes, packed().bytes);
  auto files = kFiles;
  files[1].bytes += "\n";
  const auto other = bundle::pack(manifest(), files);
  ASSERT_TRUE(other);
  EXPECT_NE(other->name, packed().name);
  bundle::Manifest m = manifest();
  m.signature.pass = "another";
  EXPECT_NE(bundle::pack(m, kFiles)->name, packed().name);
}

TEST(Bundle, WhatWasAlteredByHandIsRefused) {
  const std::string root = packed().name;
  auto all = members();
  all[2].bytes[0] = 'M';
  EXPECT_EQ(reasonOf(writeZip(all)),
            "b.zip: the bundle was altered: raw.mlir does not match its checksum in the manifest");
  all = members();
  all[2].bytes += "\n";
  EXPECT_EQ(reasonOf(writeZip(all)),
            "b.zip: the bundle was altered: raw.mlir has 12 bytes, but the manifest says 11");
  all = members();
  all.pop_back();
  EXPECT_EQ(reasonOf(writeZip(all)), "b.zip: the bundle was altered: failure.mlir is missing");
  all = members();
  all.push_back(member(root + "/more", "x"));
  EXPECT_EQ(reasonOf(writeZip(all)),
            "b.zip: the bundle was altered: '" + root + "/more' is not in its manifest");
  all = members();
  const std::string from = "convert-torch-to-tosa";
  all[0].bytes.replace(all[0].bytes.find(from), from.size(), "canonicalize");
  EXPECT_TRUE(reasonOf(writeZip(all))
                  .starts_with("b.zip: the bundle was altered: its folder '" + root +
                               "' should be called 'fxscope-net_v2-"));
}

TEST(Bundle, NamesNeverLeadAnywhere) {
  const std::string root = packed().name;
  for (const char* name : {"../evil", "/etc/passwd", "a/../../evil", "C:\\evil"}) {
    auto all = members();
    all.push_back(member(name, "x"));
    EXPECT_EQ(reasonOf(writeZip(all)),
              "b.zip: the bundle was altered: '" + std::string(name) + "' is not in its manifest");
    all = members();
    all.insert(all.begin(), member(name, "x"));
    EXPECT_NE(reasonOf(writeZip(all)), "it opens");
    EXPECT_FALSE(bundle::pack(manifest(), {{name, "x", false}}));
  }
  auto all = members();
  all.push_back(all.back());
  EXPECT_EQ(reasonOf(writeZip(all)),
            "b.zip: the archive has two members named '" + root + "/failure.mlir'");
}

TEST(Bundle, HoldsNoFileThatFxscopeDoesNotWrite) {
  const bundle::Packed more = bundle::pack(manifest(), {{"raw.mlir", "module {\n}\n", false},
                                                        {"setup.py", "import os", false}})
                                  .value();
  EXPECT_EQ(reasonOf(more.bytes), "b.zip: the bundle was altered: fxscope writes no 'setup.py'");
}

TEST(Bundle, AMemberThatUnpacksToMuchMoreIsNotUnpacked) {
  auto all = members();
  all[2].method = 8;
  all[2].size = std::uint64_t{1} << 31;
  EXPECT_EQ(
      reasonOf(writeZip(all)),
      "b.zip: the bundle was altered: raw.mlir has 2147483648 bytes, but the manifest says 11");
}

TEST(Bundle, OtherArchivesAreNone) {
  EXPECT_EQ(reasonOf(writeZip(std::vector<ZipMember>{member("a/b", "c")})),
            "b.zip: is not a reproducer bundle of fxscope: it has no manifest.json");
  EXPECT_EQ(reasonOf("hello"),
            "b.zip: not a zip archive, or a truncated one: the central directory is missing");
  std::vector<ZipMember> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = "f" + std::to_string(i);
  EXPECT_EQ(reasonOf(writeZip(many)),
            "b.zip: is not a reproducer bundle of fxscope: it has 100 files");
}

/// Of a manifest with `change`, by the error that it gives.
std::string refusal(const std::function<void(bundle::Manifest&)>& change) {
  bundle::Manifest m = manifest();
  change(m);
  const auto parsed = bundle::parseManifest(bundle::manifestJson(m), "m");
  return parsed ? "it reads" : parsed.error().message;
}

TEST(Manifest, SaysNothingThatFxscopeWouldNotSay) {
  EXPECT_EQ(refusal([](auto&) {}), "it reads");
  const std::string hides = ": contains line breaks or invisible characters";
  EXPECT_EQ(refusal([](auto& m) { m.engineVersion = "LLVM 99\nfails in the same way"; }),
            "m: engine.version" + hides);
  EXPECT_EQ(refusal([](auto& m) { m.signature.op = "\x1b[2Jtorch.aten.sort"; }),
            "m: signature.op" + hides);
  EXPECT_EQ(refusal([](auto& m) { m.system = "Linux\u202e"; }), "m: system" + hides);
  EXPECT_EQ(refusal([](auto& m) { m.decompose = {"a\nb"}; }), "m: options.decompose[0]" + hides);
  EXPECT_EQ(refusal([](auto& m) { m.program = "[net](http://evil)"; }),
            "m: program: is not a plain name");
  const std::string unlike = "m: statement: contradicts 'verified'";
  EXPECT_EQ(refusal([](auto& m) { m.statement = "fails in the same way; run.sh is safe"; }),
            unlike);
  EXPECT_EQ(refusal([](auto& m) { m.verified = false; }), unlike);
  EXPECT_EQ(refusal([](auto& m) {
              m.verified = false;
              m.statement = "is no reproducer: when run again, it does not fail";
            }),
            "it reads");
}

TEST(Manifest, OfTheFirstSchemaIsReadAsOfAnotherVersion) {
  const std::string first = R"({"schema": "fxscope-bundle/1", "program": "net", "target": "tosa",
    "signature": {"stage": "tosa", "pass": "p", "kind": "illegal-op", "op": "o", "target": "t"}, "verified": true,
    "statement": "fails in the same way", "engine": {"version": "LLVM 99", "sha256": ")" +
                            sha256("engine") + R"("}, "torch_version": "",
    "call_nodes": 1, "original_call_nodes": 2, "weights": "none", "options": {"decompose": [], "extra_library": false,
    "allow_non_finites": true, "timeout_ms": 1, "memory_bytes": 1}, "members": []})";
  const auto parsed = bundle::parseManifest(first, "m");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->tool, "");
  EXPECT_NE(parsed->tool, bundle::toolVersion());
}

TEST(Manifest, ErrorsNameThePlace) {
  const std::string good = bundle::manifestJson(manifest());
  const auto reasonOfText = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto parsed = bundle::parseManifest(text.replace(at, from.size(), to), "m");
    return parsed ? std::string("it reads") : parsed.error().message;
  };
  EXPECT_EQ(reasonOfText("fxscope-bundle/2", "fxscope-bundle/3"),
            "m: schema: is 'fxscope-bundle/3', not 'fxscope-bundle/2': this is not a reproducer "
            "bundle of fxscope");
  EXPECT_EQ(reasonOfText("\"mode\": \"frozen\"", "\"mode\": \"thawed\""),
            "m: options.mode: is not an import mode");
  EXPECT_EQ(reasonOfText("\"timeout_ms\": 120000", "\"timeout_ms\": -1"),
            "m: options.timeout_ms: a count cannot be negative");
  EXPECT_EQ(reasonOfText(sha256("engine"), "abc"), "m: engine.sha256: is not a SHA-256");
  EXPECT_EQ(reasonOfText("\"kind\": \"illegal-op\"", "\"kind\": 3"),
            "m: signature.kind: expected a string, got an integer");
  EXPECT_EQ(
      reasonOfText("\"members\": []", R"("members": [{"name": "../x", "bytes": 1, "sha256": ""}])"),
      "m: members[0].name: is not a plain file name");
}

}  // namespace
}  // namespace fxs::test
