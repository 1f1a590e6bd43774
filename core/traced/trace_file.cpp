// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traced/trace_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "lower/foreign_trace.h"
#include "mlir/text/document.h"
#include "module/module_program.h"
#include "read/folder.h"
#include "trace/op_graph.h"
#include "trace/stored_trace.h"

namespace fxs::traced {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxTracedModule = std::uint64_t{2} << 30;
constexpr std::size_t kMaxLocationFiles = 64;
/// Of any version, so that another one has its own error.
constexpr std::string_view kTraceSchemas = "\"fxscope-trace/";

/// The files that locations of a text name: `"x.mlir":3:5`.
std::vector<std::string> locationFiles(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find("\":");
       at != std::string_view::npos && out.size() < kMaxLocationFiles;
       at = text.find("\":", at + 1)) {
    const std::size_t quote = at == 0 ? std::string_view::npos : text.rfind('"', at - 1);
    if (quote == std::string_view::npos || at + 2 >= text.size() || !isDigit(text[at + 2]))
      continue;
    const std::string file(text.substr(quote + 1, at - quote - 1));
    if (file != "fx" && std::find(out.begin(), out.end(), file) == out.end()) out.push_back(file);
  }
  return out;
}

/// The program of a trace's first module, and how to name its nodes in the other modules.
class FirstModule {
 public:
  static Result<FirstModule> of(const lower::PassTrace& passes, const std::string& label,
                                const RunContext& context) {
    FXS_TRY(std::string text,
            readWholeFile(passes.pathOf(passes.snapshots.front()), kMaxTracedModule));
    return FirstModule(std::move(text), label, context);
  }

  std::shared_ptr<const read::Capture> capture(const lower::PassTrace& passes,
                                               const std::string& label) const {
    auto out = std::make_shared<read::Capture>();
    out->label = label;
    out->format = "trace of passes";
    out->fileBytes = text_.size();
    out->program = program_;
    out->module = module_;
    for (const lower::StageResult& stage : passes.stages)
      out->notes.insert(out->notes.end(), stage.warnings.begin(), stage.warnings.end());
    return out;
  }

  /// The lines of the nodes, where locations name files.
  std::vector<trace::SourceLine> sourceLines() const {
    const std::vector<std::string> files = locationFiles(text_);
    const mlir::Document document(text_, files);
    std::vector<trace::SourceLine> out;
    for (std::size_t i = 0; i < graph_.nodeOf.size(); ++i) {
      if (!graph_.nodeOf[i].valid()) continue;
      const auto& op = document.module.op(mlir::OpId::of(i));
      for (const mlir::FilePosition& at : document.locations.positions(op.location.of(text_)))
        if (at.file > 0 && at.line > 0)
          out.push_back({files[at.file - 1], at.line, graph_.nodeOf[i]});
    }
    return out;
  }

  /// `recorded`: a trace whose nodes are those that locations name. The same trace of the nodes of
  /// this program.
  trace::TracePtr renamed(const trace::TracePtr& recorded, bool namesNodes) const {
    auto passes = std::make_shared<lower::PassTrace>(recorded->passes());
    for (lower::StageResult& stage : passes->stages)
      for (fx::Finding& finding : stage.findings) finding.node = {};
    std::vector<std::vector<fx::NodeId>> nodes;
    if (namesNodes) nodes = nodesFrom(*recorded->origins(0));
    std::vector<std::shared_ptr<const trace::SnapshotOrigins>> origins;
    for (std::size_t i = 0; i < passes->snapshots.size(); ++i)
      origins.push_back(i == 0 ? first(*recorded->origins(i))
                               : renamed(*recorded->origins(i), nodes));
    std::vector<std::string> names;
    for (const fx::Node& node : program_->nodes) names.push_back(node.name);
    return trace::makeTrace(std::move(passes), std::move(names), std::move(origins),
                            std::make_shared<trace::TracePtr>(recorded));
  }

 private:
  FirstModule(std::string text, const std::string& label, const RunContext& context)
      : text_(std::move(text)),
        graph_(trace::opGraph(*trace::openText(text_), fx::Program(), context)) {
    auto module = std::make_shared<read::SourceModule>();
    module->tool = lower::kEngineTool;
    const module::Part none{"", 0};
    program_ = module::programOf(text_, none, mlir::Module(none.text),
                                 module::Locating::ByLocations, label, *module, context);
    module_ = std::move(module);
  }

  /// By node that locations name: the nodes of this program that it is in the first module; those
  /// that only use it where none has its location.
  std::vector<std::vector<fx::NodeId>> nodesFrom(const trace::SnapshotOrigins& first) const {
    std::vector<std::vector<fx::NodeId>> exact(first.nodesSeen()), inferred(first.nodesSeen());
    for (std::size_t i = 0; i < std::min(first.size(), graph_.nodeOf.size()); ++i) {
      if (!graph_.nodeOf[i].valid()) continue;
      const trace::OpOrigin origin = first.of(mlir::OpId::of(i));
      auto& out = origin.link == trace::Link::Exact ? exact : inferred;
      for (const fx::NodeId recorded : origin.nodes)
        out[recorded.index()].push_back(graph_.nodeOf[i]);
    }
    for (std::size_t i = 0; i < exact.size(); ++i)
      if (exact[i].empty()) exact[i] = std::move(inferred[i]);
    return exact;
  }

