// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/source_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/joined.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "base/take_until.h"
#include "lit/parts.h"
#include "lower/tool_run.h"
#include "mlir/logs/dump_header.h"
#include "module/module_program.h"

namespace fxs::module {
namespace {

constexpr std::string_view kBytecode = "ML\xefR";
/// Of an error, which may quote a line of any length.
constexpr std::size_t kMaxMessageBytes = 500;
constexpr std::size_t kMaxDialectBytes = 100;

bool isIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

/// The text after blank lines and comments.
std::string_view withoutComments(std::string_view text) {
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    if (!text.starts_with("//")) return text;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

/// Whether an operation, or the definition of an alias, begins here.
bool beginsModule(std::string_view text) {
  if (text.starts_with("{-#")) return true;
  const bool isAlias = text.starts_with('#') || text.starts_with('!');
  const bool isQuoted = text.starts_with('"');
  const std::size_t first = isAlias || isQuoted || text.starts_with('%') ? 1 : 0;
  std::size_t end = first;
  while (end < text.size() && isIdentifier(text[end])) ++end;
  if (end == first) return false;
  const std::string_view name = text.substr(first, end - first);
  const std::string_view rest = text.substr(end);
  if (isQuoted) return name.find('.') != name.npos && rest.starts_with("\"(");
  const std::size_t next = rest.find_first_not_of(' ');
  const char mark = next == rest.npos ? '\0' : rest[next];
  if (isAlias) return mark == '=';
  if (first == 1) return mark == '=' || mark == ':' || mark == ',';
  if (name == "module") return mark == '{' || mark == '@' || rest.starts_with(" attributes");
  return name.find('.') != name.npos && next > 0 && mark != '=' && mark != '\0';
}

/// An error that a tool printed: `<stdin>:3:5: error: ..`.
struct ReadError {
  std::uint32_t line = 0;  ///< 1-based; 0 if it names none
  std::uint32_t column = 0;
  std::string message;
};

ReadError firstError(std::string_view err) {
  constexpr std::string_view kMark = " error: ";
  ReadError out;
  const std::size_t at = err.find(kMark);
  if (at == std::string_view::npos) return out;
  const std::size_t begin = at + kMark.size();
  const std::string_view message = err.substr(begin, err.find('\n', begin) - begin);
  out.message = printable(message.substr(0, kMaxMessageBytes));
  if (message.size() > kMaxMessageBytes) out.message += " ..";
  const std::size_t lineBegin = err.rfind('\n', at) + 1;
  std::string_view position = err.substr(lineBegin, at - lineBegin);
  if (!position.starts_with(kStdin) || position.size() <= kStdin.size()) return out;
  position.remove_prefix(kStdin.size() + 1);
  const char* const end = position.data() + position.size();
  const auto line = std::from_chars(position.data(), end, out.line);
  if (line.ptr != end) std::from_chars(line.ptr + 1, end, out.column);
  return out;
}

std::string_view lineOf(std::string_view text, std::uint32_t line) {
  for (; line > 1; --line) takeUntil('\n', text);
  return takeUntil('\n', text);
}

/// The dialect that a tool does not register, which another may; "" if the error is another one.
std::string unknownDialect(const ReadError& error, std::string_view text) {
  constexpr std::string_view kCustom = "Dialect `";
  const std::string_view message = error.message;
  if (message.starts_with(kCustom)) {
    const std::string_view rest = message.substr(kCustom.size());
    const std::size_t end = rest.find("' not found");
    return std::string(rest.substr(0, end == rest.npos ? 0 : end));
  }
  if (message.find("unregistered dialect") == std::string_view::npos) return {};
  // A type or an attribute is printed: `!"foo"<"bar">`. Else the column is that after the quoted
  // name of an operation.
  std::string_view rest = message;
  if (takeUntil('"', rest); !rest.empty()) return std::string(takeUntil('"', rest));
  rest = lineOf(text, error.line).substr(0, error.column);
  rest = rest.substr(0, rest.rfind('"'));
  rest.remove_prefix(rest.rfind('"') + 1);
  return printable(takeUntil('.', rest).substr(0, kMaxDialectBytes));
}

std::string at(const std::string& label, const ReadError& error, std::uint32_t firstLine) {
  if (error.line == 0) return label;
  return fmt::format("{}:{}:{}", label, error.line + firstLine, error.column);
}

/// The tools that read modules, in the order in which they are tried.
constexpr std::array<std::string_view, 2> kReaders{lower::kEngineTool, "mlir-opt-22"};

/// The module as a tool prints it.
struct Printed {
  std::string text;
  std::string tool;
};

Result<Printed> print(const Part& part, lower::Printing printing, const std::string& label,
                      const lower::Engine& engine, const lower::Limits& limits,
                      CommandRunner& runner, const RunContext& context) {
  ReadError refused;
  std::vector<std::string> without;  ///< tools that do not register `dialect`
  std::string dialect, missing;
  for (const std::string_view tool : kReaders) {
    lower::StageSpec stage;
    stage.tool.program = tool;
    const auto reads = lower::engineOfStage(stage, engine);
    if (!reads) {  // the others are optional
      missing = "; " + reads.error().message;
      break;
    }
    lower::EngineRun run =
        lower::printModule(*reads, std::string(part.text), printing, limits, runner, context);
    if (run.outcome == lower::RunOutcome::Ok) return Printed{std::move(run.out), std::string(tool)};
    if (run.outcome == lower::RunOutcome::Cancelled) return tl::unexpected<Error>(cancelled());
    const ReadError error = firstError(run.err);
    if (run.outcome != lower::RunOutcome::Failed || error.message.empty())
      return fail(ErrorCode::EngineFailed, fmt::format("{}: {} {}, and did not read the module",
                                                       label, stage.tool.title(), run.message));
    const std::string unknown = unknownDialect(error, part.text);
    if (refused.message.empty() || unknown.empty()) {
      refused = error;
      dialect = unknown;
    }
    if (unknown.empty()) break;
    without.push_back(stage.tool.title());
  }
  if (!dialect.empty())
    refused.message =
        fmt::format("dialect '{}' is unknown to {}{}", dialect, joined(without, " and "), missing);
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: {}", at(label, refused, part.firstLine), refused.message));
}

}  // namespace

bool isModule(std::string_view head) {
  if (head.starts_with(kBytecode)) return true;
  if (head.find(mlir::kDumpMark) != std::string_view::npos) return false;
  const std::string_view code = withoutComments(head);
  // A lit test of options alone has a module without operations.
  return code.empty() ? head.find("// RUN:") != head.npos : beginsModule(code);
}

std::vector<Part> partsOf(std::string_view text) {
  if (text.starts_with(kBytecode)) return {{text, 0}};
  std::vector<Part> out;
  for (const lit::Part& part : lit::partsOf(text))
    out.push_back({part.text.of(text), part.line - 1});
  return out;
}

Result<read::Capture> openModule(std::string_view text, const std::string& label,
                                 const read::ReadOptions& options, const lower::Engine& engine,
                                 const lower::Limits& limits, CommandRunner& runner,
                                 const RunContext& context) {
  context.spend(Resource::Text, text.size(), label);
  const std::vector<Part> parts = partsOf(text);
  context.spend(Resource::Text, parts.size() * sizeof(Part), label);
  const std::size_t number =
      options.model.empty() ? 1 : numberFrom<std::size_t>(options.model).value_or(0);
  if (number == 0 || number > parts.size())
    return fail(ErrorCode::Usage, fmt::format("{}: there is no part '{}'; it has {}", label,
                                              printable(options.model), parts.size()));
  const Part& part = parts[number - 1];
  read::Capture out;
  out.label = label;
  out.format = text.starts_with(kBytecode) ? "MLIR bytecode" : "MLIR module";
  out.fileBytes = text.size();
  auto module = std::make_shared<read::SourceModule>();
  const bool isBytecode = text.starts_with(kBytecode);
  if (!isBytecode) module->source = part.text;
  const mlir::Module source(part.text);
  const auto read = [&](lower::Printing printing, Locating locating) -> Result<> {
    FXS_TRY(const Printed printed, print(part, printing, label, engine, limits, runner, context));
    module->tool = printed.tool;
    out.program = programOf(printed.text, part, source, locating, label, *module, context);
    return {};
  };
  if (!isBytecode && isLocatedByOrder(source))
    FXS_CHECK(read(lower::Printing::Plain, Locating::ByOrder));
  if (!out.program) FXS_CHECK(read(lower::Printing::Located, Locating::ByLocations));
  if (!out.program)
    return fail(ErrorCode::EngineFailed, label + ": the tool that read it did not print MLIR");
  out.module = std::move(module);
  if (parts.size() == 1) return out;
  out.notes.push_back(fmt::format("part {} of {}; --model opens another", number, parts.size()));
  out.models.push_back(std::to_string(number));
  for (std::size_t i = 1; i <= parts.size(); ++i)
    if (i != number) out.models.push_back(std::to_string(i));
  return out;
}

}  // namespace fxs::module
