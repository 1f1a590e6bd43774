// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/foreign_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/byte_source.h"
#include "lower/pipeline_text.h"
#include "mlir/compare/same_ir.h"
#include "mlir/logs/dump_log.h"
#include "mlir/logs/module_of_dumps.h"
#include "mlir/text/document.h"

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFile = std::size_t{2} << 30;
constexpr std::size_t kMaxTreeFiles = 100'000;
constexpr std::size_t kMaxTreeEntries = 1'000'000;
/// Each dump of a function is stored as a module, so a log of kilobytes could fill a disk.
constexpr std::size_t kMaxMerged = 16;                        // times what was printed ..
constexpr std::size_t kFreelyMerged = std::size_t{64} << 20;  // .. beyond this
/// Bytes examined to identify a file: a log may begin with other output.
constexpr std::size_t kLook = std::size_t{1} << 20;
constexpr std::string_view kReproducer = "mlir_reproducer";

/// "1_2_torch-reduce-op-variants.mlir": {1, 2}; empty when the name has no number in front.
std::vector<std::uint32_t> numbersOf(std::string_view stem) {
  std::vector<std::uint32_t> out;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    const auto length = static_cast<std::size_t>(end - stem.data());
    if (error != std::errc() || length == stem.size() || stem[length] != '_') return out;
    out.push_back(number);
    stem.remove_prefix(length + 1);
  }
}

struct TreeFile {
  std::vector<std::uint32_t> order;
  std::string path;
  friend auto operator<=>(const TreeFile&, const TreeFile&) = default;
};

Result<std::vector<TreeFile>> treeFiles(const std::string& directory) {
  std::vector<TreeFile> out;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (++entries > kMaxTreeEntries)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: more than {} files; name the directory of one run", directory,
                              kMaxTreeEntries));
    if (!at->is_regular_file(error) || at->path().extension() != ".mlir") continue;
    TreeFile file{numbersOf(at->path().stem().string()), at->path().string()};
    if (file.order.empty()) continue;
    if (out.size() == kMaxTreeFiles)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: more than {} files of passes; name the directory of one run",
                              directory, kMaxTreeFiles));
    out.push_back(std::move(file));
  }
  if (error) return fail(ErrorCode::Io, directory + ": cannot be listed: " + error.message());
  // The numbers of a file count the passes printed before it, outermost first, so their order is
  // that of execution.
  std::sort(out.begin(), out.end());
  return out;
}

/// The text of a file of the trace, counted before it is read.
Result<std::string> readCounted(const std::string& path, const RunContext& context) {
  std::error_code error;
  if (const auto size = fs::file_size(path, error); !error)
    context.spend(Resource::Text, size, path);
  return readWholeFile(path, kMaxFile);
}

std::string firstBytes(const std::string& path, std::size_t count) {
  std::ifstream in(path, std::ios::binary);
  std::string out(count, '\0');
  in.read(out.data(), static_cast<std::streamsize>(count));
  out.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return out;
}
std::string lastBytes(const std::string& path, std::size_t count) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return {};
  if (size > count) in.seekg(static_cast<std::streamoff>(size - count));
  std::string out(static_cast<std::size_t>(std::min<std::uintmax_t>(size, count)), '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  return out;
}

std::string withUnixLines(std::string text) {
  std::erase(text, '\r');
  return text;
}

/// A trace under construction.
class Assembly {
 public:
  Assembly(std::string stage, std::string title, const std::string& directory,
           const RunContext& context)
      : context_(context) {
    trace_->directory = directory;
    StageResult& result = trace_->stages.emplace_back();
    result.id = std::move(stage);
    result.title = std::move(title);
    result.status = StageStatus::Ok;
  }
  ~Assembly() {
    std::error_code ignored;
    if (!finished_)
      for (const IrSnapshot& snapshot : trace_->snapshots)
        fs::remove(trace_->pathOf(snapshot), ignored);
  }
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  StageResult& stage() { return trace_->stages.front(); }
  PassTrace& trace() { return *trace_; }

