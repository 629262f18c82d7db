'use strict';
// Exact magnification of gaps by k in space. A material point z of a body is drawn at z0 + k (z - z0), where z0 is the
// same point of the mechanism without clearance. With z = r + R x, r = r0 + dr, R = R0 dR this is an affine map:
//
//   z' = r0 + k dr + R0 (1 + k (dR - 1)) x,   dR - 1 = 2 (w [v] + [v]^2)   of the unit quaternion (w, v)
//
// k = 0 gives the mechanism without clearance, k = 1 the true one. Joined points stay joined. Walls, sockets and bushes
// move away by (k - 1) play, so a gap g is drawn as k g. This is exact for balls in sockets and for walls on the ground.
// In a bush or at a wall of a body that deviates, the error is of second order in the magnified angles.

const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross3 = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const along3 = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const minus3 = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
function unit3(a) {
  const length = Math.hypot(a[0], a[1], a[2]);
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : [1, 0, 0];
}

// Returns w [v] + [v]^2, which is half of R - 1, of a rotation by its quaternion; rows one after the other.
function halfTurn(w, [x, y, z]) {
  return [-y * y - z * z, x * y - w * z, x * z + w * y, x * y + w * z, -x * x - z * z, y * z - w * x,
    x * z - w * y, y * z + w * x, -x * x - y * y];
}
// Returns 1 + 2 s h.
const fromHalf = (s, h) => h.map((value, j) => 2 * s * value + (j % 4 === 0 ? 1 : 0));
function product3(a, b) {
  const row = j => [0, 1, 2].map(n => a[3 * j] * b[n] + a[3 * j + 1] * b[3 + n] + a[3 * j + 2] * b[6 + n]);
  return [...row(0), ...row(1), ...row(2)];
}

const stillInSpace = {m: [1, 0, 0, 0, 1, 0, 0, 0, 1], r: [0, 0, 0]};  // the ground

// Returns the map of a body: matrix m by rows, and the image r of its origin.
function mapInSpace(run, index, i, k) {
  if (index < 0) return stillInSpace;
  const {nominal, deviation} = run.bodies[index];
  const s = [nominal[3][i], nominal[4][i], nominal[5][i]], per = 1 / (1 + dot3(s, s));
  const v0 = s.map(value => 2 * per * value), v = [deviation[3][i], deviation[4][i], deviation[5][i]];
  const R0 = fromHalf(1, halfTurn(2 * per - 1, v0));
  const m = k === 0 ? R0 : product3(R0, fromHalf(k, halfTurn(Math.sqrt(Math.max(0, 1 - dot3(v, v))), v)));
  return {m, r: [0, 1, 2].map(j => nominal[j][i] + k * deviation[j][i])};
}
function turned({m}, [x, y, z]) {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}
function placed(map, p) { return along3(turned(map, p), 1, map.r); }

// Contact within a clearance around a centre: the centre of the ball or pin is e from it.
function inClearance(e, centre, radius, play, k) {
  const out = unit3(e);
  return {gap: k * play - Math.hypot(...e), n: out.map(x => -x), p: along3(centre, radius, out)};
}

// Contact at one end of a pin in a bush: at the bush's rim if the pin leaves the bush, otherwise at the end of the pin.
function inBush(run, contact, shape, i, k) {
  const A = mapInSpace(run, shape.body, i, 1), B = mapInSpace(run, contact.body, i, 1);
  const d = turned(A, shape.at[1]), e = turned(B, contact.axis), cosine = dot3(d, e);
  const along = dot3(minus3(placed(B, contact.at), placed(A, shape.at[0])), d);
  const end = along + contact.side * contact.half * cosine, leaves = contact.side * end > shape.size[0];
  const x = leaves ? contact.side * shape.size[0] : end;
  const mapA = mapInSpace(run, shape.body, i, k), mapB = mapInSpace(run, contact.body, i, k);
  const ofBush = placed(mapA, along3(shape.at[0], x, shape.at[1]));
  const ofPin = placed(mapB, along3(contact.at, (x - along) / cosine, contact.axis));
  const axis = unit3(leaves ? turned(mapB, contact.axis) : turned(mapA, shape.at[1]));
  const off = minus3(ofPin, ofBush), across = along3(off, -dot3(off, axis), axis);
  return inClearance(across, along3(ofBush, 1, across), contact.radius, shape.play, k);
}

// Returns the wall of a face or channel as drawn: a point of it and the normal towards its free side.
function wallInSpace(run, shape, side, i, k, give) {
  const map = mapInSpace(run, shape.body, i, k), c = placed(map, shape.at[0]);
  if (shape.kind === 'face') {
    const n = unit3(turned(map, shape.at[1]));
    return {p: along3(c, -(k - 1) * give, n), n};
  }
  const across = unit3(turned(map, shape.at[2])), other = unit3(turned(map, cross3(shape.at[1], shape.at[2])));
  const second = Math.abs(side) === 2, n = (second ? other : across).map(x => -Math.sign(side) * x);
  return {p: along3(c, -shape.size[second ? 2 : 1] - k * (second ? shape.size[3] : shape.play), n), n};
}
// Returns the displacement of a face per k - 1, as giveOf of the plane.
function giveInSpace(run, contact, shape, i) {
  if (shape.play >= 0 || !contact) return Math.max(0, shape.play);
  const {p, n} = wallInSpace(run, shape, 0, i, 0, 0);
  return dot3(n, minus3(placed(mapInSpace(run, contact.body, i, 0), contact.at), p)) - contact.radius;
}

// Returns gap, point and normal of a contact as drawn; null for a contact that is not drawn.
function touchInSpace(run, contact, i, k) {
  const shape = run.shapes[contact.shape];
  if (contact.body < -1) return null;
  const p = placed(mapInSpace(run, contact.body, i, k), contact.at);
  if (!shape && contact.touch.length) {  // recorded without magnification
    const at = contact.touch.map(column => column[i]);
    return {gap: NaN, p: at.slice(0, 3), n: unit3(at.slice(3))};
  }
  if (!shape) return {gap: NaN, p, n: null};
  if (shape.kind === 'bush') return inBush(run, contact, shape, i, k);
  if (shape.kind === 'socket')
    return inClearance(minus3(p, placed(mapInSpace(run, shape.body, i, k), shape.at[0])), p, contact.radius, shape.play, k);
  if (shape.kind === 'ball') {  // without a nominal pose: the gap is true at k = 1
    const s = minus3(p, placed(mapInSpace(run, shape.body, i, k), shape.at[0])), n = unit3(s);
    const gap = k === 1 ? Math.hypot(...s) - shape.radius - contact.radius : NaN;
    return {gap, p: along3(p, -contact.radius, n), n};
  }
  const wall = wallInSpace(run, shape, contact.side, i, k, giveInSpace(run, contact, shape, i));
  const distance = dot3(wall.n, minus3(p, wall.p)) - contact.radius;
  return {gap: distance, p: along3(p, -contact.radius, wall.n), n: wall.n};
}