  std::shared_ptr<const trace::SnapshotOrigins> first(const trace::SnapshotOrigins& from) const {
    auto out = std::make_shared<trace::SnapshotOrigins>();
    for (std::size_t i = 0; i < from.size(); ++i) {
      const mlir::OpId op = mlir::OpId::of(i);
      const fx::NodeId node = i < graph_.nodeOf.size() ? graph_.nodeOf[i] : fx::NodeId{};
      const auto nodes = node.valid() ? std::span(&node, 1) : std::span<const fx::NodeId>();
      out->add(node.valid() ? trace::Link::Exact : trace::Link::None, nodes, {}, from.lineOf(op));
    }
    out->setCounts(from.counts());
    return out;
  }

  /// `nodes`: as nodesFrom(); empty if the nodes are already those of this program.
  static std::shared_ptr<const trace::SnapshotOrigins> renamed(
      const trace::SnapshotOrigins& from, const std::vector<std::vector<fx::NodeId>>& nodes) {
    auto out = std::make_shared<trace::SnapshotOrigins>();
    for (std::size_t i = 0; i < from.size(); ++i) {
      const mlir::OpId op = mlir::OpId::of(i);
      const trace::OpOrigin origin = from.of(op);
      std::vector<fx::NodeId> now;
      for (const fx::NodeId node : origin.nodes) {
        if (nodes.empty()) now.push_back(node);
        else if (node.index() < nodes.size())
          now.insert(now.end(), nodes[node.index()].begin(), nodes[node.index()].end());
      }
      std::sort(now.begin(), now.end());
      now.erase(std::unique(now.begin(), now.end()), now.end());
      out->add(now.empty() ? trace::Link::None : origin.link, now, origin.from, from.lineOf(op));
    }
    out->setFrom(from.from());
    out->setCounts(from.counts());
    return out;
  }

  std::string text_;
  trace::OpGraph graph_;
  fx::ProgramPtr program_;
  std::shared_ptr<const read::SourceModule> module_;
};

/// The traced program, if it is where it was and has the nodes of the trace; else null.
std::shared_ptr<const read::Capture> tracedProgram(const trace::StoredTrace& stored,
                                                   const RunContext& context) {
  if (!read::captureFormat(stored.input, context)) return nullptr;
  auto capture = read::openCapture(stored.input, {}, context);
  if (!capture) return nullptr;
  const std::vector<std::string>& names = stored.trace->nodeNames();
  const std::vector<fx::Node>& nodes = capture->program->nodes;
  const bool isSame =
      std::equal(nodes.begin(), nodes.end(), names.begin(), names.end(),
                 [](const fx::Node& node, const std::string& name) { return node.name == name; });
  return isSame ? std::make_shared<const read::Capture>(*std::move(capture)) : nullptr;
}

/// trace.json, or its directory.
bool isStoredTrace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return fs::exists(fs::path(path) / trace::kTraceFile, ignored);
  if (fs::path(path).extension() != ".json") return false;
  const auto source = openFile(path);
  const auto head = source ? (*source)->read(0, std::min(read::kSniffedBytes, (*source)->size()))
                           : Result<std::string>();
  return head && head->find(kTraceSchemas) != std::string::npos;
}

Result<> readStored(session::Snapshot& s, const session::Environment& env,
                    const RunContext& context) {
  FXS_TRY(const trace::StoredTrace stored,
          trace::openStoredTrace(s.request.file, context, env.outputTypes));
  if (stored.trace->passes().snapshots.empty())
    return fail(ErrorCode::InvalidInput, s.request.file + ": the trace has no module");
  s.trace = stored.trace;
  s.capture = tracedProgram(stored, context);
  if (s.capture) return {};
  FXS_TRY(const FirstModule first,
          FirstModule::of(stored.trace->passes(), s.request.file, context));
  s.capture = first.capture(stored.trace->passes(), s.request.file);
  s.trace = first.renamed(stored.trace, true);
  return {};
}

Result<> readForeign(session::Snapshot& s, const session::Environment& env,
                     const RunContext& context) {
  FXS_TRY(ScratchDirectory scratch,
          ScratchDirectory::make(env.temporaryDir, "the snapshots of a trace"));
  FXS_TRY(const auto passes, lower::openForeignTrace(s.request.file, scratch.path(), context));
  const auto owned = std::make_shared<ScratchDirectory>(std::move(scratch));
  FXS_TRY(const FirstModule first, FirstModule::of(*passes, s.request.file, context));
  FXS_TRY(trace::TracePtr recorded, trace::SnapshotLinker().finish(passes, {}, owned, context));
  const bool namesNodes = recorded->origins(0)->nodesSeen() > 0;
  if (!namesNodes) {
    FXS_TRY(recorded,
            trace::SnapshotLinker(first.sourceLines()).finish(passes, {}, owned, context));
  }
  s.capture = first.capture(*passes, s.request.file);
  s.trace = first.renamed(recorded, namesNodes);
  return {};
}

}  // namespace

bool isTrace(const std::string& path) {
  if (isStoredTrace(path)) return true;
  const lower::ForeignKind kind = lower::foreignKind(path);
  return kind == lower::ForeignKind::DumpLog || kind == lower::ForeignKind::TreeDirectory;
}

Result<session::SnapshotPtr> openTrace(session::Request request, const session::Environment& env,
                                       const RunContext& context) {
  const std::string file = request.file;
  return guarded(file, [&]() -> Result<session::SnapshotPtr> {
    auto s = std::make_shared<session::Snapshot>();
    s->request = std::move(request);
    if (isStoredTrace(s->request.file)) FXS_CHECK(readStored(*s, env, context));
    else FXS_CHECK(readForeign(*s, env, context));
    return session::advance(std::move(s), session::Phase::Rewrite, env, context);
  });
}

}  // namespace fxs::traced