  /// Adds a snapshot if the module differs from the last one, or at a failure. Returns whether it
  /// differs.
  Result<bool> snapshot(const std::string& text, int pass, bool failure) {
    std::string comparable = mlir::comparableText(text);
    const bool changed = trace_->snapshots.empty() || !mlir::sameButLocations(last_, comparable);
    if (!changed && !failure) return false;
    IrSnapshot snapshot;
    snapshot.stage = pass < 0 ? "raw" : stage().id;
    snapshot.pass = pass;
    snapshot.failure = failure;
    std::string name = pass < 0 ? "start" : trace_->passes[static_cast<std::size_t>(pass)].pass;
    for (char& c : name)
      if (c == '/' || c <= ' ' || c == 0x7f) c = '-';  // bytes beyond ASCII are negative
    snapshot.file = fmt::format("{:03}-{}.mlir", trace_->snapshots.size(), name.substr(0, 80));
    context_.spend(Resource::Disk, text.size(), snapshot.file);
    FXS_CHECK(writeWholeFile(trace_->pathOf(snapshot), text));
    trace_->snapshots.push_back(std::move(snapshot));
    last_ = std::move(comparable);
    return changed;
  }
  int lastSnapshot() const { return static_cast<int>(trace_->snapshots.size()) - 1; }

  PassRun& addPass(const mlir::DumpHeader& header) {
    PassRun& pass = trace_->passes.emplace_back();
    pass.stage = stage().id;
    pass.pass = header.name();
    pass.options = header.options;
    pass.anchor = header.anchor;
    return pass;
  }
  int lastPass() const { return static_cast<int>(trace_->passes.size()) - 1; }
  void warn(std::string text) { stage().warnings.push_back(std::move(text)); }

  std::shared_ptr<const PassTrace> finish() {
    finished_ = true;
    return trace_;
  }

 private:
  const RunContext& context_;
  std::shared_ptr<PassTrace> trace_ = std::make_shared<PassTrace>();
  bool finished_ = false;
  std::string last_;  // the last snapshot, comparable
};

/// "builtin.module", or the operation that a pass printed by itself; "" of a text without
/// operations.
std::string printedOp(const mlir::Document& document) {
  return document.module.ops.empty() ? std::string()
                                     : std::string(document.module.nameOf(mlir::OpId{0}));
}

/// Dumps in the order of execution, from a log or a folder, become passes and snapshots.
class Replay {
 public:
  Replay(const std::vector<mlir::DumpedIr>& dumps, const std::string& path, Assembly& assembly,
         const RunContext& context)
      : dumps_(dumps),
        path_(path),
        assembly_(assembly),
        context_(context),
        afters_(std::any_of(dumps.begin(), dumps.end(),
                            [](const mlir::DumpedIr& d) { return !d.header.before; })) {
    for (const mlir::DumpedIr& dump : dumps) printed_ += dump.ir.size();
  }

  Result<> run() {
    FXS_CHECK(takeInitialFunctions());
    for (const mlir::DumpedIr& dump : dumps_) {
      FXS_CHECK(spend());
      const std::string anchor = merged(dump);
      FXS_CHECK(dump.header.before ? takeBefore(dump, anchor) : takeAfter(dump, anchor));
    }
    if (open_) {
      assembly_.trace().passes[*open_].snapshot = -1;
      assembly_.warn("the module after " + assembly_.trace().passes[*open_].pass +
                     ", the last pass in the log, was not printed");
    }
    if (assembly_.trace().snapshots.empty())
      return fail(ErrorCode::InvalidInput,
                  path_ +
                      ": ends within its first module; record the log again, and let the "
                      "engine finish");
    return {};
  }

 private:
  Result<> spend() const {
    context_.spend(Resource::Nodes, 1, path_);
    if (module_.merged() <= kFreelyMerged + printed_ * kMaxMerged) return {};
    return fail(
        ErrorCode::InvalidInput,
        fmt::format(
            "{}: it contains functions, and expanding each to its module makes it more than {} "
            "times as long; record the log with --mlir-print-ir-module-scope",
            path_, kMaxMerged));
  }

  /// For functions printed before any module, the first dump of each is its initial state.
  Result<> takeInitialFunctions() {
    std::size_t functions = 0;
    for (const mlir::DumpedIr& dump : dumps_) {
      if (!dump.complete) continue;
      FXS_CHECK(spend());
      const mlir::Document document(dump.ir);
      if (printedOp(document) == "builtin.module") break;
      if (!module_.lacks(document)) continue;
      module_.take(document);
      ++functions;
    }
    if (functions > 1)
      assembly_.warn(fmt::format(
          "{} functions precede the first module in the log; each starts with the result "
          "of its first pass",
          functions));
    return {};
  }

