// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/pickle.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/safe_text.h"
#include "ops/dtype.h"

namespace fxs::read::pt2 {
namespace {

using Kind = PickleValue::Kind;
using Name = std::pair<std::string_view, std::string_view>;

constexpr int kMaxProtocol = 5;
constexpr std::string_view kWhat = "the pickle of the weights";

constexpr std::array kNames{
    Name{"collections", "OrderedDict"},
    Name{"torch", "Size"},
    Name{"torch", "Tensor"},
    Name{"torch", "device"},
    Name{"torch.nn.parameter", "Parameter"},
    Name{"torch.nn.parameter", "Buffer"},
    Name{"torch.serialization", "_get_layout"},
    Name{"torch.storage", "UntypedStorage"},
    Name{"torch._tensor", "_rebuild_from_type_v2"},
    Name{"torch._utils", "_rebuild_tensor"},
    Name{"torch._utils", "_rebuild_tensor_v2"},
    Name{"torch._utils", "_rebuild_tensor_v3"},
    Name{"torch._utils", "_rebuild_parameter"},
    Name{"torch._utils", "_rebuild_parameter_with_state"},
    Name{"torch._utils", "_rebuild_qtensor"},
    Name{"torch._utils", "_rebuild_sparse_tensor"},
    Name{"torch._utils", "_rebuild_nested_tensor"},
    Name{"torch._utils", "_rebuild_meta_tensor_no_storage"},
    Name{"torch._export.serde.serialize", "_reconstruct_fake_tensor"},
    Name{"_codecs", "encode"},  // bytes in protocol 2
};

bool describesTensors(std::string_view module, std::string_view name) {
  if (std::find(kNames.begin(), kNames.end(), Name{module, name}) != kNames.end()) return true;
  if (module != "torch") return false;
  // Classes of storages, element types, and how quantized tensors are scaled.
  if (name.ends_with("Storage") || name.starts_with("per_tensor_") ||
      name.starts_with("per_channel_"))
    return true;
  const auto dtype = dtypeFromName(name);
  return (dtype && facts(*dtype).torchName == name) || name.starts_with("quint") ||
         name.starts_with("qint");
}

}  // namespace

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const RunContext& context)
      : bytes_(bytes), context_(context) {}

  Result<Pickle> run() {
    while (true) {
      FXS_TRY(const std::string_view opcode, take(1));
      if (opcode.front() == '.') break;
      FXS_CHECK(step(static_cast<unsigned char>(opcode.front())));
    }
    if (stack_.size() != 1 || !marks_.empty()) return wrong("does not end with one value");
    out_.root_ = stack_.front();
    return std::move(out_);
  }

 private:
  static tl::unexpected<Error> wrong(std::string what) {
    return fail(ErrorCode::Unsupported, std::move(what));
  }

  Result<std::string_view> take(std::uint64_t count) {
    if (count > bytes_.size() - next_) return wrong("ends in the middle");
    const std::string_view out = bytes_.substr(next_, static_cast<std::size_t>(count));
    next_ += static_cast<std::size_t>(count);
    return out;
  }
  Result<std::uint64_t> takeNumber(std::size_t width) {
    FXS_TRY(const std::string_view bytes, take(width));
    std::uint64_t out = 0;
    for (std::size_t i = width; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[i]);
    return out;
  }
  /// Bytes after their count.
  Result<std::string_view> takeCounted(std::size_t widthOfCount) {
    FXS_TRY(const std::uint64_t count, takeNumber(widthOfCount));
    return take(count);
  }
  Result<std::string_view> takeLine() {
    const std::size_t end = bytes_.find('\n', next_);
    if (end == std::string_view::npos) return wrong("ends in the middle");
    const std::string_view out = bytes_.substr(next_, end - next_);
    next_ = end + 1;
    return out;
  }

  PickleValue& value(PickleId id) { return out_.values_[id]; }
  Result<> push(PickleValue made) {
    context_.spend(Resource::Values, 1 + made.items.size(), kWhat);
    stack_.push_back(static_cast<PickleId>(out_.values_.size()));
    out_.values_.push_back(std::move(made));
    return {};
  }
  Result<> pushKind(Kind kind) { return push({kind, 0, {}, {}, {}}); }
  Result<> pushNumber(Kind kind, std::int64_t number) { return push({kind, number, {}, {}, {}}); }
  Result<> pushText(Kind kind, Result<std::string_view> text) {
    if (!text) return tl::unexpected<Error>(text.error());
    return push({kind, 0, *text, {}, {}});
  }

  /// Values above the last mark are all that an opcode may take.
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Result<PickleId> pop() {
    if (stack_.size() <= floor()) return wrong("takes a value that is not there");
    const PickleId out = stack_.back();
    stack_.pop_back();
    return out;
  }
  Result<std::vector<PickleId>> popToMark() {
    if (marks_.empty()) return wrong("takes values up to a mark that is not there");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> out(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return out;
  }
  Result<PickleId> top() {
    if (stack_.size() <= floor()) return wrong("takes a value that is not there");
    return stack_.back();
  }

  Result<> pushTuple(std::size_t count) {
    PickleValue tuple{Kind::Tuple, 0, {}, {}, std::vector<PickleId>(count)};
    for (std::size_t i = count; i-- > 0;) {
      FXS_TRY(tuple.items[i], pop());
    }
    return push(std::move(tuple));
  }
  Result<> pushGlobal(std::string_view module, std::string_view name) {
    if (!describesTensors(module, name))
      return wrong("names " + printable(module) + "." + printable(name) +
                   ", which does not describe a tensor");
    return push({Kind::Global, 0, name, module, {}});
  }
  Result<> append(std::vector<PickleId> items) {
    FXS_TRY(const PickleId to, top());
    if (value(to).kind != Kind::List) return wrong("appends to what is no list");
    return extend(to, items);
  }
  Result<> setItems(std::vector<PickleId> items) {
    FXS_TRY(const PickleId to, top());
    if (!out_.isDict(value(to))) return wrong("sets entries of what is no dict");
    if (items.size() % 2 != 0) return wrong("sets an entry without a value");
    return extend(to, items);
  }
  Result<> extend(PickleId to, const std::vector<PickleId>& items) {
    context_.spend(Resource::Values, items.size(), kWhat);
    std::vector<PickleId>& all = value(to).items;
    all.insert(all.end(), items.begin(), items.end());
    return {};
  }
  Result<> remember(std::uint64_t place) {
    FXS_TRY(const PickleId id, top());
    context_.spend(Resource::Values, 1, kWhat);
    memo_[place] = id;
    return {};
  }
  Result<> recall(Result<std::uint64_t> place) {
    if (!place) return tl::unexpected<Error>(place.error());
    const auto found = memo_.find(*place);
    if (found == memo_.end()) return wrong("refers to a value that is not there");
    context_.spend(Resource::Values, 1, kWhat);
    stack_.push_back(found->second);
    return {};
  }
  Result<> call() {
    FXS_TRY(const PickleId arguments, pop());
    FXS_TRY(const PickleId function, pop());
    if (value(function).kind != Kind::Global || value(arguments).kind != Kind::Tuple)
      return wrong("calls what is no function by its name");
    return push({Kind::Call, 0, {}, {}, {function, arguments}});
  }
  Result<> build() {
    FXS_TRY(const PickleId state, pop());
    static_cast<void>(state);
    // The attributes of a dict, such as the _metadata of a state dict, change none of its entries.
    FXS_TRY(const PickleId of, top());
    if (value(of).kind != Kind::Call || !out_.isDict(value(of)))
      return wrong("sets the state of what is no dict");
    return {};
  }
  Result<> persistent() {
    FXS_TRY(const PickleId id, pop());
    return push({Kind::Persistent, 0, {}, {}, {id}});
  }
  Result<> longNumber() {
    FXS_TRY(const std::string_view bytes, takeCounted(1));
    if (bytes.size() > 8) return wrong("has an integer of more than 64 bits");
    std::uint64_t bits = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80) != 0
                             ? ~std::uint64_t{0}
                             : 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
      bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
    return pushNumber(Kind::Int, static_cast<std::int64_t>(bits));
  }
  Result<> protocol() {
    FXS_TRY(const std::uint64_t version, takeNumber(1));
    if (version > kMaxProtocol) return wrong("is of protocol " + std::to_string(version));
    return {};
  }
  Result<> stackGlobal() {
    FXS_TRY(const PickleId name, pop());
    FXS_TRY(const PickleId module, pop());
    if (value(name).kind != Kind::Text || value(module).kind != Kind::Text)
      return wrong("names a function by what is no text");
    return pushGlobal(value(module).text, value(name).text);
  }

  Result<> step(unsigned char opcode) {
    switch (opcode) {
      case 0x80: return protocol();
      case 0x95: {  // FRAME
        FXS_CHECK(take(8));
        return {};
      }
      case '(':
        context_.spend(Resource::Values, 1, kWhat);
        marks_.push_back(stack_.size());
        return {};
      case 'N': return pushKind(Kind::None);
      case 0x88: return pushNumber(Kind::Bool, 1);
      case 0x89: return pushNumber(Kind::Bool, 0);
      case 'K': return integer(1, false);
      case 'M': return integer(2, false);
      case 'J': return integer(4, true);
      case 0x8a: return longNumber();
      case 'G': {  // BINFLOAT: no tensor has one
        FXS_CHECK(take(8));
        return pushKind(Kind::Float);
      }
      case 'X': return pushText(Kind::Text, takeCounted(4));
      case 0x8c: return pushText(Kind::Text, takeCounted(1));
      case 0x8d: return pushText(Kind::Text, takeCounted(8));
      case 'U': return pushText(Kind::Text, takeCounted(1));
      case 'C': return pushText(Kind::Bytes, takeCounted(1));
      case 'B': return pushText(Kind::Bytes, takeCounted(4));
      case 'c': {
        FXS_TRY(const std::string_view module, takeLine());
        FXS_TRY(const std::string_view name, takeLine());
        return pushGlobal(module, name);
      }
      case 0x93: return stackGlobal();
      case ')': return pushKind(Kind::Tuple);
      case 0x85: return pushTuple(1);
      case 0x86: return pushTuple(2);
      case 0x87: return pushTuple(3);
      case 't': {
        FXS_TRY(std::vector<PickleId> items, popToMark());
        return push({Kind::Tuple, 0, {}, {}, std::move(items)});
      }
      case ']': return pushKind(Kind::List);
      case '}': return pushKind(Kind::Dict);
      case 'a': {
        FXS_TRY(const PickleId item, pop());
        return append({item});
      }
      case 'e': {
        FXS_TRY(std::vector<PickleId> items, popToMark());
        return append(std::move(items));
      }
      case 's': {
        FXS_TRY(const PickleId of, pop());
        FXS_TRY(const PickleId key, pop());
        return setItems({key, of});
      }
      case 'u': {
        FXS_TRY(std::vector<PickleId> items, popToMark());
        return setItems(std::move(items));
      }
      case 'q': {
        FXS_TRY(const std::uint64_t place, takeNumber(1));
        return remember(place);
      }
      case 'r': {
        FXS_TRY(const std::uint64_t place, takeNumber(4));
        return remember(place);
      }
      case 0x94: return remember(memo_.size());
      case 'h': return recall(takeNumber(1));
      case 'j': return recall(takeNumber(4));
      case 'R': return call();
      case 'b': return build();
      case 'Q': return persistent();
      default:
        return wrong("has opcode " + std::to_string(opcode) + ", which does not describe a tensor");
    }
  }
  Result<> integer(std::size_t width, bool isSigned) {
    FXS_TRY(const std::uint64_t bits, takeNumber(width));
    return pushNumber(Kind::Int,
                      isSigned ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits));
  }

  const std::string_view bytes_;
  const RunContext& context_;
  std::size_t next_ = 0;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
  Pickle out_;
};

Result<Pickle> Pickle::read(std::string_view bytes, const RunContext& context) {
  return PickleMachine(bytes, context).run();
}

bool Pickle::isGlobal(PickleId id, std::string_view module, std::string_view name) const {
  const PickleValue& found = at(id);
  return found.kind == Kind::Global && found.module == module && found.text == name;
}

bool Pickle::isDict(const PickleValue& of) const {
  if (of.kind == Kind::Dict) return true;
  return of.kind == Kind::Call && isGlobal(of.items[0], "collections", "OrderedDict") &&
         at(of.items[1]).items.empty();
}

std::vector<std::pair<PickleId, PickleId>> Pickle::entries(const PickleValue& of) const {
  std::vector<std::pair<PickleId, PickleId>> out;
  if (!isDict(of)) return out;
  for (std::size_t i = of.kind == Kind::Call ? 2 : 0; i + 1 < of.items.size(); i += 2)
    out.emplace_back(of.items[i], of.items[i + 1]);
  return out;
}

}  // namespace fxs::read::pt2
