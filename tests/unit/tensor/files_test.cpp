// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "zip_writer.h"

using namespace fxs;
using namespace fxs::tensor;

namespace {

constexpr std::uint64_t kEnough = 1 << 20;

std::string corpus(const std::string& name) {
  std::ifstream in(std::string(FXS_SOURCE_DIR) + "/tests/fuzz/corpus/tensor_files/" + name,
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// "a: f32[2, 3] 0 1 2 3 4 5\n" for each tensor, or the error.
std::string dump(std::string bytes, std::uint64_t maxBytes = kEnough) {
  const auto file = openTensors(memorySource(std::move(bytes)), "x", {});
  if (!file) return file.error().message;
  std::ostringstream out;
  for (const StoredTensor& stored : (*file)->tensors()) {
    const auto value = (*file)->read(stored, maxBytes, {});
    if (!value) return value.error().message;
    out << stored.name << ": " << typeText(*value);
    for (const double element : elementsOf(*value)) out << " " << element;
    out << "\n";
  }
  return out.str();
}

std::string npy(const std::string& header, const std::string& elements, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  out += static_cast<char>(header.size());
  out += '\0';
  if (version > 1) out += std::string(2, '\0');
  return out + header + elements;
}

std::string safetensors(const std::string& header, const std::string& elements) {
  std::string out(8, '\0');
  out[0] = static_cast<char>(header.size());
  return out + header + elements;
}

std::string zipOf(const std::string& name, const std::string& bytes) {
  test::ZipMember member;
  member.name = name;
  member.bytes = bytes;
  return test::writeZip({member});
}

TEST(TensorFiles, WhatNumPyAndSafetensorsWriteIsRead) {
  EXPECT_EQ(dump(corpus("f4.npy")), ": f32[2, 3] 0 1 2 3 4 5\n");
  EXPECT_EQ(dump(corpus("fortran_big.npy")), ": i32[2, 3] 0 1 2 3 4 5\n");
  EXPECT_EQ(dump(corpus("scalar.npy")), ": f16[] 1.5\n");
  EXPECT_EQ(dump(corpus("bool.npy")), ": b8[2] 1 0\n");
  EXPECT_EQ(dump(corpus("complex_big.npy")), ": c64[1] 1 2\n");
  EXPECT_EQ(dump(corpus("empty.npy")), ": f64[0, 3]\n");
  EXPECT_EQ(dump(corpus("version2.npy")), ": u16[3] 0 1 2\n");
  EXPECT_EQ(dump(corpus("version3.npy")), ": u16[3] 0 1 2\n");
  EXPECT_EQ(dump(corpus("stored.npz")), "a: i64[3] 0 1 2\nb: f32[] 2\n");
  EXPECT_EQ(dump(corpus("deflated.npz")),
            "a: f64[4, 4] 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\nb: i8[2] 1 2\n");
}

TEST(TensorFiles, SafetensorsMayHaveAnyOrder) {
  EXPECT_EQ(
      dump(safetensors(
          R"({"__metadata__":{"a":"b"},"x":{"dtype":"BF16","shape":[1],"data_offsets":[1,3]},)"
          R"("y":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]}})",
          std::string("\2\x80\x3f", 3))),
      "x: bf16[1] 1\ny: b8[] 1\n");
}

TEST(TensorFiles, UnknownContentIsRefusedWithTheWayOut) {
  EXPECT_EQ(dump(""), "x: has no tensors: it is neither .npy, .npz nor safetensors");
  EXPECT_EQ(dump("\x80\2}q"),
            "x: is a pickle, which is never loaded, because it can run code; save the tensors with "
            "numpy.savez or safetensors");
  EXPECT_EQ(dump(corpus("object.npy")),
            "x: has Python objects, which are pickled and never loaded, because they can run code; "
            "save numbers or bools");
  EXPECT_EQ(dump(corpus("raw.npy")),
            "x: has elements of type '|V2', which NumPy writes for bfloat16; save it as "
            "safetensors, or as float32");
  EXPECT_EQ(dump(npy("{'descr': '<U3', 'fortran_order': False, 'shape': (), }", "")),
            "x: has elements of type '<U3', which no tensor has; save numbers or bools");
  EXPECT_EQ(dump(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }", "")),
            "x: has structured elements; save numbers or bools");
}

TEST(TensorFiles, ADamagedNpyIsAnError) {
  EXPECT_EQ(dump(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234")),
            "x: is cut off: f32[2] needs more than the 4 bytes after its header");
  EXPECT_EQ(
      dump(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
               "1234")),
      "x: is cut off: f32[4611686018427387904, 4] needs more than the 4 bytes after its header");
  EXPECT_EQ(dump(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "12345")),
            "x: has 1 bytes after its elements; save several arrays as an .npz");
  EXPECT_EQ(dump(npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (), }", "")),
            "x: its header is malformed: expected True or False at character 34");
  EXPECT_EQ(dump(npy("{'descr': '<f4', 'fortran_order': False}", "")),
            "x: its header has no 'shape'");
  EXPECT_EQ(dump(npy("{'descr': '<f4', 'descr': '<f4'}", "")),
            "x: its header has the key 'descr' twice");
  EXPECT_EQ(dump(npy("{'shape': (-1,)}", "")),
            "x: its header is malformed: expected a size at character 11");
  EXPECT_EQ(dump(npy("", "", 4)), "x: is an .npy file of version 4; supported are 1, 2 and 3");
  EXPECT_EQ(dump("\x93NUMPY"), "x: is not an .npy file");
  EXPECT_EQ(dump(corpus("f4.npy").substr(0, 40)), "x: is cut off in its header");
}

TEST(TensorFiles, AMemberOfAnNpzIsNamed) {
  EXPECT_EQ(dump(zipOf("a.npy", npy("{}", ""))), "x: member 'a.npy': its header has no 'descr'");
  EXPECT_EQ(dump(zipOf("data.pkl", "x")),
            "x: member 'data.pkl' is not an array; an .npz has only .npy files");
}

TEST(TensorFiles, ADamagedSafetensorsFileIsAnError) {
  EXPECT_EQ(dump(corpus("cut.safetensors")).substr(0, 62),
            "x: a.data_offsets: expected where the tensor begins and ends i");
  const auto one = [](const std::string& tensor) {
    return dump(safetensors(R"({"t":)" + tensor + "}", "12345678"));
  };
  EXPECT_EQ(one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,8]})"),
            "x: t.data_offsets: 8 bytes do not hold f32[1]");
  EXPECT_EQ(one(R"({"dtype":"F32","shape":[1],"data_offsets":[8,12]})"),
            "x: t.data_offsets: expected where the tensor begins and ends in the 8 bytes after the "
            "header");
  EXPECT_EQ(one(R"({"dtype":"F4","shape":[1],"data_offsets":[0,4]})"),
            "x: t.dtype: the dtype 'F4' is not supported; save the tensor with another dtype");
  EXPECT_EQ(
      one(R"({"dtype":"I8","shape":[1],"data_offsets":[0,1]},"t":{"dtype":"I8","shape":[1],"data_offsets":[0,1]})"),
      "x: has two tensors named 't'");
  EXPECT_EQ(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"),
            "x: t.shape: no tensor has this shape");
  EXPECT_EQ(dump(std::string("\xff\xff\xff\xff\0\0\0\0{", 9)),
            "x: its safetensors header has 4294967295 bytes, more than the limit of 100000000");
  EXPECT_EQ(dump(std::string("\xff\0\0\0\0\0\0\0{", 9)),
            "x: is cut off: its safetensors header has 255 bytes, the file 9");
}