  /// Merges the dump into the module. Returns the anchor of its pass.
  std::string merged(const mlir::DumpedIr& dump) {
    const mlir::DumpHeader& header = dump.header;
    if (dump.complete) {
      const mlir::Document document(dump.ir);
      module_.take(document);
      return header.anchor.empty() ? printedOp(document) : header.anchor;
    }
    if (dump.ir.empty())
      assembly_.warn(
          fmt::format("no module follows the header of {} in line {}", header.name(), dump.line));
    else
      assembly_.warn(fmt::format("the module {} {} in line {} is truncated and was skipped",
                                 header.before ? "before" : "after", header.name(), dump.line));
    return header.anchor;
  }

  PassRun& addPass(const mlir::DumpedIr& dump, const std::string& anchor) {
    PassRun& pass = assembly_.addPass(dump.header);
    pass.anchor = anchor;
    pass.ran = true;
    return pass;
  }

  Result<> takeBefore(const mlir::DumpedIr& dump, const std::string& anchor) {
    if (dump.complete && assembly_.trace().snapshots.empty() && assembly_.trace().passes.empty())
      FXS_CHECK(assembly_.snapshot(module_.text(), -1, false));
    if (afters_) return {};
    if (dump.complete) FXS_CHECK(close());
    addPass(dump, anchor).snapshot = assembly_.lastSnapshot();
    open_ = assembly_.trace().passes.size() - 1;
    return {};
  }

  /// The module is the result of the open pass, if there is one.
  Result<> close() {
    if (!open_) return {};
    FXS_TRY(const bool changed,
            assembly_.snapshot(module_.text(), static_cast<int>(*open_), false));
    assembly_.trace().passes[*open_].changed = changed;
    assembly_.trace().passes[*open_].snapshot = assembly_.lastSnapshot();
    open_.reset();
    return {};
  }

  Result<> takeAfter(const mlir::DumpedIr& dump, const std::string& anchor) {
    const std::string called = dump.header.name();
    PassRun& pass = addPass(dump, anchor);
    pass.failed = dump.header.failed;
    if (pass.failed) {
      assembly_.stage().status = StageStatus::Failed;
      assembly_.stage().failingPass = pass.pass;
    }
    if (!dump.complete) {
      skipped_ = called;
      return {};
    }
    if (assembly_.trace().snapshots.empty())
      assembly_.warn(
          "the module before " + called +
          ", the first pass in the log, was not printed; whether it changed anything is unknown");
    FXS_TRY(pass.changed, assembly_.snapshot(module_.text(), assembly_.lastPass(), pass.failed));
    pass.snapshot = assembly_.lastSnapshot();
    if (pass.changed && !skipped_.empty())
      assembly_.warn(fmt::format("what {} changed may be what {} did, whose module was skipped",
                                 called, skipped_));
    skipped_.clear();
    return {};
  }

  const std::vector<mlir::DumpedIr>& dumps_;
  const std::string& path_;
  Assembly& assembly_;
  const RunContext& context_;
  const bool afters_;  ///< whether dumps are printed after passes
  std::size_t printed_ = 0;
  mlir::ModuleOfDumps module_;
  std::optional<std::size_t>
      open_;  ///< if dumps are printed only before passes: the one whose result is the next dump
  std::string skipped_;  ///< the pass before, if its module is truncated
};

void noteErrors(const mlir::DumpLog& log, Assembly& assembly) {
  for (const std::string& message : log.errors) {
    fx::Finding finding;
    finding.stage = assembly.stage().id;
    finding.pass = assembly.stage().failingPass;
    finding.kind = "engine-error";
    finding.message = message;
    assembly.stage().findings.push_back(std::move(finding));
  }
  if (!log.errors.empty()) assembly.stage().status = StageStatus::Failed;
}

Result<std::shared_ptr<const PassTrace>> openLog(const std::string& path,
                                                 const std::string& directory,
                                                 const RunContext& context) {
  FXS_TRY(const std::string text, readCounted(path, context));
  const mlir::DumpLog log = mlir::readDumpLog(text);
  Assembly assembly("log", "Passes in " + fs::path(path).filename().string(), directory, context);
  FXS_CHECK(Replay(log.dumps, path, assembly, context).run());
  noteErrors(log, assembly);
  return assembly.finish();
}

