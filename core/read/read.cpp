// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/read.h"

#include <algorithm>

namespace fxs::read {

namespace {

bool isText(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t' || c == '\f';
  });
}

/// Whether some member is `name` at the root or one folder below it.
bool holds(const ZipReader& zip, std::string_view name) {
  return std::any_of(zip.entries().begin(), zip.entries().end(), [&](const ZipEntry& entry) {
    std::string_view rest = entry.name;
    if (auto slash = rest.find('/'); slash != rest.npos && rest != name)
      rest.remove_prefix(slash + 1);
    return rest == name;
  });
}

/// What the file is instead, and what to do about it, for an error message.
std::string description(const Sniffed& sniffed) {
  const std::string_view head = sniffed.head;
  const std::string wayOut = "; fxscope opens programs that torch.export.save wrote (.pt2)";
  if (sniffed.zip) {
    if (holds(*sniffed.zip, "constants.pkl") && holds(*sniffed.zip, "data.pkl"))
      return "is a TorchScript archive of torch.jit.save" + wayOut;
    if (holds(*sniffed.zip, "data.pkl"))
      return "is a file of torch.save: pickled Python objects such as weights, without a graph" +
             wayOut;
    if (sniffed.zip->entries().empty()) return "is an empty zip archive" + wayOut;
    return "is a zip archive, but not an exported program: it has no archive_format member with "
           "the value pt2" +
           wayOut;
  }
  if (head.starts_with("\x80\x02") || head.starts_with("\x80\x03") ||
      head.starts_with("\x80\x04") || head.starts_with("\x80\x05"))
    return "is a Python pickle, which fxscope never opens" + wayOut;
  if (head.starts_with("\x1f\x8b")) return "is gzip-compressed; unpack it first";
  if (head.starts_with("\x28\xb5\x2f\xfd")) return "is zstd-compressed; unpack it first";
  if (isText(head)) return "is text, not an exported program" + wayOut;
  return "is not an exported program: it is not a zip archive" + wayOut;
}

}  // namespace

Result<Capture> readCapture(std::shared_ptr<const ByteSource> source, std::string label,
                            const ReadOptions& options, const RunContext& context) {
  if (source->size() == 0) return fail(ErrorCode::InvalidInput, label + ": is empty");
  Sniffed sniffed;
  FXS_TRY(sniffed.head, source->read(0, std::min(kSniffedBytes, source->size())));
  auto zip = ZipReader::open(source, label);
  if (zip) sniffed.zip = *zip;
  else if (sniffed.head.starts_with("PK")) return tl::unexpected<Error>(zip.error());

  FormatRegistry registry;
  registerAllFormats(registry);
  for (const Format& format : registry.formats())
    if (format.sniff(sniffed, context))
      return format.read(std::move(source), sniffed, std::move(label), options, context);
  return fail(ErrorCode::InvalidInput, label + ": " + description(sniffed));
}

Result<Capture> openCapture(const std::string& path, const ReadOptions& options,
                            const RunContext& context) {
  FXS_TRY(auto source, openFile(path));
  return readCapture(std::move(source), path, options, context);
}

}  // namespace fxs::read
