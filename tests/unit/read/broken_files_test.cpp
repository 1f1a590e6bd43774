// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken files, each with the whole text of its error.
#include <gtest/gtest.h>

#include <filesystem>

#include "opened.h"
#include "pt2_writer.h"
#include "read/read.h"

namespace fxs::test {
namespace {

ZipMember member(std::string name, std::string bytes) {
  ZipMember out;
  out.name = std::move(name);
  out.bytes = std::move(bytes);
  return out;
}

read::ReadOptions optionsWith(std::string model, std::uint64_t maxModelBytes) {
  read::ReadOptions options;
  options.model = std::move(model);
  options.maxModelBytes = maxModelBytes;
  return options;
}

ZipLies lying(std::optional<std::uint64_t> entryCount,
              std::optional<std::uint64_t> directoryOffset) {
  ZipLies lies;
  lies.entryCount = entryCount;
  lies.directoryOffset = directoryOffset;
  return lies;
}

std::string half(std::string text) { return text.substr(0, text.size() / 2); }
std::string withoutLast(std::string text, std::size_t count) {
  return text.substr(0, text.size() - count);
}

std::string times(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}
std::string repeated(std::string_view item, int count) {
  return withoutLast(times(std::string(item) + ",", count), 1);
}

std::string withMember(std::string_view name, void (*change)(ZipMember&)) {
  Pt2 file;
  for (ZipMember& m : file.members)
    if (m.name == name) change(m);
  return file.bytes();
}

std::string twice(std::string_view name) {
  Pt2 file;
  file.members.push_back(member(std::string(name), file.text(name)));
  return file.bytes();
}

/// Edits the meta of value `add`, the only line that opens with its name.
Pt2 editAdd(std::string_view from, std::string_view to) {
  Pt2 file;
  const std::string model = file.text("models/model.json");
  const auto begin = model.find("      \"add\": {\"dtype\"");
  const std::string line = model.substr(begin, model.find('\n', begin) - begin);
  file.editModel(line, replaced(line, from, to));
  return file;
}

std::string nestedGraphs(int levels) {
  std::string arg = R"({"as_int": 1})";
  for (int i = 0; i < levels; ++i)
    arg =
        R"({"as_graph": {"name": "g", "graph": {"inputs": [], "outputs": [], "tensor_values": {}, "nodes": [{"target": "t", "outputs": [], "inputs": [{"name": "", "arg": )" +
        arg + "}]}]}}}";
  return arg;
}

struct BrokenCase {
  const char* name;
  std::string (*bytes)();
  const char* error;
};

const std::vector<BrokenCase>& brokenFiles() {
  static const std::vector<BrokenCase> files{
      {"EmptyFile", [] { return std::string(); }, "broken.pt2: is empty"},
      {"Text", [] { return std::string("module {\n  func.func @main()\n}\n"); },
       "broken.pt2: is text, not an exported program; fxscope opens programs that "
       "torch.export.save wrote (.pt2)"},
      {"NotAnArchive", [] { return std::string("\x01\x02\x03 some bytes"); },
       "broken.pt2: is not an exported program: it is not a zip archive; fxscope opens programs "
       "that torch.export.save wrote (.pt2)"},
      {"Gzip", [] { return std::string("\x1f\x8b\x08 packed"); },
       "broken.pt2: is gzip-compressed; unpack it first"},
      {"Pickle", [] { return std::string("\x80\x02}q\x00.", 6); },
       "broken.pt2: is a Python pickle, which fxscope never opens; fxscope opens programs that "
       "torch.export.save wrote (.pt2)"},
      {"ArchiveCutInHalf", [] { return half(Pt2().bytes()); },
       "broken.pt2: not a zip archive, or a truncated one: the central directory is missing"},
      {"ArchiveWithoutItsLastByte", [] { return withoutLast(Pt2().bytes(), 1); },
       "broken.pt2: not a zip archive, or a truncated one: the central directory is missing"},
      {"ArchiveWithNothingInIt", [] { return writeZip({}); },
       "broken.pt2: is an empty zip archive; fxscope opens programs that torch.export.save wrote "
       "(.pt2)"},
      {"FileOfTorchSave",
       [] { return writeZip({member("weights/data.pkl", "x"), member("weights/version", "3")}); },
       "broken.pt2: is a file of torch.save: pickled Python objects such as weights, without a "
       "graph; fxscope opens programs that "
       "torch.export.save wrote (.pt2)"},
      {"TorchScriptArchive",
       [] {
         return writeZip({member("net/data.pkl", "x"), member("net/code/__torch__.py", "x"),
                          member("net/constants.pkl", "x")});
       },
       "broken.pt2: is a TorchScript archive of torch.jit.save; fxscope opens programs that "
       "torch.export.save wrote (.pt2)"},
      {"SomeOtherZip", [] { return writeZip({member("a/readme.txt", "x")}); },
       "broken.pt2: is a zip archive, but not an exported program: it has no archive_format member "
       "with the value pt2; fxscope opens "
       "programs "
       "that torch.export.save wrote (.pt2)"},
      {"ArchiveFormatSaysOther", [] { return Pt2().set("archive_format", "onnx").bytes(); },
       "broken.pt2: is a zip archive, but not an exported program: it has no archive_format member "
       "with the value pt2; fxscope opens "
       "programs "
       "that torch.export.save wrote (.pt2)"},
      {"TwoMembersOfOneName", [] { return twice("models/model.json"); },
       "broken.pt2: the archive has two members named 'small/models/model.json'"},
      {"EncryptedModel",
       [] { return withMember("models/model.json", [](ZipMember& m) { m.flags = 1; }); },
       "broken.pt2: member 'small/models/model.json' is encrypted"},
      {"ModelPackedWithLzma",
       [] { return withMember("models/model.json", [](ZipMember& m) { m.method = 14; }); },
       "broken.pt2: member 'small/models/model.json' uses compression method 14; supported are "
       "stored and deflated members"},
      {"StoredModelOfManyTerabytes",
       [] {
         return withMember("models/model.json",
                           [](ZipMember& m) { m.size = m.packedSize = std::uint64_t{1} << 44; });
       },
       "broken.pt2: member 'small/models/model.json' has 17592186044416 bytes, more than the limit "
       "of 2147483648"},
      {"StoredModelLongerThanTheArchive",
       [] {
         return withMember("models/model.json",
                           [](ZipMember& m) { m.size = m.packedSize = 1 << 20; });
       },
       "broken.pt2: member 'small/models/model.json' claims 1048576 bytes, compressed to 1048576, "
       "in an archive of 4360"},
      {"StoredModelWithTwoSizes",
       [] { return withMember("models/model.json", [](ZipMember& m) { m.size = 100; }); },
       "broken.pt2: member 'small/models/model.json' claims 100 bytes, compressed to 2695, in an "
       "archive of 4360"},
      {"DeflatedModelThatCannotBeThatLarge",
       [] {
         return withMember("models/model.json", [](ZipMember& m) {
           m.method = 8;
           m.size = 1 << 30;
           m.packedSize = 1000;
         });
       },
       "broken.pt2: member 'small/models/model.json' claims 1073741824 bytes, compressed to 1000, "
       "in an archive of 4360"},
      {"DeflatedModelThatIsNotDeflated",
       [] { return withMember("models/model.json", [](ZipMember& m) { m.method = 8; }); },
       "broken.pt2: member 'small/models/model.json' is damaged: Zlib error: data error"},
      {"WrongChecksum",
       [] { return withMember("models/model.json", [](ZipMember& m) { m.crc = 1; }); },
       "broken.pt2: member 'small/models/model.json' is damaged: CRC error"},
      {"MoreMembersThanTheDirectoryHas", [] { return writeZip(Pt2().prefixed(), lying(5000, {})); },
       "broken.pt2: the zip archive is damaged: Zip archive inconsistent"},
      {"AbsurdMemberCount",
       [] { return writeZip(Pt2().prefixed(), lying(std::uint64_t{1} << 40, {}), true); },
       "broken.pt2: the archive has 1099511627776 members, more than the limit of 1048576"},
      {"DirectoryPastTheEnd", [] { return writeZip(Pt2().prefixed(), lying({}, 0x7fffffff)); },
       "broken.pt2: the zip archive is damaged: Zip archive inconsistent"},
      {"SavedIncompletely", [] { return Pt2().remove("models/model.json").bytes(); },
       "broken.pt2: the archive was not saved completely: it has no models/*.json; "
       "torch.export.save leaves such a file when it raises an "
       "error"},
      {"OnlyCompiledCode",
       [] {
         return Pt2().rename("models/model.json", "data/aotinductor/model/wrapper.cpp").bytes();
       },
       "broken.pt2: contains a compiled AOTInductor package, not an exported program; save the "
       "program with torch.export.save"},
      {"WeightsConfigMissing",
       [] { return Pt2().remove("data/weights/model_weights_config.json").bytes(); },
       "broken.pt2: member data/weights/model_weights_config.json is missing; the archive was not "
       "saved completely"},
      {"ConstantsConfigMissing",
       [] { return Pt2().remove("data/constants/model_constants_config.json").bytes(); },
       "broken.pt2: member data/constants/model_constants_config.json is missing; the archive was "
       "not saved completely"},
      {"OldLayoutWithoutVersion",
       [] {
         return writeZip(
             {member("serialized_exported_program.json", Pt2().text("models/model.json"))});
       },
       "broken.pt2: member version is missing; the archive was not saved completely"},
      {"OldLayoutWithEmptyVersion",
       [] {
         return writeZip(
             {member("serialized_exported_program.json", Pt2().text("models/model.json")),
              member("version", "")});
       },
       "broken.pt2: member version is empty; the archive was not saved completely"},
      {"SchemaOfTheFuture",
       [] { return Pt2().editModel(R"("major": 8)", R"("major": 9)").bytes(); },
       "broken.pt2: models/model.json: schema_version: schema version 9.20 is not supported; "
       "fxscope reads version 8, as written by "
       "PyTorch 2.5 to 2.13"},
      {"SchemaVersionMissing",
       [] { return Pt2().editModel(R"("schema_version")", R"("schema_versio")").bytes(); },
       "broken.pt2: models/model.json: member 'schema_version' is missing"},
      {"SchemaMajorIsText",
       [] { return Pt2().editModel(R"("major": 8)", R"("major": "8")").bytes(); },
       "broken.pt2: models/model.json: schema_version.major: expected an integer, got a string"},
      {"ModelIsEmpty", [] { return Pt2().set("models/model.json", "").bytes(); },
       "broken.pt2: models/model.json: line 1, column 1: not valid JSON: while parsing value - "
       "unexpected end of input; expected '[', '{', "
       "or a literal"},
      {"ModelIsNotJson", [] { return Pt2().set("models/model.json", "<xml/>").bytes(); },
       "broken.pt2: models/model.json: line 1, column 1: not valid JSON: while parsing value - "
       "invalid literal"},
      {"ModelIsCutOff",
       [] { return Pt2().set("models/model.json", half(Pt2().text("models/model.json"))).bytes(); },
       "broken.pt2: models/model.json: line 20, column 75: not valid JSON: while parsing object "
       "key - invalid string: missing closing "
       "quote; expected string literal"},
      {"ModelIsAList", [] { return Pt2().set("models/model.json", "[1, 2]").bytes(); },
       "broken.pt2: models/model.json: expected an object, got an array"},
      {"ModelHasTwoRoots", [] { return Pt2().set("models/model.json", "{} {}").bytes(); },
       "broken.pt2: models/model.json: line 1, column 4: not valid JSON: while parsing value - "
       "unexpected '{'; expected end of input"},
      {"ModelIsNotUtf8",
       [] {
         return Pt2()
             .editModel(R"("name": "relu"}
    ],)",
                        "\"name\": \"relu\xff\"}\n    ],")
             .bytes();
       },
       "broken.pt2: models/model.json: line 16, column 58: not valid JSON: while parsing value - "
       "invalid string: ill-formed UTF-8 byte"},
      {"NestedTooDeep",
       [] { return Pt2().set("models/model.json", std::string(100000, '[')).bytes(); },
       "broken.pt2: models/model.json: nested deeper than 512 levels"},
      {"NumberTooLarge",
       [] { return Pt2().editModel(R"("minor": 20)", R"("minor": 1e999)").bytes(); },
       "broken.pt2: models/model.json: line 33, column 101: not valid JSON: number overflow "
       "parsing '1e999'"},
      {"GraphModuleMissing",
       [] { return Pt2().editModel(R"("graph_module")", R"("graph_modul")").bytes(); },
       "broken.pt2: models/model.json: member 'graph_module' is missing"},
      {"GraphMissing", [] { return Pt2().editModel(R"("graph": {)", R"("grap": {)").bytes(); },
       "broken.pt2: models/model.json: graph_module: member 'graph' is missing"},
      {"SignatureMissing",
       [] {
         return Pt2()
             .editModel(R"("signature": {
)",
                        R"("signatur": {
)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module: member 'signature' is missing"},
      {"NodesIsNotAList",
       [] { return Pt2().editModel(R"("nodes": [)", R"("nodes": 3, "rest": [)").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes: expected an array, got an "
       "integer"},
      {"NodeIsNull", [] { return Pt2().editModel(R"("nodes": [)", R"("nodes": [null, )").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[0]: expected an object, got null"},
      {"TargetIsNull",
       [] { return Pt2().editModel(R"("torch.ops.aten.relu.default")", "null").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].target: expected a string, got "
       "null"},
      {"TargetIsEmpty",
       [] { return Pt2().editModel(R"("torch.ops.aten.relu.default")", R"("")").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].target: expected a name, got an "
       "empty string"},
      {"TargetMissing",
       [] { return Pt2().editModel(R"("target": "torch.ops.aten.relu.default",)", "").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1]: member 'target' is missing"},
      {"TargetIsHuge",
       [] {
         return Pt2().editModel("torch.ops.aten.relu.default", std::string(5000, 'r')).bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].target: a name of 5000 bytes; "
       "the limit is 4096"},
      {"InputsMissing", [] { return Pt2().editModel(kReluInput, R"("inpu": [],)").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1]: member 'inputs' is missing"},
      {"InputWithoutName",
       [] { return Pt2().editModel(kReluInput, R"("inputs": [{"arg": {"as_int": 1}}],)").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0]: member 'name' is "
       "missing"},
      {"UnknownKindOfArgument",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {"as_matrix": 1}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_matrix: is not "
       "a kind of argument of schema version 8"},
      {"ArgumentOfNoKind",
       [] {
         return Pt2().editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {}}],)").bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg: expected one "
       "member that names the kind, got 0"},
      {"ArgumentOfTwoKinds",
       [] {
         return Pt2()
             .editModel(kReluInput,
                        R"("inputs": [{"name": "self", "arg": {"as_int": 1, "as_none": true}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg: expected one "
       "member that names the kind, got 2"},
      {"ArgumentIsANumber",
       [] {
         return Pt2().editModel(kReluInput, R"("inputs": [{"name": "self", "arg": 3}],)").bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg: expected an "
       "object, got an integer"},
      {"IntegerPast64Bits",
       [] {
         return Pt2()
             .editModel(kReluInput,
                        R"("inputs": [{"name": "self", "arg": {"as_int": 18446744073709551615}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_int: integer "
       "18446744073709551615 does not fit into a "
       "signed 64-bit integer"},
      {"IntegerIsAFloat",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {"as_int": 1.5}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_int: expected "
       "an integer, got a number"},
      {"FloatIsAWord",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {"as_float": "huge"}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_float: "
       "expected a number, got a string"},
      {"TensorListOfNumbers",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {"as_tensors": [1]}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_tensors[0]: "
       "expected an object, got an integer"},
      {"DTypeThatDoesNotExist",
       [] {
         return Pt2()
             .editModel(kReluInput,
                        R"("inputs": [{"name": "self", "arg": {"as_scalar_type": 99}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_scalar_type: "
       "99 is not a dtype of schema version 8"},
      {"MemoryFormatThatDoesNotExist",
       [] {
         return Pt2()
             .editModel(kReluInput,
                        R"("inputs": [{"name": "self", "arg": {"as_memory_format": -1}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_memory_format: "
       "-1 is not a memory format of schema "
       "version 8"},
      {"LayoutThatDoesNotExist",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "self", "arg": {"as_layout": 70000}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_layout: 70000 "
       "is not a layout of schema version 8"},
      {"DeviceWithoutAType",
       [] {
         return Pt2()
             .editModel(
                 kReluInput,
                 R"("inputs": [{"name": "self", "arg": {"as_device": {"type": "", "index": 0}}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_device.type: "
       "is not a device name"},
      {"DanglingName",
       [] {
         return Pt2()
             .editModel(R"({"as_tensor": {"name": "add"}}, "kind": 1)",
                        R"({"as_tensor": {"name": "sum"}}, "kind": 1)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_tensor.name: "
       "no value named 'sum' is defined in this "
       "graph"},
      {"Cycle",
       [] {
         return Pt2()
             .editModel(R"("arg": {"as_tensor": {"name": "x"}}, "kind": 1)",
                        R"("arg": {"as_tensor": {"name": "relu"}}, "kind": 1)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[0].inputs[0].arg.as_tensor.name: "
       "value 'relu' is used before it is "
       "defined: the graph has a cycle, or its nodes are out of order"},
      {"NodeTakesItself",
       [] {
         return Pt2()
             .editModel(R"("arg": {"as_tensor": {"name": "add"}}, "kind": 1)",
                        R"("arg": {"as_tensor": {"name": "relu"}}, "kind": 1)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_tensor.name: "
       "value 'relu' is used before it is "
       "defined: the graph has a cycle, or its nodes are out of order"},
      {"ValueDefinedTwice",
       [] {
         return Pt2()
             .editModel(R"("outputs": [{"as_tensor": {"name": "add"}}])",
                        R"("outputs": [{"as_tensor": {"name": "x"}}])")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[0].outputs[0].as_tensor.name: "
       "value 'x' is defined twice"},
      {"InputsOfOneName",
       [] {
         return Pt2()
             .editModel(
                 R"("inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])",
                 R"("inputs": [{"as_tensor": {"name": "x"}}, {"as_tensor": {"name": "x"}}])")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.inputs[1].as_tensor.name: value 'x' is "
       "defined twice"},
      {"ResultOfUnknownKind",
       [] {
         return Pt2()
             .editModel(R"("outputs": [{"as_tensor": {"name": "add"}}])",
                        R"("outputs": [{"as_string": "add"}])")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[0].outputs[0].as_string: is not a "
       "kind of result; expected a tensor, a "
       "symbol, none, or a list of these"},
      {"InputOfUnknownKind",
       [] {
         return Pt2()
             .editModel(R"("inputs": [{"as_tensor": {"name": "p_w"}})",
                        R"("inputs": [{"as_device": {"type": "cpu"}})")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.inputs[0].as_device: is not a kind of "
       "input; expected a tensor, a symbol, a "
       "custom object or a constant"},
      {"ValueWithoutEntry",
       [] { return Pt2().editModel(R"("add": {"dtype")", R"("ad": {"dtype")").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.nodes[0].outputs[0].as_tensor.name: "
       "value 'add' has no entry in tensor_values"},
      {"TensorValuesMissing",
       [] { return Pt2().editModel(R"("tensor_values")", R"("values")").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph: member 'tensor_values' is missing"},
      {"TensorValuesNull",
       [] {
         return Pt2()
             .editModel(R"("tensor_values": {)", R"("tensor_values": null, "values": {)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values: expected an object, got "
       "null"},
      {"TensorOfUnknownDType", [] { return editAdd(R"("dtype": 7)", R"("dtype": 77)").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add.dtype: 77 is not a "
       "dtype of schema version 8"},
      {"TensorOfUnknownLayout", [] { return editAdd(R"("layout": 7)", R"("layout": 0)").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add.layout: 0 is not a "
       "layout of schema version 8"},
      {"SizesWithoutStrides",
       [] {
         return editAdd(R"("strides": [{"as_int": 3}, {"as_int": 1}])", R"("strides": [])").bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add: 2 sizes but 0 "
       "strides"},
      {"NegativeSize",
       [] { return editAdd(R"("sizes": [{"as_int": 2})", R"("sizes": [{"as_int": -2})").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add: size -2 of dimension "
       "0 is negative"},
      {"SizesPast64Bits",
       [] {
         return editAdd(
                    R"("sizes": [{"as_int": 2}, {"as_int": 3}])",
                    R"("sizes": [{"as_int": 4611686018427387904}, {"as_int": 4611686018427387904}])")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add: its size in bytes "
       "does not fit into 64 bits"},
      {"SizeIsText",
       [] { return editAdd(R"("sizes": [{"as_int": 2})", R"("sizes": [{"as_int": "2"})").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add.sizes[0].as_int: "
       "expected an integer, got a string"},
      {"SizeOfUnknownKind",
       [] { return editAdd(R"("sizes": [{"as_int": 2})", R"("sizes": [{"as_word": 2})").bytes(); },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add.sizes[0].as_word: is "
       "not a kind of SymInt; expected as_int or "
       "as_expr"},
      {"HundredDimensions",
       [] {
         return editAdd(R"("sizes": [{"as_int": 2}, {"as_int": 3}])",
                        R"("sizes": [)" + repeated(R"({"as_int": 1})", 100) + "]")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.tensor_values.add.sizes: 100 dimensions; "
       "PyTorch has at most 64"},
      {"SymbolThatDoesNotParse",
       [] {
         return editAdd(R"("sizes": [{"as_int": 2})",
                        R"("sizes": [{"as_expr": {"expr_str": "Add(Symbol('s0'"}})")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.graph.tensor_values.add.sizes[0].as_expr.expr_str: symbolic expression "
       "'Add(Symbol('s0'' at offset 15: 'Symbol(' is not closed"},
      {"SymbolNestedTooDeep",
       [] {
         return editAdd(R"("sizes": [{"as_int": 2})", R"("sizes": [{"as_expr": {"expr_str": ")" +
                                                          times("Add(", 100000) + R"("}})")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.graph.tensor_values.add.sizes[0].as_expr.expr_str: symbolic expression of "
       "400000 "
       "characters; the limit is 65536"},
      {"FewerSpecsThanInputs",
       [] {
         return Pt2()
             .editModel(R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}, )", "")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.signature.input_specs: 1 specs for 2 inputs of "
       "the graph"},
      {"FewerSpecsThanOutputs",
       [] {
         return Pt2()
             .editModel(R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})", "")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.signature.output_specs: 0 specs for 1 outputs "
       "of the graph"},
      {"SpecNamesAnotherInput",
       [] {
         return Pt2().editModel(R"("arg": {"name": "p_w"})", R"("arg": {"name": "x"})").bytes();
       },
       "broken.pt2: models/model.json: graph_module.signature.input_specs[0].parameter.arg.name: "
       "names 'x', but the graph's input at this "
       "place is 'p_w'"},
      {"SpecOfUnknownKind",
       [] { return Pt2().editModel(R"("parameter": {"arg")", R"("magic": {"arg")").bytes(); },
       "broken.pt2: models/model.json: graph_module.signature.input_specs[0].magic: is not a kind "
       "of spec of schema version 8"},
      {"OutputSpecOfNothing",
       [] {
         return Pt2()
             .editModel(R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})",
                        R"({"user_output": {"arg": {"as_tensor": {"name": "tanh"}}}})")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.signature.output_specs[0].user_output.arg.as_tensor.name: no value named "
       "'tanh' is "
       "defined in this graph"},
      {"OutputSpecOfAnotherValue",
       [] {
         return Pt2()
             .editModel(R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})",
                        R"({"user_output": {"arg": {"as_tensor": {"name": "add"}}}})")
             .bytes();
       },
       "broken.pt2: models/model.json: output spec 0 does not name the returned value, 'relu'"},
      {"MutationOfNothing",
       [] {
         return Pt2()
             .editModel(R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})",
                        R"({"buffer_mutation": {"arg": {"name": "relu"}, "buffer_name": "count"}})")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.signature.output_specs[0]: buffer_mutation of "
       "'count', which is not a parameter or "
       "buffer of the program"},
      {"DanglingOutput",
       [] {
         return Pt2()
             .editModel(R"("outputs": [{"as_tensor": {"name": "relu"}}],
    "nodes")",
                        R"("outputs": [{"as_tensor": {"name": "tanh"}}],
    "nodes")")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.outputs[0].as_tensor.name: no value "
       "named 'tanh' is defined in this graph"},
      {"SubgraphTakesFromOutside",
       [] {
         return Pt2()
             .editModel(
                 kReluInput,
                 R"("inputs": [{"name": "", "kind": 1, "arg": {"as_graph": {"name": "body", "graph": {"inputs": [], "outputs": [{"as_tensor": {"name": "add"}}], "nodes": [], "tensor_values": {}}}}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.outputs[0].as_tensor.name: no "
       "value named "
       "'add' is defined in this graph"},
      {"SubgraphWithoutGraph",
       [] {
         return Pt2()
             .editModel(
                 kReluInput,
                 R"("inputs": [{"name": "", "kind": 1, "arg": {"as_graph": {"name": "body"}}}],)")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].inputs[0].arg.as_graph: member "
       "'graph' is missing"},
      {"SubgraphsNestedTooDeep",
       [] {
         return Pt2()
             .editModel(kReluInput,
                        R"("inputs": [{"name": "", "kind": 1, "arg": )" + nestedGraphs(66) + "}],")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.graph.nodes[1].inputs[0].arg.as_graph.graph.nodes[0].inputs[0].arg.as_graph."
       "graph.nodes[0].inputs[0].arg.as_graph."
       "graph.nodes[0].inputs[0].arg.as_graph.graph.nodes[0].inputs[0].arg.as_gra .. "
       "raph.graph.nodes[0].inputs[0].arg.as_graph.graph.nodes[0].inputs[0].arg.as_graph.graph."
       "nodes[0].inputs[0].arg.as_graph.graph.nodes["
       "0].inputs[0].arg.as_graph.graph.nodes[0].inputs[0].arg.as_graph.graph: subgraphs are "
       "nested deeper than 64 levels"},
      {"DictsNestedTooDeep",
       [] {
         return Pt2()
             .editModel(kReluInput, R"("inputs": [{"name": "", "kind": 1, "arg": )" +
                                        times(R"({"as_string_to_argument": {"k": )", 70) +
                                        R"({"as_int": 1})" + times("}}", 70) + "}],")
             .bytes();
       },
       "broken.pt2: models/model.json: "
       "graph_module.graph.nodes[1].inputs[0].arg.as_string_to_argument.k.as_string_to_argument.k."
       "as_string_to_argument.k.as_string_to_"
       "argument.k.as_string_to_argument.k.as_string_to_argument.k.as_string_to_a .. "
       "argument.k.as_string_to_argument.k.as_string_to_argument.k.as_string_to_argument.k.as_"
       "string_to_argument.k.as_string_to_argument.k."
       "as_string_to_argument.k.as_string_to_argument.k.as_string_to_argument: dicts are nested "
       "deeper than 64 levels"},
      {"MetadataIsANumber",
       [] {
         return Pt2()
             .editModel(R"("is_hop_single_tensor_return": null, "name": "relu")",
                        R"("metadata": {"stack_trace": 3}, "name": "relu")")
             .bytes();
       },
       "broken.pt2: models/model.json: graph_module.graph.nodes[1].metadata.stack_trace: expected "
       "a string, got an integer"},
      {"RangeIsText",
       [] {
         return Pt2()
             .editModel(R"("range_constraints": {})",
                        R"("range_constraints": {"s0": {"min_val": "two", "max_val": null}})")
             .bytes();
       },
       "broken.pt2: models/model.json: range_constraints.s0.min_val: expected an integer, got a "
       "string"},
      {"GuardIsANumber",
       [] { return Pt2().editModel(R"("guards_code": [])", R"("guards_code": [1])").bytes(); },
       "broken.pt2: models/model.json: guards_code[0]: expected a string, got an integer"},
      {"WeightsConfigIsAList",
       [] { return Pt2().set("data/weights/model_weights_config.json", "[]").bytes(); },
       "broken.pt2: data/weights/model_weights_config.json: expected an object, got an array"},
      {"WeightWithoutPath",
       [] {
         return Pt2()
             .edit("data/weights/model_weights_config.json", R"("path_name": "weight_0", )", "")
             .bytes();
       },
       "broken.pt2: data/weights/model_weights_config.json: config.w: member 'path_name' is "
       "missing"},
      {"WeightOfSymbolicSize",
       [] {
         return Pt2()
             .edit("data/weights/model_weights_config.json", R"("sizes": [{"as_int": 3}])",
                   R"x("sizes": [{"as_expr": {"expr_str": "Symbol('s0')"}}])x")
             .bytes();
       },
       "broken.pt2: data/weights/model_weights_config.json: config.w.tensor_meta: the sizes of a "
       "stored tensor must be constants"},
      {"WeightListedTwice",
       [] {
         return Pt2()
             .edit(
                 "data/weights/model_weights_config.json", R"({"config": {)",
                 R"({"config": {"w": {"path_name": "weight_0", "use_pickle": false, "tensor_meta": null}, )")
             .bytes();
       },
       "broken.pt2: data/weights/model_weights_config.json: config.w: has two entries"},
  };
  return files;
}

class BrokenFile : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenFile, HasOneClearError) {
  auto capture = read::readCapture(memorySource(GetParam().bytes()), "broken.pt2", {}, {});
  ASSERT_FALSE(capture) << "it opens, with " << capture->program->nodes.size() << " nodes";
  EXPECT_EQ(toString(capture.error()), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Files, BrokenFile, testing::ValuesIn(brokenFiles()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(BrokenFiles, WhatTheEditsStartFromIsWhole) {
  auto capture = read::readCapture(memorySource(Pt2().bytes()), "small.pt2", {}, {});
  ASSERT_TRUE(capture) << toString(capture.error());
  EXPECT_EQ(capture->program->nodes.size(), 5u);
  EXPECT_GE(brokenFiles().size(), 40u);
}

TEST(BrokenFiles, EveryPrefixOfAnArchiveIsAnErrorAndNoCrash) {
  const std::string full = Pt2().bytes();
  for (std::size_t length = 0; length < full.size(); length += 7) {
    auto capture = read::readCapture(memorySource(full.substr(0, length)), "cut.pt2", {}, {});
    ASSERT_FALSE(capture) << length;
    EXPECT_TRUE(capture.error().message.starts_with("cut.pt2: ")) << capture.error().message;
  }
}

TEST(BrokenFiles, AFolderIsNotAFile) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  auto capture = read::openCapture(folder, {}, {});
  ASSERT_FALSE(capture);
  EXPECT_EQ(toString(capture.error()), folder + ": is a directory, not a file");
}

TEST(BrokenFiles, AMissingFileIsNamed) {
  auto capture = read::openCapture("no/such/file.pt2", {}, {});
  ASSERT_FALSE(capture);
  EXPECT_EQ(capture.error().code, ErrorCode::NotFound);
  EXPECT_EQ(toString(capture.error()), "no/such/file.pt2: no such file");
}

TEST(BrokenFiles, AModelThatIsNotThereListsThoseThatAre) {
  auto capture = read::readCapture(memorySource(Pt2().bytes()), "small.pt2",
                                   optionsWith("encoder", 1 << 30), {});
  ASSERT_FALSE(capture);
  EXPECT_EQ(toString(capture.error()), "small.pt2: has no model 'encoder'; it has: model");
}

TEST(BrokenFiles, AModelLargerThanTheLimitIsNotRead) {
  auto capture =
      read::readCapture(memorySource(Pt2().bytes()), "small.pt2", optionsWith("", 100), {});
  ASSERT_FALSE(capture);
  EXPECT_EQ(toString(capture.error()), "small.pt2: member 'small/models/model.json' has " +
                                           std::to_string(Pt2().text("models/model.json").size()) +
                                           " bytes, more than the limit of 100");
}

/// Where each value of a well-formed JSON text stands, the whole text first.
std::vector<std::pair<std::size_t, std::size_t>> valuesIn(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '{' || c == '[') {
      open.push_back(out.size());
      out.emplace_back(at, 0);
    } else if (c == '}' || c == ']') {
      out[open.back()].second = end;
      open.pop_back();
    } else if (c == '"') {
      while (text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      ++end;
      if (text.find_first_not_of(" \n", end) == std::string::npos ||
          text[text.find_first_not_of(" \n", end)] != ':')
        out.emplace_back(at, end);
    } else if (c != ' ' && c != '\n' && c != ',' && c != ':') {
      end = std::min(text.find_first_of(" \n,]}", at), text.size());
      out.emplace_back(at, end);
    }
    at = end;
  }
  return out;
}

TEST(BrokenFiles, AnyValueOfAModelMayBeOfAnyKind) {
  const std::string model = Pt2().text("models/model.json");
  std::size_t refused = 0, tried = 0;
  for (const auto& [begin, end] : valuesIn(model))
    for (const std::string_view instead :
         {"null", "[]", "{}", "[null]", "{\"x\": null}", "0", "-9223372036854775808", "1e308",
          "true", "\"\"", "\"x\""}) {
      Pt2 file;
      file.set("models/model.json",
               model.substr(0, begin) + std::string(instead) + model.substr(end));
      const auto capture = read::readCapture(memorySource(file.bytes()), "broken.pt2", {}, {});
      ++tried;
      if (capture) continue;
      ++refused;
      EXPECT_TRUE(capture.error().message.starts_with("broken.pt2: ")) << capture.error().message;
      EXPECT_NE(capture.error().code, ErrorCode::Internal) << capture.error().message;
    }
  EXPECT_GT(refused, tried / 4);
}

}  // namespace
}  // namespace fxs::test
