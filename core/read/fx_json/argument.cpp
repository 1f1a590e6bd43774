// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/fx_json/argument.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "ops/schema.h"
#include "read/fx_json/words.h"
#include "read/pt2/one_of.h"

namespace fxs::read::fx_json {
namespace {

using pt2::invalid;
using pt2::present;

Result<fx::Argument> constant(const Json& json) {
  switch (json.kind()) {
    case JsonKind::Null: return fx::Argument(fx::None{});
    case JsonKind::Bool: return fx::Argument(*json.asBool());
    case JsonKind::Int:
    case JsonKind::UInt: {
      FXS_TRY(const std::int64_t v, json.asInt());
      return fx::Argument(v);
    }
    case JsonKind::Float: return fx::Argument(*json.asFloat());
    case JsonKind::String: return fx::Argument(std::string(*json.asString()));
    case JsonKind::Array:
    case JsonKind::Object: break;
  }
  return invalid(json, "expected a constant: null, a bool, a number or a string");
}

/// Numbers that JSON cannot write.
Result<double> floatOf(const Json& json) {
  if (!json.isString()) return json.asFloat();
  FXS_TRY(const std::string_view text, json.asString());
  if (text == "inf") return __builtin_inf();
  if (text == "-inf") return -__builtin_inf();
  if (text == "nan") return __builtin_nan("");
  return invalid(json, "'" + std::string(text) + "' is not a number; expected inf, -inf or nan");
}

Result<fx::Argument> reference(const Json& at, const Names& names) {
  FXS_TRY(const std::string_view name, at.asString());
  if (auto found = names.defined.find(name); found != names.defined.end())
    return fx::Argument(found->second);
  if (names.all.contains(name))
    return invalid(
        at,
        "node '" + std::string(name) +
            "' is used before it is defined: the graph has a cycle, or its nodes are out of order");
  return invalid(at, "no node named '" + std::string(name) + "' is in this graph");
}

Result<fx::ArgumentList> listOf(const Json& items, const Names& names) {
  FXS_CHECK(items.asArray());
  fx::ArgumentList out;
  out.reserve(items.size());
  for (const Json item : items) {
    FXS_TRY(fx::Argument part, argument(item, names));
    out.push_back(std::move(part));
  }
  return out;
}

template <class T>
Result<fx::Argument> named(const Json& at, std::optional<T> (*find)(std::string_view),
                           std::string_view subject) {
  FXS_TRY(const std::string_view text, at.asString());
  if (auto found = find(text)) return fx::Argument(*found);
  return invalid(at, "'" + std::string(text) + "' is not " + std::string(subject));
}

Result<fx::Argument> deviceOf(const Json& at) {
  FXS_TRY(const std::string_view text, at.asString());
  const auto device = deviceFromText(text);
  if (!device) return invalid(at, "'" + std::string(text) + "' is not a device");
  return fx::Argument(*device);
}

Result<fx::Argument> sliceOf(const Json& at, const Names& names) {
  FXS_TRY(fx::ArgumentList parts, listOf(at, names));
  if (parts.size() != 3)
    return invalid(at, "a slice has 3 parts, not " + std::to_string(parts.size()));
  return fx::Argument(fx::Slice{std::move(parts)});
}

Result<fx::Argument> complexOf(const Json& at) {
  FXS_CHECK(at.asArray());
  if (at.size() != 2)
    return invalid(at, "a complex number has 2 parts, not " + std::to_string(at.size()));
  auto part = at.begin();
  FXS_TRY(const double real, floatOf(*part));
  FXS_TRY(const double imaginary, floatOf(*++part));
  return fx::Argument(std::complex<double>(real, imaginary));
}

Result<fx::Argument> floatArgument(const Json& at) {
  FXS_TRY(const double v, floatOf(at));
  return fx::Argument(v);
}

Result<fx::Argument> dtypeOf(const Json& at) {
  return named<DType>(at, dtypeFromName, "a dtype of PyTorch 2.13 that fxscope knows");
}
Result<fx::Argument> layoutOf(const Json& at) {
  return named<Layout>(at, layoutFromName, "a layout");
}
Result<fx::Argument> memoryFormatOf(const Json& at) {
  return named<MemoryFormat>(at, memoryFormatFromName, "a memory format");
}

template <class T>
Result<fx::Argument> textOf(const Json& at) {
  FXS_TRY(const std::string_view text, at.asString());
  return fx::Argument(T{std::string(text)});
}

Result<fx::Argument> dictOf(const Json& json, const Names& names) {
  FXS_CHECK(json.asObject());
  fx::ArgumentDict out;
  for (const Json entry : json) {
    FXS_TRY(fx::Argument item, argument(entry, names));
    out.emplace_back(std::string(entry.key()), std::move(item));
  }
  return fx::Argument(std::move(out));
}

/// A kind of argument that refers to no node.
struct Literal {
  std::string_view kind;
  Result<fx::Argument> (*read)(const Json&);
};
constexpr std::array kLiterals{
    Literal{"const", constant},
    Literal{"float", floatArgument},
    Literal{"complex", complexOf},
    Literal{"dtype", dtypeOf},
    Literal{"layout", layoutOf},
    Literal{"memory_format", memoryFormatOf},
    Literal{"device", deviceOf},
    Literal{"operator", textOf<fx::OperatorName>},
    Literal{"sym", textOf<fx::Opaque>},
    Literal{"function", textOf<fx::Opaque>},
    Literal{"opaque", textOf<fx::Opaque>},
};

}  // namespace

Result<fx::Argument> argument(const Json& json, const Names& names) {
  FXS_TRY(const pt2::OneOf choice, pt2::oneOf(json));
  const std::string_view kind = choice.kind;
  const Json& at = choice.value;
  if (kind == "node") return reference(at, names);
  if (kind == "list" || kind == "tuple") {
    FXS_TRY(fx::ArgumentList items, listOf(at, names));
    return fx::Argument(std::move(items));
  }
  if (kind == "dict") return dictOf(at, names);
  if (kind == "slice") return sliceOf(at, names);
  const auto literal = std::find_if(kLiterals.begin(), kLiterals.end(),
                                    [&](const Literal& each) { return each.kind == kind; });
  if (literal == kLiterals.end()) return invalid(at, "is not a kind of argument");
  return literal->read(at);
}

Result<std::vector<fx::NodeArgument>> arguments(const Json& node, std::string_view target,
                                                const Names& names) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
  const bool isPython = target.starts_with("_operator.");
  std::vector<fx::NodeArgument> out;
  if (const auto args = present(node, "args")) {
    FXS_CHECK(args->asArray());
    for (const Json json : *args) {
      fx::NodeArgument given;
      FXS_TRY(given.value, argument(json, names));
      const std::size_t position = out.size();
      if (schema != nullptr && position < schema->arguments.size()) {
        given.name = schema->arguments[position].name;
        given.keyword = schema->arguments[position].keywordOnly;
      } else if (isPython && position < 2) {
        given.name = position == 0 ? "a" : "b";
      } else if (target.starts_with("math.") && position == 0) {
        given.name = "x";
      }
      out.push_back(std::move(given));
    }
  }
  const std::size_t positional = out.size();
  if (const auto kwargs = present(node, "kwargs")) {
    FXS_CHECK(kwargs->asObject());
    std::unordered_set<std::string> seen;
    for (const fx::NodeArgument& a : out) seen.insert(a.name);
    for (const Json json : *kwargs) {
      fx::NodeArgument given{std::string(json.key()), {}, true};
      FXS_TRY(given.value, argument(json, names));
      if (!seen.insert(given.name).second)
        return invalid(json, "argument '" + given.name + "' is given twice");
      out.push_back(std::move(given));
    }
  }
  if (schema != nullptr) {
    const auto position = [&](const fx::NodeArgument& a) {
      return std::find_if(schema->arguments.begin(), schema->arguments.end(),
                          [&](const auto& s) { return s.name == a.name; });
    };
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(positional), out.end(),
                     [&](const auto& a, const auto& b) { return position(a) < position(b); });
  }
  return out;
}

}  // namespace fxs::read::fx_json
