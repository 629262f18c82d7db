// Block file of one process: created when its first block is complete, under a unique name.
#pragma once
#include <sys/stat.h>

#include <string>
#include <vector>

#include "moreau/study/folder.hpp"

namespace moreau::study {

class Attempt {
 public:
  explicit Attempt(const Folder& folder) : folder_(folder) {}

  void append(std::uint64_t block, const std::vector<double>& rows) {
    if (file_ < 0) create();
    const BlockHeader header = folder_.header_of(block, rows);
    write(&header, sizeof header);
    write(rows.data(), rows.size() * sizeof(double));
    must_be_there();
  }

  // Flushes everything to disk and checks that the file still has its name.
  void finish() {
    if (file_ < 0) return;
    if (::fsync(file_) != 0) disk_error(name_, "cannot be written");
    must_be_there();
  }

 private:
  void create() {
    const std::string begin = folder_.path() + '/' + host_name() + '-' + std::to_string(::getpid()) + '-';
    for (int n = 0; file_ < 0; ++n) {
      name_ = begin + std::to_string(n) + ".blocks";
      file_ = Descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
      if (file_ < 0 && errno != EEXIST) disk_error(name_, "cannot be created");
    }
  }

  void write(const void* bytes, std::size_t size) {
    const auto* place = static_cast<const char*>(bytes);
    for (ssize_t put = 0; size > 0; place += put, size -= std::size_t(put)) {
      put = ::write(file_, place, size);
      if (put < 0 && errno == EINTR) put = 0;
      if (put < 0) disk_error(name_, "cannot be written");
      size_ += put;
    }
  }

  // A deleted file, or a file in a deleted folder, still accepts writes: check the name.
  void must_be_there() const {
    struct stat here, there;
    if (::fstat(file_, &here) != 0) disk_error(name_, "cannot be read");
    if (::stat(name_.c_str(), &there) != 0) disk_error(name_, "has vanished");
    if (here.st_ino != there.st_ino || here.st_dev != there.st_dev || there.st_size != size_)
      throw Refusal(Exit::disk, name_ + " is no longer the file that was written: another process has replaced it");
  }

  const Folder& folder_;
  Descriptor file_;
  std::string name_;
  off_t size_ = 0;
};

}  // namespace moreau::study
