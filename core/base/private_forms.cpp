// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_forms.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>

#include "base/private_chars.h"
#include "base/take_until.h"

namespace fxs {
namespace resource {
std::string_view privateForms();
}
namespace {

using re2::RE2;

constexpr std::array<std::string_view, kFormGroups> kGroups{
    "key",     "option", "certain", "ip",          "numbered", "secret-word", "separator", "value",
    "scheme",  "code",   "named",   "public-host", "host",     "layer",       "url",       "root",
    "in-home", "home",   "file",    "operand",     "escape",   "common-name"};

bool isNoMember(std::string_view, std::string_view part) { return !part.starts_with("self."); }

std::size_t offsetOf(std::string_view part, std::string_view text) {
  return static_cast<std::size_t>(part.data() - text.data());
}

/// `ada@gpu7` that is no product of matrices in Python.
bool isLogin(std::string_view text, std::string_view part) {
  const std::size_t at = offsetOf(part, text);
  const char next = charAt(text, at + part.size());
  return hasDigitOrHyphen(part.substr(part.find('@'))) || next == ':' || part == text ||
         (next == ' ' && charBefore(text, at) == '[') ||
         follows(text, at, {"ssh", "scp", "sftp", "rsync", "mosh", "ssh-copy-id"});
}

/// The names of groups whose part of a text has to pass a test.
constexpr std::pair<std::string_view, bool (*)(std::string_view text, std::string_view part)>
    kTests[] = {
        {"mixed", [](auto, auto part) { return part.size() >= 30 || isMixed(part); }},
        {"random", [](auto, auto part) { return isRandom(part); }},
        {"new", [](auto, auto part) { return !isPlaceholder(part); }},
        {"credential", [](auto, auto part) { return !isPlaceholder(part) && isMixed(part); }},
        {"sshpass",
         [](auto text, auto part) { return follows(text, offsetOf(part, text) - 1, {"sshpass"}); }},
        {"ip6",
         [](auto, auto part) {
           return holds(part, "::") || std::count(part.begin(), part.end(), ':') == 7;
         }},
        {"routed", [](auto, auto part) { return part != "0.0.0.0" && !part.starts_with("127."); }},
        {"account", isNoMember},
        {"machine", isNoMember},
        {"login", isLogin},
        {"remote",
         [](auto text, auto part) {
           return hasDigitOrHyphen(part) || follows(text, offsetOf(part, text), {"scp", "rsync"});
         }},
};

constexpr std::pair<std::string_view, PrivateKind> kKinds[] = {
    {"token", PrivateKind::Token},  {"address", PrivateKind::Address},
    {"host", PrivateKind::Address}, {"email", PrivateKind::Email},
    {"user", PrivateKind::Name},
};

template <class Table>
auto named(std::string_view name, const Table& table) {
  return std::find_if(std::begin(table), std::end(table),
                      [&](const auto& row) { return row.first == name; })
      ->second;
}

/// Patterns see bytes.
RE2::Options overBytes() {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  return options;
}

FormParts partsOf(const RE2& pattern, std::string_view text, RE2::Anchor anchor) {
  FormParts out;
  const int groups = pattern.NumberOfCapturingGroups();
  // Most texts do not match, which is known sooner without groups.
  if (groups == 0 || pattern.Match(text, 0, text.size(), anchor, nullptr, 0))
    pattern.Match(text, 0, text.size(), anchor, out.data(), 1 + groups);
  return out;
}

/// The pattern with the parts that it names.
std::string expanded(std::string_view pattern,
                     const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string out(pattern);
  for (const auto& [name, part] : parts)
    for (std::size_t at = out.find(name); at != out.npos; at = out.find(name, at + part.size()))
      out.replace(at, name.size(), part);
  return out;
}

}  // namespace

PrivateForms::PrivateForms(std::string_view rows) {
  std::vector<std::pair<std::string, std::string>> parts;
  while (!rows.empty()) {
    std::string_view row = takeUntil('\n', rows);
    if (row.empty() || row.starts_with('#')) continue;
    const std::string_view group = takeUntil(' ', row), name = takeUntil(' ', row);
    std::string pattern = expanded(row, parts);
    if (group == "let") {
      parts.emplace_back("{" + std::string(name) + "}", std::move(pattern));
      continue;
    }
    const auto* at = std::find(kGroups.begin(), kGroups.end(), group);
    groups_.at(static_cast<std::size_t>(at - kGroups.begin())).rows.emplace_back(name, pattern);
  }
}

void PrivateForms::Group::compile() const {
  all = std::make_unique<RE2::Set>(overBytes(), RE2::ANCHOR_START);
  for (const auto& [label, pattern] : rows) {
    Form form{label, std::make_unique<const RE2>(pattern, overBytes())};
    assert(form.pattern->ok());
    for (const auto& [part, index] : form.pattern->NamedCapturingGroups()) {
      const auto at = static_cast<std::size_t>(index);
      if (part == "private") form.removed = at;
      else form.tests.emplace_back(at, named(part, kTests));
    }
    all->Add(pattern, nullptr);
    forms.push_back(std::move(form));
  }
  all->Compile();
}

const PrivateForms::Group& PrivateForms::compiled(FormGroup which) const {
  const Group& group = groups_[static_cast<std::size_t>(which)];
  std::call_once(group.once, [&] { group.compile(); });
  return group;
}

const PrivateForms& privateForms() {
  static const PrivateForms forms(resource::privateForms());
  return forms;
}

std::optional<PrivateMatch> PrivateForms::Form::find(std::string_view text, std::size_t at) const {
  const FormParts parts = partsOf(*pattern, text.substr(at, kFar), RE2::ANCHOR_START);
  if (parts[0].empty()) return std::nullopt;
  for (const auto& [group, test] : tests)
    if (!test(text, parts[group])) return std::nullopt;
  const std::size_t begin = offsetOf(parts[removed], text);
  return PrivateMatch{begin, begin + parts[removed].size(), named(label, kKinds), label};
}

std::optional<PrivateMatch> PrivateForms::find(FormGroup which, std::string_view text,
                                               std::size_t at) const {
  const Group& group = compiled(which);
  const std::string_view here = text.substr(at, kFar);
  RE2::Set::ErrorInfo error{RE2::Set::kNoError};
  if (!group.all->Match(here, nullptr, &error) && error.kind == RE2::Set::kNoError)
    return std::nullopt;
  std::vector<int> rows;
  if (!group.all->Match(here, &rows, &error)) {  // no memory to look for all at once
    rows.resize(group.forms.size());
    std::iota(rows.begin(), rows.end(), 0);
  }
  std::sort(rows.begin(), rows.end());
  for (const int row : rows)
    if (const auto found = group.forms[static_cast<std::size_t>(row)].find(text, at)) return found;
  return std::nullopt;
}

const RE2& PrivateForms::pattern(FormGroup group) const {
  return *compiled(group).forms[0].pattern;
}

FormParts PrivateForms::parts(FormGroup group, std::string_view text, std::size_t at) const {
  return partsOf(pattern(group), text.substr(at, kFar), RE2::ANCHOR_START);
}

FormParts PrivateForms::parts(FormGroup group, std::string_view text) const {
  return partsOf(pattern(group), text, RE2::ANCHOR_BOTH);
}

}  // namespace fxs
