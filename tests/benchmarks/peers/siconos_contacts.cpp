// Siconos' solvers: for frictional contact problems, and for the papers' linear complementarity problem of planar
// contacts. Their default options except tolerance and number of iterations.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <memory>

#include "contacts.hpp"

namespace {

constexpr int most_rows = 3 * problems::capacity;
using Numbers = std::array<double, most_rows>;

// The problem built of these owns them.
double* zeros(int n) { return static_cast<double*>(std::calloc(std::size_t(n), sizeof(double))); }

struct Options : std::unique_ptr<SolverOptions, void (*)(SolverOptions*)> {
  Options(int id, int iterations) : unique_ptr(solver_options_create(id), solver_options_delete) {
    get()->dparam[SICONOS_DPARAM_TOL] = 1e-8;
    get()->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
  }
};

class Contacts {
 public:
  Contacts(int dim, int id, int iterations) : dim_(dim), options_(id, iterations) {}
  void load(const peers::PlainProblem& plain) {
    const int n = plain.rows();
    double *G = zeros(n * n), *q = zeros(n), *mu = zeros(plain.k);
    for (int i = 0; i < n; ++i) {
      q[i] = double(plain.q[std::size_t(i)]);
      for (int j = 0; j < n; ++j) G[i + j * n] = double(plain.entry(i, j));
    }
    for (int i = 0; i < plain.k; ++i) mu[i] = double(plain.mu[std::size_t(i)]);
    problem_.reset(frictionContactProblem_new_with_data(dim_, plain.k, NM_create_from_data(NM_DENSE, n, n, G), q, mu));
  }
  bool solve() {
    P_.fill(0), xi_.fill(0);
    const auto driver = dim_ == 2 ? fc2d_driver : fc3d_driver;
    return driver(problem_.get(), P_.data(), xi_.data(), options_.get()) == 0;
  }
  double percussion(int row) const { return P_[std::size_t(row)]; }

 private:
  int dim_;
  Options options_;
  std::unique_ptr<FrictionContactProblem, void (*)(FrictionContactProblem*)> problem_{nullptr,
                                                                                      frictionContactProblem_free};
  Numbers P_{}, xi_{};
};

// x = (P_N, mu P_N + P_T, xi_L) of all contacts, complementary to (xi_N, xi_R, mu P_N - P_T); xi_T = xi_R - xi_L.
class Lcp {
 public:
  Lcp(int id, int iterations) : options_(id, iterations) {}
  void load(const peers::PlainProblem& plain) {
    k_ = plain.k;
    const int n = 3 * k_;
    double *A = zeros(n * n), *b = zeros(n);
    const auto entry = [&](int i, int j) -> double& { return A[i + j * n]; };
    for (int i = 0; i < k_; ++i) {
      mu_[std::size_t(i)] = double(plain.mu[std::size_t(i)]);
      for (int row = 0; row < 2; ++row) {
        b[row * k_ + i] = double(plain.q[std::size_t(2 * i + row)]);
        for (int j = 0; j < k_; ++j) {
          const peers::Wide of_T = plain.entry(2 * i + row, 2 * j + 1);
          entry(row * k_ + i, j) = double(plain.entry(2 * i + row, 2 * j) - plain.mu[std::size_t(j)] * of_T);
          entry(row * k_ + i, k_ + j) = double(of_T);
        }
      }
      entry(k_ + i, 2 * k_ + i) = 1;
      entry(2 * k_ + i, i) = 2 * mu_[std::size_t(i)];
      entry(2 * k_ + i, k_ + i) = -1;
    }
    problem_.reset(newLCP());
    problem_->size = n;
    problem_->M = NM_create_from_data(NM_DENSE, n, n, A);
    problem_->q = b;
  }
  bool solve() {
    x_.fill(0), y_.fill(0);
    return linearComplementarity_driver(problem_.get(), x_.data(), y_.data(), options_.get()) == 0;
  }
  double percussion(int row) const {
    const auto i = std::size_t(row / 2);
    return row % 2 == 0 ? x_[i] : x_[std::size_t(k_) + i] - mu_[i] * x_[i];
  }

 private:
  int k_ = 0;
  Options options_;
  std::unique_ptr<LinearComplementarityProblem, void (*)(LinearComplementarityProblem*)> problem_{
      nullptr, freeLinearComplementarityProblem};
  Numbers mu_{}, x_{}, y_{};
};

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  constexpr int sweeps = 10000;
  peers::race_solver({"Siconos", "Lemke, given the LCP"}, 2, Lcp(SICONOS_LCP_LEMKE, 1000));
  peers::race_solver({"Siconos", "Lemke, given contacts"}, 2, Contacts(2, SICONOS_FRICTION_2D_LEMKE, 1000));
  peers::race_solver({"Siconos", "NSGS to 1e-8, at most 10,000"}, 2, Contacts(2, SICONOS_FRICTION_2D_NSGS, sweeps));
  peers::race_solver({"Siconos", "NSGS to 1e-8, at most 10,000"}, 3, Contacts(3, SICONOS_FRICTION_3D_NSGS, sweeps));
}
