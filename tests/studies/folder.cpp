// Folder of a study: a block counts if its record is complete, even if others are truncated, overwritten or duplicated.
// A block that is not on the disk is never reported as written.
#include <moreau/study/block_file.hpp>

#include <dirent.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/test.hpp"

using namespace moreau::study;

namespace {

constexpr std::uint64_t mark = 77;
const Layout layout{mark, 25, 10, 2};  // blocks of 10, 10 and 5 runs, two numbers each

// An empty temporary folder, removed at the end of the test.
struct Scratch {
  std::string path = "/tmp/moreau_folder_XXXXXX";
  Scratch() { CHECK(::mkdtemp(path.data()) != nullptr); }
  ~Scratch() {
    if (DIR* folder = ::opendir(path.c_str())) {
      while (const dirent* entry = ::readdir(folder)) ::unlink((path + '/' + entry->d_name).c_str());
      ::closedir(folder);
    }
    ::rmdir(path.c_str());
  }
};

std::vector<double> rows_of(std::uint64_t block, double shift = 0) {
  std::vector<double> rows(layout.numbers());
  for (std::size_t i = 0; i < layout.count(block) * layout.width; ++i) rows[i] = double(block * 100 + i) + shift;
  return rows;
}

void write(const Folder& folder, const std::vector<std::uint64_t>& blocks, double shift = 0) {
  Attempt attempt(folder);
  for (const auto block : blocks) attempt.append(block, rows_of(block, shift));
  attempt.finish();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

// Returns the message of the Refusal that work() throws and checks its exit code.
template <class Work>
std::string refusal(int code, Work work) {
  try {
    work();
  } catch (const Refusal& r) {
    CHECK_EQUAL(code, r.code);
    return r.what();
  }
  return "";
}
bool says(const std::string& what, const char* part) { return what.find(part) != std::string::npos; }

}  // namespace

void test_blocks_are_read_as_written(void) {
  const Scratch scratch;
  const Folder folder(scratch.path + "/a/b", layout);
  folder.claim("a study\n");
  write(folder, {2, 0});
  write(folder, {1});
  const Found found = folder.read();
  CHECK_EQUAL(3u, found.blocks.size());
  CHECK_EQUAL(2u, found.files.size());
  CHECK(found.doubled == 0 && found.damaged.empty() && found.unfinished.empty());
  for (const auto& [block, place] : found.blocks) {
    std::vector<double> rows;
    folder.load(found, place, rows);
    CHECK(rows == rows_of(block));
  }
  CHECK_EQUAL(1u, folder.read([](std::uint64_t b) { return b == 2; }).blocks.size());
  for (const auto& file : found.files) ::unlink(file.c_str());
  ::unlink((folder.path() + "/study.txt").c_str());
  ::rmdir(folder.path().c_str());
  ::rmdir((scratch.path + "/a").c_str());
}

void test_a_truncated_file_keeps_its_complete_blocks(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  write(folder, {0, 1, 2});
  const std::string name = folder.block_files()[0], bytes = bytes_of(name);
  const std::size_t record = std::size_t(folder.record_bytes());
  CHECK_EQUAL(3 * record, bytes.size());
  for (std::size_t size = bytes.size(); size + 1 > 0; --size) {
    CHECK_EQUAL(0, ::truncate(name.c_str(), off_t(size)));
    const Found found = folder.read();
    CHECK_EQUAL(size / record, found.blocks.size());
    CHECK_EQUAL(size % record != 0, !found.unfinished.empty());
    CHECK(found.damaged.empty());
  }
}

void test_a_damaged_byte_loses_only_its_block(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  write(folder, {0, 1, 2});
  const std::string name = folder.block_files()[0], bytes = bytes_of(name);
  const std::size_t record = std::size_t(folder.record_bytes());
  std::fstream file(name, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&file](std::size_t place, char byte) { file.seekp(std::streamoff(place)).put(byte).flush(); };
  for (std::size_t place = 0; place < bytes.size(); put(place, bytes[place]), ++place)
    for (const int flip : {1, 128}) {
      put(place, char(bytes[place] ^ flip));
      const Found found = folder.read();
      CHECK_EQUAL(2u, found.blocks.size());
      CHECK_EQUAL(0u, found.blocks.count(place / record));
      CHECK_EQUAL(1u, found.damaged.size());
    }
}

// A power failure can leave a file of the right size that contains only zeros.
void test_zeros_are_damaged_blocks(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  overwrite(scratch.path + "/a.blocks", std::string(std::size_t(2 * folder.record_bytes()), '\0'));
  const Found found = folder.read();
  CHECK(found.blocks.empty());
  CHECK_EQUAL(2u, found.damaged.size());
}

void test_copies_of_a_block_must_be_identical(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  write(folder, {0, 1});
  write(folder, {1, 2});
  CHECK_EQUAL(1u, folder.read().doubled);
  CHECK_EQUAL(3u, folder.read().blocks.size());
  write(folder, {2}, 1e-9);
  const auto what = refusal(Exit::refused, [&] { (void)folder.read(); });
  CHECK(says(what, "block 2 was computed twice with different results"));
  CHECK(says(what, folder.block_files()[1].c_str()) && says(what, folder.block_files()[2].c_str()));
  CHECK_EQUAL(1u, folder.read([](std::uint64_t b) { return b == 0; }).blocks.size());
}

// Of two copies of a block one is damaged: the other one counts, and there is no conflict.
void test_a_damaged_copy_is_no_conflict(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  write(folder, {0});
  write(folder, {0});
  const std::string name = folder.block_files()[0];
  std::string bytes = bytes_of(name);
  bytes[100] = char(bytes[100] ^ 4);
  overwrite(name, bytes);
  const Found found = folder.read();
  CHECK_EQUAL(1u, found.blocks.size());
  CHECK(found.doubled == 0 && found.damaged.size() == 1);
}

void test_blocks_of_another_study_are_rejected(void) {
  const Scratch scratch;
  Layout other = layout;
  other.mark = 78, other.block_size = 7;
  const Folder theirs(scratch.path, other), ours(scratch.path, layout);
  Attempt attempt(theirs);
  attempt.append(0, std::vector<double>(other.numbers(), 1.0));
  CHECK(says(refusal(Exit::refused, [&] { (void)ours.read(); }), "holds blocks of another study"));
}

// A complete header with a block number, first run, count or width that the study does not have.
void test_records_with_invalid_headers_are_damaged(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  for (int field = 0; field < 4; ++field) {
    BlockHeader header = folder.header_of(0, rows_of(0));
    if (field == 0) header.block = 3;
    if (field == 1) header.first = 1;
    if (field == 2) header.count = 9;
    if (field == 3) header.width = 3;
    header.hash = header.hash_of(rows_of(0).data());
    const auto rows = rows_of(0);
    overwrite(scratch.path + "/a.blocks", std::string(reinterpret_cast<const char*>(&header), sizeof header) +
                                              std::string(reinterpret_cast<const char*>(rows.data()), rows.size() * 8));
    CHECK(folder.read().blocks.empty());
    CHECK_EQUAL(1u, folder.read().damaged.size());
  }
}

void test_another_study_is_rejected_with_the_difference(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  folder.claim("name a\nbuild 1\nseed 7\n");
  folder.claim("name a\nbuild 1\nseed 7\n");
  const auto claim = [&](const char* text) { return refusal(Exit::refused, [&] { folder.claim(text); }); };
  CHECK(says(claim("name a\nbuild 1\nseed 8\n"), "there 'seed 7', here 'seed 8'"));
  CHECK(says(claim("name b\nbuild 1\nseed 7\n"), "there 'name a', here 'name b'"));
  CHECK(says(claim("name a\nbuild 2\nseed 7\n"), "started by another build of the program (build 1, this is build 2)"));
  CHECK(says(claim("name a\nbuild 1\nseed 7\nmore\n"), "there '', here 'more'"));
  overwrite(scratch.path + "/study.txt", "name a\nbui");
  CHECK(says(claim("name a\nbuild 1\nseed 7\n"), "holds another study"));
}

void test_lost_files_and_folders_are_errors(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  Attempt attempt(folder);
  attempt.append(0, rows_of(0));
  ::unlink(folder.block_files()[0].c_str());
  CHECK(says(refusal(Exit::disk, [&] { attempt.append(1, rows_of(1)); }), "has vanished"));
  CHECK(says(refusal(Exit::disk, [&] { attempt.finish(); }), "has vanished"));
  Attempt changed(folder);
  changed.append(0, rows_of(0));
  overwrite(folder.block_files()[0], "short");
  CHECK(says(refusal(Exit::disk, [&] { changed.append(1, rows_of(1)); }), "is no longer the file"));
  const Folder nowhere(scratch.path + "/no/such", layout);
  Attempt lost(nowhere);
  CHECK(says(refusal(Exit::disk, [&] { lost.append(0, rows_of(0)); }), "cannot be created"));
  CHECK(says(refusal(Exit::disk, [&] { (void)nowhere.read(); }), "cannot be read"));
  CHECK(says(refusal(Exit::disk, [&] { nowhere.compare("text"); }), "is '"));
  const Folder below_a_file(folder.block_files()[0] + "/below", layout);
  CHECK(says(refusal(Exit::disk, [&] { below_a_file.claim("text"); }), "cannot be"));
}

void test_two_writers_have_separate_files(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  Attempt a(folder), b(folder);
  a.append(0, rows_of(0));
  b.append(1, rows_of(1));
  a.append(2, rows_of(2));
  a.finish(), b.finish();
  CHECK_EQUAL(2u, folder.block_files().size());
  CHECK_EQUAL(3u, folder.read().blocks.size());
}

// Reading a pipe would block, and reading /dev/zero would never end.
void test_only_regular_files_are_read(void) {
  const char* const text = "name a\n";
  for (const char* const name : {"/a.blocks", "/study.txt"})
    for (const int kind : {0, 1, 2}) {
      const Scratch scratch;
      const Folder folder(scratch.path, layout);
      const std::string planted = scratch.path + name;
      if (kind == 0) CHECK_EQUAL(0, ::mkfifo(planted.c_str(), 0600));
      if (kind == 1) CHECK_EQUAL(0, ::symlink("/dev/zero", planted.c_str()));
      if (kind == 2) CHECK_EQUAL(0, ::mkdir(planted.c_str(), 0700));
      const auto read = [&] { return name[1] == 'a' ? (void)folder.read() : folder.claim(text); };
      CHECK(says(refusal(Exit::refused, read), (planted + " is not a regular file").c_str()));
      if (kind == 2) ::rmdir(planted.c_str());
    }
  const Scratch scratch, elsewhere;
  const Folder folder(scratch.path, layout), other(elsewhere.path, layout);
  write(other, {0, 2});
  CHECK_EQUAL(0, ::symlink(other.block_files()[0].c_str(), (scratch.path + "/link.blocks").c_str()));
  CHECK_EQUAL(2u, folder.read().blocks.size());
}

// Files that are much too large, without using the disk.
void test_reads_are_bounded(void) {
  const Scratch scratch;
  const Folder folder(scratch.path, layout);
  const std::string name = scratch.path + "/study.txt", blocks = scratch.path + "/a.blocks";
  constexpr off_t terabyte = off_t{1} << 40;
  overwrite(name, "name a\n");
  CHECK_EQUAL(0, ::truncate(name.c_str(), terabyte));
  CHECK(says(refusal(Exit::refused, [&] { folder.claim("name a\n"); }), "study.txt is too large"));
  overwrite(blocks, "");
  CHECK_EQUAL(0, ::truncate(blocks.c_str(), terabyte));
  CHECK(says(refusal(Exit::refused, [&] { (void)folder.read(); }), "more records than the study has blocks"));
  BlockHeader header = folder.header_of(0, rows_of(0));
  header.mark = mark + 1;
  header.bytes = terabyte - sizeof header;
  overwrite(blocks, std::string(reinterpret_cast<const char*>(&header), sizeof header));
  CHECK_EQUAL(0, ::truncate(blocks.c_str(), terabyte));
  CHECK(says(refusal(Exit::refused, [&] { (void)folder.read(); }), "more records than the study has blocks"));
}

// A link in place of a file to be written is replaced; its target keeps its contents.
void test_drafts_do_not_follow_links(void) {
  const Scratch scratch;
  const std::string target = scratch.path + "/target", name = scratch.path + "/all.npy";
  overwrite(target, "kept");
  CHECK_EQUAL(0, ::symlink(target.c_str(), name.c_str()));
  {
    const Draft draft(name);
    overwrite(draft.name(), "new");
    draft.settle(true, "");
  }
  CHECK_EQUAL("kept", bytes_of(target));
  CHECK_EQUAL("new", bytes_of(name));
  struct stat about;
  CHECK(::lstat(name.c_str(), &about) == 0 && S_ISREG(about.st_mode));
  const auto incomplete = [&] {
    const Draft draft(name);
    overwrite(draft.name(), "half");
    draft.settle(false, "no room");
  };
  CHECK(says(refusal(Exit::disk, incomplete), "no room"));
  CHECK_EQUAL("new", bytes_of(name));
  CHECK(says(refusal(Exit::disk, [&] { Draft(scratch.path + "/none/all.npy"); }), "cannot be written"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path)) files += entry.exists();
  CHECK_EQUAL(2, files);
}

TEST_MAIN({
  TEST(test_blocks_are_read_as_written);
  TEST(test_a_truncated_file_keeps_its_complete_blocks);
  TEST(test_a_damaged_byte_loses_only_its_block);
  TEST(test_zeros_are_damaged_blocks);
  TEST(test_copies_of_a_block_must_be_identical);
  TEST(test_a_damaged_copy_is_no_conflict);
  TEST(test_blocks_of_another_study_are_rejected);
  TEST(test_records_with_invalid_headers_are_damaged);
  TEST(test_another_study_is_rejected_with_the_difference);
  TEST(test_lost_files_and_folders_are_errors);
  TEST(test_two_writers_have_separate_files);
  TEST(test_only_regular_files_are_read);
  TEST(test_reads_are_bounded);
  TEST(test_drafts_do_not_follow_links);
})
