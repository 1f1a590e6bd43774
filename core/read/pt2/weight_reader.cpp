// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "read/pt2/weights.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::uint64_t kMaxByteorderBytes = 16;
/// Limits for the extent of a strided view in its storage: as a multiple of its own bytes, and an
/// extent that is always allowed.
constexpr std::uint64_t kMaxSpread = 4, kMaxSpan = std::uint64_t{256} << 20;
/// For weights with few elements only these are read, wherever they are; those in a packed member
/// all at once, on the first request.
constexpr std::uint64_t kFewElements = 256;
/// Cost of unpacking a member again, as a multiple of its bytes.
constexpr std::uint64_t kCostOfRepetition = 16;
/// Cost of bytes beyond those in the file, for a weight that repeats elements.
constexpr std::uint64_t kCostOfMadeBytes = 4;
constexpr std::uint64_t kElementsBetweenLooks = std::uint64_t{1} << 20;

struct Extent {
  std::uint64_t first = 0;  // in elements of the storage
  std::uint64_t count = 0;  // from the first to the last element used
};

/// Disjoint parts of a member, ascending.
struct Pieces {
  std::vector<ZipRange> ranges;
  std::vector<std::string> bytes;

  std::string_view at(std::uint64_t offset, std::uint64_t length) const {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), offset,
                         [](std::uint64_t o, const ZipRange& r) { return o < r.offset; });
    const auto index = static_cast<std::size_t>(after - ranges.begin()) - 1;
    return std::string_view(bytes[index])
        .substr(static_cast<std::size_t>(offset - ranges[index].offset),
                static_cast<std::size_t>(length));
  }
};

/// The elements of a weight in row-major order, as positions in its storage. At most kFewElements.
std::vector<std::uint64_t> positionsOf(const fx::Weight& weight) {
  std::vector<std::uint64_t> out;
  std::vector<std::int64_t> index(weight.sizes.size(), 0);
  std::int64_t at = weight.storageOffset;
  for (std::uint64_t left = weight.elements(); left > 0; --left) {
    out.push_back(static_cast<std::uint64_t>(at));
    for (std::size_t d = index.size(); d-- > 0;) {
      at += weight.strides[d];
      if (++index[d] < weight.sizes[d]) break;
      at -= weight.strides[d] * weight.sizes[d];
      index[d] = 0;
    }
  }
  return out;
}

/// The byte ranges of elements, without duplicates, adjacent ones merged.
std::vector<ZipRange> rangesOf(std::vector<std::uint64_t> offsets, std::uint64_t itemBytes) {
  std::sort(offsets.begin(), offsets.end());
  std::vector<ZipRange> out;
  for (const std::uint64_t offset : offsets) {
    if (out.empty() || offset > out.back().offset + out.back().length)
      out.push_back({offset, itemBytes});
    else out.back().length = std::max(out.back().length, offset + itemBytes - out.back().offset);
  }
  return out;
}

bool hasFew(const fx::Weight& weight) { return weight.elements() <= kFewElements; }
std::uint64_t itemBytesOf(const fx::Weight& weight) {
  return static_cast<std::uint64_t>(facts(weight.dtype).bytes);
}

class Pt2WeightReader final : public WeightReader {
 public:
  Pt2WeightReader(const Archive& archive, std::vector<PickledWeights> pickled,
                  fx::ProgramPtr program, const RunContext& context)
      : archive_(archive), pickled_(std::move(pickled)), program_(std::move(program)) {
    auto order = archive_.readText("byteorder", kMaxByteorderBytes, context);
    bigEndian_ = order && order->starts_with("big");
  }

  Result<std::string> read(const fx::Weight& weight, std::uint64_t maxBytes,
                           const RunContext& context) const override {
    if (!weight.readable)
      return fail(ErrorCode::Unsupported, about(weight) + "cannot be read: " + weight.reason);
    const std::optional<Record> record = recordOf(weight);
    if (!record) return wrong(weight, "the archive has no member " + weight.file);
    const std::uint64_t itemBytes = itemBytesOf(weight);
    const std::uint64_t elements = weight.elements();
    if (itemBytes == 0) return wrong(weight, "its dtype is unknown");
    if (elements > maxBytes / itemBytes)
      return wrong(weight, "has " + std::to_string(elements) + " elements of " +
                               std::to_string(itemBytes) + " bytes, more than the limit of " +
                               std::to_string(maxBytes) + " bytes");
    if (elements == 0) return std::string();
    FXS_TRY(const Extent extent, extentOf(weight, record->entry->size / itemBytes));
    FXS_TRY(std::string dense,
            hasFew(weight) ? fewElements(weight, *record, itemBytes, context)
                           : manyElements(weight, *record, extent, itemBytes, elements, context));
    if (record->bigEndian) swapBytes(dense, isComplex(weight.dtype) ? itemBytes / 2 : itemBytes);
    return dense;
  }

