// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/zip.h"

#include <zip.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <new>
#include <unordered_map>

#include "base/safe_text.h"

namespace fxs {

namespace {

constexpr std::uint64_t kMaxEntries = std::uint64_t{1} << 20;
/// Deflate cannot shrink further than 1032:1.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
/// Memory is allocated in chunks as bytes arrive, since declared sizes cannot be trusted.
constexpr std::uint64_t kChunkBytes = std::uint64_t{16} << 20;

/// libzip's view of a ByteSource: a position and the last error.
struct Window {
  std::shared_ptr<const ByteSource> source;
  std::uint64_t at = 0;
  zip_error_t error;
};

zip_int64_t serve(void* state, void* buffer, zip_uint64_t length, zip_source_cmd_t command) {
  Window& window = *static_cast<Window*>(state);
  switch (command) {
    case ZIP_SOURCE_OPEN: window.at = 0; return 0;
    case ZIP_SOURCE_CLOSE: return 0;
    case ZIP_SOURCE_READ: {
      // No exception may pass through libzip.
      try {
        auto bytes =
            window.source->read(window.at, std::min(length, window.source->size() - window.at));
        if (!bytes) {
          zip_error_set(&window.error, ZIP_ER_READ, 0);
          return -1;
        }
        std::copy(bytes->begin(), bytes->end(), static_cast<char*>(buffer));
        window.at += bytes->size();
        return static_cast<zip_int64_t>(bytes->size());
      } catch (const std::bad_alloc&) {
        zip_error_set(&window.error, ZIP_ER_MEMORY, 0);
        return -1;
      }
    }
    case ZIP_SOURCE_SEEK: {
      zip_int64_t to = zip_source_seek_compute_offset(window.at, window.source->size(), buffer,
                                                      length, &window.error);
      if (to < 0) return -1;
      window.at = static_cast<std::uint64_t>(to);
      return 0;
    }
    case ZIP_SOURCE_TELL: return static_cast<zip_int64_t>(window.at);
    case ZIP_SOURCE_STAT: {
      auto* stat = static_cast<zip_stat_t*>(buffer);
      zip_stat_init(stat);
      stat->size = window.source->size();
      stat->valid |= ZIP_STAT_SIZE;
      return sizeof *stat;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&window.error, buffer, length);
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
          ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    default: zip_error_set(&window.error, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t out = 0;
  for (std::size_t i = count; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

/// The largest number of members claimed by an end record. libzip allocates all of them before it
/// reads one.
Result<std::uint64_t> claimedEntries(const ByteSource& source) {
  constexpr std::size_t kEnd = 22, kLocator = 20,
                        kEnd64 = 56;  // sizes of the records, APPNOTE 4.3.14 to 4.3.16
  constexpr std::uint64_t kMaxComment = 0xffff;
  const std::uint64_t length = std::min(source.size(), kMaxComment + kEnd + kLocator);
  const std::uint64_t begin = source.size() - length;
  FXS_TRY(const std::string tail, source.read(begin, length));
  std::uint64_t most = 0;
  for (std::size_t at = tail.find("PK\5\6"); at != tail.npos && tail.size() - at >= kEnd;
       at = tail.find("PK\5\6", at + 1)) {
    most = std::max(most, littleEndian(tail, at + 10, 2));
    if (at < kLocator || tail.compare(at - kLocator, 4, "PK\6\7") != 0) continue;
    const std::uint64_t position = littleEndian(tail, at - kLocator + 8, 8);
    if (position > source.size() || source.size() - position < kEnd64) continue;
    FXS_TRY(const std::string record, source.read(position, kEnd64));
    if (record.starts_with("PK\6\6")) most = std::max(most, littleEndian(record, 32, 8));
  }
  return most;
}

struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};
using Member = std::unique_ptr<zip_file_t, CloseMember>;

class LibzipReader final : public ZipReader {
 public:
  LibzipReader(std::shared_ptr<const ByteSource> source, std::string label)
      : label_(std::move(label)) {
    window_.source = std::move(source);
    zip_error_init(&window_.error);
  }
  ~LibzipReader() override {
    if (archive_) zip_discard(archive_);
    zip_error_fini(&window_.error);
  }

  Result<> openArchive() {
    FXS_TRY(const std::uint64_t claimed, claimedEntries(*window_.source));
    if (claimed > kMaxEntries) return tooMany(claimed);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_function_create(serve, &window_, &error);
    archive_ = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    int code = zip_error_code_zip(&error);
    std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!archive_) {
      if (source) zip_source_free(source);
      if (code == ZIP_ER_NOZIP)
        return invalid("not a zip archive, or a truncated one: the central directory is missing");
      return invalid("the zip archive is damaged: " + reason);
    }
    return readDirectory();
  }

  const std::vector<ZipEntry>& entries() const override { return entries_; }

  const ZipEntry* find(std::string_view name) const override {
    auto at = byName_.find(name);
    return at == byName_.end() ? nullptr : &entries_[at->second];
  }

  Result<std::string> read(const ZipEntry& entry, std::uint64_t maxBytes,
                           const RunContext& context) const override {
    if (entry.size > maxBytes)
      return invalid("member " + printableName(entry.name) + " has " + std::to_string(entry.size) +
                     " bytes, more than the limit of " + std::to_string(maxBytes));
    std::lock_guard lock(mutex_);
    FXS_TRY(Member member, openMember(entry));
    context.spend(Resource::Unpacked, entry.size, about(entry));
    FXS_TRY(std::string bytes, readFrom(member.get(), entry, entry.size, context));
    // libzip checks the CRC at the end of the member.
    char past = 0;
    if (zip_fread(member.get(), &past, 1) != 0) return damaged(entry, member.get());
    return bytes;
  }

  Result<std::vector<std::string>> readRanges(const ZipEntry& entry,
                                              const std::vector<ZipRange>& ranges,
                                              const RunContext& context) const override {
    std::uint64_t at = 0, asked = 0;
    for (const ZipRange& range : ranges) {
      if (range.offset > entry.size || range.length > entry.size - range.offset)
        return invalid("member " + printableName(entry.name) + " has " +
                       std::to_string(entry.size) + " bytes, " + std::to_string(range.length) +
                       " at offset " + std::to_string(range.offset) + " are not in it");
      assert(range.offset >= at && "ranges of a member ascend");
      at = range.offset + range.length;
      asked += range.length;
    }
    std::lock_guard lock(mutex_);
    FXS_TRY(Member member, openMember(entry));
    context.spend(Resource::Unpacked, entry.stored ? asked : at, about(entry));
    std::vector<std::string> out;
    out.reserve(ranges.size());
    at = 0;
    for (const ZipRange& range : ranges) {
      if (entry.stored) {
        if (range.offset != at &&
            zip_fseek(member.get(), static_cast<zip_int64_t>(range.offset), SEEK_SET) != 0)
          return damaged(entry, member.get());
      } else {
        // A deflated member must be unpacked up to the offset.
        while (at < range.offset) {
          FXS_TRY(const std::string passed,
                  readFrom(member.get(), entry, std::min(kChunkBytes, range.offset - at), context));
          at += passed.size();
        }
      }
      FXS_TRY(std::string bytes, readFrom(member.get(), entry, range.length, context));
      out.push_back(std::move(bytes));
      at = range.offset + range.length;
    }
    return out;
  }

 private:
  tl::unexpected<Error> invalid(const std::string& message) const {
    return fail(ErrorCode::InvalidInput, label_ + ": " + message);
  }
  tl::unexpected<Error> tooMany(std::uint64_t count) const {
    return invalid("the archive has " + std::to_string(count) +
                   " members, more than the limit of " + std::to_string(kMaxEntries));
  }
  std::string about(const ZipEntry& entry) const {
    return label_ + ": member " + printableName(entry.name);
  }

  tl::unexpected<Error> damaged(const ZipEntry& entry, zip_file_t* member) const {
    zip_error_t* error = zip_file_get_error(member);
    std::string reason = zip_error_code_zip(error) == ZIP_ER_OK
                             ? "its size is not that in the central directory"
                             : zip_error_strerror(error);
    return invalid("member " + printableName(entry.name) + " is damaged: " + reason);
  }

  Result<> readDirectory() {
    const zip_int64_t count = zip_get_num_entries(archive_, ZIP_FL_UNCHANGED);
    if (count > 0 && static_cast<std::uint64_t>(count) > kMaxEntries)
      return tooMany(static_cast<std::uint64_t>(count));
    entries_.reserve(static_cast<std::size_t>(count));
    for (zip_int64_t i = 0; i < count; ++i) {
      zip_stat_t stat;
      if (zip_stat_index(archive_, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW, &stat) != 0)
        return invalid("the zip archive is damaged: " + std::string(zip_strerror(archive_)));
      const bool stored = stat.comp_method == ZIP_CM_STORE;
      const bool possible =
          stored ? stat.size == stat.comp_size : stat.size / kMaxDeflateRatio <= stat.comp_size;
      entries_.push_back({stat.name ? stat.name : "", stat.size, static_cast<std::uint64_t>(i),
                          possible && stat.comp_size <= window_.source->size(), stored});
    }
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (!byName_.emplace(entries_[i].name, i).second)
        return invalid("the archive has two members named " + printableName(entries_[i].name));
    return {};
  }

  Result<Member> openMember(const ZipEntry& entry) const {
    zip_stat_t stat;
    if (zip_stat_index(archive_, entry.index, ZIP_FL_ENC_RAW, &stat) != 0)
      return invalid("member " + printableName(entry.name) +
                     " cannot be read: " + zip_strerror(archive_));
    if (stat.encryption_method != ZIP_EM_NONE)
      return invalid("member " + printableName(entry.name) + " is encrypted");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
      return invalid("member " + printableName(entry.name) + " uses compression method " +
                     std::to_string(stat.comp_method) +
                     "; supported are stored and deflated members");
    if (!entry.possible)
      return invalid("member " + printableName(entry.name) + " claims " +
                     std::to_string(stat.size) + " bytes, compressed to " +
                     std::to_string(stat.comp_size) + ", in an archive of " +
                     std::to_string(window_.source->size()));
    Member member(zip_fopen_index(archive_, entry.index, 0));
    if (!member)
      return invalid("member " + printableName(entry.name) +
                     " cannot be read: " + zip_strerror(archive_));
    return member;
  }

  Result<std::string> readFrom(zip_file_t* member, const ZipEntry& entry, std::uint64_t length,
                               const RunContext& context) const {
    std::string bytes;
    if (entry.stored)
      bytes.reserve(static_cast<std::size_t>(length));  // openMember saw that the file is that long
    while (bytes.size() < length) {
      context.spend(Resource::Unpacked, 0, label_);
      const std::size_t before = bytes.size();
      bytes.resize(before + static_cast<std::size_t>(std::min(kChunkBytes, length - before)));
      zip_int64_t got = zip_fread(member, bytes.data() + before, bytes.size() - before);
      if (got <= 0) return damaged(entry, member);
      bytes.resize(before + static_cast<std::size_t>(got));
    }
    return bytes;
  }

  std::string label_;
  Window window_;
  zip_t* archive_ = nullptr;
  std::vector<ZipEntry> entries_;
  std::unordered_map<std::string_view, std::size_t> byName_;
  mutable std::mutex mutex_;  // libzip's archive has one position
};

}  // namespace

Result<std::string> ZipReader::readRange(const ZipEntry& entry, std::uint64_t offset,
                                         std::uint64_t length, const RunContext& context) const {
  FXS_TRY(std::vector<std::string> parts, readRanges(entry, {{offset, length}}, context));
  return std::move(parts.front());
}

Result<std::shared_ptr<const ZipReader>> ZipReader::open(std::shared_ptr<const ByteSource> source,
                                                         std::string label) {
  auto reader = std::make_shared<LibzipReader>(std::move(source), std::move(label));
  FXS_CHECK(reader->openArchive());
  return std::shared_ptr<const ZipReader>(std::move(reader));
}

}  // namespace fxs
