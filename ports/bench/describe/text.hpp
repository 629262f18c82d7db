// Text for descriptions of a bench: numbers, names in C, XML, and templates with @names@.
#pragma once
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <map>
#include <moreau/bench/name.hpp>
#include <string>

namespace moreau::bench::describe {

inline std::string text(const Name& name) { return {name.text, std::size_t(name.length)}; }

// Returns the shortest decimal that reads back to the same double.
inline std::string number(double x) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

// Returns the macro name of a variable: guide.play_used -> GUIDE_PLAY_USED.
inline std::string macro_name(const std::string& name) {
  std::string upper;
  for (const char c : name) upper += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

// Returns the text with the characters that XML and HTML reserve as entities.
inline std::string escaped(const std::string& plain) {
  std::string out;
  for (const char c : plain)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

using Words = std::map<std::string, std::string>;

// Returns the template with each @word@ of the list replaced.
inline std::string filled(const std::string& form, const Words& words) {
  std::string out;
  std::size_t at = 0;
  while (at < form.size()) {
    const std::size_t begin = form.find('@', at), end = begin == std::string::npos ? begin : form.find('@', begin + 1);
    const auto word = end == std::string::npos ? words.end() : words.find(form.substr(begin + 1, end - begin - 1));
    if (begin == std::string::npos) return out + form.substr(at);
    out += form.substr(at, begin - at);
    if (word == words.end()) {
      out += '@';
      at = begin + 1;
    } else {
      out += word->second;
      at = end + 1;
    }
  }
  return out;
}

// Returns a token that depends on every character of the text: {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}.
inline std::string token_of(const std::string& text) {
  std::uint64_t half[2] = {14695981039346656037u, 1099511628211u * 31};  // FNV-1a, with two offsets
  for (const char c : text)
    for (std::uint64_t& h : half) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u + std::uint64_t(&h - half);
  char out[48];
  std::snprintf(out, sizeof out, "{%08x-%04x-%04x-%04x-%012llx}", unsigned(half[0] >> 32),
                unsigned(half[0] >> 16 & 0xffff), unsigned(half[0] & 0xffff), unsigned(half[1] >> 48),
                static_cast<unsigned long long>(half[1] & 0xffffffffffffu));
  return out;
}

}  // namespace moreau::bench::describe
