// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tensor_meta: the record that torch.fx's shape propagation stores in addition to val; files do not
// contain it.
#include "normalize/memory_format.h"
#include "normalize/rule.h"
#include "normalize/tensor_meta_text.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

using Fields = TensorMetaFields::mapped_type;

const std::string* fieldOf(const Fields& fields, std::string_view name) {
  const auto field = fields.find(name);
  return field == fields.end() ? nullptr : &field->second;
}

/// What `tensor` does not determine is kept as found.
TensorMetadata tensorMetadata(const fx::Program& program, const fx::TensorMeta& tensor,
                              const Fields& found) {
  TensorMetadata meta;
  meta.shape = tensor.sizes;
  meta.dtype = tensor.dtype;
  meta.requiresGrad = tensor.requiresGrad;
  if (tensor.layout == Layout::Strided) meta.stride = tensor.strides;
  meta.memoryFormat = memoryFormat(program, tensor);
  if (const std::string* format = fieldOf(found, "memory_format");
      format && meta.memoryFormat == "unknown")
    meta.memoryFormat = *format;
  if (const std::string* quantized = fieldOf(found, "is_quantized"))
    meta.isQuantized = *quantized == "True";
  return meta;
}

void normalizeTensorMeta(const Values& values, const fx::Node& node, NodeMetadata& out,
                         std::vector<MetadataChange>& changes) {
  const fx::Program& program = values.program();
  const std::optional<std::string_view> text = program.meta(node, "tensor_meta");
  const TensorMetaFields found = text ? tensorMetaFields(*text) : TensorMetaFields();
  out.tensorMeta.clear();
  forEachPart(out.val, [&](const std::string& position, const fx::Value& value) {
    const fx::TensorMeta* tensor = value.tensor();
    if (!tensor) return;
    const auto part = found.find(position);
    static const Fields kNone;
    const Fields& fields = part == found.end() ? kNone : part->second;
    TensorMetadata meta = tensorMetadata(program, *tensor, fields);
    auto set = [&](const char* field, std::string after, const char* reason = "") {
      const std::string* before = fieldOf(fields, field);
      if (before && *before != after && *reason == '\0')
        reason = "it contradicts val, which the importer reads";
      changes.push_back({"tensor_meta" + position + "." + field, before ? *before : "(absent)",
                         std::move(after), "", reason});
    };
    set("shape", tupleText(meta.shape));
    set("dtype", dtypeText(meta.dtype));
    set("requires_grad", meta.requiresGrad ? "True" : "False");
    set("stride", tupleText(meta.stride));
    set("memory_format", meta.memoryFormat,
        meta.memoryFormat == "unknown"
            ? "for sizes without hints, contiguous strides cannot be determined"
            : "");
    set("is_quantized", meta.isQuantized ? "True" : "False");
    out.tensorMeta.push_back(std::move(meta));
  });
}

}  // namespace

void registerTensorMeta(NormalizeRules& rules) {
  rules.add({"tensor-meta", "derived from the fake tensor as torch.fx's shape propagation does", 30,
             normalizeTensorMeta});
}

}  // namespace fxs::normalize
