// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/engine_program.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

/// The engine and libraries that may belong to it, next to it or in the lib folder of its prefix;
/// not its whole folder, which may contain other files of the user.
std::vector<std::string> partsOf(const std::string& path) {
  std::error_code ignored;
  const fs::path file = fs::canonical(path, ignored);
  std::vector<std::string> out{path, file.string()};
  for (const char* libraries : {"../lib", "../lib64"})
    out.push_back((file.parent_path() / libraries).string());
  for (fs::directory_iterator entry(file.parent_path(), ignored), end; !ignored && entry != end;
       entry.increment(ignored))
    if (entry->path().filename().string().find(".so") != std::string::npos)
      out.push_back(entry->path().string());
  return out;
}

}  // namespace

std::vector<std::string> filesNamedIn(const std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "extra-library=";
  std::vector<std::string> out;
  for (const std::string& argument : arguments)
    for (std::size_t at = argument.find(kOption); at != std::string::npos;
         at = argument.find(kOption, at + 1)) {
      const std::size_t begin = at + kOption.size();
      const std::size_t end = std::min(argument.find_first_of(" }", begin), argument.size());
      if (end > begin) out.push_back(argument.substr(begin, end - begin));
    }
  return out;
}

Command engineProgram(const Engine& engine, std::vector<std::string> arguments) {
  Command command;
  command.program = engine.file;
  command.programSha256 = engine.sha256;
  Cage& cage = command.cage.emplace();
  if (isScript(engine.path)) {
    cage.reading = Cage::Reading::Everything;
    cage.processes = Cage::Processes::Programs;
  } else {
    cage.reads = partsOf(engine.path);
    for (std::string& file : filesNamedIn(arguments)) cage.reads.push_back(std::move(file));
  }
  command.argv = std::move(arguments);
  command.argv.insert(command.argv.begin(), engine.path);
  return command;
}

}  // namespace fxs::lower