TEST(TensorFiles, TheLimitIsCheckedBeforeReading) {
  EXPECT_EQ(dump(corpus("f4.npy"), 23), "x: has 24 bytes, more than the limit of 23");
  EXPECT_EQ(dump(corpus("deflated.npz"), 23),
            "x: member 'a.npy': has 128 bytes, more than the limit of 23");
}

TEST(TensorFiles, WhatIsWrittenIsReadAgain) {
  for (int number = 1; number <= static_cast<int>(DType::Float8E8M0FNU); ++number) {
    const auto dtype = static_cast<DType>(number);
    std::vector<double> values(6 * partsOf(dtype));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 3);
    for (const Tensor& t : {tensorFrom(dtype, {2, 3}, values), tensorFrom(dtype, {6}, values),
                            tensorFrom(dtype, {0}, {})}) {
      for (const auto& bytes : {npyBytes(t), safetensorsBytes({{"", t}})}) {
        if (!bytes) {
          EXPECT_EQ(bytes.error().code, ErrorCode::Unsupported);
          continue;
        }
        const auto file = openTensors(memorySource(*bytes), "x", {});
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ((*file)->read((*file)->tensors().at(0), kEnough, {}).value(), t);
      }
    }
  }
}

TEST(TensorFiles, WritersNameWhatTheyCannotWrite) {
  const Tensor half = tensorFrom(DType::BFloat16, {1}, {1}),
               wide = tensorFrom(DType::Complex128, {1}, {1, 2});
  EXPECT_EQ(npyBytes(half).error().message, "NumPy has no bfloat16; write safetensors");
  EXPECT_EQ(safetensorsBytes({{"a", wide}}).error().message,
            "tensor 'a': safetensors has no complex128; write .npy");
  EXPECT_EQ(safetensorsBytes({{"a", half}, {"a", half}}).error().message,
            "safetensors cannot have another tensor named 'a'");
}

}  // namespace
