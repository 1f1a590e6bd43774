// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file may cost is asked before it is paid: each error names the thing and the option.
#include <gtest/gtest.h>

#include "opened.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

constexpr const char* kRaise = " for one input; if you trust it, raise the limit with --limit ";

RunContext limitedTo(Resource resource, std::uint64_t amount) {
  BudgetLimits limits;
  limits[resource] = amount;
  RunContext context;
  context.budget = std::make_shared<const Budget>(limits);
  return context;
}

std::string outcomeOf(const std::string& bytes, const RunContext& context) {
  try {
    const auto capture = read::readCapture(memorySource(bytes), "w.pt2", {}, context);
    return capture ? "read" : capture.error().message;
  } catch (const Abandoned& abandoned) {
    return abandoned.error.message;
  }
}

/// "bytes" as one stored block of deflate.
ZipMember packed(std::string name, const std::string& bytes) {
  ZipMember out;
  out.name = std::move(name);
  const auto low = [](std::size_t n) {
    return std::string{static_cast<char>(n & 0xff), static_cast<char>(n >> 8 & 0xff)};
  };
  out.bytes = "\x01" + low(bytes.size()) + low(~bytes.size()) + bytes;
  out.method = 8;
  out.crc = crc32(bytes);
  out.size = bytes.size();
  return out;
}

TEST(ReadBudget, TextOfTheModelIsAskedForBeforeItIsUnpacked) {
  Pt2 file;
  const RunContext context =
      limitedTo(Resource::Text, 5 * file.text("models/model.json").size() - 1);
  EXPECT_EQ(outcomeOf(file.bytes(), context),
            "w.pt2: models/model.json: exceeds the limit of " +
                limitAmountText(Resource::Text, 5 * file.text("models/model.json").size() - 1) +
                " of text" + kRaise + "text=..");
  EXPECT_LT(context.budget->spent(Resource::Unpacked), 20u);
}

TEST(ReadBudget, NodesAreCountedAsTheyAreMade) {
  EXPECT_EQ(outcomeOf(Pt2().bytes(), limitedTo(Resource::Nodes, 3)),
            std::string("node 'relu': exceeds the limit of 3 nodes") + kRaise + "nodes=..");
  EXPECT_EQ(outcomeOf(Pt2().bytes(), limitedTo(Resource::Nodes, 5)), "read");
}

TEST(ReadBudget, ValuesOfTheJsonAreCounted) {
  EXPECT_EQ(outcomeOf(Pt2().bytes(), limitedTo(Resource::Values, 100)),
            std::string("w.pt2: models/model.json: exceeds the limit of 100 values") + kRaise +
                "values=..");
}

TEST(ReadBudget, BytesThatAreUnpackedAreCounted) {
  EXPECT_EQ(
      outcomeOf(Pt2().bytes(), limitedTo(Resource::Unpacked, 100)),
      std::string(
          "w.pt2: member 'small/models/model.json': exceeds the limit of 100 bytes unpacked") +
          kRaise + "unpacked=..");
}

TEST(ReadBudget, AStopEndsTheReading) {
  std::stop_source stop;
  stop.request_stop();
  RunContext context;
  context.stop = stop.get_token();
  EXPECT_EQ(outcomeOf(Pt2().bytes(), context), "cancelled");
}

TEST(ReadBudget, MetadataThatManyResultsShareCostsForEach) {
  Pt2 file;
  // One node with 40 results and a text of 1 MB: whatever reads the text of each result reads 40
  // MB.
  std::string results, values;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "part_" + std::to_string(i);
    results += (i > 0 ? ", " : "") + ("{\"name\": \"" + name + "\"}");
    values +=
        "\"" + name +
        R"(": {"dtype": 7, "sizes": [], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [], "storage_offset": {"as_int": 0}, "layout": 7},)";
  }
  file.editModel(R"("outputs": [{"as_tensor": {"name": "add"}}],
       "metadata": {"stack_trace": ")",
                 R"("outputs": [{"as_tensor": {"name": "add"}}],
       "metadata": {"stack_trace": ")" +
                     std::string(1'000'000, 'x'));
  const std::string plain = outcomeOf(file.bytes(), limitedTo(Resource::Values, 60'000));
  EXPECT_EQ(plain, "read");
  file.editModel(R"("target": "torch.ops.aten.add.Tensor",)",
                 R"("target": "torch.ops.aten.split.Tensor",)");
  file.editModel(R"("outputs": [{"as_tensor": {"name": "add"}}],)",
                 R"("outputs": [{"as_tensors": [)" + results + R"(, {"name": "add"}]}],)");
  file.editModel(R"("tensor_values": {)", R"("tensor_values": {)" + values);
  EXPECT_EQ(outcomeOf(file.bytes(), limitedTo(Resource::Values, 60'000)),
            std::string("part_6: exceeds the limit of 60,000 values") + kRaise + "values=..");
}

std::string scalarAt(const char* fqn, int offset) {
  return std::string("\"") + fqn +
         R"(": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [], "strides": [], "storage_offset": {"as_int": )" +
         std::to_string(offset) +
         R"(}, "requires_grad": false, "device": {"type": "cpu", "index": null}, "layout": 7}})";
}

TEST(WeightBudget, APackedMemberIsUnpackedOnceForAllItsSmallWeights) {
  Pt2 file;
  std::string bytes(40'000, '\0');
  bytes[std::size_t{4} * 9000] = 'a';
  bytes[std::size_t{4} * 9999] = 'b';
  file.remove("data/weights/weight_0");
  file.members.push_back(packed("data/weights/weight_0", bytes));
  file.set(kWeightsConfig, "{\"config\": {" + scalarAt("a", 9000) + ", " + scalarAt("b", 9999) +
                               ", " + scalarAt("w", 0) + "}}");
  const auto capture = read::readCapture(memorySource(file.bytes()), "w.pt2", {}, {});
  ASSERT_TRUE(capture) << capture.error().message;
  const RunContext context;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(capture->weights->read(*capture->program->findWeight("b"), 4, context).value(),
              std::string("b\0\0\0", 4));
    EXPECT_EQ(capture->weights->read(*capture->program->findWeight("a"), 4, context).value(),
              std::string("a\0\0\0", 4));
  }
  EXPECT_EQ(context.budget->spent(Resource::Unpacked), 40'000u);
}

TEST(WeightBudget, OfAStoredMemberOnlyTheElementsAreRead) {
  Pt2 file;
  file.set("data/weights/weight_0", std::string(40'000, '\1'));
  file.set(kWeightsConfig, "{\"config\": {" + scalarAt("a", 9000) + ", " + scalarAt("w", 0) + "}}");
  const auto capture = read::readCapture(memorySource(file.bytes()), "w.pt2", {}, {});
  ASSERT_TRUE(capture) << capture.error().message;
  const RunContext context;
  EXPECT_EQ(capture->weights->read(*capture->program->findWeight("a"), 4, context).value(),
            "\1\1\1\1");
  EXPECT_EQ(context.budget->spent(Resource::Unpacked), 4u);
}

TEST(ReadBudget, StridesThatReachTooFarAreRefused) {
  Pt2 file;
  file.editModel(
      R"("add": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 3})",
      R"("add": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": -9223372036854775808})");
  EXPECT_EQ(outcomeOf(file.bytes(), {}),
            "w.pt2: models/model.json: graph_module.graph.tensor_values.add: its strides and "
            "offset exceed 62 bits");
}

}  // namespace
}  // namespace fxs::test
