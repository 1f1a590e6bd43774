// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy: a magic number, a version, and a header that is a Python dict, before the elements
// (numpy/lib/format.py).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/safe_text.h"
#include "tensor/formats.h"

namespace fxs::tensor {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 64 << 10;  // NumPy itself reads at most 10,000 by default
constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kElementsBetweenLooks = std::uint64_t{1} << 20;

struct NpyType {
  std::string_view descr;  // without the byte order
  DType dtype;
};
constexpr std::array<NpyType, 14> kNpyTypes{{{"b1", DType::Bool},
                                             {"i1", DType::Int8},
                                             {"i2", DType::Int16},
                                             {"i4", DType::Int32},
                                             {"i8", DType::Int64},
                                             {"u1", DType::UInt8},
                                             {"u2", DType::UInt16},
                                             {"u4", DType::UInt32},
                                             {"u8", DType::UInt64},
                                             {"f2", DType::Float16},
                                             {"f4", DType::Float32},
                                             {"f8", DType::Float64},
                                             {"c8", DType::Complex64},
                                             {"c16", DType::Complex128}}};

/// Reads the dict of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& about) : text_(text), about_(about) {}

  Result<NpyHeader> read() {
    if (!take('{')) return malformed("a dict");
    std::set<std::string_view> keys;
    while (!take('}')) {
      FXS_TRY(const std::string_view key, string());
      if (!keys.insert(key).second)
        return fail(ErrorCode::InvalidInput,
                    about_ + ": its header has the key " + printableName(key) + " twice");
      if (!take(':')) return malformed("':'");
      FXS_CHECK(value(key));
      if (!take(',') && !peek('}')) return malformed("',' or '}'");
    }
    skipBlanks();
    if (at_ != text_.size()) return malformed("the end");
    for (const std::string_view key : {"descr", "fortran_order", "shape"})
      if (!keys.contains(key))
        return fail(ErrorCode::InvalidInput,
                    fmt::format("{}: its header has no '{}'", about_, key));
    return std::move(out_);
  }

 private:
  Result<> value(std::string_view key) {
    if (key == "descr") return descr();
    if (key == "fortran_order") {
      out_.fortranOrder = takeWord("True");
      if (!out_.fortranOrder && !takeWord("False")) return malformed("True or False");
      return {};
    }
    if (key == "shape") return shape();
    return fail(ErrorCode::InvalidInput,
                about_ + ": its header has an unknown key " + printableName(key));
  }

  Result<> descr() {
    if (peek('[')) return refuse("has structured elements");
    FXS_TRY(std::string_view name, string());
    const std::string_view full = name;
    if (!name.empty() && std::string_view("<>|=").find(name.front()) != std::string_view::npos) {
      out_.bigEndian = name.front() == '>';
      name.remove_prefix(1);
    }
    if (name.starts_with('O'))
      return refuse(
          "has Python objects, which are pickled and never loaded, because they can run code");
    if (name == "V2")
      return refuse("has elements of type '|V2', which NumPy writes for bfloat16",
                    "save it as safetensors, or as float32");
    const auto type = std::find_if(kNpyTypes.begin(), kNpyTypes.end(),
                                   [&](const NpyType& t) { return t.descr == name; });
    if (type == kNpyTypes.end())
      return refuse("has elements of type " + printableName(full) + ", which no tensor has");
    out_.dtype = type->dtype;
    return {};
  }

  Result<> shape() {
    if (!take('(')) return malformed("a tuple");
    while (!take(')')) {
      skipBlanks();
      std::int64_t size = 0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) return malformed("a size");
      at_ = static_cast<std::size_t>(end - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // a long of Python 2
      if (out_.sizes.size() == kMaxRank)
        return fail(ErrorCode::InvalidInput,
                    fmt::format("{}: has more than {} dimensions", about_, kMaxRank));
      out_.sizes.push_back(size);
      if (!take(',') && !peek(')')) return malformed("',' or ')'");
    }
    return {};
  }

  Result<std::string_view> string() {
    skipBlanks();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      return malformed("a string");
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return malformed("the end of a string");
    const std::string_view out = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return out;
  }

  void skipBlanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool peek(char c) {
    skipBlanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipBlanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  tl::unexpected<Error> malformed(std::string_view expected) const {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: its header is malformed: expected {} at character {}", about_,
                            expected, at_));
  }
  tl::unexpected<Error> refuse(const std::string& message,
                               std::string_view remedy = "save numbers or bools") const {
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}; {}", about_, message, remedy));
  }

  std::string_view text_;
  const std::string& about_;
  NpyHeader out_;
  std::size_t at_ = 0;
};

std::uint64_t npyLittleEndian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

struct NpyPrefix {
  std::uint64_t headerAt = 0, headerBytes = 0;
};
Result<NpyPrefix> npyPrefix(std::string_view prefix, const std::string& about) {
  constexpr std::size_t kVersionAt = kNpyMagic.size();
  if (prefix.size() < kNpyPrefix || !prefix.starts_with(kNpyMagic))
    return fail(ErrorCode::InvalidInput, about + ": is not an .npy file");
  const int version = static_cast<unsigned char>(prefix[kVersionAt]);
  if (version < 1 || version > 3)
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("{}: is an .npy file of version {}; supported are 1, 2 and 3", about, version));
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  return NpyPrefix{kVersionAt + 2 + lengthBytes,
                   npyLittleEndian(prefix.substr(kVersionAt + 2, lengthBytes))};
}

