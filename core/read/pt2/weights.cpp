// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/weights.h"

#include <array>
#include <set>
#include <unordered_set>

#include "fx/evaluated_text.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::uint64_t kCostOfWeight = 16;  // as fx/cost.h counts
constexpr std::string_view kWeights = "data/weights/";
constexpr std::string_view kConstants = "data/constants/";

constexpr std::string_view kSaveAgain = "; save the program again with PyTorch 2.9 or later";

bool isFake(const fx::Weight& weight) { return weight.reason.starts_with("exported with fake"); }
void noteFakes(std::size_t count, std::vector<std::string>& notes) {
  if (count > 0)
    notes.push_back(std::to_string(count) +
                    " weights have no data: the program was exported with fake weights");
}

void unreadable(fx::Weight& weight, std::string reason) {
  weight.readable = false;
  weight.reason = std::move(reason);
}

Result<> setMeta(fx::Weight& weight, const Json& at, const fx::TensorMeta& meta) {
  auto sizes = fx::staticSizes(meta.sizes), strides = fx::staticSizes(meta.strides);
  if (!sizes || !strides || !meta.storageOffset.isStatic())
    return invalid(at, "the sizes of a stored tensor must be constants");
  weight.requiresGrad = meta.requiresGrad;
  weight.dtype = meta.dtype;
  weight.sizes = std::move(*sizes);
  weight.strides = std::move(*strides);
  weight.storageOffset = meta.storageOffset.value();
  return {};
}

Result<fx::Weight> readEntry(const Archive& archive, ValueDecoder& values, const Json& entry,
                             bool constant) {
  fx::Weight weight;
  weight.fqn = entry.key();
  if (!fx::isQualifiedName(weight.fqn))
    return invalid(entry, "contains quotes, backslashes or control characters");
  weight.constant = constant;
  FXS_TRY(std::string_view pathName, entry.stringAt("path_name"));
  weight.file = std::string(constant ? kConstants : kWeights) + std::string(pathName);
  if (auto isParam = present(entry, "is_param")) {
    FXS_TRY(weight.isParameter, isParam->asBool());
  }
  bool pickled = false;
  if (auto usePickle = present(entry, "use_pickle")) {
    FXS_TRY(pickled, usePickle->asBool());
  }

  const ZipEntry* record = archive.find(weight.file);
  if (record) weight.fileBytes = record->size;
  auto meta = present(entry, "tensor_meta");
  if (!meta) {
    unreadable(weight, "a custom object, stored as a pickle, which fxscope never opens");
    return weight;
  }
  FXS_TRY(fx::TensorMeta tensor, values.tensorMeta(*meta));
  FXS_CHECK(setMeta(weight, *meta, tensor));
  if (pickled)
    unreadable(weight, "a tensor subclass, stored as a pickle, which fxscope never opens");
  else if (!record) unreadable(weight, "the archive has no member " + weight.file);
  else if (record->size == 0 && weight.elements() > 0)
    unreadable(weight, "exported with fake weights: its record is empty");
  else if (weight.dtype == DType::Unknown) unreadable(weight, "its dtype is unknown");
  return weight;
}

Result<> readConfig(const Archive& archive, ValueDecoder& values, std::uint64_t maxBytes,
                    bool constant, WeightCatalogue& out, const RunContext& context) {
  FXS_TRY(auto document, archive.readJson(constant ? archive.constantsConfigMember()
                                                   : archive.weightsConfigMember(),
                                          maxBytes, context));
  FXS_TRY(Json config, document->root().at("config"));
  FXS_CHECK(config.asObject());
  std::unordered_set<std::string_view> seen;
  for (Json entry : config) {
    if (!seen.insert(entry.key()).second) return invalid(entry, "has two entries");
    context.spend(Resource::Values, kCostOfWeight, archive.label());
    FXS_TRY(fx::Weight weight, readEntry(archive, values, entry, constant));
    out.weights.push_back(std::move(weight));
  }
  return {};
}

/// One of the two members with pickled weights.
struct PickledFile {
  std::string member;
  std::string problem;  ///< why it cannot be read; "" if it can
  bool isUsed = false;  ///< by an input of the program
};

/// Whether a program can be shown without the file.
bool saysNothing(const Error& error) {
  return error.code == ErrorCode::Unsupported || error.code == ErrorCode::InvalidInput;
}

