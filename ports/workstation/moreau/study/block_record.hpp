// Block of results on disk: 64 bytes of header and the numbers, with a hash. Exit codes of a study program.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "moreau/study/hash.hpp"

namespace moreau::study {

// Exit codes; those above 1 are the numbers of sysexits.h.
enum Exit { done = 0, incomplete = 1, usage = 64, refused = 65, software = 70, disk = 74, interrupted = 75 };

struct Refusal : std::runtime_error {
  int code;
  Refusal(int a_code, const std::string& why) : std::runtime_error(why), code(a_code) {}
};

[[noreturn]] inline void disk_error(const std::string& path, const char* what) {
  throw Refusal(Exit::disk, path + ": " + what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  operator int() const { return fd_; }

 private:
  int fd_;
};

// Opens a regular file for reading and sets its size in bytes. A pipe or a device, also behind a link, is rejected:
// reading it might block or never end.
inline Descriptor open_regular(const std::string& path, std::uint64_t& size) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file < 0) disk_error(path, "cannot be opened");
  struct stat about;
  if (::fstat(file, &about) != 0) disk_error(path, "cannot be read");
  if (!S_ISREG(about.st_mode)) throw Refusal(Exit::refused, path + " is not a regular file: remove it");
  size = std::uint64_t(about.st_size);
  return file;
}

// Reads `size` bytes at a position of a file; returns false if there are fewer.
inline bool read_at(int file, void* to, std::size_t size, off_t at) {
  auto* place = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file, place, size, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    place += got, at += got, size -= std::size_t(got);
  }
  return true;
}

// Sizes of the records of a study.
struct Layout {
  static constexpr std::uint64_t most_numbers = std::uint64_t{1} << 27;  // in a block: a gigabyte per thread

  std::uint64_t mark = 0;  // of the study
  std::uint64_t runs = 0, block_size = 1, width = 1;

  std::uint64_t blocks() const { return (runs + block_size - 1) / block_size; }
  std::uint64_t first(std::uint64_t block) const { return block * block_size; }
  std::uint64_t count(std::uint64_t block) const { return std::min(block_size, runs - first(block)); }
  std::uint64_t numbers() const { return block_size * width; }
};

struct BlockHeader {
  static constexpr std::uint64_t magic_number = 0x314b434f4c425355u;  // reads "USBLOCK1" in little-endian byte order

  std::uint64_t magic, mark, block, first, count, width, bytes, hash;

  std::uint64_t hash_of(const void* payload) const {
    Hash all;
    for (const auto word : {magic, mark, block, first, count, width, bytes}) all.add(word);
    all.add(payload, std::size_t(bytes));
    return all.value();
  }
};
static_assert(sizeof(BlockHeader) == 64);

inline std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "host";
  for (char* c = name; *c != '\0'; ++c)
    if (*c == '/') *c = '_';
  return name;
}

}  // namespace moreau::study
