// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/pickled_weights.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "read/pt2/pickle.h"
#include "read/pt2/value_decoder.h"

namespace fxs::read::pt2 {
namespace {

using Kind = PickleValue::Kind;

constexpr std::uint64_t kCostOfTensor = 16;  // as fx/cost.h counts
constexpr std::uint64_t kMaxOrderBytes = 16;
constexpr std::size_t kMaxKeyBytes = 64;
/// A tensor with attributes is built by a call in a call.
constexpr int kMaxCalls = 4;
constexpr std::size_t kMostLeaves = 4096;
constexpr int kDeepestArgument = 32;

struct StorageClass {
  std::string_view name;
  DType dtype;
};
constexpr std::array kStorageClasses{
    StorageClass{"FloatStorage", DType::Float32},
    StorageClass{"DoubleStorage", DType::Float64},
    StorageClass{"HalfStorage", DType::Float16},
    StorageClass{"BFloat16Storage", DType::BFloat16},
    StorageClass{"LongStorage", DType::Int64},
    StorageClass{"IntStorage", DType::Int32},
    StorageClass{"ShortStorage", DType::Int16},
    StorageClass{"CharStorage", DType::Int8},
    StorageClass{"ByteStorage", DType::UInt8},
    StorageClass{"BoolStorage", DType::Bool},
    StorageClass{"ComplexFloatStorage", DType::Complex64},
    StorageClass{"ComplexDoubleStorage", DType::Complex128},
};

/// A function that builds a tensor whose elements are not read.
struct Unread {
  std::string_view module;
  std::string_view name;
  std::string_view message;
};
constexpr std::string_view kFake = "exported with fake weights: the file has its shape only";
constexpr std::array kUnread{
    Unread{"torch._export.serde.serialize", "_reconstruct_fake_tensor", kFake},
    Unread{"torch._utils", "_rebuild_meta_tensor_no_storage", kFake},
    Unread{"torch._utils", "_rebuild_qtensor", "a quantized tensor, which fxscope does not read"},
    Unread{"torch._utils", "_rebuild_sparse_tensor",
           "a sparse tensor, which fxscope does not read"},
    Unread{"torch._utils", "_rebuild_nested_tensor",
           "a nested tensor, which fxscope does not read"},
};

/// Reads the tensors of a pickle of torch.save.
class Tensors {
 public:
  Tensors(const Pickle& pickle, std::string_view folder, const RunContext& context)
      : pickle_(pickle), folder_(folder), context_(context) {}

  Result<std::map<std::string, fx::Weight, std::less<>>> run() {
    std::map<std::string, fx::Weight, std::less<>> out;
    if (!pickle_.isDict(pickle_.root())) return wrong("is not a dict of tensors");
    for (const auto& [key, value] : pickle_.entries(pickle_.root())) {
      context_.spend(Resource::Values, kCostOfTensor, folder_);
      if (pickle_.at(key).kind != Kind::Text) return wrong("has an entry without a name");
      fx::Weight weight;
      if (auto read = tensor(value, weight, kMaxCalls); !read)
        return tl::unexpected<Error>(read.error());
      out.insert_or_assign(std::string(pickle_.at(key).text), std::move(weight));
    }
    return out;
  }

  /// The leaves of tuples, lists and dicts, in order.
  Result<std::vector<Example>> leaves() {
    std::vector<Example> out;
    FXS_CHECK(addLeaves(pickle_.root(), kDeepestArgument, out));
    return out;
  }

 private:
  Result<> addLeaves(const PickleValue& value, int depth, std::vector<Example>& out) {
    context_.spend(Resource::Values, kCostOfTensor, folder_);
    if (depth == 0 || out.size() >= kMostLeaves) return wrong("has too many parts");
    if (value.kind == Kind::Tuple || value.kind == Kind::List) {
      for (const PickleId item : value.items)
        FXS_CHECK(addLeaves(pickle_.at(item), depth - 1, out));
      return {};
    }
    if (pickle_.isDict(value)) {
      for (const auto& [key, item] : pickle_.entries(value))
        FXS_CHECK(addLeaves(pickle_.at(item), depth - 1, out));
      return {};
    }
    Example leaf;
    if (value.kind == Kind::Int || value.kind == Kind::Bool) leaf.number = value.number;
    FXS_CHECK(tensorOf(value, leaf.tensor, kMaxCalls));
    leaf.tensor.fqn = std::to_string(out.size());
    out.push_back(std::move(leaf));
    return {};
  }