 private:
  /// The byte ranges (offset, length) of a packed member that small weights need, ascending.
  using Wanted = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  struct Packed {
    Wanted wanted;
    std::optional<Pieces> pieces;
  };

  std::optional<Record> recordOf(const fx::Weight& weight) const {
    for (const PickledWeights& file : pickled_)
      if (auto record = file.record(weight.file)) return record;
    const ZipEntry* entry = archive_.find(weight.file);
    return entry == nullptr ? std::nullopt
                            : std::optional(Record{archive_.sharedZip(), entry, bigEndian_});
  }

  void findPacked(const RunContext& context) const {
    if (std::exchange(knowsPacked_, true)) return;
    for (const fx::Weight& weight : program_->weights) {
      const std::optional<Record> record =
          weight.readable && hasFew(weight) ? recordOf(weight) : std::nullopt;
      const std::uint64_t itemBytes = itemBytesOf(weight);
      if (!record || record->entry->stored || itemBytes == 0 ||
          !extentOf(weight, record->entry->size / itemBytes))
        continue;
      context.spend(Resource::Values, weight.elements(), archive_.label());
      Wanted& wanted = packed_[weight.file].wanted;
      for (const std::uint64_t position : positionsOf(weight))
        wanted.emplace_back(position * itemBytes, itemBytes);
    }
    for (auto& [file, packed] : packed_) {
      std::sort(packed.wanted.begin(), packed.wanted.end());
      packed.wanted.erase(std::unique(packed.wanted.begin(), packed.wanted.end()),
                          packed.wanted.end());
    }
  }

  std::string about(const fx::Weight& weight) const {
    return archive_.label() + ": weight '" + weight.fqn + "' ";
  }
  tl::unexpected<Error> wrong(const fx::Weight& weight, const std::string& message) const {
    return fail(ErrorCode::InvalidInput, about(weight) + message);
  }

