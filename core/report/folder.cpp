// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/folder.h"

#include "base/counted.h"
#include "base/json.h"
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

std::string folderJson(const std::string& folder, const std::vector<read::CaptureEntry>& captures) {
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-folder/1")
      .member("folder", folder)
      .key("captures")
      .beginArray();
  for (const read::CaptureEntry& c : captures) {
    json.beginObject().member("file", c.file).member("path", c.path).member("format", c.formatId);
    json.textOrNull("title", c.title).member("nodes", c.nodes);
    json.textOrNull("graph_break", c.graphBreak).textOrNull("error", c.error).endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
