// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/pt2.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/zip_writer.h"
#include "fx/evaluated_text.h"
#include "fx/shared_weights.h"
#include "fx/stride_symbols.h"
#include "write/check_evaluated.h"
#include "write/graph_writer.h"
#include "write/sym_json.h"

namespace fxs::write {
namespace {

/// Versions of the schema, and of the ATen opset of torch 1.13 and later.
constexpr int kSchemaMajor = 8, kSchemaMinor = 20, kAtenOpset = 10;

void writeName(JsonWriter& json, std::string_view key, const std::string& name) {
  json.key(key).beginObject().member("name", name).endObject();
}

Result<> writeInputSpec(JsonWriter& json, GraphWriter& graph, const fx::Program& program,
                        const fx::InputSpec& spec) {
  const fx::Node& node = program.node(spec.node);
  json.beginObject();
  switch (spec.kind) {
    case fx::InputKind::UserInput:
      json.key("user_input").beginObject().key("arg");
      FXS_CHECK(graph.writeArgument(spec.node));
      break;
    case fx::InputKind::Parameter:
      json.key("parameter").beginObject();
      writeName(json, "arg", node.name);
      json.member("parameter_name", spec.target);
      break;
    case fx::InputKind::Buffer:
      json.key("buffer").beginObject();
      writeName(json, "arg", node.name);
      json.member("buffer_name", spec.target).member("persistent", spec.persistent);
      break;
    case fx::InputKind::ConstantTensor:
      json.key("tensor_constant").beginObject();
      writeName(json, "arg", node.name);
      json.member("tensor_constant_name", spec.target);
      break;
    case fx::InputKind::CustomObject: {
      const auto* object = std::get_if<fx::CustomObject>(&node.val);
      json.key("custom_obj").beginObject().key("arg").beginObject().member("name", node.name);
      json.member("class_fqn", object != nullptr ? object->classFqn : std::string())
          .endObject()
          .member("custom_obj_name", spec.target);
      break;
    }
    case fx::InputKind::ConstantInput:
      json.key("constant_input").beginObject().member("name", node.target).key("value");
      FXS_CHECK(graph.writeArgument(spec.constant));
      break;
    case fx::InputKind::Token:
      json.key("token").beginObject();
      writeName(json, "arg", node.name);
      break;
  }
  json.endObject().endObject();
  return {};
}

Result<> writeOutputSpec(JsonWriter& json, GraphWriter& graph, const fx::OutputSpec& spec) {
  std::string_view member = fx::name(spec.kind), target;
  switch (spec.kind) {
    case fx::OutputKind::BufferMutation: target = "buffer_name"; break;
    case fx::OutputKind::ParameterMutation:
    case fx::OutputKind::GradientToParameter: target = "parameter_name"; break;
    case fx::OutputKind::UserInputMutation:
    case fx::OutputKind::GradientToUserInput: target = "user_input_name"; break;
    case fx::OutputKind::UserOutput:
    case fx::OutputKind::LossOutput:
    case fx::OutputKind::Token: break;
  }
  json.beginObject().key(member).beginObject();
  if (const fx::NodeId* node = spec.value.node();
      node != nullptr && spec.kind != fx::OutputKind::UserOutput) {
    writeName(json, "arg", graph.nameOf(*node));
  } else {
    json.key("arg");
    FXS_CHECK(graph.writeArgument(spec.value));
  }
  if (!target.empty()) json.member(target, spec.target);
  json.endObject().endObject();
  return {};
}

// JSON of torch.utils._pytree.
constexpr std::string_view kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string flatTuple(std::size_t leaves) {
  std::string out = R"({"type": "builtins.tuple", "context": "null", "children_spec": [)";
  for (std::size_t i = 0; i < leaves; ++i) out += std::string(i > 0 ? ", " : "").append(kLeaf);
  return out + "]}";
}

std::size_t userInputs(const fx::Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.inputs.begin(), program.inputs.end(), [](const fx::InputSpec& spec) {
        return spec.kind == fx::InputKind::UserInput || spec.kind == fx::InputKind::ConstantInput;
      }));
}