  static tl::unexpected<Error> wrong(std::string message) {
    return fail(ErrorCode::Unsupported, std::move(message));
  }
  static tl::unexpected<Error> notATensor() {
    return wrong("has an entry that is not written as PyTorch writes a tensor");
  }
  static Result<> unreadable(fx::Weight& weight, std::string reason) {
    weight.readable = false;
    weight.reason = std::move(reason);
    return {};
  }

  bool isTrue(PickleId id) const {
    return pickle_.at(id).kind == Kind::Bool && pickle_.at(id).number != 0;
  }

  Result<> tensor(PickleId id, fx::Weight& out, int depth) const {
    return tensorOf(pickle_.at(id), out, depth);
  }

  Result<> tensorOf(const PickleValue& value, fx::Weight& out, int depth) const {
    if (value.kind == Kind::None || value.kind == Kind::Bool || value.kind == Kind::Int ||
        value.kind == Kind::Float || value.kind == Kind::Text || value.kind == Kind::Bytes)
      return unreadable(out, "it is not a tensor");
    if (value.kind != Kind::Call || depth == 0) return notATensor();
    const PickleValue& function = pickle_.at(value.items[0]);
    return called(function, pickle_.at(value.items[1]).items, out, depth);
  }

  Result<> called(const PickleValue& function, const std::vector<PickleId>& arguments,
                  fx::Weight& out, int depth) const {
    const auto is = [&](std::string_view module, std::string_view name) {
      return function.module == module && function.text == name;
    };
    if (is("torch._utils", "_rebuild_parameter") ||
        is("torch._utils", "_rebuild_parameter_with_state"))
      return parameter(arguments, out, depth);
    if (is("torch._utils", "_rebuild_tensor") || is("torch._utils", "_rebuild_tensor_v2"))
      return plain(arguments, out, {});
    if (is("torch._utils", "_rebuild_tensor_v3")) {
      if (arguments.size() < 7) return notATensor();
      return plain(arguments, out, arguments[6]);
    }
    if (is("torch._tensor", "_rebuild_from_type_v2")) return typed(arguments, out, depth);
    const auto unread = std::find_if(kUnread.begin(), kUnread.end(), [&](const Unread& each) {
      return is(each.module, each.name);
    });
    if (unread == kUnread.end()) return notATensor();
    return unreadable(out, std::string(unread->message));
  }

  Result<> parameter(const std::vector<PickleId>& arguments, fx::Weight& out, int depth) const {
    if (arguments.size() < 2) return notATensor();
    FXS_CHECK(tensor(arguments[0], out, depth - 1));
    out.requiresGrad = isTrue(arguments[1]);
    return {};
  }

  /// Arguments: function, class, arguments, attributes.
  Result<> typed(const std::vector<PickleId>& arguments, fx::Weight& out, int depth) const {
    if (arguments.size() != 4 || pickle_.at(arguments[0]).kind != Kind::Global ||
        pickle_.at(arguments[2]).kind != Kind::Tuple || depth == 0)
      return notATensor();
    const bool isPlain = pickle_.isGlobal(arguments[1], "torch", "Tensor") ||
                         pickle_.isGlobal(arguments[1], "torch.nn.parameter", "Parameter") ||
                         pickle_.isGlobal(arguments[1], "torch.nn.parameter", "Buffer");
    if (!isPlain) return notATensor();
    return called(pickle_.at(arguments[0]), pickle_.at(arguments[2]).items, out, depth - 1);
  }

