// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SARIF 2.1.0 (OASIS Standard, errata 01), with what code hosts read of it: rules with help,
// locations relative to the root of the repository, and fingerprints.
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"

namespace fxs::report {

/// The uriBaseId of files relative to the folder in which fxscope was run.
inline constexpr const char* kSourceRoot = "%SRCROOT%";

struct SarifLogical {
  std::string name;  ///< "" if it has none of its own
  std::string fullName;
  std::string kind;
};

/// A line of a file, or a file.
struct SarifPlace {
  std::string uri;                      ///< percent-encoded, see sarifUri()
  std::string base;                     ///< uriBaseId, or ""
  std::optional<std::size_t> artifact;  ///< index into SarifLog::artifacts
  int line = 0;                         ///< from 1; 0: the file
  std::string code;                     ///< of the line; "" if not known
  std::vector<SarifLogical> logical;
  std::string message;  ///< plain; ""
};

struct SarifRule {
  std::string id;
  std::string title;
  std::string help;      ///< plain text
  std::string markdown;  ///< the same, for code hosts
};

enum class SarifLevel { Error, Warning, Note };

struct SarifResult {
  std::size_t rule = 0;  ///< index into SarifLog::rules
  SarifLevel level = SarifLevel::Error;
  std::string message;  ///< plain
  std::vector<SarifPlace> places, related;
  std::size_t occurrences = 0;                      ///< 0: not said
  std::pair<std::string, std::string> fingerprint;  ///< name and value
  std::function<void(JsonWriter&)> properties;      ///< writes members; null for none
};

struct SarifEngine {
  std::string version, path, sha256;  ///< path: "" if not known
};

struct SarifLog {
  std::string version;  ///< of fxscope; "" if not known
  std::vector<SarifEngine> engines;
  std::vector<SarifRule> rules;
  std::vector<std::pair<SarifLevel, std::string>> notifications;
  std::string root;                    ///< absolute; "" : readers resolve kSourceRoot
  std::vector<std::string> artifacts;  ///< URIs of what was analyzed
  std::vector<SarifResult> results;
  std::function<void(JsonWriter&)> properties;
};

/// One for each diagnose::Kind, in their order.
std::vector<SarifRule> sarifRules();
std::string sarifText(const SarifLog&);

/// A path as a URI: absolute with "file://", percent-encoded.
std::string sarifUri(std::string_view path);

}  // namespace fxs::report
