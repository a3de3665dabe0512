#include "leanbridge/base/sha256.hpp"

#include "leanbridge/base/ascii.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace leanbridge {

class Sha256::Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;
  virtual void add(std::string_view bytes) = 0;
  virtual std::array<unsigned char, 32> finish() = 0;
};

namespace {

// FIPS 180-4, section 4.2.2.
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Works everywhere; a tenth as fast as libcrypto.
class Portable final : public Sha256::Engine {
 public:
  void add(std::string_view bytes) override {
    length_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t part = std::min(bytes.size(), block_.size() - filled_);
      std::memcpy(block_.data() + filled_, bytes.data(), part);
      filled_ += part;
      bytes.remove_prefix(part);
      if (filled_ == block_.size()) mix();
    }
  }

  std::array<unsigned char, 32> finish() override {
    const std::uint64_t bits = length_ * 8;
    block_[filled_++] = 0x80;
    if (filled_ > 56) {
      std::memset(block_.data() + filled_, 0, block_.size() - filled_);
      mix();
    }
    std::memset(block_.data() + filled_, 0, 56 - filled_);
    for (std::size_t i = 0; i < 8; ++i) block_[56 + i] = static_cast<unsigned char>(bits >> (8 * (7 - i)));
    mix();
    std::array<unsigned char, 32> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
      digest[i] = static_cast<unsigned char>(state_[i / 4] >> (8 * (3 - i % 4)));
    return digest;
  }

 private:
  void mix() {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
      w[i] = std::uint32_t{block_[4 * i]} << 24U | std::uint32_t{block_[4 * i + 1]} << 16U |
             std::uint32_t{block_[4 * i + 2]} << 8U | std::uint32_t{block_[4 * i + 3]};
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + w[i - 7] +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + kRound[i] + w[i];
      const std::uint32_t second =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += added[i];
    filled_ = 0;
  }

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;
};

/// Functions of libcrypto (OpenSSL 3), which is loaded when it is there.
struct Crypto {
  void* (*create)() = nullptr;
  void (*destroy)(void*) = nullptr;
  const void* (*algorithm)() = nullptr;
  int (*begin)(void*, const void*, void*) = nullptr;
  int (*update)(void*, const void*, std::size_t) = nullptr;
  int (*end)(void*, unsigned char*, unsigned int*) = nullptr;
};

template <class Function>
bool find_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

const Crypto* crypto() {
  static const Crypto* const loaded = []() -> const Crypto* {
    void* const library = ::dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    static Crypto functions;
    const bool complete = library && find_symbol(library, "EVP_MD_CTX_new", functions.create) &&
                          find_symbol(library, "EVP_MD_CTX_free", functions.destroy) &&
                          find_symbol(library, "EVP_sha256", functions.algorithm) &&
                          find_symbol(library, "EVP_DigestInit_ex", functions.begin) &&
                          find_symbol(library, "EVP_DigestUpdate", functions.update) &&
                          find_symbol(library, "EVP_DigestFinal_ex", functions.end);
    return complete ? &functions : nullptr;
  }();
  return loaded;
}

class Library final : public Sha256::Engine {
 public:
  explicit Library(const Crypto& functions) : functions_(functions), context_(functions.create()) {
    good_ = context_ && functions_.begin(context_, functions_.algorithm(), nullptr) == 1;
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() override { functions_.destroy(context_); }
  bool good() const { return good_; }

  void add(std::string_view bytes) override {
    if (functions_.update(context_, bytes.data(), bytes.size()) != 1) std::abort();  // cannot fail: FIPS 180
  }
  std::array<unsigned char, 32> finish() override {
    std::array<unsigned char, 32> digest{};
    unsigned int size = 0;
    if (functions_.end(context_, digest.data(), &size) != 1 || size != digest.size()) std::abort();
    return digest;
  }

 private:
  const Crypto& functions_;
  void* context_;
  bool good_ = false;
};

std::unique_ptr<Sha256::Engine> fastest() {
  if (const Crypto* const functions = crypto())
    if (auto library = std::make_unique<Library>(*functions); library->good()) return library;
  return std::make_unique<Portable>();
}

}  // namespace

Sha256::Sha256() : engine_(fastest()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  engine_->add(bytes);
}

std::string Sha256::finish() {
  return hexadecimal(engine_->finish());
}

std::string portable_sha256_of(std::string_view bytes) {
  Portable digest;
  digest.add(bytes);
  return hexadecimal(digest.finish());
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

FileResult<std::string> sha256_of_file(const std::filesystem::path& path) {
  constexpr std::size_t kReadSize = std::size_t{1} << 20U;
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error());
  Sha256 digest;
  std::vector<char> piece(kReadSize);
  for (;;) {
    const auto size = file->read_some(piece.data(), piece.size());
    if (!size) return tl::unexpected(size.error());
    digest.add({piece.data(), *size});
    if (*size < piece.size()) return digest.finish();
  }
}

}  // namespace leanbridge
