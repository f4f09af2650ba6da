// The commands certify and verify of halfspace-mpi.
#pragma once

#include "cli/flags.h"
#include "mpi/workers.h"

namespace halfspace::mpi {

// The workers must outlive the commands.
cli::Command certify_command(Workers& workers);
cli::Command verify_command(Workers& workers);

}  // namespace halfspace::mpi
