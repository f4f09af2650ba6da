// Is it separable? An answer with a proof that anyone can check: the logical "and" is, the exclusive "or" is not.
#include <halfspace/halfspace.h>

#include <filesystem>
#include <iostream>
#include <vector>

int main() {
  using namespace halfspace;
  for (const bool exclusive : {false, true}) {
    // Rows in memory: a label and the values of all features.
    MemoryData data;
    for (const int a : {0, 1}) {
      for (const int b : {0, 1}) {
        const bool truth = exclusive ? a != b : a == 1 && b == 1;
        data.add(truth ? "+1" : "-1", std::vector<double>{double(a), double(b)});
      }
    }
    CertifyOptions options;
    options.read.rows = &data;
    const CertifyResult result = certify(options);
    std::cout << (exclusive ? "exclusive or" : "and") << ":\n";
    if (result.verdict == proof::Verdict::separable) {
      std::cout << "  separable, with a margin from " << result.margin_lower << " to " << result.margin_upper << "\n"
                << "  so a perceptron makes at most " << *result.mistake_bound << " mistakes\n";
    } else {
      // Weights of rows with which a sum of label times row is 0: no vector has all products above 0.
      std::cout << "  not separable:";
      for (const WitnessRow& row : result.witness) std::cout << "  " << row.weight << " x row " << row.row;
      std::cout << "\n  any line gets at least " << result.errors_lower << " of the rows wrong\n";
    }
    // The proof is about a text. Who has the text and the certificate need trust nobody, and none of this program.
    const std::string path = (std::filesystem::temp_directory_path() / "halfspace-example.libsvm").string();
    write_text(data, path);
    std::cout << "  the certificate is " << (proof::verify(result.certificate, {path}).valid ? "valid" : "refused")
              << " for these rows\n";
    data.add("+1", std::vector<double>{0, 0});
    write_text(data, path);
    std::cout << "  the certificate is " << (proof::verify(result.certificate, {path}).valid ? "valid" : "refused")
              << " for others\n";
    std::filesystem::remove(path);
  }
}
