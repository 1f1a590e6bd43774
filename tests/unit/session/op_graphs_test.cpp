// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs of all stages and passes of the samples, and of generated modules, hold what
// trace/op_graph.h says. FXSCOPE_GRAPHS_OF names other programs, separated as in PATH, and prints
// what was checked; graphs of passes are made of programs of up to kPassNodes nodes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

#include "base/scratch_directory.h"
#include "fx/module_path.h"
#include "layout/group_tree.h"
#include "mlir/compare/diff.h"
#include "output_type.h"
#include "random_module.h"
#include "real_engine.h"
#include "session/session.h"
#include "trace/op_graph.h"

namespace fxs::session {
namespace {

using mlir::Module;
using mlir::OpChange;
using mlir::OpId;
using trace::OpGraph;

constexpr std::size_t kPassNodes = 400;

struct Checked {
  std::size_t graphs = 0, ops = 0, nodes = 0, grouped = 0, pairs = 0, differences = 0;
};

bool isContainer(const Module& module, OpId id) {
  const std::string_view name = module.nameOf(id);
  return name == "builtin.module" || name.ends_with(".executable") || name.ends_with(".variant") ||
         name.ends_with(".source");
}
bool isFunction(const Module& module, OpId id) {
  const OpId parent = module.op(id).parent;
  return !module.regionsOf(id).empty() && !isContainer(module, id) &&
         (!parent.valid() || isContainer(module, parent));
}

/// Whether only operations that the graph leaves out use its results.
bool onlyLeftOutUse(const Module& module, const OpGraph& graph, OpId id) {
  const mlir::IndexRange results = module.op(id).results;
  for (std::uint32_t i = results.begin; i < results.end; ++i)
    for (const mlir::OperandId use : module.usesOf(mlir::ValueId::of(i)))
      if (graph.nodeOf[module.operands[use.index()].user.index()].valid()) return false;
  return true;
}

void expectEachOperationOnce(const Module& module, const OpGraph& graph, const std::string& where,
                             Checked& checked) {
  std::vector<std::size_t> shown(module.ops.size());
  for (std::size_t node = 0; node < graph.opsOf.size(); ++node)
    for (const OpId op : graph.opsOf[node]) {
      ++shown[op.index()];
      EXPECT_EQ(graph.nodeOf[op.index()], fx::NodeId::of(node))
          << where << ": " << module.nameOf(op);
    }
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const OpId id = OpId::of(i);
    const bool isPart = !isContainer(module, id) && !isFunction(module, id);
    const std::string op = where + ": line " + std::to_string(module.op(id).firstLine + 1) + ": " +
                           std::string(module.nameOf(id));
    if (!isPart) {
      EXPECT_FALSE(graph.nodeOf[i].valid()) << op;
      EXPECT_EQ(shown[i], 0U) << op;
      continue;
    }
    ++checked.ops;
    if (graph.nodeOf[i].valid()) {
      EXPECT_EQ(shown[i], 1U) << op;
    } else {
      EXPECT_EQ(shown[i], 0U) << op;
      EXPECT_TRUE(module.op(id).results.size() > 0 && onlyLeftOutUse(module, graph, id))
          << op << " is lost";
    }
  }
}

/// The modules below the root that all calls among `nodes` are in, outermost first.
std::vector<std::string> modulesOfAll(const fx::Program& user,
                                      const std::vector<fx::NodeId>& nodes) {
  std::optional<std::vector<fx::ModuleFrame>> common;
  for (const fx::NodeId id : nodes) {
    if (id.index() >= user.nodes.size() || user.node(id).op != fx::NodeOp::CallFunction) continue;
    const auto frames = fx::modulesOf(user, user.node(id));
    if (!common) common = frames;
    std::size_t same = 0;
    while (same < common->size() && same < frames.size() && (*common)[same] == frames[same]) ++same;
    common->resize(same);
  }
  std::vector<std::string> out;
  if (common)
    for (const fx::ModuleFrame& frame : *common)
      if (!frame.path.empty()) out.push_back(frame.path);
  return out;
}

void expectGroupsAreModules(const OpGraph& graph, const trace::OpenText& text,
                            const fx::Program& user, const std::string& where, Checked& checked) {
  const layout::GroupTree tree = layout::groupTree(*graph.program);
  std::vector<std::size_t> times(graph.program->nodes.size());
  for (const layout::Group& group : tree.groups)
    for (const fx::NodeId id : group.nodes) {
      ++times[id.index()];
      EXPECT_EQ(tree.groupOf[id.index()], group.id) << where;
    }
  for (const fx::Node& node : graph.program->nodes) {
    ++checked.nodes;
    EXPECT_EQ(times[node.id.index()], node.subgraph.valid() ? 0U : 1U)
        << where << ": " << node.name;
    if (node.op != fx::NodeOp::CallFunction || node.graph.index() != 0) continue;
    const auto origin = text.origins->of(graph.opsOf[node.id.index()].front());
    const std::vector<std::string> modules =
        modulesOfAll(user, {origin.nodes.begin(), origin.nodes.end()});
    if (!graph.program->meta(node, "nn_module_stack")) {
      EXPECT_TRUE(modules.empty()) << where << ": " << node.name << " is in " << modules.back();
      continue;
    }
    std::vector<std::string> groups;
    for (const layout::GroupId id : tree.pathTo(tree.groupOf[node.id.index()]))
      if (const layout::Group& group = tree.group(id); group.repeats == 0)
        groups.push_back(group.path);
    EXPECT_EQ(groups.empty() ? "" : groups.back(), modules.empty() ? "" : modules.back())
        << where << ": " << node.name;
    // A module that holds nothing but another one has no group of its own.
    auto at = modules.begin();
    for (const std::string& path : groups) {
      at = std::find(at, modules.end(), path);
      EXPECT_NE(at, modules.end()) << where << ": " << node.name << " is in a group " << path;
    }
    ++checked.grouped;
  }
}

/// What is marked in the graph is what the diff lists, operation by operation.
void expectMarksAreTheDiff(const Module& module, const OpGraph& graph, const mlir::Diff& diff,
                           const std::vector<std::uint32_t>& pairOf, const std::string& where,
                           Checked& checked) {
  const std::vector<OpChange> marks = trace::changesIn(graph, diff, pairOf);
  std::set<fx::NodeId> expected;
  for (std::size_t i = 0; i < module.ops.size(); ++i) {
    const OpChange change = diff.pairs[pairOf[i]].change;
    if (change == OpChange::Same) continue;
    ++checked.differences;
    const fx::NodeId node = graph.nodeOf[i];
    if (!node.valid()) continue;  // a function, or what nothing uses
    expected.insert(node);
    if (graph.opsOf[node.index()].front() == OpId::of(i)) {
      EXPECT_EQ(marks[node.index()], change) << where << ": " << module.nameOf(OpId::of(i));
    }
  }
  for (std::size_t node = 0; node < marks.size(); ++node)
    EXPECT_EQ(marks[node] != OpChange::Same, expected.contains(fx::NodeId::of(node)))
        << where << ": " << graph.program->nodes[node].name;
}

struct Drawn {
  std::shared_ptr<const trace::OpenText> text;
  OpGraph graph;
};

Drawn checkedGraph(std::shared_ptr<const trace::OpenText> text, const fx::Program& user,
                   const std::string& where, Checked& checked) {
  Drawn out{std::move(text), {}};
  out.graph = trace::opGraph(*out.text, user);
  ++checked.graphs;
  expectEachOperationOnce(*out.text->module, out.graph, where, checked);
  expectGroupsAreModules(out.graph, *out.text, user, where, checked);
  return out;
}

void expectPair(const Drawn& a, const Drawn& b, const std::string& where, Checked& checked) {
  ++checked.pairs;
  const mlir::Diff diff = mlir::diff(*a.text->module, *b.text->module);
  expectMarksAreTheDiff(*a.text->module, a.graph, diff, diff.pairOfA, where + ", before", checked);
  expectMarksAreTheDiff(*b.text->module, b.graph, diff, diff.pairOfB, where + ", after", checked);
}

class OpGraphs : public testing::Test {
 protected:
  void check(const std::string& file, const std::string& target, Checked& checked) {
    Environment env;
    env.runner = &runner_;
    env.enginePath = engine_;
    env.temporaryDir = dir_.path();
    Request request;
    request.file = file;
    request.lower.target = test::outputType(target);
    request.decomposeForTarget = true;
    const std::string where = std::filesystem::path(file).filename().string() + " to " + target;
    const auto lowered = advance(start(request), Phase::Lower, env, {});
    ASSERT_TRUE(lowered) << where << ": " << lowered.error().message;
    const fx::Program& user = *(*lowered)->capture->program;
    for (std::size_t i = 0; i < (*lowered)->lowering->stages.size(); ++i) {
      const lower::StageResult& stage = (*lowered)->lowering->stages[i];
      if (!stage.ir().empty())
        checkedGraph(trace::openText(stage.ir(), (*lowered)->origins[i]), user,
                     where + ", " + stage.id, checked);
    }
    if (user.nodes.size() > kPassNodes) return;
    const auto traced = advance(*lowered, Phase::Trace, env, {});
    ASSERT_TRUE(traced) << where << ": " << traced.error().message;
    std::optional<Drawn> before;
    for (std::size_t i = 0; i < (*traced)->trace->passes().snapshots.size(); ++i) {
      auto text = (*traced)->trace->open(i);
      ASSERT_TRUE(text) << where << ": " << text.error().message;
      const std::string module = where + ", module " + std::to_string(i);
      Drawn after = checkedGraph(*std::move(text), user, module, checked);
      if (before) expectPair(*before, after, module, checked);
      before = std::move(after);
    }
  }

