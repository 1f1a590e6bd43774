// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/graph_driver.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/joined.h"
#include "mlir/text/resources.h"
#include "mlir/text/without_locations.h"
#include "registry/op_builder.h"

namespace fxs::registry {
namespace {

/// A value on memrefs, or a number.
struct Buffer {
  std::string name;
  std::string type;  ///< "memref<8x4xf32, strided<[4, 1], offset: 32>>"
};

std::string bracketed(const Sizes& values) {
  std::string out = "[";
  for (const std::int64_t value : values)
    out += (out.size() == 1 ? "" : ", ") + std::to_string(value);
  return out + "]";
}

std::string plainMemref(const TensorType& type) {
  std::string out = type.text();
  return "memref" + out.substr(std::string_view("tensor").size());
}

/// In row-major order, from an offset in elements: a number, or "?".
std::string stridedMemref(const TensorType& type, const std::string& offset) {
  if (offset == "0") return plainMemref(type);
  Sizes strides(type.sizes.size());
  std::int64_t stride = 1;
  for (std::size_t d = type.sizes.size(); d-- > 0; stride *= type.sizes[d]) strides[d] = stride;
  std::string out = plainMemref(type);
  out.pop_back();
  return out + ", strided<" + bracketed(strides) + ", offset: " + offset + ">>";
}

class MainGraph {
 public:
  MainGraph(const DirectLowering& lowering, std::string_view function)
      : lowering_(lowering), function_(function) {}

  std::string text() {
    bindArguments();
    for (const Group& group : lowering_.grouped.groups) call(group);
    std::vector<std::string> returned, types;
    for (const GroupValue& value : lowering_.grouped.results) {
      returned.push_back(buffers_[value.name].name);
      types.push_back(buffers_[value.name].type);
    }
    const std::string results = types.empty() ? "" : " -> (" + joined(types, ", ") + ")";
    std::string end = "    return";
    if (!returned.empty()) end += " " + joined(returned, ", ") + " : " + joined(types, ", ");
    return "module {\n" + declarations_ + "  func.func @" + function_ + "(" +
           joined(arguments_, ", ") + ")" + results + " {\n" + body_ + end + "\n  }\n}\n";
  }

 private:
  std::string fresh() { return "%" + std::to_string(next_++); }

  /// What a group takes: any offset, but sizes and strides of a tensor in row-major order.
  static std::string passedType(const std::string& type) {
    const auto tensor = parseTensorType(type);
    return tensor ? stridedMemref(*tensor, "?") : type;
  }
  static std::string returnedType(const std::string& type) {
    const auto tensor = parseTensorType(type);
    return tensor ? plainMemref(*tensor) : type;
  }

  void bindArguments() {
    for (std::size_t i = 0; i < lowering_.grouped.arguments.size(); ++i) {
      const GroupValue& argument = lowering_.grouped.arguments[i];
      const Buffer buffer{"%arg" + std::to_string(i), returnedType(argument.type)};
      arguments_.push_back(buffer.name + ": " + buffer.type);
      buffers_[argument.name] = buffer;
      if (i >= lowering_.packing.size()) continue;
      for (const PackedPart& part : lowering_.packing[i].parts) cutOutOf(buffer, part);
    }
  }

  void cutOutOf(const Buffer& packed, const PackedPart& part) {
    const auto type = parseTensorType(part.value.type);
    const std::string offset = std::to_string(part.offset);
    const std::int64_t count = type->elements();
    if (count == 0) return;
    const bool isScalar = type->rank() == 0;
    const TensorType flat{isScalar ? Sizes{} : Sizes{count}, type->element};
    Buffer buffer{fresh(), stridedMemref(flat, offset)};
    body_ += "    " + buffer.name + " = memref.subview " + packed.name + "[" + offset + "] [" +
             std::to_string(count) + "] [1] : " + packed.type + " to " + buffer.type + "\n";
    if (type->rank() > 1) {
      Sizes all(type->sizes.size());
      std::iota(all.begin(), all.end(), 0);
      const Buffer shaped{fresh(), stridedMemref(*type, offset)};
      body_ += "    " + shaped.name + " = memref.expand_shape " + buffer.name + " [" +
               bracketed(all) + "] output_shape " + bracketed(type->sizes) + " : " + buffer.type +
               " into " + shaped.type + "\n";
      buffer = shaped;
    }
    buffers_[part.value.name] = buffer;
  }

