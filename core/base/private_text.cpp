// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_text.h"

#include <algorithm>
#include <vector>

#include "base/private_chars.h"
#include "base/private_escapes.h"
#include "base/private_forms.h"
#include "base/private_paths.h"

namespace fxs {
namespace {

/// Removing one match may reveal another, so the text is scanned until nothing changes. A text that
/// still changes after this many scans is rejected.
constexpr int kLooks = 6;
constexpr std::size_t kLeastKnown = 10,
                      kMostKnown = 64;  // lengths of keys that are searched for inside words

bool isWord(char c) { return isWordChar(c) || static_cast<unsigned char>(c) >= 0x80; }

/// The block of a private key, up to the end of the text if it is not closed.
std::optional<PrivateMatch> keyBlockAt(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("-----BEGIN")) return std::nullopt;
  const std::size_t key = text.substr(at, 64).find("PRIVATE KEY");
  if (key == text.npos) return std::nullopt;
  const std::size_t end = text.find("-----END", at + key);
  const std::size_t close = end == text.npos ? end : text.find("-----", end + 8);
  return PrivateMatch{at, close == text.npos ? text.size() : close + 5, PrivateKind::Token,
                      "token"};
}

bool isCommon(std::string_view name) { return privateForms().matches(FormGroup::CommonName, name); }

}  // namespace

/// One scan of a text.
class PrivateScan {
 public:
  PrivateScan(PrivateText& owner, std::string_view given, bool free)
      : owner_(owner), given_(given), plain_(plainText(given)), text_(plain_.text), free_(free) {}

  std::string run() && {
    out_.reserve(given_.size());
    while (at_ < text_.size())
      if (!path() && !word()) copyTo(at_ + 1);
    return std::move(out_);
  }

 private:
  bool path() {
    const std::string& home = owner_.identity_.home;
    std::size_t end = at_;
    if (home.size() > 1 && text_.substr(at_).starts_with(home) &&
        (at_ + home.size() == text_.size() || !isWord(text_[at_ + home.size()]))) {
      end = at_ + home.size();
      if (end < text_.size() && text_[end] == '/') end = restOfPath(text_, end + 1);
    } else {
      end = endOfPath(text_, at_);
    }
    if (end == at_) return false;
    takePath(end);
    return true;
  }

  void takePath(std::size_t end) {
    const std::string_view path = text_.substr(at_, end - at_);
    const std::string& home = owner_.identity_.home;
    const bool atHome = home.size() > 1 && path.starts_with(home);
    std::string rest(atHome && path.size() <= home.size() + 1 ? std::string_view()
                                                              : publicPart(path));
    if (rest.empty()) rest = "redacted_home";
    owner_.count(atHome || isInAHome(path) ? PrivateKind::HomePath : PrivateKind::Path, rest);
    out_ += rest;
    at_ = end;
  }

  bool take(const std::optional<PrivateMatch>& match) {
    if (!match) return false;
    copyTo(match->begin);
    const std::string_view value = text_.substr(match->begin, match->end - match->begin);
    const std::string word = owner_.placeholder(match->label, value);
    owner_.count(match->kind, word);
    out_ += word;
    at_ = match->end;
    return true;
  }

  /// Handles a word, and what may begin with it.
  bool word() {
    const char c = text_[at_];
    if (c == '-' && take(keyBlockAt(text_, at_))) return true;
    if (c == '$' && take(form(FormGroup::Key))) return true;
    if (!isWord(c)) return false;
    if (take(secret()) || webAddress() || take(personOrMachine())) return true;
    std::size_t end = at_;
    while (end < text_.size() && isWord(text_[end])) ++end;
    if (free_ && takeOwner(text_.substr(at_, end - at_))) return true;
    if (!take(keyWithin(end))) copyTo(end);
    return true;
  }

  std::optional<PrivateMatch> form(FormGroup group) const {
    return privateForms().find(group, text_, at_);
  }

  std::optional<PrivateMatch> secret() const {
    if (const auto key = form(FormGroup::Key)) return key;
    if (const auto value = secretValueAt(text_, at_)) return value;
    return charBefore(text_, at_) == '-' ? form(FormGroup::Option) : std::nullopt;
  }

  bool webAddress() {
    const WebAddress web = webAddressAt(text_, at_);
    if (web.file) {
      at_ = web.skip;
      const std::size_t end = at_ < text_.size() ? restOfPath(text_, at_) : at_;
      if (end > at_) takePath(end);
      return true;
    }
    if (take(web.match)) return true;
    if (web.skip == 0) return false;
    copyTo(web.skip);
    return true;
  }

