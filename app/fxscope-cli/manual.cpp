// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "manual.h"

#include "window_options.h"

namespace fxs::cli {
namespace {

/// Text for roff: nothing in it is a request, an escape or a dash.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else if (c == '"') out += "\\(dq";
    else if (c == '^') out += "\\(ha";
    else if (c == '~') out += "\\(ti";
    else if (c == '`') out += "\\(ga";
    else if (c == '.' && out.empty()) out += "\\&.";
    else if (c == '\n') out += "\n";
    else out += c;
  }
  return out;
}

class Page {
 public:
  Page(const std::string& name, std::string_view version, const std::string& summary) {
    out_ = ".TH " + roff(name) + " 1 \"\" \"fxscope " + std::string(version) + "\" \"fxscope\"\n";
    section("NAME");
    out_ += roff(name) + " \\- " + roff(summary) + "\n";
  }
  void section(const std::string& name) { out_ += ".SH " + name + "\n"; }
  void subsection(const std::string& name) { out_ += ".SS \"" + roff(name) + "\"\n"; }
  void text(const std::string& text) { out_ += roff(text) + "\n"; }

  /// `bold` and `italic` as the heading of an entry.
  void entry(const std::string& bold, const std::string& italic, const std::string& text) {
    out_ += ".TP\n";
    out_ += (bold.empty() ? "" : "\\fB" + roff(bold) + "\\fR") +
            (bold.empty() || italic.empty() ? "" : " ") +
            (italic.empty() ? "" : "\\fI" + roff(italic) + "\\fR") + "\n";
    out_ += roff(text) + "\n";
  }
  void synopsis(const std::string& bold, const std::string& italic) {
    out_ += (out_.ends_with("\\fR\n") || out_.ends_with("]\n") ? ".br\n" : "") +
            std::string("\\fB") + roff(bold) + "\\fR" + (italic.empty() ? "" : " " + roff(italic)) +
            "\n";
  }
  void options(const std::vector<Option>& options, const lower::OutputTypes& types) {
    for (const Option& option : options)
      entry(option.name, option.value, filledIn(option.help, types));
  }
  void environment(std::initializer_list<std::pair<const char*, const char*>> variables) {
    section("ENVIRONMENT");
    for (const auto& [name, meaning] : variables) entry(name, "", meaning);
  }
  void seeAlso(const std::string& other) {
    section("SEE ALSO");
    out_ += "\\fB" + roff(other) + "\\fR(1)\n";
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

using Variable = std::pair<const char*, const char*>;
constexpr Variable kEngineVariable{"FXSCOPE_ENGINE", "The default of --engine."};
constexpr Variable kReadVariable{
    "FXSCOPE_CAGE_READ",
    "Further folders that the engine may read, separated by colons; see docs/security.md."};
constexpr Variable kWriteVariable{"FXSCOPE_CAGE_WRITE",
                                  "Further folders that the engine may write."};
constexpr Variable kCacheVariable{
    "XDG_CACHE_HOME", "What is measured once is kept below it, in fxscope (default: ~/.cache)."};
constexpr Variable kDataVariable{
    "XDG_DATA_HOME",
    "Engines known by name are kept below it, in fxscope/engines (default: ~/.local/share)."};

std::string positionalsOf(const Command& command) {
  std::string out;
  for (const Positional& p : command.positionals) {
    const std::string name = p.name + (p.repeated ? ".." : "");
    out += p.required ? name + " " : "[" + name + "] ";
  }
  return out;
}

}  // namespace

std::string commandLineManual(const Commands& commands, const lower::OutputTypes& types,
                              std::string_view version) {
  Page page("fxscope-cli", version,
            "shows how a PyTorch program lowers to MLIR, and where and why it stops");
  page.section("SYNOPSIS");
  for (const Command& command : commands.commands())
    page.synopsis("fxscope-cli " + command.name, positionalsOf(command) + "[options]");
  page.synopsis("fxscope-cli --help", "");
  page.synopsis("fxscope-cli --version", "");
  page.section("DESCRIPTION");
  page.text(
      "Standard output carries the answer, standard error progress and messages. FILE may be - for "
      "standard input. MLIR is lowered by an "
      "engine, the torch-mlir-opt of a release of torch-mlir: 'fxscope-cli engine fetch' installs "
      "the one that fxscope was checked with.");
  page.section("COMMANDS");
  for (const Command& command : commands.commands()) {
    page.subsection(command.name);
    page.text(command.summary);
    for (const Positional& p : command.positionals)
      page.entry("", p.name + (p.repeated ? ".." : ""), p.help);
    page.options(command.options, types);
  }
  page.section("OPTIONS OF EVERY COMMAND");
  page.options(sharedOptions(), types);
  page.entry("--help", "", "print this help and exit");
  page.section("EXIT STATUS");
  for (const auto& [code, meaning] : kExitCodes) page.entry(std::to_string(code), "", meaning);
  page.environment({kEngineVariable,
                    kReadVariable,
                    kWriteVariable,
                    kCacheVariable,
                    kDataVariable,
                    {"NO_COLOR", "If it is set, --color auto is never."},
                    {"PATH",
                     "Where programs are looked up: python3, whose pip fetches engines, and those "
                     "that run what was lowered."}});
  page.section("FILES");
  page.entry("share/fxscope/schemas, share/fxscope/output_types.json", "",
             "In the prefix of the installation: what is named resources/schemas and "
             "resources/output_types.json above.");
  page.section("EXAMPLES");
  page.synopsis("fxscope-cli lower model.pt2 --to tosa", "");
  page.synopsis("fxscope-cli diagnose model.pt2 --to tosa,stablehlo --format html -o report.html",
                "");
  page.synopsis("fxscope-cli fix model.pt2 --to tosa -o fixed.pt2", "");
  page.seeAlso("fxscope");
  return page.take();
}

std::string windowManual(const lower::OutputTypes& types, std::string_view version) {
  Page page("fxscope", version,
            "window on a PyTorch program and every stage of its lowering to MLIR");
  page.section("SYNOPSIS");
  page.synopsis("fxscope", "[options] [FILE..]");
  page.section("DESCRIPTION");
  page.text(
      "Shows the FX graph of a program, the metadata of its nodes, and the MLIR of every stage and "
      "pass, and why it stops where it does "
      "not "
      "lower.");
  page.section("OPTIONS");
  page.entry("", "FILE", app::kWindowFileHelp);
  page.options(app::windowOptions(), types);
  page.entry("--help", "", "Displays help.");
  page.entry("--version", "", "Displays version information.");
  page.environment({kEngineVariable, kReadVariable, kWriteVariable, kCacheVariable, kDataVariable});
  page.section("FILES");
  page.entry("~/.config/fxscope/fxscope.ini", "", "The window's settings.");
  page.seeAlso("fxscope-cli");
  return page.take();
}

}  // namespace fxs::cli
