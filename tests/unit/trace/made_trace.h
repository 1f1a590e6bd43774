// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Traces of modules that a test writes: `pass i` made the i-th. Locations `"hop":i:line` lead to
// lines of snapshot i.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/byte_source.h"
#include "fake_engine.h"
#include "trace/provenance.h"

namespace fxs::test {

/// A location in a snapshot: `loc("s3":7:1)`.
inline std::string at(std::size_t snapshot, std::size_t line) {
  return " loc(\"s" + std::to_string(snapshot) + "\":" + std::to_string(line) + ":1)";
}
/// The location of an operation of a node.
inline std::string ofNode(int node) { return " loc(\"n\"(\"fx\":" + std::to_string(node) + ":0))"; }

/// The passes of a trace of `texts`, without their files.
inline std::shared_ptr<lower::PassTrace> passesOf(const std::vector<std::string>& texts,
                                                  const std::string& directory) {
  auto out = std::make_shared<lower::PassTrace>();
  out->directory = directory;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string number = std::to_string(i);
    if (i > 0) {
      lower::PassRun pass;
      pass.stage = "torch";
      pass.pass = "pass-" + number;
      pass.ran = pass.changed = true;
      pass.snapshot = static_cast<int>(i);
      out->passes.push_back(pass);
    }
    out->snapshots.push_back(
        {i == 0 ? "raw" : "torch", static_cast<int>(i) - 1, number + ".mlir", false});
    out->hops.push_back({"s" + number, static_cast<int>(i), 0});
  }
  return out;
}

inline trace::TracePtr madeTrace(const std::vector<std::string>& texts,
                                 std::vector<std::string> nodeNames = {"x", "softmax", "gelu"},
                                 std::shared_ptr<lower::PassTrace> passes = nullptr) {
  auto directory = std::make_shared<TemporaryDirectory>();
  if (!passes) passes = passesOf(texts, "");
  passes->directory = directory->path();
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_TRUE(writeWholeFile(passes->pathOf(passes->snapshots[i]), texts[i]).has_value());
  const auto trace = trace::SnapshotLinker().finish(passes, std::move(nodeNames), directory, {});
  EXPECT_TRUE(trace.has_value()) << trace.error().message;
  return *trace;
}

}  // namespace fxs::test
