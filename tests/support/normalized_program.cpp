// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "normalized_program.h"

#include <unordered_map>

#include "normalize/value_text.h"

namespace fxs::test {
namespace {

using namespace normalize;

/// As core/normalize/normalize.cpp.
constexpr const char* kNormalizedKey = "normalized";

/// Interns texts into a program that is being written.
class Texts {
 public:
  explicit Texts(fx::Program& program) : program_(program) {
    for (std::size_t i = 0; i < program.strings.size(); ++i)
      ids_.emplace(program.strings[i], fx::StringId::of(i));
  }
  fx::StringId intern(const std::string& text) {
    const auto [at, isNew] = ids_.try_emplace(text, fx::StringId::of(program_.strings.size()));
    if (isNew) program_.strings.push_back(text);
    return at->second;
  }
  void set(fx::Node& node, const std::string& key, const std::string& text) {
    const fx::StringId id = intern(key);
    std::erase_if(node.meta, [&](const fx::MetaString& m) { return m.key == id; });
    node.meta.push_back({id, intern(text)});
  }

 private:
  fx::Program& program_;
  std::unordered_map<std::string, fx::StringId> ids_;
};

/// Whether a change is visible in the program itself, as for fake tensors and tensor_meta; of other
/// keys, only that they were read is written.
bool isWritten(const MetadataChange& change) {
  return change.key == "original_aten" || change.key.starts_with("tensor_meta") ||
         change.after.starts_with("FakeTensor(");
}

std::string keysRead(const fx::Program& program, const fx::Node& node, const NodeMetadata& meta) {
  std::string out(program.meta(node, kNormalizedKey).value_or(""));
  const auto add = [&](const std::string& key) { out += (out.empty() ? "" : "\n") + key; };
  for (const MetadataChange& c : meta.changes)
    if (!isWritten(c)) add(c.key);
  // An inferred tuple is one change, but is read part by part.
  if (std::holds_alternative<fx::Unknown>(node.val) && meta.val.list())
    forEachPart(meta.val, [&](const std::string& position, const fx::Value& part) {
      if (!part.tensor()) add("val" + position);
    });
  return out;
}

std::string textOf(const TensorMetadata& meta) {
  return "TensorMetadata(shape=" + tupleText(meta.shape) + ", dtype=" + dtypeText(meta.dtype) +
         ", requires_grad=" + (meta.requiresGrad ? "True" : "False") +
         ", stride=" + tupleText(meta.stride) + ", memory_format=" + meta.memoryFormat +
         ", is_quantized=" + (meta.isQuantized ? "True" : "False") + ")";
}

std::string textOf(const fx::Value& value, const std::vector<TensorMetadata>& tensors,
                   std::size_t& next) {
  if (value.tensor()) return textOf(tensors[next++]);
  const fx::ValueList* parts = value.list();
  if (!parts) return "None";
  std::string out = "(";
  for (const fx::Value& part : *parts)
    out += (out.size() == 1 ? "" : ", ") + textOf(part, tensors, next);
  return out + (parts->size() == 1 ? ",)" : ")");
}

/// Prints a value, given the metadata of its tensors in order.
std::string tensorMetaText(const fx::Value& value, const std::vector<TensorMetadata>& tensors) {
  std::size_t next = 0;
  return textOf(value, tensors, next);
}

}  // namespace

fx::ProgramPtr normalizedProgram(const normalize::NormalizedProgram& normalized) {
  auto out = std::make_shared<fx::Program>(*normalized.program);
  Texts texts(*out);
  for (fx::Node& node : out->nodes) {
    const NodeMetadata& meta = normalized.nodes[node.id.index()];
    const std::string keys = keysRead(*normalized.program, node, meta);
    node.val = meta.val;
    if (!meta.tensorMeta.empty())
      texts.set(node, "tensor_meta", tensorMetaText(meta.val, meta.tensorMeta));
    if (!meta.originalAten.empty()) texts.set(node, "original_aten", meta.originalAten);
    if (!keys.empty()) texts.set(node, kNormalizedKey, keys);
  }
  return out;
}

}  // namespace fxs::test
