// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/byte_source.h"
#include "fake_engine.h"
#include "program_from.h"
#include "table_runner.h"
#include "write/pt2.h"

namespace fxs::numbers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kVersions = "{\"python\": \"3.11.2\", \"torch\": \"2.13.0\"}\n";

/// A program of one input, and a Python that answers as it is told.
class ReferenceTest : public testing::Test {
 protected:
  ReferenceTest() {
    auto capture = std::make_shared<read::Capture>();
    capture->label = "model.pt2";
    capture->format = "PyTorch exported program (.pt2, schema 8.20)";
    capture->program =
        test::programFrom("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y");
    snapshot_.capture = capture;
    snapshot_.request.file = "/models/stranger.pt2";
    inputs_.tensors = {tensor::tensorFrom(DType::Float32, {2}, {-1, 2})};
    env_.runner = &runner_;
    env_.temporaryDir = directory_.path();
    env_.searchPath = "/nowhere";
  }

  /// The Python prints `out`, and writes these values unless there are none.
  void answer(int status, std::string out, std::string err,
              std::vector<tensor::NamedTensor> values = {}) {
    runner_.on("inputs.safetensors", [=, this](const Command& command) -> Result<Exit> {
      program_ = *readWholeFile(command.argv[4], 1 << 20);
      given_ = *readWholeFile(command.argv[6], 1 << 20);
      for (std::size_t i = 7; i < command.argv.size() && !values.empty(); i += 2)
        EXPECT_TRUE(writeWholeFile(command.argv[i], *tensor::safetensorsBytes(values)));
      return test::exited(status, out, err);
    });
  }
  /// For the inputs so many times.
  Result<std::vector<Reference>> references(const std::string& python, std::size_t times) {
    const RunContext context;
    std::vector<compare::Inputs> inputs(times, inputs_);
    FXS_TRY(PythonReferences started,
            PythonReferences::start(python, snapshot_, std::move(inputs), times, 7, env_, context));
    return started.wait();
  }
  Result<Reference> reference(const std::string& python = "/venv/bin/python") {
    auto all = references(python, 1);
    if (!all) return tl::unexpected<Error>(all.error());
    EXPECT_EQ(all->size(), 1u);
    return std::move(all->front());
  }

  test::TemporaryDirectory directory_;
  test::TableRunner runner_;
  session::Environment env_;
  session::Snapshot snapshot_;
  compare::Inputs inputs_;
  std::string given_, program_;
};

TEST_F(ReferenceTest, ValuesAreFoundByName) {
  answer(
      0,
      std::string(kVersions) +
          "{\"node\": \"z\", \"skipped\": \"TypeError: a value of type str\"}\n{\"values\": 2}\n",
      "",
      {{"y", tensor::tensorFrom(DType::Float32, {2}, {0, 2})},
       {"output#0", tensor::tensorFrom(DType::Float32, {2}, {0, 2})}});
  const auto values = reference();
  ASSERT_TRUE(values) << toString(values.error());
  EXPECT_EQ(values->versions, "Python 3.11.2 with PyTorch 2.13.0");
  EXPECT_THAT(values->notes, ElementsAre("z: TypeError: a value of type str"));
  EXPECT_EQ(values->stopped, "");
  ASSERT_NE(values->find("y"), nullptr);
  EXPECT_EQ(values->values->read(*values->find("y"), 100, {})->bytes,
            tensor::tensorFrom(DType::Float32, {2}, {0, 2}).bytes);
  EXPECT_EQ(values->find("z"), nullptr);
}

TEST_F(ReferenceTest, TheScriptRunsInACageWithACopyThatWeWroteAndTheInputs) {
  answer(0, std::string(kVersions) + "{\"values\": 1}\n", "",
         {{"y", tensor::tensorFrom(DType::Float32, {}, {1})}});
  ASSERT_TRUE(reference());
  const Command& command = runner_.asked().at(0);
  EXPECT_EQ(command.argv.at(0), "/venv/bin/python");
  EXPECT_EQ(program_, *write::pt2Bytes(*snapshot_.capture->program, {}, {}));
  EXPECT_EQ(command.argv.size(), 8u);
  EXPECT_EQ(command.argv.at(5), "7");
  EXPECT_EQ(command.stdinText, nodeValuesScript());
  ASSERT_TRUE(command.cage);
  EXPECT_THAT(command.cage->reads, testing::IsSupersetOf({command.argv.at(4), command.argv.at(6)}));
  EXPECT_THAT(command.cage->reads, testing::Not(testing::Contains("/models/stranger.pt2")));
  EXPECT_THAT(command.cage->writes, ElementsAre(command.directory));
  EXPECT_EQ(given_, *tensor::safetensorsBytes({{"0", inputs_.tensors[0]}}));
}

TEST_F(ReferenceTest, OneProcessServesAllInputs) {
  const std::string ended = "{\"values\": 1}\n";
  answer(0,
         kVersions + ended + "{\"node\": \"y\", \"error\": \"RuntimeError: ZeroDivisionError\"}\n",
         "", {{"y", tensor::tensorFrom(DType::Float32, {}, {1})}});
  const auto all = references("/venv/bin/python", 2);
  ASSERT_TRUE(all);
  ASSERT_EQ(runner_.asked().size(), 1u);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ((*all)[0].stopped, "");
  EXPECT_EQ((*all)[1].stopped, "y: RuntimeError: ZeroDivisionError");
  EXPECT_EQ((*all)[1].versions, "Python 3.11.2 with PyTorch 2.13.0");
}

