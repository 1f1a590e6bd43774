// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/zip_writer.h"

#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_set>

#include "base/new_file.h"

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

tl::unexpected<Error> wrong(const std::string& message) {
  return fail(ErrorCode::Internal, "a zip archive cannot be made: " + message);
}

/// A member's content for libzip, which reads it in pieces of its own size.
struct Producer {
  const ZipContent& content;
  std::optional<Error> error;  // of `content.read`
  std::uint64_t at = 0;
  std::string piece;
  std::uint64_t pieceAt = 0;

  zip_int64_t read(char* to, std::uint64_t most) {
    if (at == content.size) return 0;
    if (at >= pieceAt + piece.size()) {
      auto next = content.read(at);
      if (!next || next->empty() || next->size() > content.size - at) {
        error =
            next ? Error{ErrorCode::Internal, "a piece of a zip member has an impossible size", {}}
                 : std::move(next.error());
        return -1;
      }
      piece = *std::move(next);
      pieceAt = at;
    }
    const std::uint64_t count = std::min(most, pieceAt + piece.size() - at);
    std::memcpy(to, piece.data() + (at - pieceAt), static_cast<std::size_t>(count));
    at += count;
    return static_cast<zip_int64_t>(count);
  }
};

zip_int64_t callProducer(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  auto& producer = *static_cast<Producer*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_OPEN: producer.at = 0; return 0;
    case ZIP_SOURCE_READ: return producer.read(static_cast<char*>(data), length);
    case ZIP_SOURCE_CLOSE: producer.piece = {}; return 0;
    case ZIP_SOURCE_STAT: {
      auto* stat = static_cast<zip_stat_t*>(data);
      zip_stat_init(stat);
      stat->valid = ZIP_STAT_SIZE;
      stat->size = producer.content.size;
      return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_ERROR: {
      zip_error_t error;
      zip_error_init_with_code(&error, ZIP_ER_READ);
      return zip_error_to_data(&error, data, length);
    }
    case ZIP_SOURCE_FREE: return 0;
    default: return -1;
  }
}

/// Where libzip writes an archive: libzip's own files are left behind by a killed process, and do
/// not say why a write failed.
struct Sink {
  NewFile& file;
  int code = 0;  ///< errno of what failed first

  zip_int64_t moved(off_t at) {
    if (at < 0 && code == 0) code = errno;
    return static_cast<zip_int64_t>(at);
  }
  zip_int64_t write(std::string_view bytes) {
    if (const int failed = writeAll(file.fd(), bytes); failed != 0) {
      if (code == 0) code = failed;
      return -1;
    }
    return static_cast<zip_int64_t>(bytes.size());
  }
  zip_int64_t seek(void* data, zip_uint64_t length) {
    const auto* to = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, nullptr);
    if (to == nullptr || moved(::lseek(file.fd(), static_cast<off_t>(to->offset), to->whence)) < 0)
      return -1;
    return 0;
  }
};

zip_int64_t callSink(void* state, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  auto& sink = *static_cast<Sink*>(state);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT: zip_stat_init(static_cast<zip_stat_t*>(data)); return sizeof(zip_stat_t);
    case ZIP_SOURCE_BEGIN_WRITE:
      return sink.moved(::lseek(sink.file.fd(), 0, SEEK_SET)) < 0 ? -1 : 0;
    case ZIP_SOURCE_WRITE:
      return sink.write({static_cast<const char*>(data), static_cast<std::size_t>(length)});
    case ZIP_SOURCE_SEEK_WRITE: return sink.seek(data, length);
    case ZIP_SOURCE_TELL_WRITE: return sink.moved(::lseek(sink.file.fd(), 0, SEEK_CUR));
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_READ:  // an empty file, until it is written
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_ERROR: {
      zip_error_t error;
      zip_error_init_with_code(&error, ZIP_ER_WRITE);
      return zip_error_to_data(&error, data, length);
    }
    default: return -1;
  }
}

/// Keeps what libzip refers to until the archive is closed.
using Producers = std::deque<Producer>;

