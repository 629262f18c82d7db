// Study folder on disk: study.txt, the description of the study, and files of blocks.
//
//   block record: 64 bytes of header (mark of the study, block, runs, hash), then the results of its runs, row by row
//
// Every process appends to its own file, and no process changes written bytes, so no locking is needed: a process that
// dies leaves a file with an incomplete last record, and two processes with the same work write identical bytes. All
// records have the same size (the last block is padded), so a damaged record hides no other. A block is complete if one
// record of it is valid: correct mark and correct hash. Several valid records of a block must be bit-identical.
#pragma once
#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "moreau/study/block_record.hpp"
#include "moreau/study/drafts.hpp"
#include "moreau/workstation/output_file.hpp"

namespace moreau::study {

// One record of a file.
struct Place {
  std::size_t file = 0;
  std::uint64_t record = 0, hash = 0;
};

// Contents of a folder.
struct Found {
  std::vector<std::string> files;
  std::map<std::uint64_t, Place> blocks;  // valid blocks, first record of each
  std::uint64_t doubled = 0;
  std::vector<std::string> damaged;     // damaged records, as text
  std::vector<std::string> unfinished;  // files with an incomplete last record: in progress or truncated
};

class Folder {
 public:
  Folder(const std::string& path, const Layout& layout) : path_(path), layout_(layout) {}

  const std::string& path() const { return path_; }
  const Layout& layout() const { return layout_; }

  static constexpr std::uint64_t most_description = 1 << 20;  // bytes of study.txt

  // Returns the contents of study.txt.
  static std::string description(const std::string& path) {
    const std::string name = path + "/study.txt";
    if (::access(name.c_str(), R_OK) != 0)
      throw Refusal(Exit::disk, name + " cannot be read: is '" + path + "' the folder of this study?");
    std::uint64_t size = 0;
    const Descriptor file = open_regular(name, size);
    if (size > most_description) throw Refusal(Exit::refused, name + " is too large for the description of a study");
    std::string text(size, '\0');
    if (!read_at(file, text.data(), text.size(), 0)) disk_error(name, "cannot be read");
    return text;
  }

  // Claims the folder for the study described by `text`: creates it if it does not exist, rejects it if it holds
  // another study.
  void claim(const std::string& text) const {
    make_folders();
    const std::string name = path_ + "/study.txt";
    if (::access(name.c_str(), F_OK) != 0) write_once(name, text);
    compare(text);
  }
  void compare(const std::string& text) const {
    const std::string there = description(path_);
    if (there != text)
      throw Refusal(Exit::refused, "the folder '" + path_ + "' holds another study: " + difference(there, text));
  }

  // Reads the blocks selected by `wanted`, and only the headers of all others.
  template <class Wanted>
  Found read(Wanted wanted) const {
    Found found;
    found.files = block_files();
    for (std::size_t f = 0; f < found.files.size(); ++f) read_file(f, found, wanted);
    return found;
  }
  Found read() const {
    return read([](std::uint64_t) { return true; });
  }

  // Reads the rows of a block again and checks them.
  void load(const Found& found, const Place& place, std::vector<double>& rows) const {
    const std::string& name = found.files[place.file];
    std::uint64_t size = 0;
    const Descriptor file = open_regular(name, size);
    BlockHeader header;
    rows.resize(layout_.numbers());
    if (!whole(file, place.record, header, rows) || header.hash != place.hash)
      throw Refusal(Exit::disk, name + " changed while it was read");
  }

  // Returns the number of records in all files, estimated from file sizes: the progress of all processes.
  std::uint64_t records() const {
    std::uint64_t sum = 0;
    for (const auto& name : block_files()) {
      struct stat about;
      if (::stat(name.c_str(), &about) == 0) sum += std::uint64_t(about.st_size) / record_bytes();
    }
    return sum;
  }

  std::uint64_t record_bytes() const { return sizeof(BlockHeader) + layout_.numbers() * sizeof(double); }

  BlockHeader header_of(std::uint64_t block, const std::vector<double>& rows) const {
    BlockHeader h{BlockHeader::magic_number, layout_.mark,  block,           layout_.first(block),
                  layout_.count(block),      layout_.width, rows.size() * 8, 0};
    h.hash = h.hash_of(rows.data());
    return h;
  }