class Npy final : public NamedTensors {
 public:
  Npy(std::shared_ptr<const ByteSource> source, std::string label, NpyHeader header,
      std::uint64_t begin)
      : NamedTensors(std::move(label)),
        source_(std::move(source)),
        header_(std::move(header)),
        begin_(begin) {}
  Result<> list() { return add({"", header_.dtype, header_.sizes}); }
  Result<Tensor> read(const StoredTensor& wanted, std::uint64_t maxBytes,
                      const RunContext& context) const override {
    FXS_CHECK(positionOf(wanted));
    FXS_CHECK(checkSize(header_.bytes, maxBytes, label()));
    context.spend(Resource::Unpacked, header_.bytes, label());
    FXS_TRY(std::string elements, source_->read(begin_, header_.bytes));
    return tensorOf(header_, std::move(elements), context);
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  NpyHeader header_;
  std::uint64_t begin_;
};

}  // namespace

Result<std::uint64_t> npyHeaderBytes(std::string_view prefix, std::uint64_t fileBytes,
                                     const std::string& about) {
  FXS_TRY(const NpyPrefix at, npyPrefix(prefix, about));
  if (at.headerBytes > kMaxHeaderBytes)
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: its header has {} bytes, more than the limit of {}", about,
                            at.headerBytes, kMaxHeaderBytes));
  if (at.headerAt + at.headerBytes > fileBytes)
    return fail(ErrorCode::InvalidInput, about + ": is cut off in its header");
  return at.headerAt + at.headerBytes;
}

Result<NpyHeader> readNpyHeader(std::string_view head, std::uint64_t fileBytes,
                                const std::string& about) {
  FXS_TRY(const NpyPrefix at, npyPrefix(head, about));
  FXS_TRY(NpyHeader header, HeaderText(head.substr(at.headerAt), about).read());
  const auto itemBytes = static_cast<std::uint64_t>(facts(header.dtype).bytes);
  const auto count = elementCount(header.sizes);
  const std::uint64_t there = fileBytes - head.size();
  if (!count || *count > there / itemBytes)
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: is cut off: {} needs more than the {} bytes after its header",
                            about, typeText(header.dtype, header.sizes), there));
  header.bytes = *count * itemBytes;
  if (header.bytes != there)
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: has {} bytes after its elements; save several arrays as an .npz",
                            about, there - header.bytes));
  return header;
}

Tensor tensorOf(const NpyHeader& header, std::string elements, const RunContext& context) {
  Tensor out{header.dtype, header.sizes, std::move(elements)};
  const auto item = static_cast<std::size_t>(facts(header.dtype).bytes);
  if (header.bigEndian) {
    const auto part = static_cast<std::ptrdiff_t>(item / partsOf(header.dtype));
    for (auto at = out.bytes.begin(); at != out.bytes.end(); at += part)
      std::reverse(at, at + part);
  }
  // One dimension larger than 1 is in the same order both ways.
  const auto large =
      std::count_if(out.sizes.begin(), out.sizes.end(), [](std::int64_t size) { return size > 1; });
  if (header.fortranOrder && large > 1) {
    std::string dense(out.bytes.size(), '\0');
    std::vector<std::int64_t> index(out.sizes.size(), 0);
    std::vector<std::size_t> steps(out.sizes.size(), item);  // in the file
    for (std::size_t d = 1; d < steps.size(); ++d)
      steps[d] = steps[d - 1] * static_cast<std::size_t>(out.sizes[d - 1]);
    std::size_t from = 0;
    for (std::size_t to = 0, done = 0; to < dense.size(); to += item, ++done) {
      if (done % kElementsBetweenLooks == 0)
        context.spend(Resource::Unpacked, 0, "the order of elements");
      std::copy_n(out.bytes.data() + from, item, dense.data() + to);
      for (std::size_t d = index.size(); d-- > 0;) {
        from += steps[d];
        if (++index[d] < out.sizes[d]) break;
        from -= steps[d] * static_cast<std::size_t>(out.sizes[d]);
        index[d] = 0;
      }
    }
    out.bytes = std::move(dense);
  }
  normalizeBools(out);
  return out;
}

Result<TensorFilePtr> openNpy(std::shared_ptr<const ByteSource> source, std::string label,
                              const RunContext& context) {
  context.spend(Resource::Values, 1, label);
  FXS_TRY(const std::string prefix, source->read(0, std::min(kNpyPrefix, source->size())));
  FXS_TRY(const std::uint64_t headerBytes, npyHeaderBytes(prefix, source->size(), label));
  FXS_TRY(const std::string head, source->read(0, headerBytes));
  FXS_TRY(NpyHeader header, readNpyHeader(head, source->size(), label));
  auto file =
      std::make_shared<Npy>(std::move(source), std::move(label), std::move(header), headerBytes);
  FXS_CHECK(file->list());
  return TensorFilePtr(std::move(file));
}

Result<std::string> npyBytes(const Tensor& tensor) {
  const auto type = std::find_if(kNpyTypes.begin(), kNpyTypes.end(),
                                 [&](const NpyType& t) { return t.dtype == tensor.dtype; });
  if (type == kNpyTypes.end())
    return fail(ErrorCode::Unsupported,
                fmt::format("NumPy has no {}; write safetensors", facts(tensor.dtype).torchName));
  std::string shape;
  for (const std::int64_t size : tensor.sizes)
    shape += (shape.empty() ? "" : " ") + std::to_string(size) + ",";
  if (tensor.sizes.size() > 1) shape.pop_back();
  const char order = facts(tensor.dtype).bytes == 1 ? '|' : '<';
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   order, type->descr, shape);
  const std::size_t before = kNpyMagic.size() + 4;
  header.append((kAlignment - (before + header.size() + 1) % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string out(kNpyMagic);
  out += '\1';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  return out + header + tensor.bytes;
}

}  // namespace fxs::tensor
