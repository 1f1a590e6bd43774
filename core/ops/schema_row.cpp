// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/schema_row.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace fxs::ops {
namespace {

struct KindName {
  std::string_view spelling;
  TypeKind kind;
};
constexpr std::array<KindName, 14> kKinds{{{"Tensor", TypeKind::Tensor},
                                           {"int", TypeKind::Int},
                                           {"SymInt", TypeKind::SymInt},
                                           {"float", TypeKind::Float},
                                           {"bool", TypeKind::Bool},
                                           {"SymBool", TypeKind::SymBool},
                                           {"Scalar", TypeKind::Scalar},
                                           {"complex", TypeKind::Complex},
                                           {"str", TypeKind::Str},
                                           {"ScalarType", TypeKind::ScalarType},
                                           {"Layout", TypeKind::Layout},
                                           {"MemoryFormat", TypeKind::MemoryFormat},
                                           {"Device", TypeKind::Device},
                                           {"Generator", TypeKind::Generator}}};

/// Parses "Tensor?[]", "SymInt[2]?", "Dict[str,t]": trailing brackets and question marks are
/// suffixes, the rest is the base.
SchemaType parseType(std::string_view spelling) {
  SchemaType type;
  type.spelling = spelling;
  std::string_view base = spelling;
  for (;;) {
    if (base.ends_with('?')) {
      (type.listDepth > 0 ? type.elementOptional : type.optional) = true;
      base.remove_suffix(1);
      continue;
    }
    std::size_t open = base.ends_with(']') ? base.rfind('[') : std::string_view::npos;
    if (open == std::string_view::npos) break;
    std::string_view size = base.substr(open + 1, base.size() - open - 2);
    if (!std::all_of(size.begin(), size.end(), [](char c) { return c >= '0' && c <= '9'; })) break;
    ++type.listDepth;
    base = base.substr(0, open);
  }
  for (const KindName& known : kKinds)
    if (known.spelling == base) type.kind = known.kind;
  return type;
}

struct AliasedType {
  SchemaType type;
  Alias alias = Alias::None;
  std::string_view aliasSet;
};

AliasedType parseAliasedType(std::string_view text) {
  AliasedType out;
  std::size_t mark = text.find_first_of("!~");
  out.type = parseType(text.substr(0, mark));
  if (mark != std::string_view::npos) {
    out.alias = text[mark] == '!' ? Alias::Write : Alias::Read;
    out.aliasSet = text.substr(mark + 1);
  }
  return out;
}

std::string unescape(std::string_view quoted) {
  std::string out;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\' || i + 1 == quoted.size()) {
      out += quoted[i];
      continue;
    }
    switch (quoted[++i]) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'f': out += '\f'; break;
      case 'b': out += '\b'; break;
      case 'u': {
        unsigned code = 0;
        std::from_chars(quoted.data() + i + 1, quoted.data() + std::min(i + 5, quoted.size()), code,
                        16);
        out += static_cast<char>(code);  // the table has control characters below 0x80 only
        i += 4;
        break;
      }
      default: out += quoted[i];
    }
  }
  return out;
}

using Scalar = std::variant<std::int64_t, double, bool>;
Scalar parseScalar(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t full = 0;
  auto end = std::from_chars(text.data(), text.data() + text.size(), full).ptr;
  if (end == text.data() + text.size()) return full;
  double real = 0;
  std::from_chars(text.data(), text.data() + text.size(), real);
  return real;
}

DefaultValue parseDefault(std::string_view text) {
  if (text == "null") return NoneDefault{};
  if (text.starts_with('"')) return unescape(text.substr(1, text.size() - 2));
  if (text.starts_with('[')) {
    DefaultList items;
    std::string_view rest = text.substr(1, text.size() - 2);
    while (!rest.empty()) {
      std::size_t comma = rest.find(',');
      items.push_back(parseScalar(rest.substr(0, comma)));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return items;
  }
  return std::visit([](auto v) { return DefaultValue(v); }, parseScalar(text));
}

SchemaArgument parseArgument(std::string_view text) {
  SchemaArgument out;
  if (text.starts_with('*')) {
    out.keywordOnly = true;
    text.remove_prefix(1);
  }
  std::size_t space = text.find(' ');
  AliasedType type = parseAliasedType(text.substr(0, space));
  out.type = type.type;
  out.alias = type.alias;
  out.aliasSet = type.aliasSet;
  std::string_view rest = text.substr(space + 1);
  std::size_t equals = rest.find('=');
  out.name = rest.substr(0, equals);
  if (equals != std::string_view::npos) out.defaultValue = parseDefault(rest.substr(equals + 1));
  return out;
}

}  // namespace

std::string_view rowName(std::string_view row) { return row.substr(0, row.find(';')); }

Schema parseRow(std::string_view row) {
  Schema out;
  std::string_view name = rowName(row);
  std::size_t colons = name.find("::");
  out.ns = name.substr(0, colons);
  std::string_view rest = name.substr(colons + 2);
  std::size_t dot = rest.find('.');
  out.packet = rest.substr(0, dot);
  if (dot != std::string_view::npos) out.overload = rest.substr(dot + 1);

  std::string_view parts = row.substr(std::min(row.size(), name.size() + 1));
  while (!parts.empty()) {
    std::size_t end = parts.find(';');
    std::string_view part = parts.substr(0, end);
    if (part.starts_with("->")) {
      AliasedType type = parseAliasedType(part.substr(2));
      out.returns.push_back({type.type, type.alias, type.aliasSet});
    } else {
      out.arguments.push_back(parseArgument(part));
      out.isMutable |= out.arguments.back().alias == Alias::Write;
    }
    parts = end == std::string_view::npos ? std::string_view() : parts.substr(end + 1);
  }
  return out;
}

}  // namespace fxs::ops