Result<> addPart(zip_t* archive, const ZipPart& part, Producers& producers) {
  zip_source_t* content =
      part.content.read
          ? zip_source_function(archive, callProducer,
                                &producers.emplace_back(Producer{part.content, {}, 0, {}, 0}))
          : zip_source_buffer(archive, part.bytes.data(), part.bytes.size(), 0);
  if (content == nullptr) return wrong(zip_strerror(archive));
  const zip_int64_t index = zip_file_add(archive, part.name.c_str(), content, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(content);
    return wrong(zip_strerror(archive));
  }
  const auto at = static_cast<zip_uint64_t>(index);
  const zip_uint32_t mode = kRegularFile | (part.mode == ZipMode::Executable ? 0755 : 0644);
  const zip_int32_t method = part.packing == ZipPacking::Deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
  if (zip_set_file_compression(archive, at, method, 9) != 0 ||
      zip_file_set_dostime(archive, at, 0, kDosDate, 0) != 0 ||
      zip_file_set_external_attributes(archive, at, 0, ZIP_OPSYS_UNIX, mode << 16) != 0)
    return wrong(zip_strerror(archive));
  return {};
}

Result<std::string> contentOf(zip_source_t* source) {
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
    return wrong(zip_error_strerror(zip_source_error(source)));
  std::string out(static_cast<std::size_t>(stat.size), '\0');
  const zip_int64_t got = zip_source_read(source, out.data(), out.size());
  zip_source_close(source);
  if (got != static_cast<zip_int64_t>(out.size())) return wrong("it was not written completely");
  return out;
}

Result<> addParts(zip_t* archive, const std::vector<ZipPart>& parts, Producers& producers) {
  std::unordered_set<std::string_view> names;
  for (const ZipPart& part : parts) {
    if (!names.insert(part.name).second)
      return fail(ErrorCode::InvalidInput,
                  "a zip archive with two members named '" + part.name + "'");
    FXS_CHECK(addPart(archive, part, producers));
  }
  return {};
}

/// Writes the archive to `to`. The error of a producer explains more than libzip's.
Result<> writeTo(zip_source_t* to, const std::vector<ZipPart>& parts) {
  zip_error_t error;
  zip_error_init(&error);
  // The archive takes one reference, the caller keeps the other.
  zip_source_keep(to);
  std::unique_ptr<zip_t, DiscardArchive> archive(
      zip_open_from_source(to, ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(to);
    return wrong(zip_error_strerror(&error));
  }
  Producers producers;
  FXS_CHECK(addParts(archive.get(), parts, producers));
  if (zip_close(archive.get()) == 0) {
    (void)archive.release();
    return {};
  }
  for (const Producer& producer : producers)
    if (producer.error) return tl::unexpected<Error>(*producer.error);
  return wrong(zip_strerror(archive.get()));
}

}  // namespace

Result<std::string> writeZip(const std::vector<ZipPart>& parts) {
  std::uint64_t total = 0;
  for (const ZipPart& part : parts)
    total += part.content.read ? part.content.size : part.bytes.size();
  if (total > kMaxWrittenZip)
    return fail(ErrorCode::Unsupported, "an archive of " + std::to_string(total >> 20) +
                                            " MiB; fxscope writes at most " +
                                            std::to_string(kMaxWrittenZip >> 20) + " MiB");
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, FreeSource> sink(
      zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!sink) return wrong(zip_error_strerror(&error));
  FXS_CHECK(writeTo(sink.get(), parts));
  return contentOf(sink.get());
}

Result<> writeZipFile(const std::string& path, const std::vector<ZipPart>& parts) {
  NewFile file(path);
  FXS_CHECK(file.open());
  Sink sink{file};
  zip_error_t error;
  zip_error_init(&error);
  const std::unique_ptr<zip_source_t, FreeSource> target(
      zip_source_function_create(callSink, &sink, &error));
  if (!target) return wrong(zip_error_strerror(&error));
  const auto written = writeTo(target.get(), parts);
  if (sink.code != 0) return tl::unexpected<Error>(writeError(path, sink.code));
  FXS_CHECK(written);
  FXS_CHECK(file.flush());
  return file.keepAs(path);
}

}  // namespace fxs
