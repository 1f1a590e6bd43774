// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces of other tools and stored ones as programs.
#include "traced/trace_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "fake_engine.h"
#include "trace/stored_trace.h"

namespace fxs::traced {
namespace {

using test::TemporaryDirectory;

std::string dump(const std::string& pass, const std::string& op, const std::string& location) {
  return "// -----// IR Dump After P (" + pass + ") //----- //\n" +
         "module {\n"
         "  func.func @f(%arg0: i32 loc(\"x.mlir\":1:13)) -> i32 {\n"
         "    %0 = arith.addi %arg0, %arg0 : i32 loc(\"x.mlir\":2:8)\n"
         "    %1 = " +
         op + " %0, %arg0 : i32 loc(" + location +
         ")\n"
         "    return %1 : i32 loc(\"x.mlir\":4:3)\n"
         "  } loc(\"x.mlir\":1:1)\n"
         "} loc(\"x.mlir\":0:0)\n\n\n";
}

class TraceFile : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  session::SnapshotPtr open(const std::string& path) {
    session::Request request;
    request.file = path;
    session::Environment env;
    env.temporaryDir = folder_.path() + "/temporary";
    auto out = openTrace(std::move(request), env, {});
    EXPECT_TRUE(out.has_value()) << out.error().message;
    return out ? *out : nullptr;
  }
  /// The names of the nodes of each operation of a snapshot, in order.
  static std::string nodesOf(const session::SnapshotPtr& s, std::size_t snapshot) {
    std::string out;
    const auto origins = s->trace->origins(snapshot);
    for (std::size_t i = 0; i < origins->size(); ++i) {
      out += "[";
      for (const fx::NodeId node : origins->of(mlir::OpId::of(i)).nodes)
        out += s->capture->program->node(node).name;
      out += "]";
    }
    return out;
  }
  TemporaryDirectory folder_;
};

TEST_F(TraceFile, ALogIsAProgramOfItsFirstModule) {
  const std::string log = file("a.log", dump("canonicalize", "arith.muli", "\"x.mlir\":3:8") +
                                            dump("to-subi", "arith.subi", "\"x.mlir\":3:8"));
  EXPECT_TRUE(isTrace(log));
  const session::SnapshotPtr s = open(log);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->capture->format, "trace of passes");
  EXPECT_TRUE(s->rewritten);
  EXPECT_FALSE(s->lowering);
  ASSERT_EQ(s->trace->passes().passes.size(), 2U);
  EXPECT_EQ(s->trace->passes().passes[1].pass, "to-subi");
  EXPECT_EQ(s->capture->notes, std::vector<std::string>{
                                   "the module before canonicalize, the first pass in the log, was "
                                   "not printed; whether it changed anything is unknown"});
  ASSERT_EQ(s->trace->passes().snapshots.size(), 2U);
  EXPECT_EQ(nodesOf(s, 0), "[][][addi][muli][output]");
  // By their lines, although another operation stands there.
  EXPECT_EQ(nodesOf(s, 1), "[][][addi][muli][output]");
}

TEST_F(TraceFile, NodesThatLocationsNameBecomeThoseOfTheFirstModule) {
  const session::SnapshotPtr s =
      open(file("a.log", dump("a", "arith.muli", "\"mul\"(\"fx\":7:0)") +
                             dump("b", "arith.subi", "\"mul\"(\"fx\":7:0)")));
  ASSERT_TRUE(s);
  EXPECT_EQ(nodesOf(s, 0), "[][][addi][mul][output]");
  EXPECT_EQ(s->trace->nodeNames().size(), s->capture->program->nodes.size());
  // The addition, which has no node, is there for the operation that uses it.
  EXPECT_EQ(nodesOf(s, 1), "[][][mul][mul][]");
}

TEST_F(TraceFile, AStoredTraceIsOpenedWithOrWithoutItsProgram) {
  const session::SnapshotPtr s = open(file("a.log", dump("a", "arith.muli", "\"x.mlir\":3:8") +
                                                        dump("b", "arith.subi", "\"x.mlir\":3:8")));
  ASSERT_TRUE(s);
  const std::string folder = s->trace->passes().directory;
  std::ofstream(folder + "/trace.json") << trace::traceJson(*s->trace, "gone.pt2", "");
  EXPECT_TRUE(isTrace(folder));
  EXPECT_TRUE(isTrace(folder + "/trace.json"));
  const session::SnapshotPtr stored = open(folder);
  ASSERT_TRUE(stored);
  EXPECT_EQ(nodesOf(stored, 1), nodesOf(s, 1));
}

TEST_F(TraceFile, OtherFilesAreNone) {
  EXPECT_FALSE(isTrace(file("a.mlir", "module {\n}\n")));
  EXPECT_FALSE(isTrace(file("a.json", "{\"schema\": \"other/1\"}")));
  EXPECT_FALSE(isTrace(FXS_SOURCE_DIR "/samples/addmm.pt2"));
  EXPECT_FALSE(isTrace(folder_.path()));
  EXPECT_FALSE(isTrace("/nowhere"));
}

}  // namespace
}  // namespace fxs::traced
