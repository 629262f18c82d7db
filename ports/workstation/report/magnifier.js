'use strict';
// Exact magnification of gaps by k. A material point z of a body is drawn at z0 + k (z - z0), where z0 is the same
// point of the mechanism without clearance. With z = r + e^(i phi) x, r = r0 + dr, phi = phi0 + dphi this is a
// similarity of the body:
//
//   z' = alpha x + beta,   alpha = e^(i phi0) (1 + k (e^(i dphi) - 1)),   beta = r0 + k dr
//
// k = 0 gives the mechanism without clearance, k = 1 the true one. Pins stay joined, because z0 and z agree on both
// bodies. Shapes with clearance move away by (k - 1) play, so a gap g is drawn as k g. This is exact for guides on the
// ground and for pins. In a guide on a body that deviates by dphi the error is k (k - 1) dphi d, where d is the
// displacement of the slider along the guide from its position without clearance.
// (Magnifying the angle instead, e^(i (phi0 + k dphi)), would open closed contacts.)

const still = {a: 1, b: 0, x: 0, y: 0};  // the ground

function similarity(run, index, i, k) {
  if (index < 0) return still;
  const {nominal, deviation, linear} = run.bodies[index];
  const x = nominal[0][i] + k * deviation[0][i], y = nominal[1][i] + k * deviation[1][i];
  const phi = nominal[2][i], turned = deviation[2][i];
  if (linear) return {a: 1, b: phi + k * turned, x, y};
  const half = Math.sin(turned / 2);
  const re = 1 - 2 * k * half * half, im = k * Math.sin(turned);  // 1 + k (e^(i dphi) - 1), without cancellation
  const cos = Math.cos(phi), sin = Math.sin(phi);
  return {a: cos * re - sin * im, b: sin * re + cos * im, x, y};
}

// Returns a point of a body frame: [x, y], or [x, y, growth in x and y per k - 1].
function place(s, at, k) {
  const x = at[0] + (k - 1) * (at[2] || 0), y = at[1] + (k - 1) * (at[3] || 0);
  return [s.x + s.a * x - s.b * y, s.y + s.b * x + s.a * y];
}

function direction(s, axis) {
  const x = s.a * axis[0] - s.b * axis[1], y = s.b * axis[0] + s.a * axis[1], length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

// Returns a wall as drawn: a point of it and the normal towards its free side.
function wallOf(run, shape, side, i, k, give) {
  const s = similarity(run, shape.body, i, k), p = place(s, shape.at[0], k);
  if (shape.kind === 'guide') {
    const along = direction(s, shape.at[1]), across = [-along[1], along[0]];
    const away = side * (shape.radius * Math.hypot(s.a, s.b) + k * shape.play);
    return {p: [p[0] + away * across[0], p[1] + away * across[1]], n: [-side * across[0], -side * across[1]], along};
  }
  const [from, to] = shape.at, along = direction(s, [to[0] - from[0], to[1] - from[1]]), n = [-along[1], along[0]];
  const back = (k - 1) * give;
  return {p: [p[0] - back * n[0], p[1] - back * n[1]], n, along};
}

// Returns the displacement of a face per k - 1: its play, or for a wall without play (play < 0) the gap of the nominal
// pose.
function giveOf(run, contact, shape, i) {
  return shape.play >= 0 ? shape.play : contact ? gapAtWall(run, contact, wallOf(run, shape, 0, i, 0, 0), i, 0) : 0;
}

function gapAtWall(run, contact, wall, i, k) {
  const p = place(similarity(run, contact.body, i, k), contact.at, k);
  return wall.n[0] * (p[0] - wall.p[0]) + wall.n[1] * (p[1] - wall.p[1]) - contact.radius;
}

// Returns the lead of the teeth of B within the backlash, m.
function lead(run, shape, i) {
  const phi = body => body < 0 ? 0 : run.bodies[body].deviation[2][i];
  return shape.numbers[0] * phi(shape.body) + shape.numbers[1] * phi(shape.other);
}

// Returns the point on the centre line of a slot or bearing that is nearest to a pin.
function middleOf(run, shape, p, i, k) {
  const s = similarity(run, shape.body, i, k), from = place(s, shape.at[0], k);
  if (shape.kind === 'bearing') return from;
  const to = place(s, shape.at[1], k), d = [to[0] - from[0], to[1] - from[1]];
  const part = ((p[0] - from[0]) * d[0] + (p[1] - from[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
  const along = Math.min(1, Math.max(0, part));
  return [from[0] + along * d[0], from[1] + along * d[1]];
}

// Returns the drawn gap of a contact, m; NaN for a contact that is not drawn, or whose corner has left its guide.
function drawnGap(run, contact, i, k) {
  const shape = run.shapes[contact.shape];
  if (!shape) return NaN;
  if (shape.kind === 'mesh') return k * (shape.play - contact.side * lead(run, shape, i));
  const p = place(similarity(run, contact.body, i, k), contact.at, k);
  if (shape.kind === 'bearing' || shape.kind === 'slot') {
    const c = middleOf(run, shape, p, i, k);
    return shape.radius + k * shape.play - contact.radius - Math.hypot(p[0] - c[0], p[1] - c[1]);
  }
  if (shape.kind === 'guide' && shape.numbers[0] > 0) {
    const s = similarity(run, shape.body, i, 1), q = place(similarity(run, contact.body, i, 1), contact.at, 1);
    const m = place(s, shape.at[0], 1), along = direction(s, shape.at[1]);
    if (Math.abs((q[0] - m[0]) * along[0] + (q[1] - m[1]) * along[1]) > shape.numbers[0]) return NaN;
  }
  return gapAtWall(run, contact, wallOf(run, shape, contact.side, i, k, giveOf(run, contact, shape, i)), i, k);
}

// Returns the position of a contact and the direction in which it pushes its body.
function contactPlace(run, contact, i, k) {
  const shape = run.shapes[contact.shape], s = similarity(run, contact.body, i, k);
  if (contact.body < -1) return null;
  const p = place(s, contact.at, k);
  if (!shape) return {p, n: null};
  if (shape.kind === 'mesh') {
    const {p: at, t} = meshPlace(run, shape, i);
    return {p: at, n: [-contact.side * t[0], -contact.side * t[1]]};
  }
  if (shape.kind === 'bearing' || shape.kind === 'slot') {
    const c = middleOf(run, shape, p, i, k), e = [p[0] - c[0], p[1] - c[1]], length = Math.hypot(e[0], e[1]) || 1;
    const n = [-e[0] / length, -e[1] / length];
    return {p: [p[0] - contact.radius * n[0], p[1] - contact.radius * n[1]], n};
  }
  const {n} = wallOf(run, shape, contact.side, i, k, 0);
  return {p: [p[0] - contact.radius * n[0], p[1] - contact.radius * n[1]], n};
}

// Returns the pitch point of two gears and the direction in which the teeth of B move at this point.
function meshPlace(run, shape, i) {
  const a = place(similarity(run, shape.body, i, 1), shape.at[0], 1);
  const b = place(similarity(run, shape.other, i, 1), shape.at[1], 1);
  const d = Math.hypot(b[0] - a[0], b[1] - a[1]), [rA, rB] = shape.numbers.map(Math.abs);
  const e = d > 0 ? [(b[0] - a[0]) / d, (b[1] - a[1]) / d] : [0, 1];
  const along = rA + rB > 0 ? d * rA / (rA + rB) : 0;
  const sense = Math.sign(shape.numbers[1]) || 1;
  return {p: [a[0] + along * e[0], a[1] + along * e[1]], t: [sense * e[1], -sense * e[0]], e};
}
