// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place of the fuzzers that includes a JSON library.
#include <nlohmann/json.hpp>
#include <set>

#include "mutations.h"

namespace fxs::fuzz {
namespace {

using Tree = nlohmann::ordered_json;

/// Every value of a tree, with its key; an index into `all` says which.
struct Position {
  Tree* parent;
  Tree* value;
  std::string key;  ///< "" of an element
};

void collect(Tree& tree, std::vector<Position>& all) {
  std::vector<Tree*> pending{&tree};
  while (!pending.empty()) {
    Tree* parent = pending.back();
    pending.pop_back();
    for (auto it = parent->begin(); it != parent->end(); ++it) {
      all.push_back({parent, &*it, parent->is_object() ? it.key() : ""});
      if (it->is_structured()) pending.push_back(&*it);
    }
  }
}

class JsonMutation {
 public:
  JsonMutation(Tree tree, Tree other, Chance& chance)
      : tree_(std::move(tree)), other_(std::move(other)), chance_(chance) {}

  std::string run() {
    for (std::size_t left = 1 + chance_.below(3); left > 0; --left) {
      positions_.clear();
      collect(tree_, positions_);
      if (!positions_.empty()) once();
    }
    return tree_.dump(-1, ' ', false, Tree::error_handler_t::replace);
  }

 private:
  void once() {
    switch (chance_.below(14)) {
      case 0:
      case 1:
      case 2: changeNumber(); break;
      case 3: changeType(); break;
      case 4: erase(); break;
      case 5: repeat(); break;
      case 6: swapElements(); break;
      case 7: copySameKey(); break;
      case 8:
      case 9: changeCall(); break;
      case 10: changeMeta(); break;
      case 11: changeSize(); break;
      case 12: changeText(); break;
      case 13: lendPart(); break;
    }
  }

  template <class Fits>
  Position* find(Fits fits) {
    const std::size_t start = chance_.below(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      Position& position = positions_[(start + i) % positions_.size()];
      if (fits(position)) return &position;
    }
    return nullptr;
  }
  Position* keyed(std::string_view key) {
    return find([&](const Position& p) { return p.key == key; });
  }

  /// Any value; every other time any key first, so that members that stand once are met as often as
  /// those of every node.
  Position& somePosition() {
    if (chance_.oneIn(2)) return chance_.of(positions_);
    std::set<std::string_view> keys;
    for (const Position& position : positions_) keys.insert(position.key);
    return *keyed(
        *std::next(keys.begin(), static_cast<std::ptrdiff_t>(chance_.below(keys.size()))));
  }

  void changeNumber() {
    Position* at = find([](const Position& p) { return p.value->is_number(); });
    if (at == nullptr) return;
    switch (chance_.below(12)) {
      case 0: *at->value = 1e10; break;
      case 1: *at->value = -0.5; break;
      case 2: *at->value = std::uint64_t{1} << 63; break;
      case 3: *at->value = chance_.oneIn(2); break;
      default: *at->value = someInteger(chance_);
    }
  }

  void changeType() {
    Tree& value = *somePosition().value;
    switch (chance_.below(8)) {
      case 0: value = nullptr; break;
      case 1: value = Tree::array(); break;
      case 2: value = Tree::object(); break;
      case 3: value = std::string(chance_.of(kWords)); break;
      case 4: value = someInteger(chance_); break;
      case 5: value = true; break;
      case 6: value = Tree::array({value}); break;
      case 7: value = Tree::object({{"as_none", true}}); break;
    }
  }

  void erase() {
    Position& at = somePosition();
    if (at.parent->is_object()) at.parent->erase(at.key);
    else at.parent->erase(at.parent->begin() + (at.value - &at.parent->front()));
  }

  void repeat() {
    Position* at =
        find([](const Position& p) { return p.parent->is_array() && p.parent->size() < 200; });
    if (at == nullptr) return;
    const Tree copy = *at->value;
    const std::size_t times = chance_.oneIn(6) ? 1 + chance_.below(60) : 1;
    for (std::size_t i = 0; i < times; ++i) at->parent->push_back(copy);
  }

  void swapElements() {
    Position* at =
        find([](const Position& p) { return p.parent->is_array() && p.parent->size() > 1; });
    if (at == nullptr) return;
    std::swap(*at->value, (*at->parent)[chance_.below(at->parent->size())]);
  }

