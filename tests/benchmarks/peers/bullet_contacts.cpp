// Bullet's contact solvers without a world.
#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include "contacts.hpp"

namespace {

// Rows in Bullet's form: A x = b + w; bounds of a friction row are multiples of the x of its contact.
struct Rows {
  int n = 0;
  btMatrixXu A;
  btVectorXu b, x, lo, hi;
  btAlignedObjectArray<int> normal_of;

  void load(const peers::PlainProblem& plain) {
    n = plain.rows();
    A.resize(n, n);
    b.resize(n), x.resize(n), lo.resize(n), hi.resize(n);
    normal_of.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) A.setElem(i, j, double(plain.entry(i, j)));
      const int contact = i / plain.dim;
      const bool normal = i % plain.dim == 0;
      const double mu = double(plain.mu[std::size_t(contact)]);
      b[i] = -double(plain.q[std::size_t(i)]);
      lo[i] = normal ? 0 : -mu;
      hi[i] = normal ? BT_INFINITY : mu;
      normal_of[i] = normal ? -1 : contact * plain.dim;
    }
  }
};

class Dantzig : Rows {
 public:
  using Rows::load;
  bool solve() {
    w_.resize(n);
    x.setZero();
    A_ = A, b_ = b, lo_ = lo, hi_ = hi, normal_of_.copyFromArray(normal_of);  // the solver works in place
    return btSolveDantzigLCP(n, A_.getBufferPointerWritable(), x.getBufferPointerWritable(),
                             b_.getBufferPointerWritable(), w_.getBufferPointerWritable(), 0,
                             lo_.getBufferPointerWritable(), hi_.getBufferPointerWritable(), &normal_of_[0], memory_);
  }
  double percussion(int row) const { return x[row]; }

 private:
  btMatrixXu A_;
  btVectorXu b_, w_, lo_, hi_;
  btAlignedObjectArray<int> normal_of_;
  btDantzigScratchMemory memory_;
};

class GaussSeidel : Rows {
 public:
  explicit GaussSeidel(int iterations) : iterations_(iterations) { solver_.m_leastSquaresResidualThreshold = 1e-20; }
  using Rows::load;
  bool solve() {
    x.setZero();
    return solver_.solveMLCP(A, b, x, lo, hi, normal_of, iterations_, false);
  }
  double percussion(int row) const { return x[row]; }

 private:
  int iterations_;
  btSolveProjectedGaussSeidel solver_;
};

}  // namespace

int main(int count, char** words) {
  peers::read_arguments(count, words);
  peers::race_solver({"Bullet", "Dantzig"}, 2, Dantzig{});
  peers::race_solver({"Bullet", "projected Gauss-Seidel, at most 50"}, 2, GaussSeidel{50});
  peers::race_solver({"Bullet", "projected Gauss-Seidel, at most 10,000"}, 2, GaussSeidel{10000});
}
