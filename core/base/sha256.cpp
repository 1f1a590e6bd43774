// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/sha256.h"

// The functions of libcrypto before its providers: linked statically, they are 20 KB of it, and
// EVP_Digest is all of it.
#define OPENSSL_API_COMPAT 0x10101000L
#include <openssl/sha.h>

#include <array>
#include <fstream>
#include <vector>

namespace fxs {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

class Digest {
 public:
  Digest() { SHA256_Init(&context_); }
  void add(std::string_view bytes) { SHA256_Update(&context_, bytes.data(), bytes.size()); }
  std::string hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256_Final(digest.data(), &context_);
    std::string out;
    for (const unsigned char byte : digest) {
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    }
    return out;
  }

 private:
  SHA256_CTX context_{};
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.hex();
}

Result<std::string> sha256OfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::Io, path + ": cannot be read");
  Digest digest;
  std::vector<char> buffer(kReadBytes);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    digest.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) return fail(ErrorCode::Io, path + ": cannot be read completely");
  return digest.hex();
}

}  // namespace fxs
