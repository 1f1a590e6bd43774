// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "report/line.h"

namespace fxs::report {

std::string folderText(const std::string& folder, const std::vector<read::CaptureEntry>& captures) {
  std::string out = line("{}: {}\n", folder, counted(captures.size(), "capture"));
  std::size_t width = 0;
  for (const read::CaptureEntry& c : captures) width = std::max(width, c.file.size());
  for (const read::CaptureEntry& c : captures) {
    if (!c.error.empty()) {
      out += line("  {:<{}}  cannot be opened: {}\n", c.file, width, c.error);
      continue;
    }
    out += line("  {:<{}}  {}  {}\n", c.file, width, counted(c.nodes, "node"), c.title);
    if (!c.graphBreak.empty()) out += line("  {:<{}}  graph break: {}\n", "", width, c.graphBreak);
  }
  return out;
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