  /// Arguments: storage, offset, sizes, strides, requires_grad ..; `dtype` if the storage has none.
  Result<> plain(const std::vector<PickleId>& arguments, fx::Weight& out,
                 std::optional<PickleId> dtype) const {
    if (arguments.size() < 4) return notATensor();
    FXS_CHECK(storage(arguments[0], out));
    if (dtype) {
      const PickleValue& named = pickle_.at(*dtype);
      const auto known = named.kind == Kind::Global && named.module == "torch"
                             ? dtypeFromName(named.text)
                             : std::nullopt;
      out.dtype = known && facts(*known).torchName == named.text ? *known : DType::Unknown;
    }
    if (out.dtype == DType::Unknown && out.readable)
      FXS_CHECK(unreadable(out, "its dtype is unknown"));
    const PickleValue& offset = pickle_.at(arguments[1]);
    if (offset.kind != Kind::Int) return notATensor();
    out.storageOffset = offset.number;
    FXS_CHECK(numbers(arguments[2], out.sizes));
    FXS_CHECK(numbers(arguments[3], out.strides));
    if (out.sizes.size() != out.strides.size()) return notATensor();
    out.requiresGrad = arguments.size() > 4 && isTrue(arguments[4]);
    fx::TensorMeta meta;
    meta.dtype = out.dtype;
    for (const std::int64_t size : out.sizes) meta.sizes.emplace_back(size);
    for (const std::int64_t stride : out.strides) meta.strides.emplace_back(stride);
    meta.storageOffset = fx::SymInt(out.storageOffset);
    if (!extentProblem(meta).empty()) return wrong("has a tensor of impossible sizes or strides");
    return {};
  }

  /// ("storage", class, key, device, number of elements)
  Result<> storage(PickleId id, fx::Weight& out) const {
    const PickleValue& value = pickle_.at(id);
    if (value.kind != Kind::Persistent) return notATensor();
    const PickleValue& parts = pickle_.at(value.items[0]);
    if (parts.kind != Kind::Tuple || parts.items.size() != 5 ||
        pickle_.at(parts.items[0]).text != "storage")
      return notATensor();
    const PickleValue& type = pickle_.at(parts.items[1]);
    const PickleValue& key = pickle_.at(parts.items[2]);
    const PickleValue& device = pickle_.at(parts.items[3]);
    if (type.kind != Kind::Global || key.kind != Kind::Text || device.kind != Kind::Text)
      return notATensor();
    if (key.text.empty() || key.text.size() > kMaxKeyBytes ||
        !std::all_of(key.text.begin(), key.text.end(), isWordChar))
      return notATensor();
    const auto known = std::find_if(
        kStorageClasses.begin(), kStorageClasses.end(),
        [&](const StorageClass& c) { return type.module == "torch" && c.name == type.text; });
    if (known != kStorageClasses.end()) out.dtype = known->dtype;
    out.file = std::string(folder_) + "/data/" + std::string(key.text);
    if (device.text == "meta") return unreadable(out, std::string(kFake));
    return {};
  }

  Result<> numbers(PickleId id, std::vector<std::int64_t>& out) const {
    const PickleValue* list = &pickle_.at(id);
    if (list->kind == Kind::Call && pickle_.isGlobal(list->items[0], "torch", "Size")) {
      const PickleValue& arguments = pickle_.at(list->items[1]);
      if (arguments.items.size() != 1) return notATensor();
      list = &pickle_.at(arguments.items[0]);
    }
    if (list->kind != Kind::Tuple || list->items.size() > kMaxRank) return notATensor();
    for (const PickleId item : list->items) {
      if (pickle_.at(item).kind != Kind::Int) return notATensor();
      out.push_back(pickle_.at(item).number);
    }
    return {};
  }

  const Pickle& pickle_;
  const std::string_view folder_;
  const RunContext& context_;
};

/// The bytes of a member that is not compressed, such as an archive in the archive.
class MemberSource final : public ByteSource {
 public:
  MemberSource(std::shared_ptr<const ZipReader> zip, const ZipEntry& entry)
      : zip_(std::move(zip)), entry_(entry) {}
  std::uint64_t size() const override { return entry_.size; }
  Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
    return zip_->readRange(entry_, offset, length);
  }

 private:
  std::shared_ptr<const ZipReader> zip_;
  const ZipEntry& entry_;  // of zip_
};

/// A member as a source of bytes: read in ranges where it is not compressed.
Result<std::shared_ptr<const ByteSource>> sourceOf(const Archive& archive, const ZipEntry& entry,
                                                   std::uint64_t maxBytes,
                                                   const RunContext& context) {
  if (entry.stored) return std::make_shared<const MemberSource>(archive.sharedZip(), entry);
  FXS_TRY(std::string bytes, archive.zip().read(entry, maxBytes, context));
  return memorySource(std::move(bytes));
}

}  // namespace

