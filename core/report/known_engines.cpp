// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/known_engines.h"

#include <algorithm>
#include <filesystem>

#include "base/json.h"
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

std::string knownEnginesJson(const std::vector<lower::KnownEngine>& engines) {
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-engines/1").key("engines").beginArray();
  for (const lower::KnownEngine& engine : engines) {
    json.beginObject()
        .member("name", engine.name)
        .member("path", engine.path)
        .member("version", engine.version);
    json.member("sha256", engine.sha256)
        .member("source", engine.source)
        .member("present", isThere(engine));
    json.textOrNull("same_as", sameAs(engines, engine)).endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
