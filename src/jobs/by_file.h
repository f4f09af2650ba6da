// Files that are each read where they are alone: the plan of the first, a look at the others, the plan of all.
//
// Thread-safety: pure functions of files that must not change meanwhile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "halfspace/mixing/shards.h"
#include "jobs/parts.h"

namespace halfspace::jobs {

// Returns the plan of a file alone, under its name, and its first rows; nothing for a header alone, unless it is the last
// file. `read`: with its path.
Part planned_alone(const ReadOptions& read, const std::string& name, bool last);
// Returns where the rows of another file are, under its name. `first`: the plan of the first file; `beginning`: its first
// rows; `count`: of files. Throws Error(usage) for a cache among others, Error(data) for a file unlike the first.
Part examined(const ShardPlan& first, const Part& beginning, const ReadOptions& read, const std::string& name,
              std::size_t count);
// Returns the plan of all, from what examined() found.
ShardPlan plan_of_files(const ShardPlan& first, const std::vector<Part>& found, std::uint32_t shards);

}  // namespace halfspace::jobs
