// Rough disks in a box: Moreau's midpoint step for many bodies (the system of SLG08, Fig. 2).
//
//   q = (x, y, phi) of each disk,   M = diag(m, m, m r^2 / 2),   h = (0, -m g, 0)
//   g_N = |x_a - x_b| - r_a - r_b                  every pair of disks; distances from the walls
//
// All contacts are unilateral with planar Coulomb friction. The step is that of the library, written for a diagonal
// mass matrix and a neighbour search: midpoint, closed contacts, problem, solver, judge, velocities. Capacities are
// compile-time constants; there is no dynamic allocation.
//
// Differences from the paper: it gives no data; those of examples/18_thousand_disks.cpp are this project's.
#pragma once
#include "sparse_problem.hpp"
#include "touching.hpp"

namespace disks {

template <class R, int disk_capacity>
class Disks {
 public:
  using Real = R;
  // A disk touches at most six equal disks: three contacts per disk. The walls need some more.
  static constexpr int contact_capacity = 3 * disk_capacity + 64, block_capacity = 11 * contact_capacity;
  using Problem = SparseProblem<Real, contact_capacity, block_capacity>;

  Real width{1};           // of the box, m
  Real gravity{9.81};      // m/s^2
  Real eps_N{0}, mu{0.3};  // restitution and friction of all contacts
  moreau::Psor solver;
  moreau::Judge<Real> judge{Real(1e-9)};  // absolute tolerance 1 nm/s, for disks without relative velocity
  int count = 0;
  std::array<Disk<Real>, at(disk_capacity)> disk{};

  struct Report {
    moreau::Status status;
    int contacts, blocks, iterations;
    Real residual, relative;  // m/s, 1
    Real deepest;             // penetration at the midpoint, m
  };

  Report step(Real dt) {
    for (int i = 0; i < count; ++i)
      for (std::size_t row = 0; row < 3; ++row)
        q_M_[at(i)][row] = disk[at(i)].q[row] + dt / Real(2) * disk[at(i)].u[row];
    touching_.width = width;
    keep_percussions();
    if (!touching_.find(count, q_M_, disk) || !fill_problem(dt))
      return {moreau::Status::invalid_argument, touching_.count, 0, 0, Real(0), Real(0), touching_.deepest};
    const int iterations = moreau::solve(problem_, solver, workspace_, P_, judge);
    const auto verdict = moreau::evaluate(problem_, P_, judge, sigmas_);
    if (verdict.passable) commit(dt);
    return {verdict.status(), problem_.k,       problem_.blocks(), iterations,
            verdict.residual, verdict.relative, touching_.deepest};
  }

  // Kinetic and potential energy, J.
  Real energy() const {
    Real sum{0};
    for (int i = 0; i < count; ++i) {
      const Disk<Real>& d = disk[at(i)];
      for (int row = 0; row < 3; ++row) sum += d.u[at(row)] * d.u[at(row)] / (Real(2) * d.inverse_mass(row));
      sum += d.m * gravity * d.q[1];
    }
    return sum;
  }

 private:
  // Stores the percussions as initial values of the next step. A contact is identified by its two bodies.
  void keep_percussions() {
    old_count_ = touching_.count;
    int next = 0;
    for (int i = 0; i <= count; ++i) {
      while (next < old_count_ && touching_.contact[at(next)].a < i) ++next;
      old_first_[at(i)] = next;
    }
    for (int n = 0; n < old_count_; ++n)
      old_[at(n)] = {touching_.contact[at(n)].b, P_.coeff(2 * n), P_.coeff(2 * n + 1)};
  }
  void guess(int n, const Contact<Real>& contact) {
    P_.coeffRef(2 * n) = P_.coeffRef(2 * n + 1) = Real(0);
    for (int o = old_first_[at(contact.a)]; o < old_first_[at(contact.a + 1)]; ++o)
      if (old_[at(o)].b == contact.b) P_.coeffRef(2 * n) = old_[at(o)].P_N, P_.coeffRef(2 * n + 1) = old_[at(o)].P_T;
  }

