// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/public_program.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fxs::bundle {
namespace {

/// Metadata keys of torch/_export/serde/serialize.py that describe a node's origin. `custom` is
/// omitted: it may contain any user data.
constexpr std::string_view kStackTrace = "stack_trace";
constexpr std::string_view kOrigins = "from_node";
constexpr std::array<std::string_view, 7> kNames{
    "nn_module_stack", "fwd_nn_module_stack", "source_fn_stack", "fwd_source_fn_stack", "torch_fn",
    "seq_nr",          "partitioner_tag"};

class Publishing {
  enum class Kind : std::uint8_t { Names, Origins, Trace };  // of the texts of a key

 public:
  Publishing(const fx::Program& given, PrivateText& filter) : given_(given), filter_(filter) {
    out_.program = given;
  }

  PublicProgram run() && {
    fx::Program& program = out_.program;
    program.original = nullptr;
    program.torchVersion = version(filter_.text(program.torchVersion));
    program.dialect = filter_.name(program.dialect);
    // Rename whole names before texts that contain them.
    for (fx::InputSpec& input : program.inputs) rename(input.target);
    for (fx::Weight& weight : program.weights) rename(weight.fqn);
    program.strings.clear();
    for (fx::Node& node : program.nodes) {
      rename(node.name);
      rename(node.target);
      for (fx::NodeArgument& argument : node.args) clean(argument.value);
      clean(node.val);
      metadata(node);
    }
    for (fx::Graph& graph : program.graphs) rename(graph.name);
    for (fx::InputSpec& input : program.inputs) clean(input.constant);
    for (fx::OutputSpec& output : program.outputs) {
      rename(output.target);
      clean(output.value);
    }
    for (std::string& name : program.inputNames) rename(name);
    for (std::string& guard : program.guards) guard = filter_.name(guard);
    return std::move(out_);
  }

 private:
  /// What of a text has the form of a version (PEP 440).
  static std::string version(const std::string& text) {
    return text.substr(0,
                       text.find_first_not_of(
                           "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_!"));
  }

  /// Equal names stay equal, and different names stay different.
  void rename(std::string& name) {
    auto [known, isNew] = names_.try_emplace(name);
    if (isNew) {
      std::string now = filter_.name(name);
      if (now != name)
        for (const std::string stem = now; given_.findNode(now) != nullptr || taken_.contains(now);)
          now = stem + "_";
      if (now != name) taken_.insert(now);
      known->second = std::move(now);
    }
    name = known->second;
  }

  void clean(fx::Argument& argument) {
    if (auto* text = std::get_if<std::string>(&argument)) *text = filter_.name(*text);
    else if (auto* opaque = std::get_if<fx::Opaque>(&argument))
      opaque->text = filter_.text(opaque->text);
    else if (auto* list = std::get_if<fx::ArgumentList>(&argument))
      for (fx::Argument& item : *list) clean(item);
    else if (auto* slice = std::get_if<fx::Slice>(&argument))
      for (fx::Argument& part : slice->parts) clean(part);
    else if (auto* dict = std::get_if<fx::ArgumentDict>(&argument))
      for (auto& entry : *dict) clean(entry.second);
  }

  void clean(fx::Value& value) {
    if (auto* object = std::get_if<fx::CustomObject>(&value)) rename(object->classFqn);
    else if (auto* list = std::get_if<fx::ValueList>(&value))
      for (fx::Value& item : *list) clean(item);
  }

  void metadata(fx::Node& node) {
    std::vector<fx::MetaString> kept;
    for (const fx::MetaString& entry : node.meta) {
      const std::string& key = given_.text(entry.key);
      Kind kind = Kind::Names;
      if (key == kStackTrace) kind = Kind::Trace;
      else if (key == kOrigins) kind = Kind::Origins;
      if (kind != Kind::Names || std::find(kNames.begin(), kNames.end(), key) != kNames.end())
        kept.push_back({interned(key), cleaned(entry.text, kind)});
      else ++out_.leftOut[std::string(filter_.text(key.substr(0, kKeyShown)))];
    }
    node.meta = std::move(kept);
  }

  fx::StringId cleaned(fx::StringId text, Kind kind) {
    auto [known, isNew] = texts_.try_emplace({text.index(), kind});
    if (isNew) {
      const std::string& given = given_.text(text);
      if (kind == Kind::Origins) known->second = interned(origins(given));
      else
        known->second = interned(kind == Kind::Trace ? filter_.text(given) : filter_.name(given));
    }
    return known->second;
  }

  /// Of nodes in JSON, `name` and `target` are names; what else is said of them is text.
  std::string origins(const std::string& given) {
    const std::string text = filter_.name(given);
    std::string out, key;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t open = std::min(text.find('"', at), text.size());
      out += text.substr(at, open - at);
      std::size_t close = open + 1;
      while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      at = std::min(close, text.size());
      if (open >= text.size()) break;
      const std::string content = text.substr(open + 1, at - open - 1);
      const std::size_t next = text.find_first_not_of(" \n", at + 1);
      const bool isKey = next != std::string::npos && text[next] == ':';
      if (isKey) key = content;
      out += '"' + (isKey || key == "name" || key == "target" ? content : filter_.text(content));
      if (at < text.size()) out += text[at++];
    }
    return out;
  }

  fx::StringId interned(const std::string& text) {
    auto& strings = out_.program.strings;
    const auto [known, isNew] =
        interned_.try_emplace(text, fx::StringId{static_cast<std::uint32_t>(strings.size())});
    if (isNew) strings.push_back(text);
    return known->second;
  }

  static constexpr std::size_t kKeyShown = 40;
  const fx::Program& given_;
  PrivateText& filter_;
  PublicProgram out_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
  std::map<std::pair<std::size_t, Kind>, fx::StringId> texts_;
  std::map<std::string, fx::StringId> interned_;
};

}  // namespace

PublicProgram publicProgram(const fx::Program& program, PrivateText& filter) {
  return Publishing(program, filter).run();
}

}  // namespace fxs::bundle
