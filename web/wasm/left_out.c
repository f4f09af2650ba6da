/* In the place of the libraries of compression, which the page has no use for: a compressed file cannot be read. Its
 * reader then says that it is damaged, or that memory ran out. */
#define _GNU_SOURCE /* cpu_set_t */
#include <bzlib.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <sched.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

int inflateInit2_(z_streamp stream, int bits, const char* version, int size) { return Z_MEM_ERROR; }
int inflateReset(z_streamp stream) { return Z_MEM_ERROR; }
int inflate(z_streamp stream, int flush) { return Z_MEM_ERROR; }
int inflateEnd(z_streamp stream) { return Z_OK; }
uLong crc32(uLong crc, const Bytef* bytes, uInt size) { return 0; }

ZSTD_DStream* ZSTD_createDStream(void) { return NULL; }
size_t ZSTD_freeDStream(ZSTD_DStream* stream) { return 0; }
size_t ZSTD_decompressStream(ZSTD_DStream* stream, ZSTD_outBuffer* to, ZSTD_inBuffer* from) { return (size_t)-1; }
unsigned ZSTD_isError(size_t code) { return 1; }
ZSTD_ErrorCode ZSTD_getErrorCode(size_t code) { return ZSTD_error_memory_allocation; }
const char* ZSTD_getErrorName(size_t code) { return "this build reads no zstd"; }

lzma_ret lzma_stream_decoder(lzma_stream* stream, uint64_t memory, uint32_t flags) { return LZMA_MEM_ERROR; }
lzma_ret lzma_code(lzma_stream* stream, lzma_action action) { return LZMA_MEM_ERROR; }
void lzma_end(lzma_stream* stream) {}

int BZ2_bzDecompressInit(bz_stream* stream, int verbosity, int small) { return BZ_MEM_ERROR; }
int BZ2_bzDecompress(bz_stream* stream) { return BZ_MEM_ERROR; }
int BZ2_bzDecompressEnd(bz_stream* stream) { return BZ_OK; }

void isal_inflate_init(struct inflate_state* state) {}
int isal_inflate(struct inflate_state* state) { return ISAL_INVALID_BLOCK; }
uint32_t crc32_gzip_refl(uint32_t crc, const unsigned char* bytes, uint64_t size) { return 0; }

/* One processor, and no threads. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) { return -1; }
int __sched_cpucount(size_t size, const cpu_set_t* set) { return 1; }
