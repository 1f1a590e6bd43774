// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "fx/shared_weights.h"
#include "opened.h"
#include "pickle_writer.h"
#include "pt2_writer.h"
#include "read/read.h"
#include "weight_values.h"

namespace fxs::test {
namespace {

using namespace pickle;  // NOLINT(google-build-using-namespace)

constexpr const char* kMember = "serialized_state_dict.pt";

/// The program y = relu(x + w) as PyTorch 2.7 laid it out, with this state dict.
std::string archiveWith(const std::string& stateDict, bool twoWeights = false) {
  const Pt2 file;
  std::string model = replaced(file.text("models/model.json"), R"("minor": 20)", R"("minor": 2)");
  if (twoWeights) {
    // x is a weight too.
    model =
        replaced(model, R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})",
                 R"({"buffer": {"arg": {"name": "x"}, "buffer_name": "x", "persistent": true}})");
  }
  std::vector<ZipMember> members;
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"version", "8.2"},
                                    {"serialized_exported_program.json", model},
                                    {kMember, stateDict},
                                    {"serialized_constants.pt", saved(pickled("}"), {})}}) {
    ZipMember& member = members.emplace_back();
    member.name = name;
    member.bytes = bytes;
  }
  return writeZip(members);
}

const std::string kW = tensor(storage("0"), 2, {3}, {2});

/// Why the weight w cannot be read, of a state dict with this pickle.
std::string unreadReason(const std::string& pickle) {
  const read::Capture capture = opened(archiveWith(saved(pickle, {{"0", kRecord}})));
  const fx::Weight& w = capture.program->weights.at(0);
  EXPECT_EQ(w.sizes, std::vector<std::int64_t>{3});
  return w.readable ? "" : w.reason;
}
std::string unreadValueReason(const std::string& value) {
  return unreadReason(pickled(dict({{"w", value}})));
}
/// The same where the pickle itself is not understood.
std::string unknown(const std::string& message) {
  return std::string(kMember) + " " + message +
         "; save the program again with PyTorch 2.9 or later";
}