std::size_t userOutputs(const fx::Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.outputs.begin(), program.outputs.end(), [](const fx::OutputSpec& spec) {
        return spec.kind == fx::OutputKind::UserOutput || spec.kind == fx::OutputKind::LossOutput;
      }));
}

/// Whether they are safe to use in generated Python source.
bool areIdentifiers(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), fx::isIdentifier);
}

/// Positional arguments only, one for each input.
fx::CallStructure flatCalls(std::size_t inputs, std::size_t outputs) {
  const std::string none = R"({"type": "builtins.dict", "context": "[]", "children_spec": []})";
  fx::CallStructure out;
  out.in = R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)" +
           flatTuple(inputs) + ", " + none + "]}]";
  out.out = "[1, " + (outputs == 1 ? std::string(kLeaf) : flatTuple(outputs)) + "]";
  return out;
}

struct Calls {
  fx::CallStructure structure;
  bool isNamed = false;  ///< Program::inputNames are those of its arguments
};

/// How forward() is called: as `wanted` says, if the program can be.
Calls callsOf(const fx::Program& program, const fx::CallStructure* wanted) {
  const std::size_t inputs = userInputs(program), outputs = userOutputs(program);
  const auto isNamed = [&](std::size_t arguments) {
    return program.inputNames.size() == arguments && areIdentifiers(program.inputNames);
  };
  Calls flat{flatCalls(inputs, outputs), isNamed(inputs)};
  if (wanted == nullptr) return flat;
  const auto in = fx::leavesOf(wanted->in), out = fx::leavesOf(wanted->out);
  if (!in || !out || in->count != inputs || out->count != outputs) return flat;
  const bool areTuples =
      std::all_of(wanted->namedTuples.begin(), wanted->namedTuples.end(), [](const auto& tuple) {
        return fx::isTargetText(tuple.type) && areIdentifiers(tuple.fields);
      });
  return areTuples ? Calls{*wanted, isNamed(in->arguments)} : flat;
}

void writeModuleCalls(JsonWriter& json, const Calls& calls, const fx::Program& program) {
  json.key("module_call_graph")
      .beginArray()
      .beginObject()
      .member("fqn", "")
      .key("signature")
      .beginObject();
  json.key("inputs").beginArray().endArray().key("outputs").beginArray().endArray();
  json.member("in_spec", calls.structure.in).member("out_spec", calls.structure.out);
  json.key("forward_arg_names");
  if (calls.isNamed) json.value(program.inputNames);
  else json.null();
  json.endObject().endObject().endArray();
}

Result<std::string> modelJson(const fx::Program& program, const fx::CallStructure* wanted) {
  const Calls calls = callsOf(program, wanted);
  JsonWriter json;
  GraphWriter graph(program, json);
  json.beginObject().key("graph_module").beginObject().key("graph");
  FXS_CHECK(graph.writeMain());
  json.key("signature").beginObject().key("input_specs").beginArray();
  for (const fx::InputSpec& spec : program.inputs)
    FXS_CHECK(writeInputSpec(json, graph, program, spec));
  json.endArray().key("output_specs").beginArray();
  for (const fx::OutputSpec& spec : program.outputs) FXS_CHECK(writeOutputSpec(json, graph, spec));
  json.endArray().endObject();
  writeModuleCalls(json, calls, program);
  json.key("metadata").beginObject().endObject().key("treespec_namedtuple_fields").beginObject();
  for (const fx::CallStructure::NamedTuple& tuple : calls.structure.namedTuples)
    json.key(tuple.type).beginObject().key("field_names").value(tuple.fields).endObject();
  json.endObject().endObject();
  json.key("opset_version")
      .beginObject()
      .member("aten", kAtenOpset)
      .endObject()
      .key("range_constraints")
      .beginObject();
  for (const fx::RangeConstraint& range : fx::usableRanges(program)) {
    json.key(range.symbol).beginObject();
    json.memberOrNull("min_val", range.min).memberOrNull("max_val", range.max).endObject();
  }
  json.endObject()
      .key("schema_version")
      .beginObject()
      .member("major", kSchemaMajor)
      .member("minor", kSchemaMinor)
      .endObject();
  json.key("verifiers")
      .beginArray()
      .value(program.dialect.empty() ? "TRAINING" : program.dialect)
      .endArray();
  json.member("torch_version", program.torchVersion).key("guards_code").beginArray();
  // Guards refer to forward()'s arguments. PyTorch runs them as Python.
  if (calls.isNamed)
    for (const std::string& guard : program.guards)
      if (fx::isGuard(guard)) json.value(guard);
  json.endArray().endObject();
  return json.take();
}

