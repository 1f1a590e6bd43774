// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/known_engines.h"

#include <algorithm>
#include <filesystem>

#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::report {
namespace {

constexpr std::size_t kShownSha256 = 12;

bool isThere(const lower::KnownEngine& engine) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(engine.path, ignored);
}

/// The first engine with the same program; "" if it is this one.
std::string sameAs(const std::vector<lower::KnownEngine>& engines,
                   const lower::KnownEngine& engine) {
  const auto first = std::find_if(engines.begin(), engines.end(),
                                  [&](const auto& other) { return other.sha256 == engine.sha256; });
  return &*first == &engine ? std::string() : first->name;
}

}  // namespace

std::string knownEngineText(const lower::KnownEngine& engine) {
  return line("{}: {}, sha256 {}, from {}\n", engine.name, engine.version,
              engine.sha256.substr(0, kShownSha256), engine.source);
}

std::string knownEnginesText(const std::vector<lower::KnownEngine>& engines) {
  if (engines.empty())
    return "no engine is known by name; 'fxscope-cli engine add' and 'engine fetch' add one\n";
  std::string out;
  for (const lower::KnownEngine& engine : engines) {
    std::string text = knownEngineText(engine);
    text.pop_back();
    if (const std::string same = sameAs(engines, engine); !same.empty())
      text += line("; the same program as {}", same);
    if (!isThere(engine)) text += line("; {} is gone", engine.path);
    out += text + "\n";
  }
  return out;
}

namespace {

JsonAnswer<std::vector<lower::KnownEngine>> knownEnginesAnswer(
    const std::vector<lower::KnownEngine>* engines) {
  using K = lower::KnownEngine;
  const JsonForm<K> engine = {
      {"name", &K::name, matches("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")},
      {"path", &K::path},
      {"version", &K::version, matches("^LLVM ")},
      {"sha256", &K::sha256, isSha256(), "of the executable; another one is not run by this name"},
      {"source", &K::source, "what was added: a path, or the package that pip fetched"},
      {"present", &isThere, "whether the executable is there"},
      {"same_as", [engines](const K& each) { return sameAs(*engines, each); }, nullIfEmpty,
       "the first engine with the same checksum; null: this one"}};
  return {"fxscope-engines/1",
          "fxscope-cli engine list --json",
          {{"engines", itself, engine, "by name"}}};
}

}  // namespace

std::string knownEnginesJson(const std::vector<lower::KnownEngine>& engines) {
  return knownEnginesAnswer(&engines).text(engines);
}
std::string knownEnginesSchema() { return knownEnginesAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