  void copySameKey() {
    Position& from = chance_.of(positions_);
    if (from.key.empty()) return;
    Position* to =
        find([&](const Position& p) { return p.key == from.key && p.value != from.value; });
    if (to == nullptr) return;
    Tree copy = *from.value;
    *to->value = std::move(copy);
  }

  void lendPart() {
    std::vector<Position> lent;
    collect(other_, lent);
    if (lent.empty()) return copySameKey();
    const Position& from = lent[chance_.below(lent.size())];
    Position* to = keyed(from.key);
    if (to == nullptr) return;
    if (to->value->is_array() && from.value->is_array() && chance_.oneIn(2)) {
      if (!from.value->empty() && to->value->size() < 200)
        to->value->push_back((*from.value)[chance_.below(from.value->size())]);
    } else {
      *to->value = *from.value;
    }
  }

  std::string someName() {
    const Position* at = find([](const Position& p) {
      return (p.key == "name" || p.key == "as_name" || p.key == "node") && p.value->is_string();
    });
    return at == nullptr ? "x" : at->value->get<std::string>();
  }

  Tree tensor() { return Tree::object({{"name", someName()}}); }
  Tree none() { return Tree::object({{"as_none", true}}); }

  /// As torch.export.save says it.
  Tree argumentFor(const ops::SchemaType& type) {
    using ops::TypeKind;
    if (type.optional && chance_.oneIn(2)) return none();
    const std::size_t count = chance_.below(4);
    const auto list = [&](auto one) {
      Tree out = Tree::array();
      for (std::size_t i = 0; i < count; ++i) out.push_back(one());
      return out;
    };
    const auto integer = [&] {
      return Tree(chance_.oneIn(3) ? someInteger(chance_)
                                   : static_cast<std::int64_t>(chance_.below(4)));
    };
    const bool many = type.isList();
    switch (type.kind) {
      case TypeKind::Tensor:
        if (many && type.elementOptional)
          return Tree::object({{"as_optional_tensors", list([&] {
                                  return chance_.oneIn(3) ? none()
                                                          : Tree::object({{"as_tensor", tensor()}});
                                })}});
        if (many) return Tree::object({{"as_tensors", list([&] { return tensor(); })}});
        return Tree::object({{"as_tensor", tensor()}});
      case TypeKind::SymInt:
        if (many && chance_.oneIn(2))
          return Tree::object(
              {{"as_sym_ints", list([&] { return Tree::object({{"as_int", integer()}}); })}});
        [[fallthrough]];
      case TypeKind::Int:
        return many ? Tree::object({{"as_ints", list(integer)}})
                    : Tree::object({{"as_int", integer()}});
      case TypeKind::Float:
        return many ? Tree::object({{"as_floats", list([] { return Tree(0.5); })}})
                    : Tree::object({{"as_float", chance_.oneIn(2) ? 0.5 : -1e300}});
      case TypeKind::Scalar:
        return chance_.oneIn(2) ? Tree::object({{"as_int", integer()}})
                                : Tree::object({{"as_float", 1.5}});
      case TypeKind::SymBool:
      case TypeKind::Bool:
        return many ? Tree::object({{"as_bools", list([&] { return Tree(chance_.oneIn(2)); })}})
                    : Tree::object({{"as_bool", chance_.oneIn(2)}});
      case TypeKind::Str: return Tree::object({{"as_string", std::string(chance_.of(kWords))}});
      case TypeKind::ScalarType: return Tree::object({{"as_scalar_type", integer()}});
      case TypeKind::Layout: return Tree::object({{"as_layout", 7}});
      case TypeKind::MemoryFormat: return Tree::object({{"as_memory_format", integer()}});
      case TypeKind::Device:
        return Tree::object({{"as_device", Tree::object({{"type", "cpu"}, {"index", nullptr}})}});
      default: return none();
    }
  }

