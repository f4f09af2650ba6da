// Verdicts with proofs, and their check.
#include <memory>

#include "c/handles.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/proof_json.h"

using namespace halfspace;
using namespace halfspace::c;

extern "C" {

char* halfspace_certify(const halfspace_settings* settings, const halfspace_rows* rows, const halfspace_watch* watch,
                        char** certificate, halfspace_error* error) {
  return made(error, [&] {
    CertifySettings own = settings_of<CertifySettings>(settings, "certify");
    attend(own.data.read, rows, watch);
    if (own.asks_many())
      throw Error(ErrorKind::usage, "several questions have several answers").fix("ask about two classes at a time");
    const CertifyResult result = certify(own);
    std::unique_ptr<char, void (*)(void*)> text(
        certificate != nullptr && result.certified ? copied(proof::encode_certificate(result.certificate)) : nullptr,
        halfspace_free);
    char* const json = copied(proof::certify_result(result).dump());
    if (certificate != nullptr) *certificate = text.release();
    return json;
  });
}

char* halfspace_verify(const char* certificate, const char* const* paths, size_t paths_count, halfspace_error* error) {
  return made(error, [&] {
    const proof::Certificate given = proof::decode_certificate(&checked(certificate, "certificate"), "certificate");
    std::vector<std::string> files;
    for (std::size_t i = 0; i < paths_count; ++i) files.emplace_back(&checked((&checked(paths, "paths"))[i], "a path"));
    return copied(proof::verification(given, proof::verify(given, files)).dump());
  });
}

}  // extern "C"