/// What `file` says about a weight.
void describe(fx::Weight& weight, const Archive& archive, const PickledFile& file,
              const std::vector<PickledWeights>& pickled) {
  weight.file = file.member;
  if (const ZipEntry* entry = archive.find(file.member)) weight.fileBytes = entry->size;
  if (!file.problem.empty())
    unreadable(weight, file.member + " " + file.problem + std::string(kSaveAgain));
  for (const PickledWeights& each : pickled)
    if (each.member() == file.member) each.describe(weight);
}

fx::Weight fromPlaceholder(const fx::InputSpec& input, const fx::Node& node) {
  fx::Weight weight;
  weight.fqn = input.target;
  weight.constant = input.kind == fx::InputKind::ConstantTensor ||
                    (input.kind == fx::InputKind::Buffer && !input.persistent);
  weight.isParameter = input.kind == fx::InputKind::Parameter;
  if (const fx::TensorMeta* meta = node.val.tensor()) {
    weight.requiresGrad = weight.isParameter && meta->requiresGrad;
    weight.dtype = meta->dtype;
    weight.sizes = fx::staticSizes(meta->sizes).value_or(std::vector<std::int64_t>{});
    weight.strides = fx::staticSizes(meta->strides).value_or(std::vector<std::int64_t>{});
  }
  return weight;
}

}  // namespace

Result<WeightCatalogue> readCatalogue(const Archive& archive, ValueDecoder& values,
                                      std::uint64_t maxBytes, std::vector<std::string>& notes,
                                      const RunContext& context) {
  WeightCatalogue out;
  FXS_CHECK(readConfig(archive, values, maxBytes, false, out, context));
  FXS_CHECK(readConfig(archive, values, maxBytes, true, out, context));
  std::unordered_set<std::string_view> files;
  std::size_t fake = 0, absent = 0;
  for (const fx::Weight& weight : out.weights) {
    if (files.insert(weight.file).second) out.storedBytes += weight.fileBytes;
    fake += isFake(weight);
    absent += weight.reason.starts_with("the archive has no member");
  }
  noteFakes(fake, notes);
  if (absent > 0)
    notes.push_back(std::to_string(absent) +
                    " weights are listed, but their records are not in the archive");
  return out;
}

Result<WeightCatalogue> readPickled(const Archive& archive, const fx::Program& program,
                                    std::uint64_t maxBytes, std::vector<std::string>& notes,
                                    const RunContext& context) {
  WeightCatalogue out;
  std::array<PickledFile, 2> files{PickledFile{archive.pickledWeightsMember(), {}},
                                   PickledFile{archive.pickledConstantsMember(), {}}};
  for (PickledFile& file : files) {
    auto read = PickledWeights::open(archive, file.member, maxBytes, context);
    if (read) out.pickled.push_back(*std::move(read));
    else if (saysNothing(read.error())) file.problem = read.error().message;
    else return tl::unexpected<Error>(read.error());
  }
  std::unordered_set<std::string_view> seen;
  std::set<std::string> records;
  std::size_t fake = 0;
  for (const fx::InputSpec& input : program.inputs) {
    if (!isWeight(input.kind) || !seen.insert(input.target).second) continue;
    context.spend(Resource::Values, kCostOfWeight, archive.label());
    fx::Weight weight = fromPlaceholder(input, program.nodes[input.node.index()]);
    PickledFile& file = files[weight.constant];
    file.isUsed = true;
    describe(weight, archive, file, out.pickled);
    fake += isFake(weight);
    if (weight.readable && records.insert(weight.file).second) out.storedBytes += weight.fileBytes;
    out.weights.push_back(std::move(weight));
  }
  for (const PickledFile& file : files) {
    if (file.problem.empty()) continue;
    if (const ZipEntry* unread = archive.find(file.member)) out.storedBytes += unread->size;
    if (file.isUsed)
      notes.push_back(file.member + " " + file.problem +
                      "; the values of its weights, and which of them share memory, are not known" +
                      std::string(kSaveAgain));
  }
  noteFakes(fake, notes);
  return out;
}

void addMissing(WeightCatalogue& catalogue, const fx::Program& program,
                std::vector<std::string>& notes) {
  std::unordered_set<std::string> seen;
  for (const fx::Weight& weight : catalogue.weights) seen.insert(weight.fqn);
  for (const fx::InputSpec& input : program.inputs) {
    if (!isWeight(input.kind) || !seen.insert(input.target).second) continue;
    fx::Weight weight = fromPlaceholder(input, program.nodes[input.node.index()]);
    unreadable(weight, "the archive's config files have no entry for it");
    notes.push_back(
        "'" + weight.fqn +
        "' is an input of the graph, but the archive's config files have no entry for it");
    catalogue.weights.push_back(std::move(weight));
  }
}

}  // namespace fxs::read::pt2
