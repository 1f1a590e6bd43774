// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli serve: commands as tools for agents, and answers for editors.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "command.h"
#include "lsp_server.h"
#include "mcp_server.h"

namespace fxs::cli {
namespace {

Result<std::vector<std::string>> foldersFrom(const Arguments& arguments) {
  std::vector<std::string> out;
  std::vector<std::string> given = arguments.raw("--folder");
  if (given.empty()) given = {"."};
  for (const std::string& folder : given) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(folder, error);
    if (error || !std::filesystem::is_directory(path, error))
      return fail(ErrorCode::Usage, "option '--folder': " + folder + " is not a folder");
    out.push_back(path.string());
  }
  return out;
}

/// Also when it is run through a link or by a name on PATH.
Result<std::string> ownProgram() {
  std::error_code error;
  const std::filesystem::path out = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return fail(ErrorCode::Io, "/proc/self/exe: " + error.message());
  return out.string();
}

std::vector<std::string> ownEnvironment() {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) out.emplace_back(*each);
  return out;
}

Result<ServedProgram> servedProgram(const Arguments& arguments, const ServedFolders& folders,
                                    const Console& console) {
  FXS_TRY(const std::string program, ownProgram());
  std::vector<std::string> environment = ownEnvironment();
  if (const auto engine = arguments.get("--engine"))
    environment.push_back("FXSCOPE_ENGINE=" + *engine);
  return ServedProgram{program, std::move(environment), folders.first(),
                       console.environment.runner};
}

Result<std::vector<std::string>> programsFrom(const Arguments& arguments,
                                              const ServedFolders& folders) {
  std::vector<std::string> out;
  for (const std::string& file : arguments.all("--program")) {
    std::error_code error;
    const std::string path = std::filesystem::absolute(file, error).string();
    if (!std::filesystem::is_regular_file(path, error))
      return fail(ErrorCode::Usage, "option '--program': " + file + ": no such file");
    FXS_TRY(std::string resolved, folders.resolved(path));
    out.push_back(std::move(resolved));
  }
  return out;
}

Result<std::vector<std::string>> typesFrom(const Arguments& arguments, const Console& console) {
  std::vector<std::string> out, given = arguments.all("--to");
  if (given.empty()) given = {std::string(lower::kDefaultOutputType)};
  for (const std::string& name : given) {
    FXS_TRY(const lower::OutputType type, console.environment.outputTypes.from(name));
    out.emplace_back(lower::name(type));
  }
  return out;
}

/// Options that the commands of an editor's server have, too.
std::vector<std::string> passedOn(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const std::string& limit : arguments.all("--limit")) out.push_back("--limit=" + limit);
  std::error_code ignored;
  for (const std::string& file : arguments.all("--output-types"))
    out.push_back("--output-types=" + std::filesystem::absolute(file, ignored).string());
  return out;
}

Result<int> runLsp(const Arguments& arguments, const ServedFolders& folders,
                   const ServedProgram& program, Console& console) {
  FXS_TRY(const std::vector<std::string> programs, programsFrom(arguments, folders));
  FXS_TRY(const std::vector<std::string> types, typesFrom(arguments, console));
  const LspServer server{program,
                         folders,
                         FXS_VERSION,
                         programs,
                         types,
                         passedOn(arguments),
                         &console.environment.outputTypes};
  FXS_TRY(const bool wasShutDown, serveLsp(server, STDIN_FILENO, STDOUT_FILENO, console.context));
  if (console.context.stop.stop_requested()) return kCancelled;
  // As the protocol has it.
  return wasShutDown ? kDone : kFindings;
}

Result<int> runServe(const Arguments& arguments, Console& console) {
  const bool isLsp = arguments.has("--lsp");
  if (isLsp == arguments.has("--mcp"))
    return fail(ErrorCode::Usage, "serve: say what to serve, with --mcp or --lsp");
  for (const std::string_view option : {"--program", "--to"})
    if (!isLsp && arguments.has(option))
      return fail(ErrorCode::Usage, "option '" + std::string(option) + "' requires --lsp");
  FXS_TRY(std::vector<std::string> paths, foldersFrom(arguments));
  const ServedFolders folders(std::move(paths));
  FXS_TRY(const ServedProgram program, servedProgram(arguments, folders, console));
  if (isLsp) return runLsp(arguments, folders, program, console);
  Commands commands;
  registerAllCommands(commands);
  const McpServer server{program, folders, FXS_VERSION, &commands};
  FXS_CHECK(serveMcp(server, STDIN_FILENO, STDOUT_FILENO, console.context));
  return console.context.stop.stop_requested() ? kCancelled : kDone;
}

}  // namespace

void registerServe(Commands& commands);
void registerServe(Commands& commands) {
  commands.add({"serve",
                "offer the commands as tools to agents, and answers to editors",
                {},
                {{"--mcp", "",
                  "speak the Model Context Protocol on standard input and output, until it ends"},
                 {"--lsp", "",
                  "speak the Language Server Protocol on standard input and output, until the "
                  "editor ends it"},
                 {"--program", "FILE,..",
                  "with --lsp: programs whose findings are shown at their lines of Python", true},
                 {"--to", "TYPE,..",
                  "with --lsp: output types: ${output-types} (default: " +
                      std::string(lower::kDefaultOutputType) + ")",
                  true},
                 {"--folder", "DIR,..",
                  "folders that files may be read from and written to; relative paths are below "
                  "the first (default: the working directory)",
                  true}},
                reporting<runServe>,
                Group::SetUp});
}

}  // namespace fxs::cli