  std::vector<std::string> block_files() const {
    std::vector<std::string> names;
    DIR* folder = ::opendir(path_.c_str());
    if (!folder) disk_error(path_, "cannot be read");
    errno = 0;
    while (const dirent* entry = ::readdir(folder)) {
      const std::string name = entry->d_name;
      if (name.size() > 7 && name.compare(name.size() - 7, 7, ".blocks") == 0) names.push_back(path_ + '/' + name);
    }
    const bool failed = errno != 0;
    ::closedir(folder);
    if (failed) disk_error(path_, "cannot be read");
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  // Returns false for a damaged record. Rejects a valid record of another study.
  bool whole(int file, std::uint64_t record, BlockHeader& header, std::vector<double>& rows) const {
    const auto at = off_t(record * record_bytes());
    if (!read_at(file, &header, sizeof header, at)) return false;
    if (header.magic != BlockHeader::magic_number || header.bytes != layout_.numbers() * sizeof(double)) return false;
    if (!read_at(file, rows.data(), std::size_t(header.bytes), at + off_t(sizeof header))) return false;
    return header.hash == header.hash_of(rows.data());
  }
  bool fits(const BlockHeader& h) const {
    return h.mark == layout_.mark && h.width == layout_.width && h.block < layout_.blocks() &&
           h.first == layout_.first(h.block) && h.count == layout_.count(h.block);
  }

  template <class Wanted>
  void read_file(std::size_t f, Found& found, Wanted wanted) const {
    const std::string& name = found.files[f];
    std::uint64_t size = 0;
    const Descriptor file = open_regular(name, size);
    refuse_other_study(file, size, name);
    const std::uint64_t records = size / record_bytes();
    if (records > layout_.blocks())
      throw Refusal(Exit::refused, name + " holds more records than the study has blocks: remove it from this folder");
    std::vector<double> rows(layout_.numbers());
    for (std::uint64_t r = 0; r < records; ++r) {
      BlockHeader header;
      const bool legible = read_at(file, &header, sizeof header, off_t(r * record_bytes())) && fits(header);
      if (legible && !wanted(header.block)) continue;
      if (!legible || !whole(file, r, header, rows)) {
        found.damaged.push_back(name + ", record " + std::to_string(r));
        continue;
      }
      add(found, header, {f, r, header.hash});
    }
    if (size % record_bytes() != 0) found.unfinished.push_back(name);
  }

  void add(Found& found, const BlockHeader& header, const Place& place) const {
    const auto [it, is_new] = found.blocks.emplace(header.block, place);
    if (is_new) return;
    ++found.doubled;
    if (it->second.hash == place.hash) return;
    throw Refusal(
        Exit::refused,
        "block " + std::to_string(header.block) + " was computed twice with different results, in " +
            found.files[it->second.file] + ", record " + std::to_string(it->second.record) + ", and in " +
            found.files[place.file] + ", record " + std::to_string(place.record) +
            ". Either one of the two machines computes wrongly, or the model depends on more than its parameters"
            ": neither result can be trusted, and the study stops");
  }

  // Rejects a file of another study that was copied here: a valid first record with another mark.
  void refuse_other_study(int file, std::uint64_t size, const std::string& name) const {
    BlockHeader h;
    if (!read_at(file, &h, sizeof h, 0) || h.magic != BlockHeader::magic_number || h.mark == layout_.mark) return;
    if (h.bytes % sizeof(double) != 0 || h.bytes > size || h.bytes / sizeof(double) > Layout::most_numbers) return;
    std::vector<double> rows(h.bytes / sizeof(double));
    if (read_at(file, rows.data(), std::size_t(h.bytes), sizeof h) && h.hash == h.hash_of(rows.data()))
      throw Refusal(Exit::refused, name + " holds blocks of another study: remove it from this folder");
  }

  void make_folders() const {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path_.find('/', end + 1);
      const std::string part = path_.substr(0, end);
      if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST && errno != EISDIR) disk_error(part, "cannot be created");
    }
  }

  // Writes a whole file or nothing, and never overwrites the file of another process.
  static void write_once(const std::string& name, const std::string& text) {
    const Draft draft(name);
    workstation::OutputFile file(draft.name());
    file.write(text.data(), text.size());
    const bool written = file.close();
    if (written && (::link(draft.name().c_str(), name.c_str()) == 0 || errno == EEXIST)) return;
    draft.settle(written, file.what());
  }
  static std::string difference(const std::string& there, const std::string& here);

  std::string path_;
  Layout layout_;
};

// Returns the first difference between two descriptions as a sentence.
inline std::string Folder::difference(const std::string& there, const std::string& here) {
  std::size_t a = 0, b = 0;
  while (a < there.size() || b < here.size()) {
    const auto line = [](const std::string& text, std::size_t& at) {
      const std::size_t begin = std::min(at, text.size()), end = std::min(text.find('\n', begin), text.size());
      at = end + 1;
      return text.substr(begin, end - begin);
    };
    const std::string old = line(there, a), now = line(here, b);
    if (old == now) continue;
    if (old.rfind("build", 0) == 0 && now.rfind("build", 0) == 0)
      return "it was started by another build of the program (" + old + ", this is " + now +
             "), and another build may compute different results. Use another folder, or the program that started it";
    if (old.rfind("first runs", 0) == 0 && now.rfind("first runs", 0) == 0)
      return "the declarations agree, but the first runs have other results there. The model, its start or "
             "an "
             "observer depends on external data that have changed, or this machine computes differently";
    return "there '" + old + "', here '" + now + "'. Use another folder";
  }
  return "";
}

}  // namespace moreau::study
