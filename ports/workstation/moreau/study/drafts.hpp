// Files in progress. A draft is in a folder that mkdtemp creates under a new name for this user alone, so it cannot be a
// link that someone else has planted. The complete file moves to its name; rename replaces a link there and does not
// follow it.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#include "moreau/study/block_record.hpp"

namespace moreau::study {

class Draft {
 public:
  // A draft of the file `path`, in the same file system.
  explicit Draft(const std::string& path) : path_(path), folder_(path + ".part-XXXXXX") {
    if (::mkdtemp(folder_.data()) == nullptr) disk_error(path, "cannot be written");
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    ::unlink(name().c_str());
    ::rmdir(folder_.c_str());
  }

  std::string name() const { return folder_ + '/' + path_.substr(path_.rfind('/') + 1); }

  // Gives the file its path. `written`: true if the draft is complete; `why`: the error otherwise.
  void settle(bool written, const std::string& why) const {
    if (!written) throw Refusal(Exit::disk, why);
    if (std::rename(name().c_str(), path_.c_str()) != 0) disk_error(path_, "cannot be written");
  }

 private:
  std::string path_, folder_;
};

}  // namespace moreau::study
