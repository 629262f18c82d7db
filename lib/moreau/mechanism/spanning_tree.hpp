// Spanning tree of the ideal joints of a parts list, computed at compile time.
//
// The vertices are the bodies and the ground, the edges are the joints Revolute, Prismatic and Weld. The tree starts at
// the ground. A body that no edge connects to the ground is free; it is the root of its own tree. Each body except a
// free one has one inboard joint, which connects it to its parent. Coordinates are
//
//   x, y of a free body          position of its centre of mass, m
//   s of a Prismatic             translation along its axis, m
//   phi                          absolute angle of a body; bodies connected by Prismatic or Weld share one angle
//
// in the order of the bodies, and x, y or s of a body before its angle. A body that Prismatic and Weld connect to the
// ground has a fixed angle and no coordinate phi.
//
// Each edge is the one of least rank between the tree and a new body: Weld before all others, then the edge nearest to
// the ground, then the one with the fewest coordinates, then the first in the list. The tree therefore contains the
// largest number of Welds, and its paths are short. Every joint outside the tree closes a loop and keeps its rows
// (bilaterals), as do user-defined ideal joints and drives.
#pragma once

#include "moreau/mechanism/parts_list.hpp"

namespace moreau {
namespace detail {

// Inboard joint of a body. The last four occur in space only.
enum class Inboard { free, revolute, prismatic, weld, cylindrical, planar, spherical, universal };

// Number of coordinates of a joint.
constexpr int freedoms(Inboard joint) {
  switch (joint) {
    case Inboard::weld:
      return 0;
    case Inboard::revolute:
    case Inboard::prismatic:
      return 1;
    case Inboard::cylindrical:
    case Inboard::universal:
      return 2;
    default:
      return 3;
  }
}

// True for a Revolute in the centre of mass of its body B.
template <class P>
using at_centre_in = Bool<std::is_same_v<P, typename P::Joint::AtCentre>>;
template <class P>
inline constexpr bool is_at_centre = value_or<at_centre_in, P, false>;

// Kind of edge of a part; Inboard::free if the part is not an edge.
template <class P>
inline constexpr Inboard edge_of = is_at_centre<P> ? Inboard::revolute : Inboard::free;
template <class Real, int A, int B>
inline constexpr Inboard edge_of<Revolute<Real, A, B>> = Inboard::revolute;
template <class Real, int A, int B>
inline constexpr Inboard edge_of<Prismatic<Real, A, B>> = Inboard::prismatic;
template <class Real, int A, int B>
inline constexpr Inboard edge_of<Weld<Real, A, B>> = Inboard::weld;

// A possible edge of the tree.
struct Edge {
  Inboard kind = Inboard::free;
  int A = ground, B = ground;  // bodies of the part
  bool at_centre = false;      // in the centre of mass of B
};

// Branches of a tree, without its coordinates.
template <int bodies>
struct Branches {
  Inboard inboard[bodies] = {};  // inboard joint of a body
  int parent[bodies] = {};       // body at the other side of the inboard joint; ground for a free body
  int part[bodies] = {};         // position of the inboard joint in parts(); -1 for a free body
  bool reversed[bodies] = {};    // the body is body_A of its inboard joint
  bool centred[bodies] = {};     // the inboard joint is in the centre of mass of the body, by its type
  int order[bodies] = {};        // all bodies, each after its parent
  int depth[bodies] = {};        // number of joints to the root, Welds excluded

  constexpr bool is_free(int body) const { return inboard[body] == Inboard::free; }
  constexpr bool has_joints() const {
    for (int b = 0; b < bodies; ++b)
      if (!is_free(b)) return true;
    return false;
  }
  // Returns true if `body` is the parent of `child`.
  constexpr bool is_child(int child, int body) const { return !is_free(child) && parent[child] == body; }
  constexpr bool has_children(int body) const {
    for (int b = 0; b < bodies; ++b)
      if (is_child(b, body)) return true;
    return false;
  }
  // Returns true if `above` is on the path from `body` to its root, both ends included.
  constexpr bool is_on_path(int above, int body) const {
    for (; body != ground; body = parent[body])
      if (body == above) return true;
    return false;
  }
  // Returns the child of `above` on the path to `body`, a body below `above`.
  constexpr int toward(int above, int body) const {
    while (parent[body] != above) body = parent[body];
    return body;
  }
  // Returns true if the part at this position is the inboard joint of a body.
  constexpr bool contains(int position) const {
    for (int b = 0; b < bodies; ++b)
      if (part[b] == position) return true;
    return false;
  }
};

// Tree and coordinates of a planar list.
template <int bodies>
struct SpanningTree : Branches<bodies> {
  using Branches<bodies>::inboard, Branches<bodies>::parent, Branches<bodies>::is_free;
  int angle[bodies] = {};  // coordinate phi of a body; -1: fixed
  int slide[bodies] = {};  // coordinate s, or x followed by y; -1: none
  int dof = 0;

