#include <algorithm>

#include "read/pt2/weights.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::uint64_t kMaxByteorderBytes = 16;
/// A strided view may reach over more of its storage than it has bytes itself.
constexpr std::uint64_t kMaxSpan = std::uint64_t{256} << 20;

struct Extent {
  std::uint64_t first = 0;  // in elements of the storage
  std::uint64_t count = 0;  // from the first to the last element used
};

class Pt2WeightReader final : public WeightReader {
 public:
  explicit Pt2WeightReader(const Archive& archive) : archive_(archive) {
    auto order = archive_.readText("byteorder", kMaxByteorderBytes);
    bigEndian_ = order && order->starts_with("big");
  }

  Result<std::string> read(const fx::Weight& weight, std::uint64_t maxBytes) const override {
    if (!weight.readable) return fail(ErrorCode::Unsupported, about(weight) + "cannot be read: " + weight.whyNot);
    const ZipEntry* record = archive_.find(weight.file);
    if (!record) return wrong(weight, "the archive has no member " + weight.file);
    const auto itemBytes = static_cast<std::uint64_t>(facts(weight.dtype).bytes);
    const std::uint64_t elements = weight.elements();
    if (itemBytes == 0) return wrong(weight, "its dtype is unknown");
    if (elements > maxBytes / itemBytes)
      return wrong(weight, "has " + std::to_string(elements) + " elements of " + std::to_string(itemBytes) +
                               " bytes, more than the limit of " + std::to_string(maxBytes) + " bytes");
    if (elements == 0) return std::string();
    FXS_TRY(Extent extent, extentOf(weight, record->size / itemBytes));
    if (extent.count > std::max(maxBytes, kMaxSpan) / itemBytes)
      return wrong(weight, "is spread over " + std::to_string(extent.count) + " elements of its storage, more than fxscope reads at once");
    FXS_TRY(std::string span, archive_.zip().readRange(*record, extent.first * itemBytes, extent.count * itemBytes));
    std::string dense =
        extent.count == elements && isRowMajor(weight) ? std::move(span) : gather(weight, span, extent, itemBytes, elements);
    if (bigEndian_) swapBytes(dense, isComplex(weight.dtype) ? itemBytes / 2 : itemBytes);
    return dense;
  }

 private:
  std::string about(const fx::Weight& weight) const { return archive_.label() + ": weight '" + weight.fqn + "' "; }
  tl::unexpected<Error> wrong(const fx::Weight& weight, const std::string& what) const {
    return fail(ErrorCode::InvalidInput, about(weight) + what);
  }

  /// The part of the storage that the weight's elements lie in; checks that it is there.
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
      return wrong(weight, "reaches past its record: " + weight.file + " holds " + std::to_string(available) +
                               " elements, offset and strides ask for " +
                               (overflow || first < 0 ? "others" : "element " + std::to_string(last)));
    return Extent{static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first) + 1};
  }

  static bool isRowMajor(const fx::Weight& weight) {
    std::int64_t expected = 1;
    for (std::size_t i = weight.sizes.size(); i-- > 0;) {
      if (weight.sizes[i] != 1 && weight.strides[i] != expected) return false;
      expected *= weight.sizes[i];
    }
    return true;
  }

  static std::string gather(const fx::Weight& weight, const std::string& span, Extent extent, std::uint64_t itemBytes,
                            std::uint64_t elements) {
    std::string out;
    out.reserve(static_cast<std::size_t>(elements * itemBytes));
    std::vector<std::int64_t> index(weight.sizes.size(), 0);
    std::int64_t at = weight.storageOffset - static_cast<std::int64_t>(extent.first);
    for (std::uint64_t done = 0; done < elements; ++done) {
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
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i), bytes.begin() + static_cast<std::ptrdiff_t>(i + unit));
  }

  Archive archive_;
  bool bigEndian_ = false;
};

}  // namespace

std::shared_ptr<const WeightReader> weightReader(const Archive& archive) { return std::make_shared<Pt2WeightReader>(archive); }

}  // namespace fxs::read::pt2
