// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Provenance through the passes of the real torch-mlir-opt, where FXSCOPE_ENGINE names one or ./run
// has installed it.
#include "trace/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "fake_engine.h"
#include "fx/text.h"
#include "import/import.h"
#include "output_type.h"
#include "rewrite/rewrite.h"
#include "trace/history.h"

namespace fxs::trace {
namespace {

using test::TemporaryDirectory;

constexpr int kLayers = 14;

/// `kLayers` times the same, with a weight each.
std::string layers() {
  std::string text = "x: f32[4, 8] = placeholder\n";
  for (int i = 0; i < kLayers; ++i)
    text += "w_" + std::to_string(i) + ": f32[8, 8] = placeholder\n";
  std::string last = "x";
  for (int i = 0; i < kLayers; ++i) {
    const std::string n = "_" + std::to_string(i);
    text += "mm" + n + ": f32[4, 8] = aten.mm.default(" + last + ", w" + n + ")\n";
    text += "softmax" + n + ": f32[4, 8] = aten.softmax.int(mm" + n + ", -1)\n";
    text += "gelu" + n + ": f32[4, 8] = aten.gelu.default(softmax" + n + ")\n";
    text += "add" + n + ": f32[4, 8] = aten.add.Tensor(gelu" + n + ", " + last + ")\n";
    last = "add" + n;
  }
  return text + "return " + last;
}

int layerOf(std::string_view name) {
  const std::size_t at = name.rfind('_');
  return at == std::string_view::npos ? -1 : std::stoi(std::string(name.substr(at + 1)));
}

class Provenance : public testing::TestWithParam<lower::OutputType> {
 protected:
  void SetUp() override {
    const char* named = std::getenv("FXSCOPE_ENGINE");
    const std::string path =
        named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
    if (!std::filesystem::exists(path))
      GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
    auto probed = lower::probeEngine(path, "", runner_, {});
    ASSERT_TRUE(probed.has_value()) << probed.error().message;
    engine_ = *probed;
  }

  enum class Linked { FromFiles, WhileTracing };
  TracePtr traced(const std::string& text, const lower::OutputType& target,
                  Linked linked = Linked::FromFiles) {
    auto directory = std::make_shared<TemporaryDirectory>();
    const auto program = fx::graphFrom(text);
    EXPECT_TRUE(program.has_value()) << program.error().message;
    const auto rewritten = rewrite::rewrite(*program, {}, {});
    EXPECT_TRUE(rewritten.has_value());
    const auto imported = import::importProgram(*(*rewritten)->program, {}, {});
    EXPECT_TRUE(imported.has_value()) << imported.error().message;
    lower::TraceOptions options;
    options.lower.target = target;
    options.directory = directory->path();
    SnapshotLinker linker;
    lower::TraceCallbacks callbacks;
    if (linked == Linked::WhileTracing)
      callbacks.onSnapshot = [&](const lower::PassTrace& trace, auto snapshot) {
        linker.add(trace, std::move(snapshot), {});
      };
    const auto passes = lower::tracePasses((*imported)->text, **program, engine_, options, nullptr,
                                           runner_, {}, callbacks);
    EXPECT_TRUE(passes.has_value()) << passes.error().message;
    std::vector<std::string> names;
    for (const fx::Node& node : (*program)->nodes) names.push_back(node.name);
    const auto trace = linker.finish(*passes, names, directory, {});
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return *trace;
  }
  /// For each operation of each snapshot: its text, its link, the names of its nodes.
  static std::vector<std::string> labelled(const Trace& trace) {
    std::vector<std::string> out;
    for (std::size_t s = 0; s < trace.passes().snapshots.size(); ++s) {
      const auto snapshot = trace.open(s);
      EXPECT_TRUE(snapshot.has_value()) << snapshot.error().message;
      for (std::size_t i = 0; i < (*snapshot)->module->ops.size(); ++i) {
        const OpOrigin origin = (*snapshot)->origins->of(mlir::OpId::of(i));
        std::string line = std::to_string(s) + " " +
                           std::string((*snapshot)->module->ops[i].head.of((*snapshot)->text)) +
                           " |";
        for (const fx::NodeId node : origin.nodes)
          line += " " + trace.nodeNames()[node.index()] + " ";
        out.push_back(std::move(line));
      }
    }
    return out;
  }

