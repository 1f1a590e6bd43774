// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep/programs.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <system_error>
#include <tuple>

#include "base/joined.h"
#include "base/safe_text.h"
#include "base/sha256.h"
#include "read/folder.h"

namespace fxs::sweep {
namespace {

namespace fs = std::filesystem;

struct Found {
  ProgramFile file;
  bool named = false;  ///< given itself, not found in a folder
};

tl::unexpected<Error> unlisted(const fs::path& path, const std::error_code& problem) {
  const bool missing =
      problem == std::errc::no_such_file_or_directory || problem == std::errc::not_a_directory;
  if (missing) return fail(ErrorCode::NotFound, path.string() + ": no such file or folder");
  return fail(ErrorCode::Io, path.string() + ": cannot be listed: " + problem.message());
}

Result<> addFolder(const fs::path& folder, std::vector<Found>& out, const RunContext& context) {
  std::error_code problem;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const std::string path = at->path().string();
    context.spend(Resource::Text, path.size() * 2, folder.string());
    out.push_back(
        {{printable(at->path().lexically_relative(folder).generic_string()), path}, false});
  }
  if (problem) return unlisted(folder, problem);
  return {};
}

bool isProgram(const Found& found, const RunContext& context) {
  if (found.named || found.file.path.ends_with(".pt2") || found.file.path.ends_with(".mlir"))
    return true;
  RunContext own = context;
  own.budget = std::make_shared<const Budget>(context.budget->limits());
  return read::captureFormat(found.file.path, own).has_value();
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || fs::equivalent(a, b, ignored);
}

/// By name; of one name, those that are given first.
Result<std::vector<Found>> filesUnder(const std::vector<std::string>& paths,
                                      const RunContext& context) {
  std::vector<Found> found;
  for (const std::string& given : paths) {
    context.report({"listing " + given, -1});
    std::error_code problem;
    const fs::file_status status = fs::status(given, problem);
    if (status.type() == fs::file_type::not_found || problem)
      return unlisted(
          given, problem ? problem : std::make_error_code(std::errc::no_such_file_or_directory));
    const fs::path path = fs::path(given).lexically_normal();
    if (fs::is_directory(status)) FXS_CHECK(addFolder(path, found, context));
    else found.push_back({{printable(path.filename().string()), given}, true});
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.file.name, b.named) < std::tie(b.file.name, a.named);
  });
  return found;
}

/// The program among files of one name; null if there is none in the shard. Usage for two: also in
/// other shards, so that all refuse it.
Result<const ProgramFile*> programAmong(std::span<const Found> files, const Shard& shard,
                                        const RunContext& context) {
  const bool ours = isIn(shard, files.front().file.name);
  const ProgramFile* taken = nullptr;
  for (const Found& found : files) {
    if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
    const bool isLast = &found == &files.back();
    if (!ours && isLast && taken == nullptr) continue;
    if (!isProgram(found, context)) continue;
    if (taken != nullptr && !isSameFile(taken->path, found.file.path))
      return fail(ErrorCode::Usage, "'" + found.file.name + "' would name both " + taken->path +
                                        " and " + found.file.path +
                                        "; sweep a folder that holds both, or each by itself");
    if (taken == nullptr) taken = &found.file;
  }
  return ours ? taken : nullptr;
}

}  // namespace

Result<Shard> shardFrom(std::string_view text) {
  Shard out;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, out.index);
  const bool slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = slash ? std::from_chars(index.ptr + 1, end, out.count) : index;
  if (!slash || count.ec != std::errc() || count.ptr != end || out.index < 1 ||
      out.index > out.count)
    return fail(ErrorCode::Usage,
                "option '--shard': expected I/N with I from 1 to N, such as 2/16, got '" +
                    std::string(text) + "'");
  return out;
}

bool isIn(const Shard& shard, std::string_view program) {
  std::uint64_t hash = 0;
  const std::string digest = sha256(program).substr(0, 16);
  std::from_chars(digest.data(), digest.data() + digest.size(), hash, 16);
  return hash % shard.count == shard.index - 1;
}

Result<std::vector<ProgramFile>> programsUnder(const std::vector<std::string>& paths,
                                               const Shard& shard, const RunContext& context) {
  FXS_TRY(const std::vector<Found> found, filesUnder(paths, context));
  std::vector<ProgramFile> out;
  for (auto begin = found.begin(); begin != found.end();) {
    const auto end = std::find_if(
        begin, found.end(), [&](const Found& each) { return each.file.name != begin->file.name; });
    FXS_TRY(const ProgramFile* program, programAmong({begin, end}, shard, context));
    if (program != nullptr) out.push_back(*program);
    begin = end;
  }
  if (out.empty() && std::all_of(found.begin(), found.end(),
                                 [&](const Found& each) { return isIn(shard, each.file.name); }))
    return fail(ErrorCode::InvalidInput, joined(paths) +
                                             ": no program was found; expected .pt2 files, "
                                             "captured graphs, MLIR modules or bundles");
  return out;
}

}  // namespace fxs::sweep
