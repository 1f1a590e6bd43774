// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/schema.h"

#include <charconv>

namespace fxs::ops {
namespace {

/// The alias is written before the brackets, as in schemas: "Tensor(a!)[]".
std::string typeText(const SchemaType& type, Alias alias, std::string_view set) {
  std::string out(type.spelling);
  if (alias == Alias::None) return out;
  std::string mark = "(" + std::string(set) + (alias == Alias::Write ? "!)" : ")");
  return out.insert(std::min(out.find_first_of("?["), out.size()), mark);
}

std::string numberText(double v) {
  char buffer[32];
  std::string out(buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

struct DefaultText {
  std::string operator()(NoDefault) const { return {}; }
  std::string operator()(NoneDefault) const { return "None"; }
  std::string operator()(bool v) const { return v ? "True" : "False"; }
  std::string operator()(std::int64_t v) const { return std::to_string(v); }
  std::string operator()(double v) const { return numberText(v); }
  std::string operator()(const std::string& v) const { return '"' + v + '"'; }
  std::string operator()(const DefaultList& items) const {
    std::string out = "[";
    for (const auto& item : items)
      out +=
          (out.size() > 1 ? ", " : "") + std::visit([](auto v) { return DefaultText()(v); }, item);
    return out + "]";
  }
};

}  // namespace

std::string Schema::fxName() const {
  return std::string(ns) + "." + std::string(packet) + "." +
         (overload.empty() ? "default" : std::string(overload));
}

std::string Schema::text() const {
  std::string out = std::string(ns) + "::" + std::string(packet) +
                    (overload.empty() ? "" : "." + std::string(overload)) + "(";
  bool keywords = false;
  for (const SchemaArgument& a : arguments) {
    if (&a != &arguments.front()) out += ", ";
    if (a.keywordOnly && !keywords) out += "*, ";
    keywords |= a.keywordOnly;
    out += typeText(a.type, a.alias, a.aliasSet) + " " + std::string(a.name);
    if (a.hasDefault()) out += "=" + std::visit(DefaultText(), a.defaultValue);
  }
  out += ") -> ";
  if (returns.size() != 1) out += "(";
  for (const SchemaReturn& r : returns)
    out += (&r == &returns.front() ? "" : ", ") + typeText(r.type, r.alias, r.aliasSet);
  return returns.size() == 1 ? out : out + ")";
}

const SchemaArgument* Schema::find(std::string_view argument) const {
  for (const SchemaArgument& a : arguments)
    if (a.name == argument) return &a;
  return nullptr;
}

}  // namespace fxs::ops
