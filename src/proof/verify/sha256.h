// SHA-256, by nettle.
#pragma once

#include <nettle/sha2.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace halfspace::proof {

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }

  void add(std::string_view bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }

  // Returns 64 hex digits; begins anew.
  std::string finish() {
    std::uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(&state_, sizeof digest, digest);
    std::string hex;
    for (const std::uint8_t byte : digest) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
  }

 private:
  sha256_ctx state_;
};

}  // namespace halfspace::proof
