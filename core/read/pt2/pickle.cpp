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
      FXS_TRY(const std::string_view taken, take(1));
      const unsigned char opcode = static_cast<unsigned char>(taken.front());
      if (opcode == '.') break;
      if (kSteps[opcode] == nullptr)
        return wrong("has opcode " + std::to_string(opcode) + ", which does not describe a tensor");
      FXS_CHECK((this->*kSteps[opcode])());
    }
    if (stack_.size() != 1 || !marks_.empty()) return wrong("does not end with one value");
    out_.root_ = stack_.front();
    return std::move(out_);
  }

 private:
  static tl::unexpected<Error> wrong(std::string message) {
    return fail(ErrorCode::Unsupported, std::move(message));
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
  template <Kind OfKind, std::int64_t Number = 0>
  Result<> pushKind() {
    return push({OfKind, Number, {}, {}, {}});
  }
  template <class Stored, std::size_t Width>
  Result<> pushInt() {
    FXS_TRY(const std::uint64_t bits, takeNumber(Width));
    return push({Kind::Int, static_cast<Stored>(bits), {}, {}, {}});
  }
  template <Kind OfKind, std::size_t WidthOfCount>
  Result<> pushText() {
    FXS_TRY(const std::string_view text, takeCounted(WidthOfCount));
    return push({OfKind, 0, text, {}, {}});
  }

  /// Values above the last mark are all that an opcode may take.
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  Result<PickleId> pop() {
    if (stack_.size() <= floor()) return wrong("expects a value that is not on the stack");
    const PickleId out = stack_.back();
    stack_.pop_back();
    return out;
  }
  Result<std::vector<PickleId>> popToMark() {
    if (marks_.empty()) return wrong("expects a mark that is not on the stack");
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> out(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return out;
  }
  Result<PickleId> top() {
    if (stack_.size() <= floor()) return wrong("expects a value that is not on the stack");
    return stack_.back();
  }

  template <std::size_t Count>
  Result<> pushTuple() {
    PickleValue tuple{Kind::Tuple, 0, {}, {}, std::vector<PickleId>(Count)};
    for (std::size_t i = Count; i-- > 0;) {
      FXS_TRY(tuple.items[i], pop());
    }
    return push(std::move(tuple));
  }
  Result<> pushMarkedTuple() {
    FXS_TRY(std::vector<PickleId> items, popToMark());
    return push({Kind::Tuple, 0, {}, {}, std::move(items)});
  }
  Result<> pushGlobal(std::string_view module, std::string_view name) {
    if (!describesTensors(module, name))
      return wrong("names " + printable(module) + "." + printable(name) +
                   ", which does not describe a tensor");
    return push({Kind::Global, 0, name, module, {}});
  }
  Result<> namedGlobal() {
    FXS_TRY(const std::string_view module, takeLine());
    FXS_TRY(const std::string_view name, takeLine());
    return pushGlobal(module, name);
  }
  Result<> stackGlobal() {
    FXS_TRY(const PickleId name, pop());
    FXS_TRY(const PickleId module, pop());
    if (value(name).kind != Kind::Text || value(module).kind != Kind::Text)
      return wrong("names a function by a value that is not a string");
    return pushGlobal(value(module).text, value(name).text);
  }
  Result<> append() {
    FXS_TRY(const PickleId item, pop());
    return appendTo({item});
  }
  Result<> appendMarked() {
    FXS_TRY(const std::vector<PickleId> items, popToMark());
    return appendTo(items);
  }
  Result<> appendTo(const std::vector<PickleId>& items) {
    FXS_TRY(const PickleId to, top());
    if (value(to).kind != Kind::List) return wrong("appends to a value that is not a list");
    return extend(to, items);
  }
  Result<> setItem() {
    FXS_TRY(const PickleId of, pop());
    FXS_TRY(const PickleId key, pop());
    return setItems({key, of});
  }
  Result<> setMarkedItems() {
    FXS_TRY(const std::vector<PickleId> items, popToMark());
    return setItems(items);
  }
  Result<> setItems(const std::vector<PickleId>& items) {
    FXS_TRY(const PickleId to, top());
    if (!out_.isDict(value(to))) return wrong("sets entries of a value that is not a dict");
    if (items.size() % 2 != 0) return wrong("sets an entry without a value");
    return extend(to, items);
  }
  Result<> extend(PickleId to, const std::vector<PickleId>& items) {
    context_.spend(Resource::Values, items.size(), kWhat);
    std::vector<PickleId>& all = value(to).items;
    all.insert(all.end(), items.begin(), items.end());
    return {};
  }
  Result<> mark() {
    context_.spend(Resource::Values, 1, kWhat);
    marks_.push_back(stack_.size());
    return {};
  }
  Result<> memoize() { return remember(memo_.size()); }
  template <std::size_t Width>
  Result<> put() {
    FXS_TRY(const std::uint64_t position, takeNumber(Width));
    return remember(position);
  }
  Result<> remember(std::uint64_t position) {
    FXS_TRY(const PickleId id, top());
    context_.spend(Resource::Values, 1, kWhat);
    memo_[position] = id;
    return {};
  }
  template <std::size_t Width>
  Result<> get() {
    FXS_TRY(const std::uint64_t position, takeNumber(Width));
    const auto found = memo_.find(position);
    if (found == memo_.end()) return wrong("refers to a value that is not in the memo");
    context_.spend(Resource::Values, 1, kWhat);
    stack_.push_back(found->second);
    return {};
  }
  Result<> call() {
    FXS_TRY(const PickleId arguments, pop());
    FXS_TRY(const PickleId function, pop());
    if (value(function).kind != Kind::Global || value(arguments).kind != Kind::Tuple)
      return wrong("calls a value that is not a named function");
    return push({Kind::Call, 0, {}, {}, {function, arguments}});
  }
  Result<> build() {
    FXS_TRY(const PickleId state, pop());
    static_cast<void>(state);
    // The attributes of a dict, such as the _metadata of a state dict, change none of its entries.
    FXS_TRY(const PickleId of, top());
    if (value(of).kind != Kind::Call || !out_.isDict(value(of)))
      return wrong("sets the state of a value that is not a dict");
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
    return push({Kind::Int, static_cast<std::int64_t>(bits), {}, {}, {}});
  }
  Result<> floatNumber() {  // no tensor has one
    FXS_CHECK(take(8));
    return pushKind<Kind::Float>();
  }
  Result<> frame() {
    FXS_CHECK(take(8));
    return {};
  }
  Result<> protocol() {
    FXS_TRY(const std::uint64_t version, takeNumber(1));
    if (version > kMaxProtocol) return wrong("is of protocol " + std::to_string(version));
    return {};
  }
  using Step = Result<> (PickleMachine::*)();
  using Steps = std::array<Step, 256>;
  /// By opcode; null for those that describe no tensor.
  static constexpr Steps steps() {
    using M = PickleMachine;
    Steps out{};
    out[0x80] = &M::protocol;
    out[0x95] = &M::frame;
    out['('] = &M::mark;
    out['N'] = &M::pushKind<Kind::None>;
    out[0x88] = &M::pushKind<Kind::Bool, 1>;
    out[0x89] = &M::pushKind<Kind::Bool, 0>;
    out['K'] = &M::pushInt<std::uint8_t, 1>;
    out['M'] = &M::pushInt<std::uint16_t, 2>;
    out['J'] = &M::pushInt<std::int32_t, 4>;
    out[0x8a] = &M::longNumber;
    out['G'] = &M::floatNumber;
    out['X'] = &M::pushText<Kind::Text, 4>;
    out[0x8c] = &M::pushText<Kind::Text, 1>;
    out[0x8d] = &M::pushText<Kind::Text, 8>;
    out['U'] = &M::pushText<Kind::Text, 1>;
    out['C'] = &M::pushText<Kind::Bytes, 1>;
    out['B'] = &M::pushText<Kind::Bytes, 4>;
    out['c'] = &M::namedGlobal;
    out[0x93] = &M::stackGlobal;
    out[')'] = &M::pushKind<Kind::Tuple>;
    out[0x85] = &M::pushTuple<1>;
    out[0x86] = &M::pushTuple<2>;
    out[0x87] = &M::pushTuple<3>;
    out['t'] = &M::pushMarkedTuple;
    out[']'] = &M::pushKind<Kind::List>;
    out['}'] = &M::pushKind<Kind::Dict>;
    out['a'] = &M::append;
    out['e'] = &M::appendMarked;
    out['s'] = &M::setItem;
    out['u'] = &M::setMarkedItems;
    out['q'] = &M::put<1>;
    out['r'] = &M::put<4>;
    out[0x94] = &M::memoize;
    out['h'] = &M::get<1>;
    out['j'] = &M::get<4>;
    out['R'] = &M::call;
    out['b'] = &M::build;
    out['Q'] = &M::persistent;
    return out;
  }

  static const Steps kSteps;
  const std::string_view bytes_;
  const RunContext& context_;
  std::size_t next_ = 0;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleId> memo_;
  Pickle out_;
};

constexpr PickleMachine::Steps PickleMachine::kSteps = PickleMachine::steps();

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
