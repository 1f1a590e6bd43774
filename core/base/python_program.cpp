// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/python_program.h"

#include <filesystem>
#include <string_view>

#include "base/byte_source.h"
#include "base/take_until.h"

namespace fxs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kConfigBytes = 1 << 16;
/// Address space: PyTorch with its libraries for a GPU maps several GiB.
constexpr std::uint64_t kMemory = std::uint64_t{32} << 30;
constexpr std::uint64_t kFileSize = std::uint64_t{1} << 30;

/// What an interpreter in `bin` consists of. Of a home folder with a `bin` in it, no more than what
/// a prefix has.
void addPrefix(const fs::path& bin, std::vector<std::string>& reads) {
  const fs::path prefix = bin.parent_path();
  for (const char* part : {"lib", "lib64", "pyvenv.cfg"}) reads.push_back((prefix / part).string());
}

/// Where the interpreter is that a virtual environment was made from: `home` of its pyvenv.cfg (PEP
/// 405).
std::string homeOf(const fs::path& config) {
  const auto text = readWholeFile(config.string(), kConfigBytes);
  if (!text) return {};
  constexpr std::string_view kKey = "home = ";
  const std::size_t at = text->starts_with(kKey) ? 0 : text->find("\n" + std::string(kKey)) + 1;
  if (at == 0 && !text->starts_with(kKey)) return {};
  const std::size_t begin = at + kKey.size();
  return text->substr(begin, std::min(text->find_first_of("\r\n", begin), text->size()) - begin);
}

}  // namespace

Command pythonProgram(const std::string& python, std::string script,
                      std::vector<std::string> arguments, std::vector<std::string> reads,
                      const std::string& folder) {
  Command command;
  Cage& cage = command.cage.emplace();
  std::error_code ignored;
  if (isScript(python)) {
    cage.reading = Cage::Reading::Everything;
    cage.processes = Cage::Processes::Programs;
  } else {
    const fs::path given(python), file = fs::canonical(given, ignored);
    cage.reads = {given.string(), file.string()};
    addPrefix(given.parent_path(), cage.reads);
    addPrefix(file.parent_path(), cage.reads);
    if (const std::string home = homeOf(given.parent_path().parent_path() / "pyvenv.cfg");
        !home.empty()) {
      addPrefix(home, cage.reads);
      addPrefix(fs::canonical(fs::path(home) / given.filename(), ignored).parent_path(),
                cage.reads);
    }
  }
  cage.reads.insert(cage.reads.end(), reads.begin(), reads.end());
  cage.writes = {folder};
  cage.fileSize = kFileSize;
  command.program = identityOf(python);
  command.memoryLimit = kMemory;
  command.directory = folder;
  // PyTorch asks for the user's name, to name a cache that it does not need.
  command.environment = {"HOME=" + folder, "USER=fxscope", "LOGNAME=fxscope"};
  // -I: neither the current folder, nor the user's packages, nor variables of the environment. -B:
  // no bytecode is written.
  command.argv = {python, "-I", "-B", "-"};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.stdinText = std::move(script);
  return command;
}

void forEachAnswer(std::string_view out, const std::function<void(const Json&)>& visit) {
  while (!out.empty())
    if (const auto answer = JsonDocument::parse(takeUntil('\n', out), "the script's answer"))
      visit((*answer)->root());
}

std::string_view lastLineOf(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace fxs
