// halfspace verify: checks a certificate against the data in exact arithmetic, and prints each fact it checked.

#include <filesystem>
#include <memory>
#include <optional>

#include "base/whole_file.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/certify/proof_json.h"
#include "proof/certify/proof_text.h"
#include "stream/foreign/foreign.h"

namespace halfspace::cli {
namespace {

struct VerifyFlags {
  std::string certificate;
  std::vector<std::string> data;
  bool json = false;
};

// Throws if the file is of another known kind, which the certificate's reader would not name.
void refuse_other_file(std::string_view text, const std::string& path) {
  const std::optional<stream::Foreign> foreign = stream::recognise_foreign(text);
  if (!foreign || text.starts_with("{\"format\": \"halfspace certificate\"")) return;
  throw Error(ErrorKind::data, "not a certificate but " + std::string(foreign->name))
      .at(path)
      .fix("give a file that halfspace certify wrote; the certificate comes before the data");
}

int verify(const VerifyFlags& flags) {
  for (const std::string& path : flags.data) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
      throw Error(ErrorKind::usage, "cannot be verified: the data are read twice, and this is not a file")
          .at(path == "-" ? "standard input" : path)
          .fix("save the data to a file first");
    }
  }
  const std::string written = whole_file(flags.certificate, &interrupted());
  refuse_other_file(written, flags.certificate);
  const proof::Certificate certificate = proof::decode_certificate(written, flags.certificate);
  const proof::Verification result = proof::verify(certificate, flags.data);
  if (flags.json) {
    print_result(proof::verification(certificate, result).dump(2) + "\n");
  } else {
    print_result(proof::verification_text(certificate, result, style_of()));
  }
  return result.valid ? 0 : 1;
}

}  // namespace

Command verify_command() {
  auto flags = std::make_shared<VerifyFlags>();
  Command command("verify", "check a proof of separability in exact arithmetic",
                  {{"halfspace verify proof.json mails.libsvm", "checks the certificate against this file"},
                   {"halfspace verify proof.json train.csv test.csv", "a certificate about two files as one set"},
                   {"halfspace verify proof.json train-images-idx3-ubyte.gz",
                    "images, with the file of labels in the same folder"}});
  command.exits = {{1, "the certificate is not valid"}};
  command.add({required({"CERT", "", "the certificate, as certify wrote it", &flags->certificate, input_file()}),
               required({"DATA", "", "the certified data, in order; plain, gzip, zstd, xz or bzip2", &flags->data,
                         data_file()})});
  command.add(kOutputGroup, {json_row(flags->json)});
  command.run = [flags](const Given&) { return verify(*flags); };
  return command;
}

}  // namespace halfspace::cli
