// Output file that checks every write, the flush and the close, and reports whether all data reached the file system. A
// full disk often shows only at the close.
//
//   OutputFile file{"answers.npy"};
//   file.write(bytes, size);
//   if (!file.close()) ... file.what() returns the error as a sentence
#pragma once
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace moreau::workstation {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail("cannot be opened");
  }
  ~OutputFile() { (void)close(); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t size) {
    if (size > 0 && good() && std::fwrite(bytes, 1, size, file_) != size) fail("cannot be written");
  }
  // Sets the position of the next write; a gap beyond the end of the file reads as zeros.
  void seek(std::int64_t offset) {
    if (good() && fseeko(file_, offset, SEEK_SET) != 0) fail("cannot be written");
  }
  void flush() {
    if (good() && std::fflush(file_) != 0) fail("cannot be written");
  }
  void refuse(const std::string& why) {
    if (good()) what_ = path_ + ": " + why;
  }

  bool good() const { return what_.empty(); }
  const std::string& what() const { return what_; }
  const std::string& path() const { return path_; }

  // Returns true if every byte is on the disk. Repeated calls return the same result.
  [[nodiscard]] bool close() {
    if (!file_) return good();
    if (std::fflush(file_) != 0 || (::fsync(::fileno(file_)) != 0 && errno != EINVAL && errno != ENOTSUP))
      fail("cannot be written");
    if (std::fclose(file_) != 0) fail("cannot be closed");
    file_ = nullptr;
    return good();
  }

 private:
  void fail(const char* how) { refuse(std::string(how) + ": " + std::strerror(errno)); }

  std::string path_, what_;
  std::FILE* file_;
};

}  // namespace moreau::workstation
