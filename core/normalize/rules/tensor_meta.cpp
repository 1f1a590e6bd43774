// tensor_meta: the record that torch.fx's shape propagation keeps beside val; files do not have it.
#include "normalize/memory_format.h"
#include "normalize/rule.h"
#include "normalize/value_text.h"

namespace fxs::normalize {
namespace {

void apply(const fx::Program& program, const fx::Node&, NodeMetadata& out, std::vector<Change>& changes) {
  out.tensorMeta.clear();
  forEachPart(out.val, [&](const std::string& place, const fx::Value& part) {
    const fx::TensorMeta* tensor = part.tensor();
    if (!tensor) return;
    TensorMetadata meta;
    meta.shape = tensor->sizes;
    meta.dtype = tensor->dtype;
    meta.requiresGrad = tensor->requiresGrad;
    if (tensor->layout == Layout::Strided) meta.stride = tensor->strides;
    meta.memoryFormat = memoryFormat(program, *tensor);
    meta.isQuantized = false;  // a .pt2 has no number for a quantized dtype
    auto set = [&](const char* field, std::string text, const char* reason = "") {
      changes.push_back({"tensor_meta" + place + "." + field, "(absent)", std::move(text), "", reason});
    };
    set("shape", tupleText(meta.shape));
    set("dtype", dtypeText(meta.dtype));
    set("requires_grad", meta.requiresGrad ? "True" : "False");
    set("stride", tupleText(meta.stride));
    set("memory_format", meta.memoryFormat,
        meta.memoryFormat == "unknown" ? "sizes without a hint do not tell whether the strides are contiguous" : "");
    set("is_quantized", "False");
    out.tensorMeta.push_back(std::move(meta));
  });
}

}  // namespace

void registerTensorMeta(NormalizeRules& rules);
void registerTensorMeta(NormalizeRules& rules) {
  rules.add({"tensor-meta", "derived from the fake tensor as torch.fx's shape propagation does", 30, apply});
}

}  // namespace fxs::normalize
