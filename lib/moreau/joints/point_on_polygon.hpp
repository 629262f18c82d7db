// Contact of a point or roller with a closed polygon: teeth, ratchets, racks, cams with corners.
//
//   edge j from corner j to corner j + 1, with the solid on its left; outward normal n_j
//   g_N = n_j . (p - corner j) - radius      if the point projects onto the edge, or is behind the edge in the solid
//   g_N = |p - corner j+1| - radius          if the point is beyond the end of the edge: the tip of a tooth
//
// The data of a contact at rest are stored by its index, so a contact must not change its edge while it is closed.
// The joint has `numbers` contacts, at least 3. Let J be the edge nearest to the point. Contact k belongs to the edge j
// = k (mod numbers) among the `numbers` consecutive edges around J. A contact therefore changes its edge only while the
// distance of the point from the old and from the new edge is about one edge length. On teeth, a point that leaves a
// ramp over the tip meets the next ramp with another contact.
//
// The point is in the solid if it is behind J, or if the nearest point of the polygon is a concave corner. In this
// case, the contact of J is closed. If a concave corner (the bottom between two teeth) connects J with a neighbour, the
// contact of this neighbour is closed as well. The contact of an edge on the far side of the solid is open. A tip
// belongs to the edge that ends in it. A point must not move by more than half of the thickness of a tooth in one step;
// beyond the middle of the tooth, the edge on the other side is the nearest one. Corners in clockwise order describe a
// hole.
//
// Every contact evaluates every edge, so the cost is proportional to `edges` times `numbers`. The number of
// instructions does not depend on the data, but the address of the corners of the nearest edge does.
#pragma once

#include <limits>

#include "moreau/joints/contact_bias.hpp"
#include "moreau/joints/point_on_line.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace detail {

// Point relative to one edge.
template <class Real>
struct EdgeOffset {
  Real place;     // position of the nearest point on the line of the edge: 0 at the start, 1 at the end
  Point<Real> e;  // from the nearest point of the edge to the point

  static EdgeOffset of(Point<Real> p, Point<Real> start, Point<Real> end) {
    const Point<Real> d = end - start;
    const Real place = dot(p - start, d) / dot(d, d);
    return {place, p - start - Branchless::smaller(Branchless::larger(place, Real(0)), Real(1)) * d};
  }
};

}  // namespace detail

// Contact of a point or roller of body B with a polygon of body A.
template <class Real, int A, int B, int edges, int numbers = 3>
struct PointOnPolygon {
  static_assert(numbers >= 3 && edges % numbers == 0,
                "PointOnPolygon needs: the number of edges is a multiple of `numbers`, which is at least 3");
  static constexpr int body_A = A, body_B = B, contacts = numbers;
  static constexpr int closed_at_once = numbers < 2 ? numbers : 2;  // two edges of a concave corner
  using Configuration = detail::LineConfiguration;

  Point<Real> corner[edges];  // in A, with the solid on the left of each edge, m
  Point<Real> on_B;           // the point, or centre of the roller, in B, m
  Real radius = Real(0);      // radius of the roller, 0 for a point, m
  ContactLaw<Real> law{};

  constexpr bool valid() const {
    for (int j = 0; j < edges; ++j) {
      const Point<Real> d = at(j + 1) - at(j);
      if (!(dot(d, d) > Real(0) && dot(d, d) <= std::numeric_limits<Real>::max())) return false;
    }
    return radius >= Real(0);
  }