TEST_F(ReferenceTest, InputsThatEndTheProcessDoNotTakeTheOthersAlong) {
  runner_.on("inputs.safetensors", [](const Command& command) -> Result<Exit> {
    EXPECT_TRUE(writeWholeFile(
        command.argv[7],
        *tensor::safetensorsBytes({{"y", tensor::tensorFrom(DType::Float32, {}, {1})}})));
    Exit exit = test::exited(0, std::string(kVersions) + "{\"values\": 1}\n", "");
    if (command.argv.size() == 8) return exit;
    exit.reason = ExitReason::Signalled;
    exit.signal = 8;
    return exit;
  });
  const auto all = references("/venv/bin/python", 3);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ((*all)[0].stopped, "");
  EXPECT_EQ((*all)[1].stopped, "some node: killed by signal 8");
  EXPECT_EQ((*all)[2].stopped, "");
}

TEST_F(ReferenceTest, WhatOnlyAPickleHoldsIsNotKnown) {
  const auto refusal = [&](std::string text, fx::InputSpec spec, std::vector<fx::Weight> weights) {
    fx::Program program = *test::programFrom(text);
    spec.node = program.inputs.front().node;
    program.inputs.front() = spec;
    program.weights = std::move(weights);
    auto capture = std::make_shared<read::Capture>(*snapshot_.capture);
    capture->program = std::make_shared<const fx::Program>(std::move(program));
    snapshot_.capture = capture;
    return reference().error().message;
  };
  fx::InputSpec buffer;
  buffer.kind = fx::InputKind::Buffer;
  buffer.target = "k";
  fx::Weight pickled;
  pickled.fqn = "k";
  pickled.readable = false;
  pickled.reason = "stored in the pickle weights.pt, which fxscope never opens";
  const std::string used = "x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y";
  EXPECT_EQ(refusal(used, buffer, {pickled}),
            "model.pt2: weight 'k' cannot be read: stored in the pickle weights.pt, which fxscope "
            "never opens");
  EXPECT_EQ(refusal(used, buffer, {}), "model.pt2: weight 'k' is not in the file");
  buffer.kind = fx::InputKind::CustomObject;
  EXPECT_EQ(refusal(used, buffer, {}),
            "model.pt2: custom object 'k' is a pickle, which fxscope never opens");
  EXPECT_TRUE(runner_.asked().empty());
}

TEST_F(ReferenceTest, AProgramThatFailsKeepsTheValuesBefore) {
  answer(0,
         std::string(kVersions) +
             "{\"node\": \"z\", \"error\": \"IndexError: index out of range in self\"}\n",
         "", {{"y", tensor::tensorFrom(DType::Float32, {}, {1})}});
  const auto values = reference();
  ASSERT_TRUE(values);
  EXPECT_EQ(values->stopped, "z: IndexError: index out of range in self");
  EXPECT_NE(values->find("y"), nullptr);
}

TEST_F(ReferenceTest, AProgramThatFailsAtItsFirstNodeSaysSoWithoutValues) {
  runner_.on("inputs.safetensors", [](const Command& command) -> Result<Exit> {
    EXPECT_TRUE(writeWholeFile(command.argv[7], *tensor::safetensorsBytes({})));
    return test::exited(
        0,
        std::string(kVersions) +
            "{\"node\": \"y\", \"error\": \"IndexError: index out of range in self\"}\n",
        "");
  });
  const auto values = reference();
  ASSERT_TRUE(values) << toString(values.error());
  EXPECT_EQ(values->stopped, "y: IndexError: index out of range in self");
  EXPECT_TRUE(values->values->tensors().empty());
}

TEST_F(ReferenceTest, APythonWithoutPyTorchIsSaid) {
  answer(1, "",
         "Traceback (most recent call last):\nModuleNotFoundError: No module named 'torch'\n");
  const auto values = reference();
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(values.error().message,
            "/venv/bin/python: ModuleNotFoundError: No module named 'torch'");
}

TEST_F(ReferenceTest, AProgramThatPyTorchCannotLoadIsSaid) {
  answer(0,
         std::string(kVersions) +
             "{\"node\": null, \"error\": \"SerializeError: no torch.ops.acme.swiglu\"}\n",
         "");
  EXPECT_EQ(reference().error().message,
            "Python 3.11.2 with PyTorch 2.13.0 (/venv/bin/python): SerializeError: no "
            "torch.ops.acme.swiglu");
}

TEST_F(ReferenceTest, NoPythonIsSaid) {
  const auto values = reference("auto");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::NotFound);
  EXPECT_THAT(values.error().message, HasSubstr("python3"));
}

TEST_F(ReferenceTest, ATimeoutIsSaid) {
  runner_.on("inputs.safetensors", [](const Command&) -> Result<Exit> {
    Exit exit;
    exit.reason = ExitReason::TimedOut;
    return exit;
  });
  const auto values = reference();
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::Timeout);
  EXPECT_EQ(values.error().message, "/venv/bin/python did not end in 600 s; raise --timeout");
}

TEST_F(ReferenceTest, OnlyExportedProgramsHaveValues) {
  auto capture = std::make_shared<read::Capture>(*snapshot_.capture);
  capture->label = "graph.json";
  capture->format = "captured graph (fx/1)";
  snapshot_.capture = capture;
  EXPECT_EQ(reference().error().message,
            "graph.json: PyTorch computes values of a .pt2 only; this is a captured graph (fx/1)");
}

}  // namespace
}  // namespace fxs::numbers
