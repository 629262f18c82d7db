// Stored contact data of models that declare constant_mass and constant_directions, within the limits of
// tables_contacts (model/contract.hpp): no ideal joints, no mu(contact, v), at most 256 bytes.
//
//   per contact   directions w, zeta; responses M^-1 w; entries of G; parameters of the contact laws
//
// The table is computed before the first step. A step computes the contact velocities only.
//
// Each step compares a checksum of all bytes of the model with the stored checksum. If they differ, the step computes
// the table again. The checksum excludes data behind pointers and references: call Stepper::mass_changed() after
// changing such data.
//
// If M or a direction varies despite the declaration, no table is used. Every step is then a fallback to ActiveContacts
// (step/active_contacts.hpp), which evaluates the model.
#pragma once

#include "moreau/contact/closed_contact.hpp"

namespace moreau {
namespace detail {

// Stored data of one contact. Structural zeros of its direction pattern are not stored.
template <class Model>
class TabledContact {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Normal = DirectionPattern<Model, -1, 0>;
  using Tangent = DirectionPattern<Model, -1, 1>;

 public:
  void store(ClosedContact<Model>& contact, ContactLaw<Real> law) {
    if (set_law<Model>(law, law.mu, contact.planar) < 0)
      contact.planar.NN = Real(0);  // the step is rejected when the contact closes
    std::size_t k = 0;
    each(contact, law, [&](Real& x) { numbers_[k++] = x; });
  }
  ContactLaw<Real> load(ClosedContact<Model>& contact) const {
    ContactLaw<Real> law;
    std::size_t k = 0;
    each(contact, law, [&](Real& x) { x = numbers_[k++]; });
    contact.planar.TN = contact.planar.NT;
    return law;
  }

 private:
  template <class Visit>
  static void each(ClosedContact<Model>& c, ContactLaw<Real>& law, const Visit& visit) {
    const auto row = [&](auto pattern, auto& w, auto& zeta, auto& z) {
      for_each_index<T::dof>([&](auto j) {
        if (decltype(pattern)::entry(j)) visit(w.coeffRef(j));
        visit(z.coeffRef(j));
      });
      if (decltype(pattern)::entry(T::dof)) visit(zeta);
    };
    row(Normal{}, c.w_N, c.zeta_N, c.z_N);
    visit(c.planar.NN);
    visit(law.eps_N);
    if constexpr (T::tangents == 1) {
      row(Tangent{}, c.w_T, c.zeta_T, c.z_T);
      visit(c.planar.NT);
      visit(c.planar.TT);
      visit(c.planar.mu);
      visit(law.eps_T);
    }
  }
  static constexpr std::size_t size() {
    int entries = 0;
    for (int j = 0; j <= T::dof; ++j) entries += int(Normal::entry(j)) + int(T::tangents == 1 && Tangent::entry(j));
    return std::size_t(entries + T::dof * (1 + T::tangents) + 2 + 4 * T::tangents);
  }

  std::array<Real, size()> numbers_;
};

// Table of all contacts of a model.
template <class Model>
class ContactTable {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;

 public:
  const TabledContact<Model>& operator[](int i) const { return contacts_[std::size_t(i)]; }
  // Returns true if the table contains the data of this model.
  bool is_of(const Model& model) const { return checksum(model) == checksum_; }

  // Computes the table. Returns false if M is not positive definite, or if M or a direction varies with q or t.
  bool fill(const Model& model, const Q& q, Real t, TableMass<Model>& mass) {
    // Compare two configurations and times.
    const Evaluation<Model> here(model, q, t);
    const Q q_elsewhere = q + Q::Constant(Real(1));
    const Evaluation<Model> elsewhere(model, q_elsewhere, t + Real(1));
    const auto M = here.seldom_mass();
    bool good = mass.factor(M) && same(M, elsewhere.seldom_mass());
    for (int i = 0; i < T::contacts; ++i) {
      const auto d = here.directions(i), other = elsewhere.directions(i);
      good = good && same(d.w_N, other.w_N) && same(d.w_T, other.w_T) && d.zeta_N == other.zeta_N;
      if constexpr (T::tangents == 1) good = good && d.zeta_T == other.zeta_T;
      ClosedContact<Model> contact;
      set_rows<-1>(d, mass, contact);
      contacts_[std::size_t(i)].store(contact, model.law(i));
    }
    checksum_ = checksum(model);
    if (!good) checksum_ = ~checksum_;  // never equal to the checksum of this model
    return good;
  }

 private:
  // Returns a checksum of all bytes of the model.
  static std::uint32_t checksum(const Model& model) {
    return cpu::rotated_sum<int(sizeof(Model) / 4)>(0, reinterpret_cast<const unsigned char*>(&model));
  }
  template <int rows, int cols>
  static bool same(const Matrix<Real, rows, cols>& a, const Matrix<Real, rows, cols>& b) {
    bool all = true;
    for (int k = 0; k < rows * cols; ++k) all = all && a.data()[k] == b.data()[k];
    return all;
  }

  std::array<TabledContact<Model>, std::size_t(T::contacts)> contacts_;
  std::uint32_t checksum_ = 0;
};

}  // namespace detail
}  // namespace moreau
