// Table of csv.hpp as an MCAP file with chunks and an index, which robotics viewers open (Foxglove, PlotJuggler): one
// topic, one message per row.
//
//   moreau::workstation::McapTable file{"ball.mcap", {"t [s]", "z [m]", "v [m/s]"}};
//   file.row(t, z, v);
//   if (!file.close()) ... file.what()
//
// A message is a JSON object; its schema contains the units. The names of its members are the symbols of the columns,
// with underscores for other characters than letters and digits. The time of a message is the first column, in seconds
// from 0. Non-finite numbers have no member. Rows of an interrupted run are in the file up to the last chunk.
//
//   magic | Header | (Chunk: Schema, Channel, Messages | MessageIndex)... | DataEnd
//         | Schema, Channel, Statistics, ChunkIndex... | Footer | magic
#pragma once
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/workstation/columns.hpp"
#include "moreau/workstation/json.hpp"
#include "moreau/workstation/output_file.hpp"

namespace moreau::workstation {

class McapTable {
 public:
  template <class Names = std::initializer_list<std::string_view>>
  McapTable(const std::string& path, const Names& names) : file_(path) {
    for (const auto& name : names) add_column(std::string(name));
    if (members_.empty()) file_.refuse("no columns");
    write(std::string("\x89MCAP0\r\n", 8));
    write(record(0x01, text("") + text("moreau")));
  }
  ~McapTable() { (void)close(); }
  McapTable(const McapTable&) = delete;
  McapTable& operator=(const McapTable&) = delete;

  template <class... Values>
  void row(const Values&... values) {
    std::size_t filled = 0;
    double time = 0;
    std::string object;
    const auto put = [&](auto number) {
      if (filled == 0) time = double(number);
      if (filled < members_.size() && std::isfinite(double(number))) {
        char digits[40];
        object += (object.empty() ? "{\"" : ",\"") + members_[filled] + "\":";
        object.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
      }
      ++filled;
    };
    (each_number(put, values), ...);
    if (filled != members_.size())
      file_.refuse("a row of " + std::to_string(filled) + " numbers for " + std::to_string(members_.size()) +
                   " columns");
    if (!(time >= 0 && time < 9e9)) file_.refuse("a time is not finite or negative");
    if (!file_.good()) return;
    add_message(std::uint64_t(std::llround(1e9 * time)), object.empty() ? "{}" : object + '}');
  }
  void flush() {
    end_chunk();
    file_.flush();
  }

  bool good() const { return file_.good(); }
  const std::string& what() const { return file_.what(); }
  [[nodiscard]] bool close() {
    if (!closed_) end_file();
    closed_ = true;
    return file_.close();
  }

 private:
  using Time = std::uint64_t;  // ns
  struct Span {
    Time first = 0, last = 0;
  };
  static constexpr std::uint16_t id = 1;  // of the schema and of the channel

  // Little-endian numbers, and texts with their lengths.
  template <class Number>
  static std::string bytes(Number number) {
    std::string out;
    for (std::size_t i = 0; i < sizeof number; ++i) out += char(std::uint64_t(number) >> 8 * i & 0xff);
    return out;
  }
  static std::string text(const std::string& words) { return bytes(std::uint32_t(words.size())) + words; }
  static std::string record(int code, const std::string& content) {
    return char(code) + bytes(std::uint64_t(content.size())) + content;
  }

  void add_column(const std::string& column) {
    const std::size_t at = unit_at(column);
    std::string member = column.substr(0, at);
    for (char& c : member)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
    for (const auto& other : members_)
      if (other == member) file_.refuse("duplicate column " + member);
    Json property;
    property.open('{').key("type").text("number").key("description").text(column).close('}');
    properties_ += (members_.empty() ? "\"" : ",\"") + member + "\":" + property.str();
    members_.push_back(member);
  }
  std::string head() const {
    const std::string schema = "{\"type\":\"object\",\"properties\":{" + properties_ + "}}";
    return record(0x03, bytes(id) + text("moreau.Row") + text("jsonschema") + text(schema)) +
           record(0x04, bytes(id) + bytes(id) + text("/moreau") + text("json") + bytes(std::uint32_t(0)));
  }

  void add_message(Time time, const std::string& object) {
    constexpr std::size_t most = 1 << 20;  // bytes of a chunk
    if (chunk_.empty()) chunk_ = head(), span_ = {time, time};
    span_ = {std::min(span_.first, time), std::max(span_.last, time)};
    all_ = messages_ == 0 ? Span{time, time} : Span{std::min(all_.first, time), std::max(all_.last, time)};
    index_ += bytes(time) + bytes(std::uint64_t(chunk_.size()));
    chunk_ += record(0x05, bytes(id) + bytes(messages_++) + bytes(time) + bytes(time) + object);
    if (chunk_.size() >= most) end_chunk();
  }
  void end_chunk() {
    if (chunk_.empty()) return;
    const std::uint64_t begin = written_, size = chunk_.size();
    const std::string times = bytes(span_.first) + bytes(span_.last), no_crc = bytes(std::uint32_t(0));
    write(record(0x06, times + bytes(size) + no_crc + text("") + bytes(size) + chunk_));
    const std::uint64_t end = written_;
    write(record(0x07, bytes(id) + text(index_)));
    chunks_ += record(0x08, times + bytes(begin) + bytes(end - begin) + text(bytes(id) + bytes(end)) +
                                bytes(written_ - end) + text("") + bytes(size) + bytes(size));
    ++chunk_count_;
    chunk_.clear(), index_.clear();
  }
  void end_file() {
    end_chunk();
    const std::string no_crc = bytes(std::uint32_t(0)), none = bytes(std::uint32_t(0));
    write(record(0x0f, no_crc));
    const std::uint64_t summary = written_, messages = messages_;
    write(head());
    write(record(0x0b, bytes(messages) + bytes(std::uint16_t(1)) + bytes(std::uint32_t(1)) + none + none +
                           bytes(chunk_count_) + bytes(all_.first) + bytes(all_.last) +
                           text(bytes(id) + bytes(messages))));
    write(chunks_);
    write(record(0x02, bytes(summary) + bytes(std::uint64_t(0)) + no_crc));
    write(std::string("\x89MCAP0\r\n", 8));
  }
  void write(const std::string& part) {
    file_.write(part.data(), part.size());
    written_ += part.size();
  }

  OutputFile file_;
  std::vector<std::string> members_;
  std::string properties_, chunk_, index_, chunks_;
  std::uint64_t written_ = 0;
  std::uint32_t messages_ = 0, chunk_count_ = 0;
  Span span_, all_;
  bool closed_ = false;
};

}  // namespace moreau::workstation