/// Weights are copied in pieces of at most so many bytes.
constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 20;

/// A member of the archive with the elements of a weight, or of all weights that share a storage.
struct Record {
  std::string member;
  std::optional<fx::Weight> elements;  // as they are read; std::nullopt without bytes
};

/// The elements of a storage that a weight uses, from the first to the last.
struct Extent {
  std::int64_t first = 0, last = 0;
};

/// std::nullopt if the weight has no elements, or its offset and strides are those of no storage.
std::optional<Extent> extentOf(const fx::Weight& weight) {
  if (weight.elements() == 0 || weight.sizes.size() != weight.strides.size()) return std::nullopt;
  Extent out{weight.storageOffset, weight.storageOffset};
  for (std::size_t i = 0; i < weight.sizes.size(); ++i) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(weight.sizes[i] - 1, weight.strides[i], &reach)) return std::nullopt;
    std::int64_t& end = reach < 0 ? out.first : out.last;
    if (__builtin_add_overflow(end, reach, &end)) return std::nullopt;
  }
  return out.first < 0 || out.last == std::numeric_limits<std::int64_t>::max() ? std::nullopt
                                                                               : std::optional(out);
}

/// The weight's bytes: a large one in pieces, if they are contiguous in the file.
ZipContent contentOf(const fx::Weight& weight, const Pt2Options& options,
                     const RunContext& context) {
  ZipContent out;
  const std::uint64_t width = facts(weight.dtype).bytes;
  out.size = weight.elements() * width;
  out.read = [&weight, &options, &context, width,
              size = out.size](std::uint64_t offset) -> Result<std::string> {
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
    if (size <= kPieceBytes || !weight.isRowMajor()) return options.bytes(weight);
    fx::Weight piece = weight;
    piece.storageOffset += static_cast<std::int64_t>(offset / width);
    piece.sizes = {static_cast<std::int64_t>(std::min(kPieceBytes, size - offset) / width)};
    piece.strides = {1};
    return options.bytes(piece);
  };
  return out;
}

bool isStoredWithConstants(const fx::InputSpec& spec) {
  return spec.kind == fx::InputKind::ConstantTensor ||
         (spec.kind == fx::InputKind::Buffer && !spec.persistent);
}

/// A name for a tensor, as the configs list them.
struct NamedWeight {
  const std::string& fqn;
  bool constant = false;  ///< whether it is stored with the constants
  bool isParameter = false;
  const fx::TensorMeta* value = nullptr;  ///< of the placeholder, if there is one
  const fx::Weight* weight = nullptr;     ///< null if the program has none
  bool isUsed = false;
};

class Weights {
 public:
  Weights(const fx::Program& program, const Pt2Options& options)
      : program_(program), options_(options) {}

