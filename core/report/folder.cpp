// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/folder.h"

#include "base/counted.h"
#include "base/json_form.h"
#include "report/document.h"

namespace fxs::report {

std::string folderText(const std::string& folder, const std::vector<read::CaptureEntry>& captures) {
  Section out{folder, counted(captures.size(), "capture")};
  Facts files;
  for (const read::CaptureEntry& c : captures) {
    if (!c.error.empty()) {
      files.add(c.file, "cannot be opened: " + c.error);
      continue;
    }
    std::vector<Inline> lines{counted(c.nodes, "node") + "  " + c.title};
    if (!c.graphBreak.empty()) lines.emplace_back("graph break: " + c.graphBreak);
    files.add(c.file, std::move(lines));
  }
  out.blocks = {std::move(files)};
  return renderText(Block(std::move(out)));
}

namespace {

struct FolderReport {
  const std::string& folder;
  const std::vector<read::CaptureEntry>& captures;
};

JsonAnswer<FolderReport> folderAnswer() {
  using C = read::CaptureEntry;
  const JsonForm<C> capture = {
      {"file", &C::file},
      {"path", &C::path},
      {"format", &C::formatId, "pt2, fx_json, helion_device_ir .."},
      {"title", &C::title, nullIfEmpty, "the format in words; null when it cannot be opened"},
      {"nodes", &C::nodes},
      {"graph_break", &C::graphBreak, nullIfEmpty, "why Dynamo ended the graph, and where"},
      {"error", &C::error, nullIfEmpty, "why the file cannot be opened"}};
  return {"fxscope-folder/1",
          "fxscope-cli inspect FOLDER --json",
          {{"folder", [](const FolderReport& report) { return report.folder; }, "as given"},
           {"captures", [](const FolderReport& report) { return report.captures; }, capture,
            "the files that fxscope opens, by name"}}};
}

}  // namespace

std::string folderJson(const std::string& folder, const std::vector<read::CaptureEntry>& captures) {
  return folderAnswer().text({folder, captures});
}
std::string folderSchema() { return folderAnswer().schemaText(); }

}  // namespace fxs::report
