// Bytes of a state, for bitwise comparison.
#pragma once
#include <array>
#include <moreau/model/bytes.hpp>

namespace test {

template <class Model>
using Bytes = std::array<std::uint8_t, moreau::State<Model>::bytes>;

template <class Model>
Bytes<Model> saved(const moreau::State<Model>& state) {
  Bytes<Model> bytes;
  state.save(bytes.data());
  return bytes;
}

}  // namespace test