  PosixCommandRunner runner_;
  lower::Engine engine_;
};

TEST_P(Provenance, RenamedNodeRelabelsItsOperationsAndNoOther) {
  const std::string text = layers();
  std::string renamed = text;
  for (std::size_t at = renamed.find("softmax_7"); at != std::string::npos;
       at = renamed.find("softmax_7", at))
    renamed.replace(at, 9, "zebra_7");
  const auto before = labelled(*traced(text, GetParam()));
  const auto after = labelled(*traced(renamed, GetParam()));
  ASSERT_EQ(before.size(), after.size());
  std::size_t relabelled = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::string expected = before[i];
    if (const std::size_t at = expected.find(" softmax_7 ", expected.find(" |"));
        at != std::string::npos) {
      expected.replace(at, 11, " zebra_7 ");
      ++relabelled;
    }
    ASSERT_EQ(after[i], expected);
  }
  EXPECT_GE(relabelled, 8u) << "the node is in every snapshot";
}

TEST_P(Provenance, NoOperationOfOneLayerLeadsToAnother) {
  const TracePtr trace = traced(layers(), GetParam());
  for (std::size_t s = 0; s < trace->passes().snapshots.size(); ++s) {
    const auto opened = trace->open(s);
    ASSERT_TRUE(opened.has_value());
    const OpenText& snapshot = **opened;
    std::size_t checked = 0;
    std::vector<bool> ofConstants(snapshot.module->ops.size(), false);
    for (std::size_t i = 0; i < snapshot.module->ops.size(); ++i) {
      const mlir::OpId id = mlir::OpId::of(i);
      const auto operands = snapshot.module->operandsOf(id);
      const OpOrigin origin = snapshot.origins->of(id);
      // Constants, and what is made of constants alone, are shared between layers.
      ofConstants[i] =
          !snapshot.module->nameOf(id).ends_with(".func") &&
          std::all_of(operands.begin(), operands.end(), [&](const mlir::Operand& operand) {
            const mlir::Value& value = snapshot.module->value(operand.value);
            return value.kind == mlir::ValueKind::Result && ofConstants[value.op.index()];
          });
      if (ofConstants[i] || origin.link != Link::Exact) continue;
      std::set<int> own;
      for (const fx::NodeId node : origin.nodes)
        own.insert(layerOf(trace->nodeNames()[node.index()]));
      ASSERT_EQ(own.size(), 1u) << snapshot.module->ops[i].head.of(snapshot.text);
      if (*own.begin() < 0) continue;  // a placeholder, or the return
      // What flows in comes from the same layer, or from the one right before it.
      for (const mlir::Operand& operand : operands) {
        const mlir::Value& value = snapshot.module->value(operand.value);
        if (value.kind != mlir::ValueKind::Result || ofConstants[value.op.index()]) continue;
        const OpOrigin producer = snapshot.origins->of(value.op);
        if (producer.link != Link::Exact) continue;
        const int layer = layerOf(trace->nodeNames()[producer.nodes.front().index()]);
        if (layer < 0) continue;
        EXPECT_TRUE(layer == *own.begin() || layer == *own.begin() - 1)
            << snapshot.module->ops[i].head.of(snapshot.text);
        ++checked;
      }
    }
    EXPECT_GE(checked, static_cast<std::size_t>(kLayers)) << trace->passes().snapshots[s].file;
  }
}

TEST_P(Provenance, OriginsFoundWhileTracingAreThoseFoundAfterwards) {
  // A seed: passes that are expected to change nothing do, and the trace is made again in finer
  // steps.
  const std::string twice =
      "x: f32[4, 8] = placeholder\nr: f32[4, 8] = aten.rand.default([4, 8])\na: f32[4, 8] = "
      "aten.add.Tensor(x, r)\nreturn a";
  for (const std::string& text : {layers(), twice}) {
    const TracePtr trace = traced(text, GetParam(), Linked::WhileTracing);
    EXPECT_EQ(labelled(*trace), labelled(*traced(text, GetParam())));
    if (name(GetParam()) == "linalg-on-tensors") {
      EXPECT_EQ(trace->passes().runs.size(), text == twice ? 2u : 1u);
    }
  }
}

TEST_P(Provenance, EveryOperationHasANode) {
  const TracePtr trace = traced(layers(), GetParam());
  ASSERT_TRUE(trace->passes().ok());
  for (std::size_t s = 0; s < trace->passes().snapshots.size(); ++s) {
    const Counts& counts = trace->origins(s)->counts();
    EXPECT_EQ(counts.coverage(), 1.0) << trace->passes().snapshots[s].file;
    EXPECT_GE(static_cast<double>(counts.exact), 0.98 * static_cast<double>(counts.counted))
        << trace->passes().snapshots[s].file;
  }
}

TEST_P(Provenance, HistoryTellsWhatBecameOfANode) {
  const TracePtr trace = traced(layers(), GetParam());
  const auto& names = trace->nodeNames();
  const auto node = fx::NodeId::of(
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "softmax_7") - names.begin()));
  const auto history = historyOf(*trace, node);
  ASSERT_TRUE(history.has_value()) << history.error().message;
  ASSERT_GE(history->size(), 3u);
  EXPECT_EQ(history->front().pass, -1);
  EXPECT_THAT(history->front().message(), testing::HasSubstr("torch.aten.softmax.int"));
  bool decomposed = false;
  for (const HistoryEntry& entry : *history) {
    if (entry.pass < 0) continue;
    EXPECT_TRUE(trace->passes().passes[static_cast<std::size_t>(entry.pass)].changed);
    decomposed = decomposed || (trace->passes().passes[static_cast<std::size_t>(entry.pass)].pass ==
                                    "torch-decompose-complex-ops" &&
                                entry.message().starts_with("torch.aten.softmax.int became "));
  }
  EXPECT_TRUE(decomposed);
}

INSTANTIATE_TEST_SUITE_P(Targets, Provenance,
                         testing::Values(test::outputType("linalg-on-tensors"),
                                         test::outputType("tosa"), test::outputType("stablehlo")),
                         [](const auto& parameter) {
                           return parameter.param == test::outputType("linalg-on-tensors")
                                      ? "linalg"
                                      : std::string(name(parameter.param));
                         });

}  // namespace
}  // namespace fxs::trace
