// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Locates the members of a .pt2 archive: root folder, layout, models. Layouts by the PyTorch
// version that writes them (torch/export/pt2_archive and torch/export/__init__.py of PyTorch 2.13,
// which reads all three):
//   Current      2.9 and later: models/<m>.json, data/weights/<m>_weights_config.json, one raw
//   record per weight PickledDicts 2.8: models/<m>.json, data/weights/<m>.pt Unprefixed   2.7 and
//   earlier: serialized_exported_program.json and serialized_state_dict.pt, no root folder
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/zip.h"

namespace fxs::read::pt2 {

enum class ArchiveLayout { Current, PickledDicts, Unprefixed };

class Archive {
 public:
  /// Whether the members match one of the layouts; reads only the small archive_format member.
  static bool recognizes(const ZipReader&, const RunContext&);
  /// Chooses the model: `wanted`; if that is empty, "model", else the first. InvalidInput if the
  /// archive has no models, NotFound if it has none of that name.
  static Result<Archive> open(std::shared_ptr<const ZipReader>, std::string label,
                              std::string_view wanted, const RunContext&);

  ArchiveLayout layout() const { return layout_; }
  const std::string& label() const { return label_; }
  const std::string& model() const { return models_.front(); }
  const std::vector<std::string>& models() const { return models_; }  ///< the chosen one first
  const ZipReader& zip() const { return *zip_; }
  std::shared_ptr<const ZipReader> sharedZip() const { return zip_; }

  // Members are named relative to the root folder: "data/weights/weight_0".
  const ZipEntry* find(std::string_view member) const;
  std::string fullName(std::string_view member) const { return root_ + std::string(member); }
  std::vector<std::string> membersUnder(std::string_view folder) const;
  /// Parses a JSON member; error messages start with "<label>: <member>". InvalidInput if it is
  /// missing.
  Result<std::shared_ptr<const JsonDocument>> readJson(std::string_view member,
                                                       std::uint64_t maxBytes,
                                                       const RunContext&) const;
  Result<std::string> readText(std::string_view member, std::uint64_t maxBytes,
                               const RunContext&) const;

  std::string modelMember() const;  ///< "models/model.json"
  std::string weightsConfigMember() const;
  std::string constantsConfigMember() const;
  std::string pickledWeightsMember() const;
  std::string pickledConstantsMember() const;
  std::string sampleInputsMember() const;

 private:
  std::shared_ptr<const ZipReader> zip_;
  std::string label_;
  std::string root_;  // "name/", or "" in the oldest layout
  ArchiveLayout layout_ = ArchiveLayout::Current;
  std::vector<std::string> models_;
};

}  // namespace fxs::read::pt2
