// Block of results on disk: 64 bytes of header and the numbers, with a hash. Exit codes of a study program.
#pragma once
#include <fcntl.h>
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

// Sizes of the records of a study.
struct Layout {
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
