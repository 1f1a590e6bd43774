// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli serve: commands as tools for other programs.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "command.h"
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

Result<int> runServe(const Arguments& arguments, Console& console) {
  if (!arguments.has("--mcp"))
    return fail(ErrorCode::Usage, "serve: say what to serve, with --mcp");
  Commands commands;
  registerAllCommands(commands);
  FXS_TRY(std::vector<std::string> paths, foldersFrom(arguments));
  const ServedFolders folders(std::move(paths));
  FXS_TRY(const ServedProgram program, servedProgram(arguments, folders, console));
  const McpServer server{program, folders, FXS_VERSION, &commands};
  FXS_CHECK(serveMcp(server, STDIN_FILENO, STDOUT_FILENO, console.context));
  return console.context.stop.stop_requested() ? kCancelled : kDone;
}

}  // namespace

void registerServe(Commands& commands);
void registerServe(Commands& commands) {
  commands.add({"serve",
                "offer the commands as tools, to agents and editors",
                {},
                {{"--mcp", "",
                  "speak the Model Context Protocol on standard input and output, until it ends"},
                 {"--folder", "DIR,..",
                  "folders that files may be read from and written to; relative paths are below "
                  "the first (default: the working directory)",
                  true}},
                reporting<runServe>,
                Group::SetUp});
}

}  // namespace fxs::cli
