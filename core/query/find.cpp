// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query/find.h"

#include <algorithm>
#include <unordered_map>

#include "fx/module_path.h"

namespace fxs::query {
namespace {

/// "1x4xs0"; "" for a scalar.
std::string shapeText(const fx::TensorMeta& meta) {
  std::string out;
  for (const fx::SymInt& size : meta.sizes)
    out += (&size == meta.sizes.data() ? "" : "x") + size.text();
  return out;
}

class Finder {
 public:
  Finder(const Query& query, const Graph& graph) : query_(query), graph_(graph) {
    for (const Term& term : query.terms)
      (term.key == Key::File || term.key == Key::Line ? ofFrames_ : others_).push_back(&term);
  }

  bool holds(const fx::Node& node) {
    return std::all_of(others_.begin(), others_.end(),
                       [&](const Term* term) { return holds(*term, node); }) &&
           (ofFrames_.empty() || anyFrame(node));
  }

 private:
  bool isOperation() const { return graph_.user != nullptr; }
  std::span<const fx::NodeId> originsOf(const fx::Node& node) const {
    return node.id.index() < graph_.origins.size()
               ? std::span<const fx::NodeId>(graph_.origins[node.id.index()])
               : std::span<const fx::NodeId>();
  }

  bool holds(const Term& term, const fx::Node& node) {
    switch (term.key) {
      case Key::Any: return named(term, node) || ofOperator(term, node) || inModule(term, node);
      case Key::Name: return named(term, node);
      case Key::Op: return ofOperator(term, node);
      case Key::Module: return inModule(term, node);
      case Key::Shape:
        return anyTensor(node.val, [&](const fx::TensorMeta& meta) {
          return term.pattern.matches(shapeText(meta));
        });
      case Key::Dtype:
        return anyTensor(node.val,
                         [&](const fx::TensorMeta& meta) { return ofDtype(term, meta.dtype); });
      case Key::Problem: return withProblem(term, node);
      case Key::File:
      case Key::Line: break;
    }
    return false;
  }

  static bool ofDtype(const Term& term, DType dtype) {
    if (term.dtype) return dtype == *term.dtype;
    return term.pattern.matches(facts(dtype).shortName) ||
           term.pattern.matches(facts(dtype).torchName);
  }

  bool withProblem(const Term& term, const fx::Node& node) const {
    static const std::string kNone;
    const std::string& problem =
        node.id.index() < graph_.problems.size() ? graph_.problems[node.id.index()] : kNone;
    return term.problem ? *term.problem == !problem.empty()
                        : !problem.empty() && term.pattern.matches(problem);
  }

  /// An operation has the names of the nodes that it comes from.
  bool named(const Term& term, const fx::Node& node) const {
    if (!isOperation()) return term.pattern.matches(node.name);
    const auto origins = originsOf(node);
    return std::any_of(origins.begin(), origins.end(), [&](fx::NodeId id) {
      return term.pattern.matches(graph_.user->node(id).name);
    });
  }

  bool ofOperator(const Term& term, const fx::Node& node) const {
    if (node.op == fx::NodeOp::Placeholder || node.op == fx::NodeOp::Output ||
        node.op == fx::NodeOp::GetAttr)
      return term.pattern.matches(name(node.op));
    if (isOperation())
      return term.pattern.matches(node.name) ||
             (term.key == Key::Any && term.pattern.matches(node.target));
    if (term.pattern.matches(node.target)) return true;
    // "aten.add" is every overload of it, as in PyTorch.
    const std::size_t overload = node.target.rfind('.');
    return overload != std::string::npos && node.target.find('.') < overload &&
           term.pattern.matches(std::string_view(node.target).substr(0, overload));
  }

  /// Path, or class, of any of the modules around it.
  bool inModule(const Term& term, const fx::Node& node) {
    const auto text = graph_.program.meta(node, "nn_module_stack");
    if (!text) return false;
    const auto [entry, isNew] = inModule_[&term].try_emplace(text->data(), false);
    if (isNew) {
      const std::vector<fx::ModuleFrame> frames = fx::modulesOf(graph_.program, node);
      entry->second = std::any_of(frames.begin(), frames.end(), [&](const fx::ModuleFrame& frame) {
        const std::string_view type = frame.type;
        return (!frame.path.empty() && term.pattern.matches(frame.path)) ||
               term.pattern.matches(type) || term.pattern.matches(type.substr(type.rfind('.') + 1));
      });
    }
    return entry->second;
  }

  /// Whether the terms of file and line hold for one frame of the stack trace.
  bool anyFrame(const fx::Node& node) {
    if (!isOperation()) return anyFrame(graph_.program, node);
    const auto origins = originsOf(node);
    return std::any_of(origins.begin(), origins.end(), [&](fx::NodeId id) {
      return anyFrame(*graph_.user, graph_.user->node(id));
    });
  }
  bool anyFrame(const fx::Program& program, const fx::Node& node) {
    const auto text = program.meta(node, "stack_trace");
    if (!text) return false;
    const auto [entry, isNew] = atFrame_.try_emplace(text->data(), false);
    if (isNew) {
      const std::vector<fx::StackFrame> frames = fx::stackOf(program, node);
      entry->second = std::any_of(frames.begin(), frames.end(), [&](const fx::StackFrame& frame) {
        return std::all_of(ofFrames_.begin(), ofFrames_.end(), [&](const Term* term) {
          if (term->line) return frame.line == *term->line;
          return term->pattern.matches(frame.file) ||
                 term->pattern.matches(
                     std::string_view(frame.file).substr(frame.file.rfind('/') + 1));
        });
      });
    }
    return entry->second;
  }

  template <class Holds>
  static bool anyTensor(const fx::Value& value, Holds&& holds) {
    std::vector<const fx::Value*> pending{&value};
    while (!pending.empty()) {
      const fx::Value& each = *pending.back();
      pending.pop_back();
      if (const fx::TensorMeta* meta = each.tensor(); meta && holds(*meta)) return true;
      if (const fx::ValueList* list = each.list())
        for (const fx::Value& element : *list) pending.push_back(&element);
    }
    return false;
  }

  const Query& query_;
  const Graph& graph_;
  std::vector<const Term*> ofFrames_, others_;
  // By the interned text, which many nodes share.
  std::unordered_map<const Term*, std::unordered_map<const char*, bool>> inModule_;
  std::unordered_map<const char*, bool> atFrame_;
};

}  // namespace

std::vector<fx::NodeId> find(const Query& query, const Graph& graph, const RunContext& context) {
  std::vector<fx::NodeId> found;
  if (query.terms.empty()) return found;
  Finder finder(query, graph);
  for (const fx::Node& node : graph.program.nodes) {
    context.spend(Resource::Values, 1, "a query");
    if (finder.holds(node)) found.push_back(node.id);
  }
  return found;
}

std::vector<std::string> problemsOf(const fx::Program& program,
                                    const std::vector<fx::Finding>& findings) {
  std::vector<std::string> out(program.nodes.size());
  for (const fx::Finding& finding : findings) {
    if (!finding.node.valid() || finding.node.index() >= out.size() ||
        finding.severity == fx::Severity::Note)
      continue;
    std::string& text = out[finding.node.index()];
    text += (text.empty() ? "" : "\n") + finding.message;
  }
  return out;
}

}  // namespace fxs::query
