// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "read/read.h"

namespace fxs::read {
namespace {

Result<std::vector<std::filesystem::path>> filesOf(const std::string& folder) {
  std::error_code problem;
  std::vector<std::filesystem::path> out;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->is_symlink(ignored) || !at->is_regular_file(ignored)) continue;
    if (out.size() == kMaxFolderFiles)
      return fail(ErrorCode::InvalidInput,
                  folder + ": holds more than " + std::to_string(kMaxFolderFiles) + " files");
    out.push_back(at->path());
  }
  if (problem)
    return fail(
        problem == std::errc::no_such_file_or_directory ? ErrorCode::NotFound : ErrorCode::Io,
        folder + ": " + problem.message());
  std::sort(out.begin(), out.end());
  return out;
}

/// Exceeding the budget is an error of this file only; a stop request ends the listing.
Result<Capture> opened(const std::string& path, const ReadOptions& options,
                       const RunContext& context) try {
  return openCapture(path, options, context);
} catch (const Abandoned& abandoned) {
  if (abandoned.error.code == ErrorCode::Cancelled) throw;
  return tl::unexpected<Error>(abandoned.error);
}

}  // namespace

std::optional<std::string> captureFormat(const std::string& path, const RunContext& context) {
  const auto source = openFile(path);
  if (!source || (*source)->size() == 0) return std::nullopt;
  Sniffed sniffed;
  auto head = (*source)->read(0, std::min(kSniffedBytes, (*source)->size()));
  if (!head) return std::nullopt;
  sniffed.head = *std::move(head);
  if (sniffed.head.starts_with("PK"))
    if (auto zip = ZipReader::open(*source, path)) sniffed.zip = *zip;
  FormatRegistry registry;
  registerAllFormats(registry);
  for (const Format& format : registry.formats())
    if (format.sniff(sniffed, context)) return format.id;
  return std::nullopt;
}

Result<std::vector<CaptureEntry>> listCaptures(const std::string& folder,
                                               const ReadOptions& options,
                                               const RunContext& context) {
  FXS_TRY(const std::vector<std::filesystem::path> files, filesOf(folder));
  std::vector<CaptureEntry> out;
  for (const std::filesystem::path& path : files) {
    if (context.stop.stop_requested()) return fail(ErrorCode::Cancelled, "listing was cancelled");
    context.report({"looking at " + path.filename().string(), -1});
    context.budget->look(folder);
    RunContext inner = context;  // each file has its own budget
    inner.budget = std::make_shared<const Budget>(context.budget->limits());
    const auto format = captureFormat(path.string(), inner);
    if (!format) continue;
    CaptureEntry entry;
    entry.path = path.string();
    entry.file = path.filename().string();
    entry.formatId = *format;
    const auto capture = opened(entry.path, options, inner);
    context.spend(Resource::Text, inner.budget->spent(Resource::Unpacked), folder);
    if (capture) {
      entry.title = capture->format;
      entry.nodes = capture->program->nodes.size();
      for (const std::string& note : capture->notes)
        if (note.starts_with(kGraphBreakNote))
          entry.graphBreak = note.substr(std::string_view(kGraphBreakNote).size());
    } else {
      entry.error = capture.error().message;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace fxs::read
