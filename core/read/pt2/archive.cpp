// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/archive.h"

#include <algorithm>

#include "base/nearest.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::uint64_t kMaxFormatBytes = 64;
constexpr std::string_view kUnprefixedModel = "serialized_exported_program.json";

/// The folder that contains all members: the first member's name up to and including its first
/// slash.
std::string rootOf(const ZipReader& zip) {
  if (zip.entries().empty()) return "";
  const std::string& first = zip.entries().front().name;
  auto slash = first.find('/');
  return slash == std::string::npos ? "" : first.substr(0, slash + 1);
}

bool saysPt2(const ZipReader& zip, const std::string& root, const RunContext& context) {
  const ZipEntry* format = root.empty() ? nullptr : zip.find(root + "archive_format");
  if (!format) return false;
  auto text = zip.read(*format, kMaxFormatBytes, context);
  return text && text->starts_with("pt2");
}

}  // namespace

bool Archive::recognizes(const ZipReader& zip, const RunContext& context) {
  return saysPt2(zip, rootOf(zip), context) || zip.find(kUnprefixedModel);
}

Result<Archive> Archive::open(std::shared_ptr<const ZipReader> zip, std::string label,
                              std::string_view wanted, const RunContext& context) {
  Archive archive;
  archive.zip_ = std::move(zip);
  archive.label_ = std::move(label);
  const std::string root = rootOf(*archive.zip_);
  if (saysPt2(*archive.zip_, root, context)) {
    archive.root_ = root;
    for (const std::string& member : archive.membersUnder("models/"))
      if (member.ends_with(".json"))
        archive.models_.push_back(member.substr(7, member.size() - 7 - 5));
  } else {
    archive.layout_ = ArchiveLayout::Unprefixed;
    archive.models_.push_back("model");
  }

  if (archive.models_.empty()) {
    if (!archive.membersUnder("data/aotinductor/").empty())
      return fail(ErrorCode::Unsupported,
                  archive.label_ +
                      ": contains a compiled AOTInductor package, not an exported program; save "
                      "the program with torch.export.save");
    return fail(ErrorCode::InvalidInput, archive.label_ +
                                             ": the archive was not saved completely: it has no "
                                             "models/*.json; torch.export.save leaves "
                                             "such a file when it raises an error");
  }
  const std::string choice(wanted.empty() ? "model" : wanted);
  auto chosen = std::find(archive.models_.begin(), archive.models_.end(), choice);
  if (chosen != archive.models_.end()) {
    std::rotate(archive.models_.begin(), chosen, chosen + 1);
  } else if (!wanted.empty()) {
    std::string known;
    for (const std::string& model : archive.models_) known += (known.empty() ? "" : ", ") + model;
    return fail(ErrorCode::NotFound,
                archive.label_ + ": has no model '" + choice + "'; it has: " + known);
  }
  if (archive.layout_ == ArchiveLayout::Current && archive.find(archive.pickledWeightsMember()))
    archive.layout_ = ArchiveLayout::PickledDicts;
  return archive;
}

const ZipEntry* Archive::find(std::string_view member) const {
  return zip_->find(fullName(member));
}

std::vector<std::string> Archive::membersUnder(std::string_view folder) const {
  const std::string prefix = fullName(folder);
  std::vector<std::string> out;
  for (const ZipEntry& entry : zip_->entries())
    if (entry.name.starts_with(prefix) && entry.name.size() > prefix.size())
      out.push_back(entry.name.substr(root_.size()));
  return out;
}

Result<std::string> Archive::readText(std::string_view member, std::uint64_t maxBytes,
                                      const RunContext& context) const {
  const ZipEntry* entry = find(member);
  if (!entry)
    return fail(ErrorCode::InvalidInput, label_ + ": member " + std::string(member) +
                                             " is missing; the archive was not saved completely");
  return zip_->read(*entry, maxBytes, context);
}

Result<std::shared_ptr<const JsonDocument>> Archive::readJson(std::string_view member,
                                                              std::uint64_t maxBytes,
                                                              const RunContext& context) const {
  const std::string label = label_ + ": " + std::string(member);
  // Charge the budget before reading, as the size is known.
  if (const ZipEntry* entry = find(member); entry && entry->possible && entry->size <= maxBytes)
    spendJsonText(entry->size, label, context);
  FXS_TRY(const std::string text, readText(member, maxBytes, context));
  return JsonDocument::parse(text, label, {}, context);
}

std::string Archive::modelMember() const {
  return layout_ == ArchiveLayout::Unprefixed ? std::string(kUnprefixedModel)
                                              : "models/" + model() + ".json";
}
std::string Archive::weightsConfigMember() const {
  return "data/weights/" + model() + "_weights_config.json";
}
std::string Archive::constantsConfigMember() const {
  return "data/constants/" + model() + "_constants_config.json";
}
std::string Archive::sampleInputsMember() const {
  return layout_ == ArchiveLayout::Unprefixed ? "serialized_example_inputs.pt"
                                              : "data/sample_inputs/" + model() + ".pt";
}
std::string Archive::pickledWeightsMember() const {
  if (layout_ != ArchiveLayout::Unprefixed) return "data/weights/" + model() + ".pt";
  return find("serialized_state_dict.pt") ? "serialized_state_dict.pt"
                                          : "serialized_state_dict.json";
}
std::string Archive::pickledConstantsMember() const {
  if (layout_ != ArchiveLayout::Unprefixed) return "data/constants/" + model() + ".pt";
  return find("serialized_constants.pt") ? "serialized_constants.pt" : "serialized_constants.json";
}

}  // namespace fxs::read::pt2
