// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lists the captures in a folder, such as one written by fxscope_capture.py with one graph per
// file, sorted by name.
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "read/format.h"

namespace fxs::read {

struct CaptureEntry {
  std::string path;
  std::string file;   ///< its name in the folder
  std::string title;  ///< "FX graph (fxscope-fx/1, Dynamo graph of graph 0, torch 2.13.0)"; "" when
                      ///< it cannot be opened
  std::string formatId;   ///< "fx_json", "pt2" ..
  std::size_t nodes = 0;  ///< over all graphs
  std::string
      graphBreak;     ///< the reason of the Dynamo graph break that ended the graph; "" if none
  std::string error;  ///< why a capture cannot be opened; "" if it can
};
inline constexpr std::size_t kMaxFolderFiles = 4096;

/// Prefix of Capture::notes about graph breaks.
inline constexpr const char* kGraphBreakNote = "graph break: ";

/// The id of the first format that recognizes the file; std::nullopt if none does or the file
/// cannot be read.
std::optional<std::string> captureFormat(const std::string& path, const RunContext& = {});

/// All captures in the folder, sorted by name. Ignores other files and subfolders, and does not
/// follow links. Each file has a budget with the context's limits; their unpacked bytes are spent
/// together as Resource::Text. NotFound or Io if the folder cannot be listed; InvalidInput if it
/// contains more than kMaxFolderFiles files.
Result<std::vector<CaptureEntry>> listCaptures(const std::string& folder, const ReadOptions&,
                                               const RunContext&);

}  // namespace fxs::read
