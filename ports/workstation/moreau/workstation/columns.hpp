// Header of a table of model states. A column name is a symbol and a unit in brackets: "phi [rad]".
//
//   Columns<Model> all{{"y [m]", "phi [rad]"}};   // one name per coordinate; default: q_0, q_1, ... without units
//   all.add("t [s]").add_q().add_u().add_P();
//   all.names   ->   "t [s]", "y [m]", "phi [rad]", "u_y [m/s]", "u_phi [rad/s]", "P_N_0 [N s]", ...
//
// Throws if the number of names differs from the number of coordinates, because the headers would be wrong.
#pragma once
#include <moreau/math/detect.hpp>
#include <moreau/model/traits.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace moreau::workstation {

// Returns the position of the unit in "phi [rad]", with the space before it; the length of a name without a unit.
inline std::size_t unit_at(const std::string& name) {
  const auto at = name.rfind(" [");
  return at == std::string::npos || name.back() != ']' ? name.size() : at;
}

// Returns the velocity column of a coordinate: "u_phi [rad/s]" for "phi [rad]", "u_phi" for "phi".
inline std::string speed_of(const std::string& coordinate) {
  if (unit_at(coordinate) == coordinate.size()) return "u_" + coordinate;
  return "u_" + coordinate.substr(0, coordinate.size() - 1) + "/s]";
}

// Calls take for each number of a row: numbers, and indexable values with size(), which fill one column per entry.
template <class Take, class Value>
void each_number(const Take& take, const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>) {
    take(value);
  } else {
    for (decltype(value.size()) i = 0; i < value.size(); ++i) each_number(take, value[i]);
  }
}

template <class Model>
class Columns {
  using T = Traits<Model>;

 public:
  std::vector<std::string> names;

  explicit Columns(const std::vector<std::string>& coordinates) : coordinates_(coordinates) {
    if (!coordinates.empty() && coordinates.size() != std::size_t(T::dof))
      throw std::invalid_argument("a model of " + std::to_string(T::dof) + " coordinates got names of " +
                                  std::to_string(coordinates.size()));
  }

  Columns& add(const std::string& name) {
    names.push_back(name);
    return *this;
  }
  // Adds symbol0, symbol1, ...; with several components symbol0_0, symbol0_1, ...
  Columns& add(const std::string& symbol, int count, const std::string& unit = "", int components = 1) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < components; ++k)
        names.push_back(symbol + std::to_string(i) + (components > 1 ? "_" + std::to_string(k) : "") +
                        (unit.empty() ? "" : " " + unit));
    return *this;
  }
  Columns& add_q() {
    if (coordinates_.empty()) return add("q_", T::dof);
    names.insert(names.end(), coordinates_.begin(), coordinates_.end());
    return *this;
  }
  Columns& add_u() {
    if (coordinates_.empty()) return add("u_", T::dof);
    for (const auto& name : coordinates_) names.push_back(speed_of(name));
    return *this;
  }
  // Contact percussions have the unit N s, as gaps have m; only a mechanism from parts may have a gap that is an angle.
  Columns& add_P() {
    const char* const unit = moreau::detail::detected<parts_list, Model> ? "" : "[N s]";
    return add("P_N_", T::contacts, unit).add("P_T_", T::tangents > 0 ? T::contacts : 0, unit, T::tangents);
  }

 private:
  template <class M>
  using parts_list = typename M::List;

  std::vector<std::string> coordinates_;
};

}  // namespace moreau::workstation
