#include "base/zip_writer.h"

#include <zip.h>

#include <memory>
#include <unordered_set>

namespace fxs {
namespace {

/// 1 January 1980, the first DOS date: some readers reject month 0.
constexpr zip_uint16_t kDosDate = 0x21;
constexpr zip_uint32_t kRegularFile = 0100000;

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

tl::unexpected<Error> wrong(const std::string& what) { return fail(ErrorCode::Internal, "a zip archive cannot be made: " + what); }

Result<> addPart(zip_t* archive, const ZipPart& part) {
  zip_source_t* content = zip_source_buffer(archive, part.bytes.data(), part.bytes.size(), 0);
  if (content == nullptr) return wrong(zip_strerror(archive));
  const zip_int64_t index = zip_file_add(archive, part.name.c_str(), content, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(content);
    return wrong(zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  const zip_uint32_t mode = kRegularFile | (part.mode == ZipMode::Executable ? 0755 : 0644);
  const zip_int32_t method = part.packing == ZipPacking::Deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
  if (zip_set_file_compression(archive, at, method, 9) != 0 || zip_file_set_dostime(archive, at, 0, kDosDate, 0) != 0 ||
      zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX, mode << 16) != 0)
    return wrong(zip_strerror(archive));
  return {};
}

Result<std::string> contentOf(zip_source_t* source) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0) return wrong(zip_error_strerror(zip_source_error(source)));
  std::string out(static_cast<std::size_t>(stat.size), '\0');
  const zip_int64_t got = zip_source_read(source, out.data(), out.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(out.size())) return wrong("it was not written completely");
  return out;
}

}  // namespace

Result<std::string> writeZip(const std::vector<ZipPart>& parts) {
  std::unordered_set<std::string_view> names;
  std::uint64_t total = 0;
  for (const ZipPart& part : parts) {
    if (!names.insert(part.name).second) return fail(ErrorCode::InvalidInput, "a zip archive with two members named '" + part.name + "'");
    total += part.bytes.size();
  }
  if (total > kMaxWrittenZip)
    return fail(ErrorCode::Unsupported, "an archive of " + std::to_string(total >> 20) + " MiB; fxscope writes at most " +
                                            std::to_string(kMaxWrittenZip >> 20) + " MiB");
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, FreeSource> sink(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!sink) return wrong(zip_error_strerror(&error));
  // The archive takes one reference, this function keeps the other.
  zip_source_keep(sink.get());
  std::unique_ptr<zip_t, DiscardArchive> archive(zip_open_from_source(sink.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(sink.get());
    return wrong(zip_error_strerror(&error));
  }
  for (const ZipPart& part : parts) FXS_CHECK(addPart(archive.get(), part));
  if (zip_close(archive.get()) != 0) return wrong(zip_strerror(archive.get()));
  (void)archive.release();
  return contentOf(sink.get());
}

}  // namespace fxs
