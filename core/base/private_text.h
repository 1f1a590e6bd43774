#pragma once
// Texts that leave this machine without what is private. It is found by its shape (paths, addresses of files, machines and people, keys and
// passwords) and by what it is: everything under the home folder, the user's name, the machine's. A shape is a guess: what looks like
// nothing of this stays, so that people still look at what they hand on. Something is called the same each time it is met, and what
// takes its place is a word like a name, so that it may stand in one: redacted_token_1.
//
// What comes out of it comes out of it again as it is, with any identity: whoever receives it can hold it to that.
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