  constexpr bool shares_angle(int body) const {
    return inboard[body] == Inboard::prismatic || inboard[body] == Inboard::weld;
  }
  // Number of translational coordinates of a body.
  constexpr int slides(int body) const { return is_free(body) ? 2 : int(inboard[body] == Inboard::prismatic); }

  // Returns true if coordinate phi number `j` moves the body.
  constexpr bool turns(int j, int body) const {
    for (; body != ground; body = parent[body])
      if (angle[body] == j) return true;
    return false;
  }
  // Returns true if coordinate j translates both bodies by the same vector.
  constexpr bool shifts_both(int j, int A, int B) const {
    return carrier(j, A) != none && carrier(j, A) == carrier(j, B);
  }

 private:
  static constexpr int none = -1;
  // Returns the body from which all bodies up to `body` move with coordinate j by the same translation; none if j turns
  // `body` or does not move it.
  constexpr int carrier(int j, int body) const {
    for (int b = body; b != ground && angle[body] != j; b = parent[b]) {
      if (slide[b] >= 0 && j >= slide[b] && j < slide[b] + slides(b)) return b;
      if (parent[b] != ground && angle[parent[b]] == j) return b;
    }
    return none;
  }
};

// Returns the best edge from the tree to a new body, or -1.
template <int parts, int bodies>
constexpr int next_edge(const Edge (&edges)[parts], const bool (&reached)[bodies], const Branches<bodies>& tree) {
  int best = -1, least = 0;
  for (int i = 0; i < parts; ++i) {
    if (edges[i].kind == Inboard::free) continue;
    const bool has_A = edges[i].A == ground || reached[edges[i].A], has_B = edges[i].B == ground || reached[edges[i].B];
    if (has_A == has_B) continue;
    const int from = has_A ? edges[i].A : edges[i].B;
    const int depth = from == ground ? 0 : tree.depth[from];
    const int rank = edges[i].kind == Inboard::weld ? -1 : 4 * depth + freedoms(edges[i].kind);
    if (best < 0 || rank < least) best = i, least = rank;
  }
  return best;
}

// Numbers the coordinates in the order of the bodies.
template <int bodies>
constexpr void number_coordinates(SpanningTree<bodies>& tree) {
  for (int b = 0; b < bodies; ++b) {
    tree.slide[b] = tree.slides(b) > 0 ? tree.dof : -1;
    tree.dof += tree.slides(b);
    tree.angle[b] = tree.shares_angle(b) ? -1 : tree.dof++;
  }
  for (int k = 0; k < bodies; ++k) {
    const int b = tree.order[k];
    if (tree.shares_angle(b) && tree.parent[b] != ground) tree.angle[b] = tree.angle[tree.parent[b]];
  }
}

template <class Tree, class List, int... i>
constexpr Tree spanning_tree(std::integer_sequence<int, i...>) {
  constexpr int bodies = List::bodies, parts = int(sizeof...(i));
  const Edge edges[parts + 1] = {
      Edge{edge_of<typename List::template Part<i>>, value_or<body_A_in, typename List::template Part<i>, ground>,
           value_or<body_B_in, typename List::template Part<i>, ground>,
           is_at_centre<typename List::template Part<i>>}...,
      Edge{}};
  Tree tree;
  bool reached[bodies] = {};
  for (int count = 0; count < bodies; ++count) {
    const int edge = next_edge(edges, reached, tree);
    int b = 0;
    if (edge < 0) {
      while (reached[b]) ++b;
      tree.parent[b] = ground;
      tree.part[b] = -1;
    } else {
      const bool has_A = edges[edge].A == ground || reached[edges[edge].A];
      b = has_A ? edges[edge].B : edges[edge].A;
      const int from = has_A ? edges[edge].A : edges[edge].B;
      tree.inboard[b] = edges[edge].kind;
      tree.parent[b] = from;
      tree.part[b] = edge;
      tree.reversed[b] = !has_A;
      tree.centred[b] = has_A && edges[edge].at_centre;
      tree.depth[b] = (from == ground ? 0 : tree.depth[from]) + int(edges[edge].kind != Inboard::weld);
    }
    reached[b] = true;
    tree.order[count] = b;
  }
  number_coordinates(tree);
  return tree;
}

template <template <class...> class Kind>
inline constexpr bool is_bilateral = false;
template <>
inline constexpr bool is_bilateral<bilaterals_in> = true;

// Parts list in the coordinates of its spanning tree: the joints of the tree have no rows.
template <class Parts>
struct TreeList : PartsList<Parts> {
  using Base = PartsList<Parts>;
  using Tree = typename Base::Geometry::template Tree<Base::bodies>;
  static constexpr Tree tree = spanning_tree<Tree, Base>(typename Base::Indices{});
  // True for a list in joint coordinates. In space, a list without joints of the tree has the coordinates of its
  // bodies, whose M is constant and diagonal.
  static constexpr bool has_tree = Base::Geometry::planar || tree.has_joints();
  static constexpr bool joint_coordinates = value_or<joint_coordinates_in, Parts, has_tree>;
  // Number of rows of the joints of the tree among these parts.
  template <int... i>
  static constexpr int rows_in_tree(std::integer_sequence<int, i...>) {
    return (0 + ... + (tree.contains(i) ? rows_of<bilaterals_in, typename Base::template Part<i>> : 0));
  }
  // Number of rows of type Kind of the parts before the i-th.
  template <template <class...> class Kind, int i>
  static constexpr int rows_before = Base::template rows_before<Kind, i> -
                                     (is_bilateral<Kind> ? rows_in_tree(std::make_integer_sequence<int, i>{}) : 0);
  static constexpr int bilaterals = rows_before<bilaterals_in, Base::parts>;