TEST(PickledWeights, HaveValuesOffsetsAndStrides) {
  const read::Capture capture =
      opened(archiveWith(saved(pickled(dict({{"w", kW}})), {{"0", kRecord}})));
  const fx::Weight& w = capture.program->weights.at(0);
  EXPECT_EQ(w.file, "serialized_state_dict.pt/data/0");
  EXPECT_EQ(w.fileBytes, 32u);
  EXPECT_EQ(w.storageOffset, 2);
  EXPECT_EQ(valuesOf(capture, "w"), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(capture.weightBytes, 32u);
  EXPECT_EQ(capture.notes, std::vector<std::string>{});
}

TEST(PickledWeights, AreReadThroughEveryWayThatPyTorchWritesATensor) {
  const std::string hooks = pickle::call(global("collections", "OrderedDict"), {});
  const std::string v3 = pickle::call(global("torch._utils", "_rebuild_tensor_v3"),
                                      {storage("0", "UntypedStorage"), number(2), numbers({3}),
                                       numbers({2}), "\x89", hooks, global("torch", "float32")});
  const std::string subclassed = pickle::call(
      global("torch._tensor", "_rebuild_from_type_v2"),
      {global("torch._utils", "_rebuild_tensor_v2"), global("torch.nn.parameter", "Parameter"),
       tuple({storage("0"), number(2), numbers({3}), numbers({2}), "\x89", hooks}),
       dict({{"note", text("kept")}})});
  const std::string sized =
      pickle::call(global("torch._utils", "_rebuild_tensor"),
                   {storage("0"), number(2), pickle::call(global("torch", "Size"), {numbers({3})}),
                    numbers({2})});
  for (const std::string& value :
       {pickle::call(global("torch._utils", "_rebuild_parameter"), {kW, "\x88", hooks}), v3,
        subclassed, sized})
    EXPECT_EQ(
        valuesOf(opened(archiveWith(saved(pickled(dict({{"w", value}})), {{"0", kRecord}}))), "w"),
        (std::vector<float>{2, 4, 6}));
  // An OrderedDict with the attribute _metadata, as Module.state_dict() returns it; its entries
  // remembered and recalled.
  const std::string ordered = pickle::call(global("collections", "OrderedDict"), {}) + "(" +
                              text("w") + "q\x01" + kW + "q\x02" + text("v") + "h\x02u" +
                              dict({{"_metadata", "}"}}) + "b";
  EXPECT_EQ(valuesOf(opened(archiveWith(saved(pickled(ordered), {{"0", kRecord}}))), "w"),
            (std::vector<float>{2, 4, 6}));
}

TEST(PickledWeights, OfOneStorageShareMemoryWhereTheyOverlap) {
  const auto shared = [](const std::string& x) {
    const read::Capture capture = opened(
        archiveWith(saved(pickled(dict({{"w", tensor(storage("0"), 0, {3}, {1})}, {"x", x}})),
                          {{"0", kRecord}, {"1", kRecord}}),
                    true));
    return fx::SharedWeights(*capture.program).isShared(capture.program->inputs[0].node);
  };
  EXPECT_TRUE(shared(tensor(storage("0"), 2, {2, 3}, {0, 1})));
  EXPECT_FALSE(shared(tensor(storage("0"), 3, {2, 2}, {2, 1})));
  EXPECT_FALSE(shared(tensor(storage("1"), 0, {2, 3}, {0, 1})));
}

TEST(PickledWeights, ThatAreNotPlainTensorsSayWhy) {
  EXPECT_EQ(unreadValueReason(number(5)), "it is not a tensor");
  EXPECT_EQ(unreadValueReason(pickle::call(global("torch._utils", "_rebuild_qtensor"), {})),
            "a quantized tensor, which fxscope does not read");
  EXPECT_EQ(unreadValueReason(pickle::call(global("torch._utils", "_rebuild_sparse_tensor"), {})),
            "a sparse tensor, which fxscope does not read");
  EXPECT_EQ(unreadValueReason(pickle::call(
                global("torch._export.serde.serialize", "_reconstruct_fake_tensor"), {})),
            "exported with fake weights: the file has its shape only");
  EXPECT_EQ(unreadValueReason(tensor(storage("7"), 0, {3}, {1})),
            "the archive has no member serialized_state_dict.pt/data/7");
  EXPECT_EQ(unreadReason(pickled("}")), "serialized_state_dict.pt has no entry for it");
}

TEST(PickledWeights, AreUnknownWhereThePickleIsMoreThanTensors) {
  EXPECT_EQ(unreadValueReason(pickle::call(global("os", "system"), {text("true")})),
            unknown("names os.system, which does not describe a tensor"));
  EXPECT_EQ(unreadValueReason("i" + std::string("os\nsystem\n")),
            unknown("has opcode 105, which does not describe a tensor"));
  EXPECT_EQ(unreadValueReason(global("torch", "load")),
            unknown("names torch.load, which does not describe a tensor"));
  EXPECT_EQ(unreadValueReason(pickle::call(kW, {})),
            unknown("calls a value that is not a named function"));
  EXPECT_EQ(unreadValueReason(kW + "}b"), unknown("sets the state of a value that is not a dict"));
  EXPECT_EQ(unreadValueReason(tensor(storage("../../etc"), 0, {3}, {1})),
            unknown("has an entry that is not written as PyTorch writes a tensor"));
  EXPECT_EQ(unreadValueReason(tensor(storage("0"), 0, {-3}, {1})),
            unknown("has a tensor of impossible sizes or strides"));
  EXPECT_EQ(unreadReason(pickled(text("w"))), unknown("is not a dict of tensors"));
  EXPECT_EQ(unreadReason("\x80\x02."), unknown("does not end with one value"));
  const read::Capture legacy = opened(archiveWith("\x80\x02 a pickle without a zip archive"));
  EXPECT_EQ(legacy.program->weights.at(0).reason, unknown("is not a zip archive"));
  EXPECT_EQ(
      legacy.notes,
      std::vector<std::string>{
          "serialized_state_dict.pt is not a zip archive; the values of its weights, and which of "
          "them share memory, are not known; save the program again with PyTorch 2.9 or later"});
}

TEST(PickledWeights, CutOffAnywhereAreUnknown) {
  const std::string full = pickled(dict({{"w", kW}}));
  for (std::size_t length = 0; length < full.size(); ++length)
    EXPECT_NE(unreadReason(full.substr(0, length)), "") << length;
  EXPECT_EQ(unreadReason(full), "");
}

}  // namespace
}  // namespace fxs::test