Result<std::shared_ptr<const PassTrace>> openTree(const std::string& path,
                                                  const std::string& directory,
                                                  const RunContext& context) {
  FXS_TRY(const std::vector<TreeFile> files, treeFiles(path));
  std::vector<mlir::DumpedIr> dumps;
  std::vector<std::string> unwritten;
  for (const TreeFile& file : files) {
    FXS_TRY(const std::string text, readCounted(file.path, context));
    mlir::DumpLog log = mlir::readDumpLog(text);
    if (!log.dumps.empty()) dumps.push_back(std::move(log.dumps.front()));
    else unwritten.push_back(fs::path(file.path).filename().string());
  }
  if (dumps.empty())
    return fail(ErrorCode::InvalidInput,
                path +
                    ": contains no file of --mlir-print-ir-tree-dir (such as "
                    "builtin_module_no-symbol-name/1_canonicalize.mlir); name the directory given "
                    "to that option");
  Assembly assembly("tree", "Passes in " + fs::path(path).filename().string(), directory, context);
  FXS_CHECK(Replay(dumps, path, assembly, context).run());
  for (const std::string& file : unwritten)
    assembly.warn(file +
                  " has no module, as if it was not written to its end; its pass is not shown");
  return assembly.finish();
}

/// The string after `pipeline: `, or nullopt.
std::optional<std::string> pipelineOf(std::string_view text) {
  std::size_t at = text.rfind(kReproducer);
  if (at == std::string_view::npos) return std::nullopt;
  at = text.find("pipeline:", at);
  if (at == std::string_view::npos) return std::nullopt;
  at = text.find('"', at);
  if (at == std::string_view::npos) return std::nullopt;
  std::string out;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  if (at >= text.size()) return std::nullopt;
  return out;
}

Result<std::shared_ptr<const PassTrace>> openReproducer(const std::string& path,
                                                        const std::string& directory,
                                                        const RunContext& context) {
  FXS_TRY(std::string text, readCounted(path, context));
  text = withUnixLines(std::move(text));
  const std::optional<std::string> pipeline = pipelineOf(text);
  if (!pipeline)
    return fail(ErrorCode::InvalidInput, path +
                                             ": its mlir_reproducer has no pipeline; the file is "
                                             "truncated, or the engine is older than LLVM 15");
  const std::size_t resources = text.rfind("\n{-#");
  if (resources != std::string::npos &&
      text.find("dialect_resources", resources) == std::string::npos)
    text.resize(resources + 1);
  Assembly assembly("reproducer", "Passes of " + fs::path(path).filename().string(), directory,
                    context);
  FXS_CHECK(assembly.snapshot(text, -1, false));
  auto passes = parsePipeline(*pipeline);
  if (!passes)
    return fail(
        ErrorCode::InvalidInput,
        path + ": the pipeline of its mlir_reproducer cannot be read: " + passes.error().message);
  for (const PipelinePass& listed : *passes) {
    PassRun& pass = assembly.trace().passes.emplace_back();
    pass.stage = "reproducer";
    pass.pass = listed.pass;
    pass.options = listed.options;
    pass.anchor = listed.anchors.empty() ? "builtin.module" : listed.anchors.back();
  }
  assembly.stage().status = StageStatus::Skipped;
  assembly.stage().message = "a reproducer contains the module before these passes; it was not run";
  return assembly.finish();
}

}  // namespace

ForeignKind foreignKind(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const auto files = treeFiles(path);
    return files && !files->empty() ? ForeignKind::TreeDirectory : ForeignKind::None;
  }
  if (!fs::is_regular_file(path, error)) return ForeignKind::None;
  const std::string begin = firstBytes(path, kLook);
  if (begin.find(mlir::kDumpMark) != std::string::npos) return ForeignKind::DumpLog;
  const std::string end = lastBytes(path, kLook);
  if (end.find(kReproducer) != std::string::npos && end.find("{-#") != std::string::npos)
    return ForeignKind::Reproducer;
  return ForeignKind::None;
}

Result<std::shared_ptr<const PassTrace>> openForeignTrace(const std::string& path,
                                                          const std::string& directory,
                                                          const RunContext& context) {
  context.report({"reading " + path, -1});
  std::error_code error;
  if (!fs::exists(path, error))
    return fail(ErrorCode::NotFound, path + ": no such file or directory");
  switch (foreignKind(path)) {
    case ForeignKind::DumpLog: return openLog(path, directory, context);
    case ForeignKind::TreeDirectory: return openTree(path, directory, context);
    case ForeignKind::Reproducer: return openReproducer(path, directory, context);
    case ForeignKind::None: break;
  }
  if (fs::is_directory(path, error)) return openTree(path, directory, context);
  return fail(
      ErrorCode::InvalidInput,
      path +
          ": contains no '// -----// IR Dump' line and no mlir_reproducer; record a log with "
          "--mlir-print-ir-after-all 2> FILE, a folder with "
          "--mlir-print-ir-tree-dir, or a reproducer with --mlir-pass-pipeline-crash-reproducer");
}

}  // namespace fxs::lower
