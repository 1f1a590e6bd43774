// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Redacts private data in text that is shared. Recognizes it by form (paths, URLs, addresses, keys,
// passwords) and by value (paths under the home folder, user name, host name). The forms are
// heuristics: other private data stays, so users should review what they share. Equal data gets
// equal placeholders, which are valid in identifiers: redacted_token_1.
//
// Redaction is idempotent for any identity, so a recipient can verify that a text was redacted.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fxs {

/// The user and the machine, supplied by the application; "" if unknown.
struct Identity {
  std::string home;  ///< absolute
  std::string user;
  std::string host;
};

enum class PrivateKind : std::uint8_t { HomePath, Path, Token, Address, Email, Name };
inline constexpr std::size_t kPrivateKinds = 6;

/// The removals of one kind: their number, and the first placeholder.
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

  /// Redacts text for people: a stack trace, the output of a program.
  std::string text(std::string_view);
  /// Redacts names that a program needs: paths, keys and passwords, but not words that only might
  /// be private.
  std::string name(std::string_view);
  /// The removals of all calls since countAgain(), by kind; kinds without removals are left out.
  std::vector<Removed> removed() const;
  /// Resets the counts, but keeps the placeholders.
  void countAgain() { removed_ = {}; }

 private:
  friend class PrivateScan;
  /// The placeholder of a value; equal values have equal placeholders.
  std::string placeholder(std::string_view label, std::string_view value);
  void count(PrivateKind, std::string_view example);
  std::string cleaned(std::string_view, bool free);
  void replaceKnown(std::string&);

  Identity identity_;
  std::map<std::string, std::string, std::less<>> placeholders_;  // by what and value
  std::map<std::string, std::size_t, std::less<>> counters_;      // by what
  std::map<std::string, std::string, std::less<>>
      known_;  // keys found so far, which may occur inside other words
  std::array<Removed, kPrivateKinds> removed_{};
};

}  // namespace fxs
