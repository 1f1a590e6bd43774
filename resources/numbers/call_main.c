// Calls the function that an MLIR module was compiled to: maps the files of its arguments, and writes its results. The generated part, which
// precedes this, declares the types of arguments and results and `call`.
//
//   program ARGUMENTS RESULTS
//
// ARGUMENTS has a line for each argument: `tensor OFFSET RANK SIZE.. FILE` or `number VALUE`. RESULTS gets, for each result, its rank and
// sizes as int64 and its elements, dense and row-major.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void die(const char *what) {
  fprintf(stderr, "call_main: %s\n", what);
  exit(3);
}

// Elements at `offset` of a file, in memory of this process: what the function writes does not reach the file.
static void *elements(const char *path, long long offset, size_t bytes) {
  if (bytes == 0) return calloc(1, 64);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) die(path);
  const long page = sysconf(_SC_PAGESIZE);
  const long long start = offset / page * page;
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size < offset + (long long)bytes) die("an argument's file is too short");
  char *mapped = mmap(NULL, bytes + (size_t)(offset - start), PROT_READ | PROT_WRITE, MAP_PRIVATE, file, start);
  if (mapped == MAP_FAILED) die(strerror(errno));
  close(file);
  char *at = mapped + (offset - start);
  if ((size_t)at % 16 == 0) return at;  // enough for any element
  char *copy = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (copy == NULL) die("out of memory");
  memcpy(copy, at, bytes);
  munmap(mapped, bytes + (size_t)(offset - start));
  return copy;
}

static void read_tensor(FILE *in, int rank, size_t element, void **base, void **data, int64_t *offset, int64_t *sizes, int64_t *strides) {
  long long at = 0;
  int found = 0;
  if (fscanf(in, " tensor %lld %d", &at, &found) != 2 || found != rank) die("the arguments do not fit the signature");
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    long long size = 0;
    if (fscanf(in, "%lld", &size) != 1 || size < 0) die("the arguments do not fit the signature");
    sizes[i] = size;
    count *= size;
  }
  for (int64_t i = rank, stride = 1; i-- > 0; stride *= sizes[i]) strides[i] = stride;
  char path[4096];
  if (fgetc(in) != ' ' || fgets(path, sizeof path, in) == NULL) die("the arguments do not fit the signature");
  path[strcspn(path, "\n")] = 0;
  *base = *data = elements(path, at, (size_t)count * element);
  *offset = 0;
}

static long long read_integer(FILE *in) {
  long long value = 0;
  if (fscanf(in, " number %lld", &value) != 1) die("the arguments do not fit the signature");
  return value;
}

static double read_real(FILE *in) {
  double value = 0;
  if (fscanf(in, " number %lf", &value) != 1) die("the arguments do not fit the signature");
  return value;
}

static void write_bytes(FILE *out, const void *bytes, size_t count) {
  if (count != 0 && fwrite(bytes, 1, count, out) != count) die("the results cannot be written");
}

static void write_tensor(FILE *out, int rank, size_t element, const char *data, int64_t offset, const int64_t *sizes, const int64_t *strides) {
  const int64_t head = rank;
  write_bytes(out, &head, sizeof head);
  write_bytes(out, sizes, (size_t)rank * sizeof *sizes);
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= sizes[i];
  int64_t index[64] = {0};
  const char *at = data + offset * (int64_t)element;
  for (int64_t done = 0; done < count;) {
    // The longest dense run from here: whole rows where the last dimension is dense.
    const int64_t run = rank > 0 && strides[rank - 1] == 1 ? sizes[rank - 1] : 1;
    write_bytes(out, at, (size_t)run * element);
    done += run;
    int i = run > 1 ? rank - 1 : rank;
    while (i-- > 0) {
      at += strides[i] * (int64_t)element;
      if (++index[i] < sizes[i]) break;
      at -= strides[i] * sizes[i] * (int64_t)element;
      index[i] = 0;
    }
  }
}

static void write_number(FILE *out, const void *value, size_t bytes) {
  const int64_t rank = 0;
  write_bytes(out, &rank, sizeof rank);
  write_bytes(out, value, bytes);
}

// Conversions to bfloat16 that compilers call, and the runtime library of GCC 12 does not have. To nearest, ties to even.
__attribute__((weak)) __bf16 __truncsfbf2(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  const uint16_t half = (uint16_t)(value != value ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  __bf16 out;
  memcpy(&out, &half, sizeof out);
  return out;
}

__attribute__((weak)) __bf16 __truncdfbf2(double value) {
  // A float that was rounded to odd rounds once more as the double would.
  float rounded = (float)value;
  uint32_t bits;
  memcpy(&bits, &rounded, sizeof bits);
  if (value == value && rounded != value) {
    if ((rounded < 0 ? -(double)rounded : rounded) > (value < 0 ? -value : value)) --bits;
    bits |= 1;
    memcpy(&rounded, &bits, sizeof bits);
  }
  return __truncsfbf2(rounded);
}

static void call(FILE *in, FILE *out);

int main(int argc, char **argv) {
  if (argc != 3) die("usage: ARGUMENTS RESULTS");
  // Run-time checks print to standard output and abort, which loses what is buffered.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  setvbuf(stdout, NULL, _IONBF, 0);
  FILE *in = fopen(argv[1], "r");
  if (in == NULL) die(argv[1]);
  FILE *out = fopen(argv[2], "wb");
  if (out == NULL) die(argv[2]);
  call(in, out);
  if (fclose(out) != 0) die("the results cannot be written");
  return 0;
}