/// The pickle of the member; "" if the member is empty.
Result<std::string> PickledWeights::openPickle(PickledWeights& out, const Archive& archive,
                                               const std::string& member, std::uint64_t maxBytes,
                                               const RunContext& context) {
  out.member_ = member;
  const ZipEntry* entry = archive.find(member);
  if (entry == nullptr) return fail(ErrorCode::Unsupported, "is missing");
  if (entry->size == 0) return std::string();
  FXS_TRY(auto source, sourceOf(archive, *entry, maxBytes, context));
  auto zip = ZipReader::open(std::move(source), member);
  if (!zip || (*zip)->entries().empty())
    return fail(ErrorCode::Unsupported, "is not a zip archive");
  out.zip_ = *std::move(zip);
  const std::string& first = out.zip_->entries().front().name;
  out.root_ = first.substr(0, first.find('/') + 1);
  const ZipEntry* pickled = out.zip_->find(out.root_ + "data.pkl");
  if (pickled == nullptr) return fail(ErrorCode::Unsupported, "has no data.pkl");
  if (const ZipEntry* order = out.zip_->find(out.root_ + "byteorder")) {
    FXS_TRY(const std::string text, out.zip_->read(*order, kMaxOrderBytes, context));
    out.bigEndian_ = text.starts_with("big");
  }
  return out.zip_->read(*pickled, maxBytes, context);
}

Result<PickledWeights> PickledWeights::open(const Archive& archive, const std::string& member,
                                            std::uint64_t maxBytes, const RunContext& context) {
  PickledWeights out;
  FXS_TRY(const std::string bytes, openPickle(out, archive, member, maxBytes, context));
  if (bytes.empty()) return out;
  FXS_TRY(const Pickle pickle, Pickle::read(bytes, context));
  FXS_TRY(out.weights_, Tensors(pickle, out.member_, context).run());
  return out;
}

Result<PickledWeights> PickledWeights::openArguments(const Archive& archive,
                                                     const std::string& member,
                                                     std::uint64_t maxBytes,
                                                     std::vector<Example>& leaves,
                                                     const RunContext& context) {
  PickledWeights out;
  FXS_TRY(const std::string bytes, openPickle(out, archive, member, maxBytes, context));
  if (bytes.empty()) return out;
  FXS_TRY(const Pickle pickle, Pickle::read(bytes, context));
  FXS_TRY(leaves, Tensors(pickle, out.member_, context).leaves());
  for (const Example& leaf : leaves)
    if (leaf.tensor.readable) out.weights_.emplace(leaf.tensor.fqn, leaf.tensor);
  for (Example& leaf : leaves)
    if (leaf.tensor.readable) out.describe(leaf.tensor);
  return out;
}

void PickledWeights::describe(fx::Weight& weight) const {
  const auto found = weights_.find(weight.fqn);
  weight.file.clear();
  weight.fileBytes = 0;
  if (found == weights_.end()) {
    weight.readable = false;
    weight.reason = member_ + " has no entry for it";
    return;
  }
  const fx::Weight& stored = found->second;
  if (!stored.readable) {
    weight.readable = false;
    weight.reason = stored.reason;
    return;
  }
  weight.dtype = stored.dtype;
  weight.sizes = stored.sizes;
  weight.strides = stored.strides;
  weight.storageOffset = stored.storageOffset;
  weight.file = stored.file;
  const auto record = this->record(weight.file);
  if (record) weight.fileBytes = record->entry->size;
  if (record && (weight.fileBytes > 0 || weight.elements() == 0)) return;
  weight.readable = false;
  weight.reason = record ? "exported with fake weights: its record is empty"
                         : "the archive has no member " + weight.file;
}

std::optional<Record> PickledWeights::record(std::string_view file) const {
  if (zip_ == nullptr || !file.starts_with(member_) || file.size() <= member_.size() ||
      file[member_.size()] != '/')
    return std::nullopt;
  const ZipEntry* entry = zip_->find(root_ + std::string(file.substr(member_.size() + 1)));
  if (entry == nullptr) return std::nullopt;
  return Record{zip_, entry, bigEndian_};
}

}  // namespace fxs::read::pt2
