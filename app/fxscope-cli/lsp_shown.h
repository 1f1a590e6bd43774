// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an editor shows of what is known of programs: diagnostics, hovers and code actions, as JSON
// of the Language Server Protocol.
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lsp_analyses.h"
#include "lsp_text.h"

namespace fxs::cli {

/// Open documents by path without links.
using LspDocuments = std::map<std::string, std::unique_ptr<LspDocument>>;

struct LspView {
  const std::map<std::string, LspSubject>& subjects;
  const LspDocuments& documents;
  PositionUnit unit = PositionUnit::Utf16;
  bool createsFiles = false;  ///< the editor creates files of an edit
};

/// Parameters of textDocument/publishDiagnostics, by URI; only of files with diagnostics.
std::map<std::string, std::string> lspDiagnostics(const LspView&);
/// Those of a file without any.
std::string lspNoDiagnostics(const std::string& uri);
/// A Hover, or "null".
std::string lspHover(const LspView&, const std::string& path, std::uint32_t line);
enum class LspNames : std::uint8_t { Definitions, Uses, DefinitionsAndUses };
/// An array of Location: of the name at a position of an MLIR text that is open.
std::string lspNamesAt(const LspView&, const std::string& path, const LspPosition&, LspNames);
/// An array of CodeAction.
std::string lspCodeActions(const LspView&, const std::string& path, const LspRange&);

/// The command of a code action that the editor cannot apply itself.
inline constexpr const char* kShowFixCommand = "fxscope.showFix";

}  // namespace fxs::cli