  JointContact<Real> contact(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    using detail::Branchless;
    const Point<Real> centre = frame_B.world(on_B), p = frame_A.local(centre);
    const int nearest = nearest_edge(p), ahead = steps_to(k, nearest), j = nearest + ahead;
    const Point<Real> start = at(j), d = at(j + 1) - start;
    const Point<Real> n = (Real(-1) / sqrt(dot(d, d))) * quarter_turn(d);
    const auto offset = detail::EdgeOffset<Real>::of(p, start, at(j + 1));
    const Real height = dot(n, p - start), distance = sqrt(dot(offset.e, offset.e));

    // Test for a point in the solid, behind this edge.
    const auto concave_start = is_concave(nearest), concave_end = is_concave(nearest + 1);
    const auto at_nearest = detail::EdgeOffset<Real>::of(p, at(nearest), at(nearest + 1));
    const auto before = Branchless::negative(at_nearest.place), after = Branchless::less(Real(1), at_nearest.place);
    const auto behind_nearest = Branchless::positive(detail::cross(at(nearest + 1) - at(nearest), p - at(nearest)));
    const auto in_solid = (before && concave_start) || (after && concave_end) || (!before && !after && behind_nearest);
    const auto touched = Branchless::condition(ahead == 0) || (Branchless::condition(ahead == 1) && concave_end) ||
                         (Branchless::condition(ahead == -1) && concave_start);
    const auto behind = Branchless::negative(height), penetrates = in_solid && touched && behind;

    // Select the distance from the edge, from a corner, or an open gap.
    const auto at_start = Branchless::negative(offset.place), at_end = Branchless::less(Real(1), offset.place);
    const auto at_corner = (at_start || at_end || behind) && !penetrates && Branchless::positive(distance);
    const auto open = (at_start || behind) && !penetrates;
    JointContact<Real> c;
    c.g_N = detail::select<Branchless>(at_corner, distance, height) - detail::select<Branchless>(open, Real(0), radius);
    const Real inverse = detail::divide_or_zero<Branchless>(Real(1), distance);
    Point<Real> normal = n;
    Branchless::assign_if(at_corner, normal.x, inverse * offset.e.x, normal.y, inverse * offset.e.y);
    c.n = frame_A.turn(normal);
    c.p = centre - radius * c.n;
    return c;
  }
  // Returns the bias acceleration at an edge, or at a corner, where n is not the normal of the edge.
  ContactBias<Real> contact_bias_acceleration(int k, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                              const BodyState<Real>& state_B) const {
    using detail::Branchless;
    const Point<Real> p = state_A.frame.local(state_B.frame.world(on_B));
    const int nearest = nearest_edge(p), j = nearest + steps_to(k, nearest);
    const Point<Real> n = state_A.frame.turn_back(c.n), d = at(j + 1) - at(j);
    const Real tilt = dot(n, d);  // 0 on the edge
    const auto on_edge = Branchless::less(tilt * tilt, Real(16) * detail::epsilon<Real> * dot(d, d));
    const auto offset = detail::EdgeOffset<Real>::of(p, at(j), at(j + 1));
    const Real curvature = -detail::divide_or_zero<Branchless>(Real(1), dot(n, offset.e));
    return detail::rolling_contact_bias(c, state_A, state_B, detail::select_or_zero<Branchless>(!on_edge, curvature),
                                        radius);
  }

 private:
  constexpr Point<Real> at(int j) const { return corner[(j + edges) % edges]; }

  // Returns true if the interior angle at corner j exceeds 180 degrees.
  detail::Mask is_concave(int j) const {
    return detail::Branchless::negative(detail::cross(at(j) - at(j - 1), at(j + 1) - at(j)));
  }
  int nearest_edge(Point<Real> p) const {
    std::uint32_t best = 0;
    Real smallest = std::numeric_limits<Real>::max();
    Point<Real> start = corner[edges - 1];
    for (int j = 0; j < edges; ++j) {  // the edge before corner j
      const Point<Real> e = detail::EdgeOffset<Real>::of(p, start, corner[j]).e;
      const auto nearer = detail::Branchless::less(dot(e, e), smallest);
      detail::Branchless::assign_if(nearer, smallest, dot(e, e));
      detail::Branchless::assign_if(nearer, best, std::uint32_t(j));
      start = corner[j];
    }
    return int(best + unsigned(edges) - 1u) % edges;
  }
  // Returns the number of edges from `nearest` to the edge of contact k, at most half of `numbers` in either direction.
  static int steps_to(int k, int nearest) {
    const int ahead = (k + edges - nearest) % numbers;
    return ahead - (2 * ahead > numbers - 1 ? numbers : 0);
  }
};

// Returns `touching` if any edge is in contact.
template <class Real, int A, int B, int edges, int numbers>
constexpr detail::LineConfiguration configuration(const PointOnPolygon<Real, A, B, edges, numbers>&, unsigned closed) {
  using C = detail::LineConfiguration;
  return closed != 0 ? C::touching : C::free;
}

}  // namespace moreau
