// Certifies data whose rows no machine holds: each worker reads whole files, and worker 0 decides a working set.
//
// A file is a source of the certificate, and goes to one worker; adjacent files of about equal bytes are a worker's. Every
// pass over the rows (reading as training does, drawing rows, evaluating a separator, measuring for the check) is made by
// all workers at once, and worker 0 takes the results in the order of files: the certificate does not depend on the
// number of workers, unless a time limit strikes. Memory: worker 0 that of the search; others what a pass keeps.
//
// Thread-safety: the thread that made the workers.
#pragma once

#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

// Collective. Decides as halfspace::certify() does where the points exceed the memory. Returns the result on worker 0.
// Throws Error as certify() does.
CertifyResult certify(Workers& workers, const CertifyOptions& options);

// Collective. Checks a certificate, which only worker 0 needs to give. Returns the result on worker 0. Throws as
// proof::verify() does.
proof::Verification verify(Workers& workers, const proof::Certificate& certificate,
                           const std::vector<std::string>& paths);

}  // namespace halfspace::mpi
