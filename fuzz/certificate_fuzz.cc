// Certificates: no text makes the reader do anything but refuse it or read it; what it reads is written as it was. The
// checksum is put right, or nothing would get past it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/sha256.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace halfspace;
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.rfind("\"checksum\"");
  if (end != std::string::npos) {
    text.resize(end);
    proof::Sha256 checksum;
    checksum.add(text);
    text += "\"checksum\": \"" + checksum.finish() + "\"}\n";
  }
  try {
    const proof::Certificate certificate = proof::decode_certificate(text, "fuzz");
    if (!(proof::decode_certificate(proof::encode_certificate(certificate), "again") == certificate)) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) std::abort();
  }
  return 0;
}
