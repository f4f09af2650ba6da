// Divides data into shards, the unit of training on several machines: which rows are in a shard is a function of the
// data alone, whoever reads it.
//
//   const ShardPlan plan = plan_shards(read, 64);         // opens the data and infers the schema
//   Reader reader(options_of_shard(plan, read, 5));       // the rows of shard 5, in file order
//
// The rows of all files, in the given order, are cut into ranges of equal size in bytes, which go to the shards in
// turn: range r to shard r mod S. A row belongs to the range in which its first byte is. A compressed file is one range.
// A row must be one line: a table with line ends within quotes is rejected as bad rows. A cache is cut into ranges of
// equally many rows.
//
// Where a worker reads only some of the files, no shard may have rows of two files: plan_by_file() deals the ranges of a
// file to shards of its own.
//
// Names (categories, tokens, namespaces' features) are numbered by shard, and within a shard by first appearance:
// names_of_shard() for each shard, and MergedNames over them in the order of shards.
//
// Thread-safety: pure functions of files that must not change meanwhile, and a value type.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

inline constexpr std::uint32_t most_shards = 4096;

struct ShardPlan {
  std::uint32_t shards = 0;      // a power of two, at most most_shards
  std::uint64_t range_size = 0;  // of a range, in bytes, or in rows of a cache
  std::vector<FileRows> files;
  std::string before;  // the text before the rows of the first file
  Schema schema;
  // Of each file the number of shards, adjacent ones from that file's first: plan_by_file(). Shards beyond have no rows.
  // Empty: each file is dealt to all shards.
  std::vector<std::uint32_t> shards_of_file{};
};

// Throws Error: as Reader does; usage for a number of shards that is no power of two, and for data that cannot be
// divided.
ShardPlan plan_shards(const ReadOptions& read, std::uint32_t shards);

// Plans shards that have rows of one file each, so that the plan does not depend on who reads which file. `first`: a plan
// of the first file; `files`: all of them, in order. Each file has a shard; what is left of `shards` goes, one by one, to
// the file whose shards are largest, if that has as many ranges. 0 shards: the fewest. Throws Error(usage) for fewer
// shards than files.
ShardPlan plan_by_file(const ShardPlan& first, std::vector<FileRows> files, std::uint32_t shards);

// Returns the file that a shard of plan_by_file() is of; the number of files if it has no rows.
std::size_t file_of_shard(const ShardPlan& plan, std::uint32_t shard);

// Returns the parts of files that make up a shard; none if there are fewer ranges than shards.
std::vector<FilePart> parts_of_shard(const ShardPlan& plan, std::uint32_t shard);

// Returns slice `number` of `count` of the rows, in file order: adjacent parts of about the same size in bytes. None if
// there are fewer rows. A compressed file is in one slice.
std::vector<FilePart> slice_of(const std::vector<FileRows>& files, std::uint32_t number, std::uint32_t count);

// Returns how to read the shard's rows, which has some: with the plan's schema. `grow`: names may be new.
ReadOptions options_of_shard(const ShardPlan& plan, const ReadOptions& read, std::uint32_t shard, bool grow = false);

// Returns whether the rows may have names, or features, that the plan's schema lacks.
bool has_open_names(const ShardPlan& plan);
// Returns the plan's schema with the names of one shard added. Reads the shard once. Throws Error as Reader does.
Schema names_of_shard(const ShardPlan& plan, const ReadOptions& read, std::uint32_t shard);

// Merges the names of shards, which must come in the order of their numbers.
class MergedNames {
 public:
  explicit MergedNames(Schema schema);
  // Adds the names that a shard's schema has and this one lacks, in the order of their features there.
  void add(const Schema& of_shard);
  const Schema& schema() const noexcept { return schema_; }

 private:
  std::uint32_t column_of(const Schema& of_shard, std::size_t column);

  Schema schema_;
  std::size_t columns_;     // of every shard; further ones are found by name
  std::uint32_t features_;  // of every shard
  // Of each column: the feature of a name, or of the factors of a product as bytes.
  std::vector<std::unordered_map<std::string, std::uint32_t>> names_;
  std::unordered_map<std::string, std::uint32_t> further_;
};

// Convert a plan, files or a schema to bytes and back. Throw Error(data) for damaged bytes.
std::vector<std::uint8_t> encode(const ShardPlan& plan);
ShardPlan decode_plan(const std::vector<std::uint8_t>& bytes);
std::vector<std::uint8_t> encode_files(const std::vector<FileRows>& files);
std::vector<FileRows> decode_files(const std::vector<std::uint8_t>& bytes);
std::vector<std::uint8_t> encode_schema(const Schema& schema);
Schema decode_schema(const std::vector<std::uint8_t>& bytes);

}  // namespace halfspace