  void call(const Group& group) {
    std::vector<std::string> operands, from, names, to;
    for (const GroupValue& value : group.arguments) {
      from.push_back(passedType(value.type));
      Buffer buffer = buffers_[value.name];
      if (buffer.type != from.back()) {
        const Buffer cast{fresh(), from.back()};
        body_ += "    " + cast.name + " = memref.cast " + buffer.name + " : " + buffer.type +
                 " to " + cast.type + "\n";
        buffer = cast;
      }
      operands.push_back(buffer.name);
    }
    const std::string results = fresh();
    for (const GroupValue& value : group.results) {
      const bool isOne = group.results.size() == 1;
      names.push_back(isOne ? results : results + "#" + std::to_string(to.size()));
      to.push_back(returnedType(value.type));
      buffers_[value.name] = {names.back(), to.back()};
    }
    const std::string signature =
        "(" + joined(from, ", ") + ")" + (to.empty() ? "" : " -> (" + joined(to, ", ") + ")");
    declarations_ += "  func.func private @" + group.function + signature + "\n";
    body_ += "    ";
    if (to.size() == 1) body_ += results + " = ";
    else if (!to.empty()) body_ += results + ":" + std::to_string(to.size()) + " = ";
    body_ += "call @" + group.function + "(" + joined(operands, ", ") + ") : (" +
             joined(from, ", ") + ") -> (" + joined(to, ", ") + ")\n";
  }

  const DirectLowering& lowering_;
  const std::string function_;
  std::size_t next_ = 0;
  std::vector<std::string> arguments_;
  std::map<std::string, Buffer> buffers_;  // by their names in the grouped text
  std::string declarations_, body_;
};

bool isDynamicValue(const GroupValue& value) {
  return value.type == "index" || value.type.find('?') != std::string::npos;
}

bool hasDynamicSizes(const GroupedModule& grouped) {
  const auto any = [](const std::vector<GroupValue>& values) {
    return std::any_of(values.begin(), values.end(), isDynamicValue);
  };
  return any(grouped.arguments) || any(grouped.results) ||
         std::any_of(grouped.groups.begin(), grouped.groups.end(), [&](const Group& group) {
           return any(group.arguments) || any(group.results);
         });
}

/// `resources`: of the whole module.
std::string publicModule(const Group& group,
                         const std::map<std::string_view, std::string_view>& resources) {
  std::string text = "\"builtin.module\"() ({\n" + group.text + "}) : () -> ()\n";
  constexpr std::string_view kPrivate = ", sym_visibility = \"private\"";
  text.erase(text.find(kPrivate), kPrivate.size());
  mlir::Resources own;
  for (const auto& [key, data] : resources)
    if (text.find("dense_resource<" + quoted(key) + ">") != std::string::npos) own.add(key, data);
  return std::string(loadingLine(text)) + mlir::withoutLocations(text) + own.text();
}

}  // namespace

Result<std::vector<NamedText>> driverTexts(const DirectLowering& lowering,
                                           std::string_view function) {
  const auto refused = [](std::string reason) {
    return fail(ErrorCode::Unsupported, "no main graph on memrefs: " + reason);
  };
  if (!lowering.complete) return refused("not every node is lowered");
  if (hasDynamicSizes(lowering.grouped))
    return refused("the program has symbolic sizes; export it with static shapes");
  if (!lowering.grouped.isOnlyCalls)
    return refused("the program returns numbers or constants of its own");
  std::vector<NamedText> out{
      {std::string(function) + ".mlir", MainGraph(lowering, function).text()}};
  const auto resources = mlir::resourcesOf(lowering.text);
  for (const Group& group : lowering.grouped.groups)
    out.push_back({group.function + ".mlir", publicModule(group, resources)});
  return out;
}

}  // namespace fxs::registry
