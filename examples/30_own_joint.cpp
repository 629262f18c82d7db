// User-defined clearance joint: a latch whose tongue has 2 mm of play behind its catch. A joint defines its bodies, its
// number of contacts, and the function `contact`.
// Runs on: host, target
#include <moreau/mechanism.hpp>
#include <moreau/port/console.hpp>

struct Latch {
  static constexpr int body_A = moreau::ground, body_B = 0, contacts = 2;  // between ground and door; catch, stop
  moreau::Point<float> tongue{0.4f, 0};                                    // m, in the door's frame
  float play = 2e-3f;                                                      // m
  moreau::ContactLaw<float> law{0.2f, 0, 0.1f};                            // eps_N, eps_T, mu

  moreau::JointContact<float> contact(int k, const moreau::Frame<float>&, const moreau::Frame<float>& on_door) const {
    const float side = k == 0 ? 1.0f : -1.0f;
    moreau::JointContact<float> c;
    c.p = on_door.world(tongue);  // point of the contact
    c.n = {0, side};              // normal, from the ground into the door
    c.g_N = play / 2 + side * c.p.y;
    return c;
  }
};

struct Door {
  using Real = float;
  enum { bodies = 1 };
  moreau::Body<float> body[bodies] = {{20, 1.6f}};                         // kg, kg m^2
  moreau::Revolute<float, moreau::ground, 0> hinge{{}, {-0.4f, 0}};        // m, in either frame
  moreau::TorsionSpring<float, moreau::ground, 0> wind{4.0f, 0.1f, 0.5f};  // N m/rad, rad, N m s
  Latch latch;
  auto parts() const { return std::tie(hinge, wind, latch); }
};

int main() {
  moreau::Stepper machine{moreau::Mechanism<Door>{}, moreau::State<moreau::Mechanism<Door>>{}};  // at rest, closed
  for (int n = 0; n < 5000; ++n)
    if (!machine.step(1e-4f).advanced()) return 1;
  moreau::port::print("force of the door on its stop ", machine.contact(1).force_N, " N");
}