  /// Another operator at a node, with arguments that fit it or those that were there.
  void changeCall() {
    Position* at = find([](const Position& p) {
      return p.key == "target" && p.value->is_string() && p.parent->contains("inputs");
    });
    if (at == nullptr) return changeText();
    const std::string& target = chance_.of(someOperators());
    Tree& node = *at->parent;
    node["target"] = "torch.ops." + target;
    const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
    if (schema == nullptr || chance_.oneIn(4)) return;
    Tree inputs = Tree::array();
    for (const ops::SchemaArgument& argument : schema->arguments) {
      if (argument.hasDefault() && chance_.oneIn(2)) continue;
      inputs.push_back(Tree::object({{"name", std::string(argument.name)},
                                     {"arg", argumentFor(argument.type)},
                                     {"kind", argument.keywordOnly ? 2 : 1}}));
    }
    node["inputs"] = std::move(inputs);
  }

  Tree size() {
    if (!chance_.oneIn(5))
      return Tree::object(
          {{"as_int", chance_.oneIn(3) ? someInteger(chance_)
                                       : static_cast<std::int64_t>(chance_.below(9))}});
    static constexpr std::string_view kExpressions[] = {
        "Symbol('s0', positive=True, integer=True)",
        "Mul(Integer(2), Symbol('s0', integer=True))",
        "Pow(Symbol('s0'), Integer(9))",
        "Add(Symbol('s0'), Integer(-9223372036854775808))",
        "FloorDiv(Symbol('s0'), Integer(0))",
        "Mul(Integer(9223372036854775807), Symbol('s0'))",
        "Pow(Integer(2), Integer(62))",
        "Mod(Symbol('s0'), Integer(-1))",
        "Max(Integer(1), Symbol('u0'))",
        "Symbol('s0\\', z=1')"};
    Tree expression = Tree::object({{"expr_str", std::string(chance_.of(kExpressions))}});
    expression["hint"] =
        chance_.oneIn(3) ? Tree(nullptr) : Tree::object({{"as_int", someInteger(chance_)}});
    return Tree::object({{"as_expr", std::move(expression)}});
  }

  void changeMeta() {
    static constexpr const char* kKeys[] = {"sizes", "strides", "shape", "stride"};
    const char* key = chance_.of(kKeys);
    Position* at = keyed(key);
    if (at == nullptr) return;
    const bool bare =
        key[1] == 'h' || std::string_view(key) == "stride";  // of a capture: plain numbers
    Tree list = Tree::array();
    for (std::size_t rank = chance_.below(chance_.oneIn(8) ? 70 : 6), i = 0; i < rank; ++i)
      list.push_back(bare ? Tree(someInteger(chance_)) : size());
    *at->value = std::move(list);
  }

  void changeSize() {
    Position* at = find([](const Position& p) { return p.key == "as_int" || p.key == "as_expr"; });
    if (at != nullptr) *at->parent = size();
  }

  void changeText() {
    Position* at = find([](const Position& p) { return p.value->is_string(); });
    if (at == nullptr) return;
    switch (chance_.below(4)) {
      case 0: *at->value = std::string(chance_.of(kWords)); break;
      case 1: *at->value = someName(); break;
      case 2:
        *at->value = at->value->get<std::string>() + at->value->get<std::string>().substr(0, 2000);
        break;
      case 3:
        *at->value = (chance_.oneIn(2) ? "torch.ops." : "") + chance_.of(someOperators());
        break;
    }
  }

  Tree tree_, other_;
  std::vector<Position> positions_;
  Chance& chance_;
};

}  // namespace

std::string mutatedJson(const std::string& text, const std::string& other, Chance& chance) {
  Tree tree = Tree::parse(text, nullptr, false);
  if (tree.is_discarded() || !tree.is_structured()) return text;
  Tree lender = Tree::parse(other, nullptr, false);
  return JsonMutation(std::move(tree), lender.is_discarded() ? Tree() : std::move(lender), chance)
      .run();
}

std::string mutatedMembers(std::string text, const std::string& other, Chance& chance) {
  std::vector<std::string> members;
  for (std::size_t at; (at = text.find(kBetweenMembers)) != std::string::npos;
       text.erase(0, at + kBetweenMembers.size()))
    members.push_back(text.substr(0, at));
  members.push_back(std::move(text));
  std::string& one = chance.oneIn(3) ? chance.of(members) : members.front();
  one = mutatedJson(one, other.substr(0, other.find(kBetweenMembers)), chance);
  std::string out = members.front();
  for (std::size_t i = 1; i < members.size(); ++i) (out += kBetweenMembers) += members[i];
  return out;
}

}  // namespace fxs::fuzz
