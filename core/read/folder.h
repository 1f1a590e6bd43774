#pragma once
// A folder of captures as a list: what fxscope_capture.py leaves behind, one graph a file, in the order of their names.
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "read/format.h"

namespace fxs::read {

struct CaptureEntry {
  std::string path;
  std::string file;        ///< its name in the folder
  std::string title;       ///< "FX graph (fxscope-fx/1, Dynamo graph of graph 0, torch 2.13.0)"; "" when it cannot be opened
  std::string formatId;    ///< "fx_json", "pt2" ..
  std::size_t nodes = 0;   ///< over all graphs
  std::string graphBreak;  ///< why Dynamo ended the graph; "" when it did not
  std::string error;       ///< of a file that is a capture and cannot be opened
};
inline constexpr std::size_t kMaxFolderFiles = 4096;

/// What a note about a graph break begins with.
inline constexpr const char* kGraphBreakNote = "graph break: ";

/// The id of the format that says the file is its own, by its first bytes; nothing for any other file.
std::optional<std::string> captureFormat(const std::string& path, const RunContext& = {});

/// Every file of the folder that is a capture, sorted by name; folders inside it are not entered, links are not followed, other
/// files are left out. Each file may cost what the context's budget allows, and all together as much text. NotFound, Io; InvalidInput when
/// it holds more than kMaxFolderFiles files.
Result<std::vector<CaptureEntry>> listCaptures(const std::string& folder, const ReadOptions&, const RunContext&);

}  // namespace fxs::read