  // Lists the contacts of each body by counting sort.
  void list_by_body() {
    for (int i = 0; i <= count; ++i) body_start_[at(i)] = 0;
    const auto each = [this](auto visit) {
      for (int n = touching_.count - 1; n >= 0; --n) {
        visit(touching_.contact[at(n)].a, n);
        if (touching_.contact[at(n)].b >= 0) visit(touching_.contact[at(n)].b, n);
      }
    };
    each([this](int body, int) { ++body_start_[at(body)]; });
    for (int i = 1; i <= count; ++i) body_start_[at(i)] += body_start_[at(i - 1)];
    each([this](int body, int n) { body_contact_[at(--body_start_[at(body)])] = n; });
  }

  // w_i^T M^-1 w_j on one body.
  std::array<Real, 4> block(const Lever<Real>& i, const Lever<Real>& j, int body) const {
    std::array<Real, 4> sum{};
    for (int row = 0; row < 3; ++row) {
      const Real w = disk[at(body)].inverse_mass(row);
      const std::size_t r = at(row);
      sum[0] += i.w_N[r] * w * j.w_N[r], sum[1] += i.w_N[r] * w * j.w_T[r];
      sum[2] += i.w_T[r] * w * j.w_N[r], sum[3] += i.w_T[r] * w * j.w_T[r];
    }
    return sum;
  }

  bool fill_problem(Real dt) {
    list_by_body();
    problem_.clear();
    for (int n = 0; n < touching_.count; ++n) {
      const Contact<Real>& contact = touching_.contact[at(n)];
      Real c_N{0}, c_T{0};
      std::array<Real, 4> self{};
      for (const int body : {contact.a, contact.b}) {
        if (body < 0) continue;
        const Lever<Real> w(contact, body, disk[at(body)].radius);
        const auto own = block(w, w, body);
        for (std::size_t e = 0; e < 4; ++e) self[e] += own[e];
        for (std::size_t row = 0; row < 3; ++row) {
          const Real u = disk[at(body)].u[row], pull = row == 1 ? -gravity * dt : Real(0);
          c_N += w.w_N[row] * ((Real(1) + eps_N) * u + pull);
          c_T += w.w_T[row] * (u + pull);
        }
      }
      problem_.c.coeffRef(2 * n) = c_N, problem_.c.coeffRef(2 * n + 1) = c_T;
      problem_.mu.coeffRef(n) = mu;
      guess(n, contact);
      bool room = problem_.add_block(n, self);
      for (const int body : {contact.a, contact.b}) room = room && (body < 0 || add_coupling(n, contact, body));
      if (!room) return false;
      problem_.end_contact();
    }
    return true;
  }

  bool add_coupling(int n, const Contact<Real>& contact, int body) {
    const Real r = disk[at(body)].radius;
    const Lever<Real> w(contact, body, r);
    for (int m = body_start_[at(body)]; m < body_start_[at(body + 1)]; ++m) {
      const int other = body_contact_[at(m)];
      if (other != n && !problem_.add_block(other, block(w, Lever<Real>(touching_.contact[at(other)], body, r), body)))
        return false;
    }
    return true;
  }

  void commit(Real dt) {
    for (int i = 0; i < count; ++i) disk[at(i)].u[1] -= gravity * dt;
    for (int n = 0; n < touching_.count; ++n) {
      const Contact<Real>& contact = touching_.contact[at(n)];
      for (const int body : {contact.a, contact.b}) {
        if (body < 0) continue;
        const Lever<Real> w(contact, body, disk[at(body)].radius);
        for (int row = 0; row < 3; ++row)
          disk[at(body)].u[at(row)] += disk[at(body)].inverse_mass(row) *
                                       (w.w_N[at(row)] * P_.coeff(2 * n) + w.w_T[at(row)] * P_.coeff(2 * n + 1));
      }
    }
    for (int i = 0; i < count; ++i)
      for (std::size_t row = 0; row < 3; ++row)
        disk[at(i)].q[row] = q_M_[at(i)][row] + dt / Real(2) * disk[at(i)].u[row];
  }

  struct Old {
    int b;
    Real P_N, P_T;
  };

  std::array<std::array<Real, 3>, at(disk_capacity)> q_M_{};
  Touching<Real, disk_capacity, contact_capacity> touching_;
  std::array<int, at(disk_capacity + 1)> body_start_{}, old_first_{};
  std::array<int, at(2 * contact_capacity)> body_contact_{};
  int old_count_ = 0;
  std::array<Old, at(contact_capacity)> old_{};
  Problem problem_;
  typename Problem::Percussions P_;
  moreau::Sigmas<Problem> sigmas_;
  moreau::Workspace<moreau::Psor, Problem> workspace_;
};

}  // namespace disks
