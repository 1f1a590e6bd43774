// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalize/value_text.h"

#include "base/safe_text.h"
#include "fx/python_text.h"

namespace fxs::normalize {
namespace {

constexpr std::size_t kMaxShown = 200;

std::string listText(const std::vector<fx::SymInt>& items) {
  std::string out;
  for (const fx::SymInt& item : items) out += (&item == &items.front() ? "" : ", ") + item.text();
  return "[" + out + "]";
}

std::string constantText(const fx::SymValue& v) {
  if (const auto* i = std::get_if<std::int64_t>(&v.constant)) return std::to_string(*i);
  if (const auto* d = std::get_if<double>(&v.constant)) return fx::pythonRepr(*d);
  if (const auto* b = std::get_if<bool>(&v.constant)) return *b ? "True" : "False";
  return "";
}

struct Found {
  std::string operator()(const fx::Unknown&) const { return "(absent)"; }
  std::string operator()(const fx::NoneValue&) const { return "None"; }
  std::string operator()(const fx::TensorMeta& t) const {
    if (t.kind == fx::TensorKind::Fake) return asFake(t);
    std::string out = t.kind == fx::TensorKind::Described ? "" : std::string(name(t.kind)) + ", ";
    out += std::string(facts(t.dtype).torchName) + ", sizes " + listText(t.sizes) + ", strides " +
           listText(t.strides);
    if (t.storageOffset != fx::SymInt(0)) out += ", offset " + t.storageOffset.text();
    out += ", " + t.device.text();
    if (t.layout != Layout::Strided) out += ", " + std::string(name(t.layout));
    return t.requiresGrad ? out + ", requires_grad" : out;
  }
  std::string operator()(const fx::SymValue& v) const {
    std::string constant = constantText(v);
    if (!v.expr) return constant;
    return "expression " + fx::infix(*v.expr) + (constant.empty() ? "" : ", hint " + constant);
  }
  std::string operator()(const fx::CustomObject& v) const {
    return "object of class " + v.classFqn;
  }
  std::string operator()(const fx::Token&) const { return "token"; }
  std::string operator()(const fx::ValueList& items) const {
    std::string out;
    for (const fx::Value& item : items) out += (&item == &items.front() ? "" : "; ") + text(item);
    return "[" + out + "]";
  }
  std::string text(const fx::Value& v) const {
    return std::visit(*this, static_cast<const fx::Value::variant&>(v));
  }
};

struct Fake {
  std::string operator()(const fx::Unknown&) const { return "unknown"; }
  std::string operator()(const fx::NoneValue&) const { return "None"; }
  std::string operator()(const fx::TensorMeta& t) const {
    std::string out = "FakeTensor(dtype=" + dtypeText(t.dtype) + ", shape=" + tupleText(t.sizes) +
                      ", stride=" + tupleText(t.strides);
    if (t.storageOffset != fx::SymInt(0)) out += ", storage_offset=" + t.storageOffset.text();
    return out + ", device='" + t.device.text() + "', layout=torch." + std::string(name(t.layout)) +
           ")";
  }
  std::string operator()(const fx::SymValue& v) const {
    if (!v.expr) return constantText(v).empty() ? "unknown" : constantText(v);
    constexpr const char* kNames[] = {"SymInt(", "SymFloat(", "SymBool("};
    return kNames[static_cast<int>(v.kind)] + fx::infix(*v.expr) + ")";
  }
  std::string operator()(const fx::CustomObject& v) const {
    return "FakeScriptObject(" + v.classFqn + ")";
  }
  std::string operator()(const fx::Token&) const { return "effect token"; }
  std::string operator()(const fx::ValueList& items) const {
    std::string out;
    for (const fx::Value& item : items) out += (&item == &items.front() ? "" : ", ") + text(item);
    return "(" + out + (items.size() == 1 ? ",)" : ")");
  }
  std::string text(const fx::Value& v) const {
    return std::visit(*this, static_cast<const fx::Value::variant&>(v));
  }
};

}  // namespace

std::string asFound(const fx::Value& value) { return Found().text(value); }
std::string asFake(const fx::Value& value) { return Fake().text(value); }
std::string dtypeText(DType dtype) {
  return dtype == DType::Unknown ? "unknown" : "torch." + std::string(facts(dtype).torchName);
}

std::string tupleText(const std::vector<fx::SymInt>& items) {
  std::string out;
  for (const fx::SymInt& item : items) out += (&item == &items.front() ? "" : ", ") + item.text();
  return "(" + out + (items.size() == 1 ? ",)" : ")");
}

std::string shortened(std::string_view text) {
  if (text.size() <= kMaxShown) return std::string(text);
  return std::string(utf8Prefix(text, kMaxShown)) + ".. (" + std::to_string(text.size()) +
         " characters)";
}

void forEachPart(const fx::Value& value,
                 const std::function<void(const std::string&, const fx::Value&)>& visit) {
  struct Item {
    std::string position;
    const fx::Value* value;
  };
  std::vector<Item> stack{{"", &value}};
  while (!stack.empty()) {
    Item item = std::move(stack.back());
    stack.pop_back();
    const fx::ValueList* list = item.value->list();
    if (!list) {
      visit(item.position, *item.value);
      continue;
    }
    for (std::size_t i = list->size(); i-- > 0;)
      stack.push_back({item.position + "[" + std::to_string(i) + "]", &(*list)[i]});
  }
}

}  // namespace fxs::normalize
