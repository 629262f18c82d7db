// Number formatting without printf, with identical characters on every port. Reals have enough digits to distinguish
// neighbouring values (9 for float, 17 for double), without trailing zeros. The conversion uses 64-bit integers only,
// so a float program needs no double arithmetic in software.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace moreau::port {

// A number formatted into its own buffer; c_str() returns the text.
class Text {
 public:
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  explicit Text(T value) {
    using Wide = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
    Wide magnitude = static_cast<Wide>(value);
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) {
        put('-');
        magnitude = static_cast<Wide>(0 - magnitude);
      }
    }
    digits(magnitude);
  }

  template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
  explicit Text(T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52;
    constexpr int exponent_mask = sizeof(T) == 4 ? 0xff : 0x7ff;
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int exponent = static_cast<int>(bits >> fraction_bits) & exponent_mask;
    const std::uint64_t fraction = bits & ((Bits{1} << fraction_bits) - 1);
    const bool negative = (bits >> (8 * sizeof(T) - 1)) != 0, special = exponent == exponent_mask;
    if (negative && !(special && fraction != 0)) put('-');
    if (special) {
      word(fraction != 0 ? "nan" : "inf");
    } else if (exponent == 0 && fraction == 0) {
      put('0');
    } else {
      const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits);
      const int scale = (exponent == 0 ? 1 : exponent) - exponent_mask / 2 - fraction_bits;
      real(mantissa, scale, sizeof(T) == 4 ? 9 : 17);
    }
  }

  const char* c_str() const { return text_; }

 private:
  void put(char c) {
    text_[size_++] = c;
    text_[size_] = 0;
  }
  void word(const char* w) {
    for (; *w != 0; ++w) put(*w);
  }
  template <class Wide>
  void digits(Wide magnitude) {
    char reversed[20];
    int n = 0;
    do {
      reversed[n++] = static_cast<char>('0' + magnitude % 10);
      magnitude /= 10;
    } while (magnitude != 0);
    while (n > 0) put(reversed[--n]);
  }

  // Converts m 2^e to decimal. m keeps its top bit set and is scaled to 1 <= value < 10 by factors of ten, each
  // accurate to one unit in 2^64.
  void real(std::uint64_t m, int e, int count) {
    const auto normalise = [&] {
      for (; (m >> 63) == 0; m <<= 1) --e;
    };
    normalise();
    int power = 0;
    const auto below_ten = [&] { return e < -60 || (e == -60 && (m >> 60) < 10); };
    for (; !below_ten(); ++power) {  // m / 10, with the remainder carried into the bits that the shift frees
      const std::uint64_t quotient = m / 10, rest = m % 10;
      const int shift = (quotient >> 60) != 0 ? 3 : 4;
      m = (quotient << shift) + (rest << shift) / 10;
      e -= shift;
      normalise();
    }
    for (; e < -63; --power) {  // m * 10 / 16
      m = (m >> 1) + (m >> 3) + ((m & 7) > 4 ? 1 : 0);
      e += 4;
      normalise();
    }
    decimal(m >> (-e - 60), power, count);
  }

  // fixed = value * 2^60 with 1 <= value < 10 (approximately): rounds to count digits and formats them.
  void decimal(std::uint64_t fixed, int power, int count) {
    std::uint64_t half = std::uint64_t{5} << 60;
    for (int i = 0; i < count; ++i) half /= 10;
    fixed += half;
    if ((fixed >> 60) >= 10) {
      fixed /= 10;
      ++power;
    }
    char d[17];
    for (int i = 0; i < count; ++i) {
      d[i] = static_cast<char>('0' + (fixed >> 60));
      fixed = (fixed & ((std::uint64_t{1} << 60) - 1)) * 10;
    }
    int n = count;
    while (n > 1 && d[n - 1] == '0') --n;
    const bool scientific = power < -5 || power >= count;
    const int before_point = scientific ? 0 : power;
    if (before_point < 0) {
      word("0.");
      for (int i = -1; i > before_point; --i) put('0');
    }
    for (int i = 0; i < n || i <= before_point; ++i) {
      put(i < n ? d[i] : '0');
      if (i == before_point && i + 1 < n) put('.');
    }
    if (scientific) {
      put('e');
      if (power < 0) put('-');
      digits(static_cast<std::uint32_t>(power < 0 ? -power : power));
    }
  }

  char text_[32] = {};
  std::size_t size_ = 0;
};

// A number with all its hexadecimal digits: print(Hex{hash}).
template <class Unsigned>
struct Hex {
  Unsigned value;
};
template <class Unsigned>
Hex(Unsigned) -> Hex<Unsigned>;

// Writes the parts and a line end through put(char) of the port: print("gap ", g_N, " after ", steps).
template <class Part>
void print_part(const Part& part) {
  if constexpr (std::is_same_v<Part, bool>) {
    put(part ? '1' : '0');
  } else if constexpr (std::is_same_v<Part, char>) {
    put(part);
  } else if constexpr (std::is_arithmetic_v<Part>) {
    write(Text(part).c_str());
  } else {
    write(part);
  }
}
template <class Unsigned>
void print_part(const Hex<Unsigned>& part) {
  for (int shift = static_cast<int>(8 * sizeof(Unsigned)) - 4; shift >= 0; shift -= 4)
    put("0123456789abcdef"[(part.value >> shift) & 15]);
}
template <class... Parts>
void print(const Parts&... parts) {
  (print_part(parts), ...);
  put('\n');
}

}  // namespace moreau::port