  Result<> collect(const RunContext& context) {
    std::set<std::string_view> named;
    const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program_);
    std::unordered_map<std::string_view, const fx::Weight*> byName;
    for (const fx::Weight& weight : program_.weights) byName.emplace(weight.fqn, &weight);
    if (options_.layout == WeightLayout::AsStored) findStorages();
    for (const fx::InputSpec& spec : program_.inputs) {
      if (!isWeight(spec.kind) || !named.insert(spec.target).second) continue;
      if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "cancelled");
      const auto weight = byName.find(spec.target);
      FXS_CHECK(add({spec.target, isStoredWithConstants(spec),
                     spec.kind == fx::InputKind::Parameter, program_.node(spec.node).val.tensor(),
                     weight == byName.end() ? nullptr : weight->second,
                     !users[spec.node.index()].empty()}));
    }
    for (const fx::Weight& weight : program_.weights)
      if (!named.contains(weight.fqn) && isStored(weight))
        FXS_CHECK(add({weight.fqn, weight.constant, weight.isParameter, nullptr, &weight, true}));
    return {};
  }

  std::string config(bool constants) {
    JsonWriter& json = configs_[constants];
    json.endObject().endObject();
    return json.take();
  }
  void open() {
    for (JsonWriter& json : configs_) json.beginObject().key("config").beginObject();
  }
  const std::vector<Record>& records() const { return records_; }

 private:
  static fx::TensorMeta metaOf(const fx::Weight& weight) {
    fx::TensorMeta meta;
    meta.dtype = weight.dtype;
    for (const std::int64_t size : weight.sizes) meta.sizes.emplace_back(size);
    meta.device.type = "cpu";
    return meta;
  }

  bool isStored(const fx::Weight& weight) const {
    return weight.readable && options_.withBytes(weight);
  }

  /// Row-major, on the CPU.
  static Result<fx::TensorMeta> metaOf(const NamedWeight& named) {
    const fx::TensorMeta* value = named.value;
    const fx::Weight* weight = named.weight;
    const bool isKnown = weight != nullptr && weight->dtype != DType::Unknown;
    fx::TensorMeta meta;
    if (isKnown) meta = metaOf(*weight);
    else if (value != nullptr) meta = *value;
    // What a node recorded of a buffer is its state after forward(), which may have written it.
    meta.requiresGrad = isKnown ? weight->requiresGrad
                                : named.isParameter && value != nullptr && value->requiresGrad;
    if (!meta.isStaticShape())
      return fail(ErrorCode::Unsupported,
                  "weight '" + named.fqn + "' cannot be written to a .pt2: its size is symbolic");
    if (meta.dtype == DType::Unknown)
      return fail(ErrorCode::Unsupported,
                  "weight '" + named.fqn + "' cannot be written to a .pt2: its dtype is unknown");
    meta.strides = fx::contiguousStrides(meta.sizes);
    meta.storageOffset = fx::SymInt(0);
    meta.device = {"cpu", {}};
    return meta;
  }

  /// What a stored weight shares with others; null if it is written with elements of its own.
  const Extent* sharedStorage(const fx::Weight& weight) const {
    if (!extentOf(weight)) return nullptr;
    const auto known = storages_.find(storageOf(weight));
    return known == storages_.end() ? nullptr : &known->second;
  }

  /// Names with one view share a record.
  static std::string viewOf(const NamedWeight& named, const Extent* storage) {
    const char* prefix = named.constant ? "c" : "w";
    if (storage != nullptr) return prefix + storageOf(*named.weight);
    // What nothing uses is not tied: PyTorch does not decompose a program with two names of a
    // tensor that it writes.
    const std::string view = named.isUsed ? fx::storedView(*named.weight) : std::string();
    return view.empty() ? named.fqn : prefix + view;
  }

  /// The path of a new record.
  std::string addRecord(const NamedWeight& named, std::optional<fx::Weight> elements) {
    const std::string path =
        (named.constant ? "tensor_" : "weight_") + std::to_string(counts_[named.constant]++);
    records_.push_back(
        {(named.constant ? "data/constants/" : "data/weights/") + path, std::move(elements)});
    return path;
  }

  std::string storedRecord(const NamedWeight& named, const Extent* storage) {
    const auto [known, isNew] = files_.try_emplace(viewOf(named, storage));
    if (isNew)
      known->second = addRecord(
          named, storage == nullptr ? *named.weight : elementsOf(*named.weight, *storage));
    return known->second;
  }

  Result<> add(const NamedWeight& named) {
    FXS_TRY(fx::TensorMeta meta, metaOf(named));
    const fx::Weight* weight = named.weight;
    const bool stored = weight != nullptr && isStored(*weight);
    const Extent* storage = stored ? sharedStorage(*weight) : nullptr;
    if (storage != nullptr) {
      for (std::size_t i = 0; i < weight->strides.size(); ++i)
        meta.strides[i] = fx::SymInt(weight->strides[i]);
      meta.storageOffset = fx::SymInt(weight->storageOffset - storage->first);
    }
    // For a record without bytes, torch.export.load creates zeros of the first weight's size, so
    // each needs its own.
    const std::string path = stored ? storedRecord(named, storage) : addRecord(named, std::nullopt);
    JsonWriter& json = configs_[named.constant];
    json.key(named.fqn)
        .beginObject()
        .member("path_name", path)
        .member("is_param", named.isParameter)
        .member("use_pickle", false)
        .key("tensor_meta");
    writeTensorMeta(json, meta);
    json.endObject();
    return {};
  }

  static std::string storageOf(const fx::Weight& weight) {
    return weight.file + '|' + std::to_string(static_cast<int>(weight.dtype));
  }

  void findStorages() {
    for (const fx::Weight& weight : program_.weights) {
      if (!isStored(weight)) continue;
      const auto extent = extentOf(weight);
      if (!extent) continue;
      const auto [known, isNew] = storages_.emplace(storageOf(weight), *extent);
      known->second.first = std::min(known->second.first, extent->first);
      known->second.last = std::max(known->second.last, extent->last);
    }
  }

  /// The elements of a storage in the file, as a weight of one dimension.
  static fx::Weight elementsOf(const fx::Weight& any, const Extent& extent) {
    fx::Weight out = any;
    out.sizes = {extent.last - extent.first + 1};
    out.strides = {1};
    out.storageOffset = extent.first;
    return out;
  }

  const fx::Program& program_;
  const Pt2Options& options_;
  std::array<JsonWriter, 2> configs_;  // weights, constants
  std::array<std::size_t, 2> counts_{};
  std::map<std::string, std::string> files_;
  std::map<std::string, Extent> storages_;  // with WeightLayout::AsStored
  std::vector<Record> records_;
};