  PosixCommandRunner runner_;
  test::TemporaryDirectory dir_;
  std::string engine_;
};

TEST_F(OpGraphs, OfEveryStageAndPassHoldEachOperationOnceInItsModulesAndMarkTheDiff) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  engine_ = engine->path;
  std::set<std::string> files;
  const char* given = std::getenv("FXSCOPE_GRAPHS_OF");
  if (given != nullptr) {
    std::istringstream stream(given);
    for (std::string file; std::getline(stream, file, ':');) files.insert(file);
  } else {
    for (const auto& entry : std::filesystem::directory_iterator(FXS_SOURCE_DIR "/samples"))
      if (entry.path().extension() == ".pt2") files.insert(entry.path().string());
  }
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files)
    for (const char* target : {"linalg-on-tensors", "tosa", "stablehlo"}) {
      Checked checked;
      check(file, target, checked);
      EXPECT_GT(checked.graphs, 1U) << file;
      if (given != nullptr)
        std::cout << file << " to " << target << ": " << checked.graphs << " graphs, "
                  << checked.ops << " operations, " << checked.nodes << " nodes, "
                  << checked.grouped << " calls in modules, " << checked.pairs << " pairs, "
                  << checked.differences << " differences" << std::endl;
    }
}

TEST_F(OpGraphs, OfGeneratedModulesHoldEachOperationOnceAndMarkTheDiff) {
  const fx::Program none;
  Checked checked;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::optional<Drawn> before;
    for (const int size : {40, 45}) {
      const std::string where = "seed " + std::to_string(seed) + ", size " + std::to_string(size);
      const std::string text =
          test::print(test::randomModule(seed, size), {seed, seed % 2 == 0, true, false}).text;
      Drawn after = checkedGraph(trace::openText(text), none, where, checked);
      if (before) expectPair(*before, after, where, checked);
      before = std::move(after);
    }
  }
  EXPECT_GT(checked.differences, 1000U);
}

}  // namespace
}  // namespace fxs::session
