// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bookmarks and notes on the nodes of a program, and the file beside the program that keeps them:
// model.pt2.fxscope.json. It is sorted, one member a line, so that a team can keep it in version
// control, and it is only ever replaced after it was read: a file that cannot be read is left as it
// is. Which nodes are shown, and how, is up to the front ends.
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fx/program.h"

namespace fxs::notes {

inline constexpr std::string_view kNotesSchema = "fxscope-notes/1";
inline constexpr std::uint64_t kMaxNotesBytes = std::uint64_t{4} << 20;  ///< of the file
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 16;       ///< of one note

/// The name of a node, which is unique in its graph.
struct NodeName {
  std::string
      graph;  ///< "" for main; else the get_attr nodes that lead to the graph: "true_graph_0.body"
  std::string node;
  friend auto operator<=>(const NodeName&, const NodeName&) = default;
};

struct Note {
  std::string text;     ///< "" for a bookmark
  std::string target;   ///< of the node, as it was noted
  std::string time;     ///< of the last change, in UTC: "2026-11-25T15:00:12Z"
  std::string program;  ///< versionOf() the program that it was written on
  friend bool operator==(const Note&, const Note&) = default;
};
using Notes = std::map<NodeName, Note>;

NodeName nameOf(const fx::Program&, fx::NodeId);
/// "relu", "true_graph_0.relu"
std::string fullName(const NodeName&);
/// SHA-256 of fx::dump(), so that a program exported again is the same one while its graph is.
std::string versionOf(const fx::Program&);

/// What a noted node is in another program.
enum class State {
  Same,          ///< the program is the one that the note was written on
  OtherVersion,  ///< another program, with a node of that name and target
  OtherTarget,   ///< the node of that name has another target
  Gone           ///< no node of that name
};
std::string_view title(
    State);  ///< "", "of another version", "was another operation", "not in this program"
struct Placed {
  NodeName name;
  Note note;
  fx::NodeId node;  ///< invalid if Gone
  State state = State::Gone;
};
/// Every note, in the order of the program's nodes, those that are gone last. `version`: that of
/// the program.
std::vector<Placed> placed(const Notes&, const fx::Program&, std::string_view version);

/// "2 notes and 1 bookmark, 1 of them not in this program"
std::string summary(const std::vector<Placed>&);

/// One note written, changed or removed, with what it was before.
struct Change {
  NodeName name;
  std::optional<Note> before, after;
};
/// Where another has changed the text meanwhile, both texts are kept, and a note is not removed.
void apply(const Change&, Notes&);

/// "model.pt2.fxscope.json"; the path of a folder may end in '/'.
std::string fileBeside(const std::string& program);
std::string print(const Notes&);
/// The file's text. Notes of one node, as merging two versions of the file leaves them, become one.
/// InvalidInput.
Result<Notes> parse(std::string_view text, const std::string& label);
/// Of the file beside a program; empty if there is none. Io, InvalidInput.
Result<Notes> readBeside(const std::string& program);
/// Reads the file beside a program, applies the changes and replaces it, atomically and with the
/// program's file locked; without notes the file is removed. Returns what the file has then. On Io,
/// and InvalidInput if it cannot be read or would exceed the limits, the file is unchanged.
Result<Notes> changeBeside(const std::string& program, const std::vector<Change>&);

}  // namespace fxs::notes
