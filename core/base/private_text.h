#pragma once
// Removes private data from text that is shared. It is recognized by its form (paths, URLs, addresses, keys, passwords) and by value: paths
// under the home folder, the names of the user and of the machine. Forms are heuristics: private data in other forms stays, so users should
// review what they share. Equal data gets equal placeholders, which are valid in identifiers: redacted_token_1.
//
// Filtering is idempotent for any identity, so a recipient can verify that a text was filtered.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// Of the machine and of who sits at it, handed in by the app. "" where it is not known.
struct Identity {
  std::string home;  ///< absolute
  std::string user;
  std::string host;
};

enum class PrivateKind : std::uint8_t { HomePath, Path, Token, Address, Email, Name };
inline constexpr std::size_t kPrivateKinds = 6;

/// What was removed of one kind: how often, and its first placeholder.
struct Removed {
  PrivateKind kind{};
  std::size_t count = 0;
  std::string example;
};
/// "3 paths under a home folder (net.py)", "1 token or password (redacted_token_1)"
std::string text(const Removed&);

class PrivateText {
 public:
  explicit PrivateText(Identity identity = {});

  /// Of a text for people: a stack trace, what a program said.
  std::string text(std::string_view);
  /// Of names that a program needs: paths, keys and passwords go, words that only might be private stay.
  std::string name(std::string_view);
  /// Of all calls since countAgain(), by kind.
  std::vector<Removed> removed() const;
  /// Counts from here on; what something is called stays.
  void countAgain() { removed_ = {}; }

 private:
  friend class PrivateScan;
  /// The word for something private, the same for the same.
  std::string placeholder(std::string_view what, std::string_view value);
  void count(PrivateKind, std::string_view example);
  std::string cleaned(std::string_view, bool free);
  void replaceKnown(std::string&);

  Identity identity_;
  std::map<std::string, std::string, std::less<>> placeholders_;  // by what and value
  std::map<std::string, std::size_t, std::less<>> counters_;      // by what
  std::map<std::string, std::string, std::less<>> known_;         // keys that were met, which may stand inside of other words
  std::array<Removed, kPrivateKinds> removed_{};
};

}  // namespace fxs