/// Calls `write` with the members of the archive.
Result<> withParts(const fx::Program& program, const Pt2Options& options, const RunContext& context,
                   const std::function<Result<>(const std::vector<ZipPart>&)>& write) {
  context.report({"writing the program", -1});
  FXS_CHECK(checkEvaluated(program));
  Weights weights(program, options);
  weights.open();
  FXS_CHECK(weights.collect(context));
  FXS_TRY(const std::string model, modelJson(program, options.calls));
  const std::string weightsConfig = weights.config(false), constantsConfig = weights.config(true);
  std::vector<ZipPart> parts;
  const auto add = [&](const std::string& member, std::string_view bytes) {
    parts.push_back({options.name + "/" + member, bytes});
  };
  for (const Record& record : weights.records()) {
    add(record.member, "");
    if (record.elements && record.elements->elements() > 0)
      parts.back().content = contentOf(*record.elements, options, context);
  }
  add("data/weights/model_weights_config.json", weightsConfig);
  add("data/constants/model_constants_config.json", constantsConfig);
  add("models/model.json", model);
  add("data/sample_inputs/model.pt", "");
  add("archive_format", "pt2");
  add("archive_version", "0");
  add(".data/version", "6\n");
  add("byteorder", "little");
  return write(parts);
}

}  // namespace

Result<std::string> pt2Bytes(const fx::Program& program, const Pt2Options& options,
                             const RunContext& context) {
  std::string out;
  FXS_CHECK(
      withParts(program, options, context, [&](const std::vector<ZipPart>& parts) -> Result<> {
        std::uint64_t total = 0;
        for (const ZipPart& part : parts) total += part.content.size;
        if (total > kMaxWrittenZip)
          return fail(ErrorCode::Unsupported, "weights of more than " +
                                                  std::to_string(kMaxWrittenZip >> 20) +
                                                  " MiB do not fit into one .pt2; omit them");
        FXS_TRY(out, writeZip(parts));
        return {};
      }));
  return out;
}

Result<> writePt2(const std::string& path, const fx::Program& program, const Pt2Options& options,
                  const RunContext& context) {
  return withParts(program, options, context,
                   [&](const std::vector<ZipPart>& parts) { return writeZipFile(path, parts); });
}

}  // namespace fxs::write
