// JSON writer. Numbers are bit-identical after reading; non-finite numbers become null.
//
//   Json json;
//   json.open('{').key("name").text(name).key("size").number(3).close('}');
//
// Texts are safe inside the <script> of a page: <, > and & are escaped.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace moreau::workstation {

class Json {
 public:
  Json& open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
  }
  Json& close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
  }
  Json& key(std::string_view name) {
    text(name);
    out_ += ':';
    first_ = true;
    return *this;
  }
  Json& text(std::string_view words) {
    separate();
    out_ += '"';
    for (const char c : words) put(c);
    out_ += '"';
    return *this;
  }
  Json& number(double value) {
    separate();
    if (!std::isfinite(value)) {
      out_ += "null";
      return *this;
    }
    char digits[40];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return *this;
  }
  Json& boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
    return *this;
  }
  // Appends ready JSON, or base64 between quotes.
  Json& raw(std::string_view ready) {
    separate();
    out_ += ready;
    return *this;
  }

  const std::string& str() const { return out_; }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void put(char c) {
    if (c == '"' || c == '\\') {
      out_ += '\\', out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out_ += escape;
    } else {
      out_ += c;
    }
  }

  std::string out_;
  bool first_ = true;
};

// Encodes bytes in base64 (RFC 4648).
inline std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digit[three >> (18 - 6 * k) & 63];
  }
  return out;
}

}  // namespace moreau::workstation