  std::optional<PrivateMatch> personOrMachine() const {
    if (free_)
      if (const auto person = namedPersonAt(text_, at_)) return person;
    if (const auto address = form(FormGroup::Certain)) return address;
    if (free_)
      if (const auto address = form(FormGroup::Ip)) return address;
    if (free_)
      if (const auto host = hostAt(text_, at_)) return host;
    return form(FormGroup::Numbered);
  }

  /// A key may be a part of a word that ends at `end`: p_hf_..
  std::optional<PrivateMatch> keyWithin(std::size_t end) const {
    const PrivateForms& forms = privateForms();
    for (std::size_t part = at_ + 1; part < end; ++part) {
      if (text_[part - 1] != '_') continue;
      if (const auto key = forms.find(FormGroup::Key, text_, part); key && key->begin == part)
        return key;
      if (const auto machine = forms.find(FormGroup::Numbered, text_, part)) return machine;
    }
    return std::nullopt;
  }

  bool takeOwner(std::string_view word) {
    const Identity& self = owner_.identity_;
    const bool user = word == self.user && !isCommon(word);
    // A machine's name may have more than one word: build-01.
    const bool host =
        !user && !self.host.empty() && !isCommon(self.host) &&
        text_.substr(at_).starts_with(self.host) &&
        (at_ + self.host.size() == text_.size() || !isWord(text_[at_ + self.host.size()]));
    if (!user && !host) return false;
    out_ += user ? "redacted_user" : "redacted_host";
    owner_.count(PrivateKind::Name, user ? "redacted_user" : "redacted_host");
    at_ += user ? word.size() : self.host.size();
    return true;
  }

  void copyTo(std::size_t end) {
    const auto offset = [&](std::size_t at) { return plain_.from.empty() ? at : plain_.from[at]; };
    out_ += given_.substr(offset(at_), offset(end) - offset(at_));
    at_ = end;
  }

  PrivateText& owner_;
  const std::string_view given_;
  const PlainText plain_;
  const std::string_view text_;  // plain_.text
  const bool free_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string text(const Removed& removed) {
  constexpr std::array<std::array<std::string_view, 2>, kPrivateKinds> kWords{
      {{"path under a home folder", "paths under a home folder"},
       {"other path", "other paths"},
       {"key or password", "keys or passwords"},
       {"address of a machine", "addresses of machines"},
       {"e-mail address", "e-mail addresses"},
       {"name of a user or machine", "names of users or machines"}}};
  return std::to_string(removed.count) + " " +
         std::string(kWords[static_cast<std::size_t>(removed.kind)][removed.count != 1]) +
         " (now " + removed.example + ")";
}

PrivateText::PrivateText(Identity identity) : identity_(std::move(identity)) {
  while (identity_.home.size() > 1 && identity_.home.ends_with('/')) identity_.home.pop_back();
}

std::string PrivateText::placeholder(std::string_view label, std::string_view value) {
  const std::string key = std::string(label) + '\0' + std::string(value);
  std::string& word = placeholders_[key];
  if (word.empty()) {
    word = "redacted_" + std::string(label) + "_" + std::to_string(++counters_[std::string(label)]);
    if (label == "token" && value.size() >= kLeastKnown && known_.size() < kMostKnown) {
      known_.emplace(value, word);
      std::string nodeName(value);  // as torch.export turns it into a node's name
      std::replace_if(nodeName.begin(), nodeName.end(), [](char c) { return !isWord(c); }, '_');
      known_.emplace(std::move(nodeName), word);
    }
  }
  return word;
}

void PrivateText::count(PrivateKind kind, std::string_view example) {
  constexpr std::size_t kShown = 40;
  Removed& removed = removed_[static_cast<std::size_t>(kind)];
  removed.kind = kind;
  if (removed.count++ == 0) removed.example = example.substr(0, kShown);
}

void PrivateText::replaceKnown(std::string& text) {
  for (const auto& [value, word] : known_)
    for (std::size_t at = text.find(value); at != std::string::npos;
         at = text.find(value, at + word.size())) {
      text.replace(at, value.size(), word);
      count(PrivateKind::Token, word);
    }
}

std::string PrivateText::cleaned(std::string_view given, bool free) {
  std::string now(given);
  for (int look = 0; look < kLooks; ++look) {
    replaceKnown(now);
    std::string next = PrivateScan(*this, now, free).run();
    if (next == now) return now;
    now = std::move(next);
  }
  return "redacted_text";
}

std::string PrivateText::text(std::string_view given) { return cleaned(given, true); }
std::string PrivateText::name(std::string_view given) { return cleaned(given, false); }

std::vector<Removed> PrivateText::removed() const {
  std::vector<Removed> out;
  std::copy_if(removed_.begin(), removed_.end(), std::back_inserter(out),
               [](const Removed& r) { return r.count > 0; });
  return out;
}

}  // namespace fxs