  /// The part of the storage that contains the weight's elements; an error if it exceeds the
  /// storage.
  Result<Extent> extentOf(const fx::Weight& weight, std::uint64_t available) const {
    std::int64_t first = weight.storageOffset, last = weight.storageOffset;
    bool overflow = weight.sizes.size() != weight.strides.size();
    for (std::size_t i = 0; i < weight.sizes.size() && !overflow; ++i) {
      std::int64_t reach = 0;
      overflow = __builtin_mul_overflow(weight.sizes[i] - 1, weight.strides[i], &reach);
      std::int64_t& end = reach < 0 ? first : last;
      overflow = overflow || __builtin_add_overflow(end, reach, &end);
    }
    if (overflow || first < 0 || static_cast<std::uint64_t>(last) >= available)
      return wrong(weight,
                   "exceeds its record: " + weight.file + " holds " + std::to_string(available) +
                       " elements, offset and strides require " +
                       (overflow || first < 0 ? "others" : "element " + std::to_string(last)));
    return Extent{static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first) + 1};
  }

  Result<std::string> fewElements(const fx::Weight& weight, const Record& record,
                                  std::uint64_t itemBytes, const RunContext& context) const {
    std::vector<std::uint64_t> offsets = positionsOf(weight);
    for (std::uint64_t& offset : offsets) offset *= itemBytes;
    const auto dense = [&](const Pieces& pieces) {
      std::string out;
      for (const std::uint64_t offset : offsets) out += pieces.at(offset, itemBytes);
      return out;
    };
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!record.entry->stored) {
      lock.lock();
      findPacked(context);
    }
    const auto packed = record.entry->stored ? packed_.end() : packed_.find(weight.file);
    // A weight that is not in the program is read separately.
    const auto isWanted = [&](std::uint64_t offset) {
      const Wanted& wanted = packed->second.wanted;
      return std::binary_search(wanted.begin(), wanted.end(), std::pair(offset, itemBytes));
    };
    if (packed == packed_.end() || !std::all_of(offsets.begin(), offsets.end(), isWanted)) {
      Pieces own{rangesOf(offsets, itemBytes), {}};
      FXS_TRY(own.bytes, record.zip->readRanges(*record.entry, own.ranges, context));
      return dense(own);
    }
    std::optional<Pieces>& pieces = packed->second.pieces;
    if (!pieces) {
      Pieces all;
      for (const auto& [offset, length] : packed->second.wanted) {
        const bool apart =
            all.ranges.empty() || offset > all.ranges.back().offset + all.ranges.back().length;
        if (apart) all.ranges.push_back({offset, length});
        else
          all.ranges.back().length =
              std::max(all.ranges.back().length, offset + length - all.ranges.back().offset);
      }
      FXS_TRY(all.bytes, record.zip->readRanges(*record.entry, all.ranges, context));
      unpacked_.insert(weight.file);
      pieces = std::move(all);
    }
    return dense(*pieces);
  }

  Result<std::string> manyElements(const fx::Weight& weight, const Record& record, Extent extent,
                                   std::uint64_t itemBytes, std::uint64_t elements,
                                   const RunContext& context) const {
    const std::uint64_t spread = std::max(kMaxSpan / itemBytes, kMaxSpread * elements);
    if (extent.count > spread)
      return wrong(weight, "spans " + std::to_string(extent.count) +
                               " elements of its storage, more than the limit");
    if (elements > extent.count)
      context.spend(Resource::Text, kCostOfMadeBytes * (elements - extent.count) * itemBytes,
                    about(weight));
    if (!record.entry->stored) {
      std::lock_guard lock(mutex_);
      if (!unpacked_.insert(weight.file).second)
        context.spend(Resource::Unpacked,
                      (kCostOfRepetition - 1) * (extent.first + extent.count) * itemBytes,
                      about(weight));
    }
    FXS_TRY(std::string span, record.zip->readRange(*record.entry, extent.first * itemBytes,
                                                    extent.count * itemBytes, context));
    if (extent.count == elements && weight.isRowMajor()) return span;
    return gather(weight, span, extent, itemBytes, elements, context);
  }

  static std::string gather(const fx::Weight& weight, const std::string& span, Extent extent,
                            std::uint64_t itemBytes, std::uint64_t elements,
                            const RunContext& context) {
    std::string out;
    out.reserve(static_cast<std::size_t>(elements * itemBytes));
    std::vector<std::int64_t> index(weight.sizes.size(), 0);
    std::int64_t at = weight.storageOffset - static_cast<std::int64_t>(extent.first);
    for (std::uint64_t done = 0; done < elements; ++done) {
      if (done % kElementsBetweenLooks == 0) context.spend(Resource::Unpacked, 0, weight.fqn);
      out.append(span, static_cast<std::size_t>(at) * itemBytes, itemBytes);
      for (std::size_t d = index.size(); d-- > 0;) {
        at += weight.strides[d];
        if (++index[d] < weight.sizes[d]) break;
        at -= weight.strides[d] * weight.sizes[d];
        index[d] = 0;
      }
    }
    return out;
  }

  static void swapBytes(std::string& bytes, std::uint64_t unit) {
    for (std::size_t i = 0; i + unit <= bytes.size(); i += unit)
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                   bytes.begin() + static_cast<std::ptrdiff_t>(i + unit));
  }

  Archive archive_;
  std::vector<PickledWeights> pickled_;
  fx::ProgramPtr program_;
  bool bigEndian_ = false;
  mutable bool knowsPacked_ = false;
  mutable std::map<std::string, Packed, std::less<>>
      packed_;  // by member; filled when the first small weight of any is read
  mutable std::set<std::string, std::less<>> unpacked_;  // packed members that were read before
  mutable std::mutex mutex_;
};

}  // namespace

std::shared_ptr<const WeightReader> weightReader(const Archive& archive,
                                                 std::vector<PickledWeights> pickled,
                                                 fx::ProgramPtr program,
                                                 const RunContext& context) {
  return std::make_shared<Pt2WeightReader>(archive, std::move(pickled), std::move(program),
                                           context);
}

}  // namespace fxs::read::pt2
