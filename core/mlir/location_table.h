#pragma once
// The locations of one printed MLIR text, resolved to lines of known files, wherever they stand inside names, fused and callsite
// locations and behind `#loc12` aliases. Line N of the file `fx` is FX node N. Hostile aliases (cycles, absurd numbers) resolve to
// nothing.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fx/argument.h"

namespace fxs::mlir {

inline constexpr std::string_view kFxFile = "fx";
/// No program has more nodes: a larger number in a location is not one of ours.
inline constexpr std::uint32_t kMaxNodeIndex = 1u << 22;
/// Places kept of one fused location.
inline constexpr std::size_t kMaxPlacesOfLocation = 64;

/// A line of one of the files that a table knows, by number; the line is as written: an FX node's index, else 1-based.
struct FilePlace {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  friend bool operator==(const FilePlace&, const FilePlace&) = default;
};

class LocationTable {
 public:
  /// Other files than `fx` that locations may lead to: their numbers are 1, 2, ..; `fx` is 0.
  explicit LocationTable(std::vector<std::string> files = {});
  /// Adds the alias of a line `#loc12 = loc(..)`; false when the line is no such alias. The text must outlive the table.
  bool addAlias(std::string_view line);
  /// Resolves every alias; to be called once, after the last addAlias.
  void resolve();
  /// Places of a location's body (`"relu"("fx":12:0)` or `#loc3`), each once, in order of appearance. Of a callsite, those of the
  /// callee, or those of the caller when the callee has none.
  std::vector<FilePlace> places(std::string_view body) const;
  /// Those in the file `fx`, as nodes.
  std::vector<fx::NodeId> nodes(std::string_view body) const;

 private:
  struct Alias {
    std::string_view body;
    std::vector<FilePlace> places;
    enum class State : std::uint8_t { New, Open, Done } state = State::New;
  };
  Alias* find(std::string_view name);
  const Alias* find(std::string_view name) const { return const_cast<LocationTable*>(this)->find(name); }

  std::map<std::string, std::uint32_t, std::less<>> files_;  // without fx; the first of a name counts
  std::vector<Alias> aliases_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

/// `text[open]` is `(`, `[`, `{` or `<` with quotes counted out: the offset after its partner, or npos.
std::size_t afterBalanced(std::string_view text, std::size_t open);
/// The offset after the string that begins with the quote at `quote`; text.size() when it does not end.
std::size_t afterString(std::string_view text, std::size_t quote);

}  // namespace fxs::mlir