  // Calls f(part, k) for the part that contains row j of type Kind as its row k.
  template <template <class...> class Kind, class Owner, class F>
  MOREAU_ALWAYS_INLINE static void find(const Owner& list, int j, F&& f) {
    Base::for_each(list, [&](auto i, const auto& part) {
      constexpr int first = rows_before<Kind, i>, rows = rows_before<Kind, i + 1> - first;
      if constexpr (Base::template has_all<Kind, i>)
        f(part, j);
      else if constexpr (rows > 0)
        if (j >= first && j < first + rows) f(part, j - first);
    });
  }
  // Returns true if g_j = 0 although the joint excludes the pose, for example a rotation by pi.
  template <class Owner, class At>
  static bool reversed(const Owner& list, int j, [[maybe_unused]] const At& a) {
    bool found = false;
    find<bilaterals_in>(list, j, [&](const auto& part, [[maybe_unused]] int k) {
      using P = std::decay_t<decltype(part)>;
      if constexpr (detected<reversed_in, P>) found = part.reversed(k, frame_of<P::body_A>(a), frame_of<P::body_B>(a));
    });
    return found;
  }
};

// Calls f(i) for i = 0, ..., n - 1 as compile-time constants. Unlike for_each_index, it also unrolls loops above
// unroll_limit.
template <int n, class F>
MOREAU_ALWAYS_INLINE void for_each_constant(F&& f) {
  unroll(f, std::make_integer_sequence<int, n>{});
}

// Loops over the bodies of a tree.
template <class Parts>
class TreeLoops {
  static constexpr int bodies = TreeList<Parts>::bodies;
  static constexpr auto tree = TreeList<Parts>::tree;

 public:
  // Calls f(b) for all bodies: outward() parents first, inward() children first. for_each_child() calls f(b) for the
  // children of one body.
  template <class F>
  MOREAU_ALWAYS_INLINE static void outward(F&& f) {
    for_each_constant<bodies>([&](auto k) { f(std::integral_constant<int, tree.order[k]>{}); });
  }
  template <class F>
  MOREAU_ALWAYS_INLINE static void inward(F&& f) {
    for_each_constant<bodies>([&](auto k) { f(std::integral_constant<int, tree.order[bodies - 1 - k]>{}); });
  }
  template <int body, class F>
  MOREAU_ALWAYS_INLINE static void for_each_child(F&& f) {
    for_each_constant<bodies>([&](auto k) {
      if constexpr (tree.is_child(k, body)) f(k);
    });
  }
};

}  // namespace detail
}  // namespace moreau
