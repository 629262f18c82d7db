'use strict';
// Surfaces of the solids of a scene, as points and convex faces. The points of a face run counterclockwise, seen from
// its visible side. Hollow solids are visible from inside only. Smooth faces share their normals at common points.

const round = 36;  // points of a circle

// Returns two unit directions across a unit direction; the three are right-handed.
function acrossOf(axis) {
  const x = unit3(cross3(Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], axis));
  return [x, cross3(axis, x)];
}

class Mesh {
  constructor() {
    this.points = [];
    this.faces = [];  // {at: indices of points, smooth}
  }
  face(at, smooth = false) {
    this.faces.push({at, smooth});
    return this;
  }
  // Adds a circle and returns the index of its first point.
  ring(centre, x, y, radius) {
    const first = this.points.length;
    for (let j = 0; j < round; ++j) {
      const angle = 2 * Math.PI * j / round;
      this.points.push(along3(along3(centre, radius * Math.cos(angle), x), radius * Math.sin(angle), y));
    }
    return first;
  }
  // Joins two rings; outwards if `to` is ahead of `from` along the axis.
  band(from, to) {
    for (let j = 0; j < round; ++j) {
      const next = (j + 1) % round;
      this.face([from + j, from + next, to + next, to + j], true);
    }
    return this;
  }
  cap(ring, ahead, smooth = false) {
    const at = Array.from({length: round}, (_, j) => ring + j);
    return this.face(ahead ? at : at.reverse(), smooth);
  }
  inwards() {
    for (const face of this.faces) face.at.reverse();
    return this;
  }
  // Collects the edges with their one or two faces.
  close() {
    const edges = new Map();
    this.faces.forEach(({at}, f) => at.forEach((a, j) => {
      const b = at[(j + 1) % at.length], key = Math.min(a, b) * 65536 + Math.max(a, b);
      const edge = edges.get(key);
      if (edge) edge.faces.push(f);
      else edges.set(key, {a, b, faces: [f]});
    }));
    this.edges = [...edges.values()];
    return this;
  }
}

// Round body about an axis: rings at [distance along the axis, radius].
function turnedMesh(from, axis, profile, smoothEnds) {
  const mesh = new Mesh(), [x, y] = acrossOf(axis);
  const rings = profile.map(([along, radius]) => mesh.ring(along3(from, along, axis), x, y, radius));
  for (let j = 1; j < rings.length; ++j) mesh.band(rings[j - 1], rings[j]);
  return mesh.cap(rings[0], false, smoothEnds).cap(rings[rings.length - 1], true, smoothEnds);
}
function boxMesh(centre, half, x, y) {
  const mesh = new Mesh(), z = cross3(x, y);
  for (let j = 0; j < 8; ++j) {
    const sign = [j & 1, j & 2, j & 4].map(bit => bit ? 1 : -1);
    mesh.points.push([x, y, z].reduce((p, axis, n) => along3(p, sign[n] * half[n], axis), centre));
  }
  for (const at of [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]) mesh.face(at);
  return mesh;
}
// Half a meridian: `count` + 1 pairs [along, radius] from angle `from` to angle `to`, seen from the centre.
function meridian(radius, from, to, count, shift = 0) {
  return Array.from({length: count + 1}, (_, j) => {
    const angle = from + (to - from) * j / count;
    return [shift + radius * Math.sin(angle), radius * Math.cos(angle)];
  });
}

const isHollow = shape => shape.kind === 'socket' || shape.kind === 'bush' || shape.kind === 'channel';

// Returns the surface of a solid at magnification k, in the frame of its body; null for lines, springs and texts.
function meshOf(shape, k, give) {
  const {at, radius, play, size} = shape, pole = 0.46 * Math.PI;
  if (shape.kind === 'box') return boxMesh(at[0], size, at[1], at[2]).close();
  if (shape.kind === 'ball') return turnedMesh(at[0], [0, 0, 1], meridian(radius, -pole, pole, 17), true).close();
  if (shape.kind === 'socket')
    return turnedMesh(at[0], [0, 0, 1], meridian(radius + k * play, -pole, pole, 17), true).inwards().close();
  if (shape.kind === 'cylinder' || shape.kind === 'rod') {
    const way = minus3(at[1], at[0]), length = Math.hypot(...way), end = 1e-6 * radius;
    const profile = shape.kind === 'cylinder' ? [[0, radius], [length, radius]] :
      [...meridian(radius, -pole, 0, 5), ...meridian(radius, 0, pole, 5, Math.max(end, length))];
    return turnedMesh(at[0], unit3(way), profile, shape.kind === 'rod').close();
  }
  if (shape.kind === 'bush') {
    const mesh = turnedMesh(along3(at[0], -size[0], at[1]), at[1], [[0, radius + k * play], [2 * size[0], radius + k * play]]);
    mesh.faces.splice(-2);
    return mesh.inwards().close();
  }
  if (shape.kind === 'channel') {
    const mesh = boxMesh(at[0], [size[0], size[1] + k * play, size[2] + k * size[3]], at[1], at[2]);
    mesh.faces.splice(0, 2);
    return mesh.inwards().close();
  }
  if (shape.kind !== 'face') return null;
  const mesh = new Mesh(), centre = along3(at[0], -(k - 1) * give, at[1]), y = cross3(at[1], at[2]);
  if (radius > 0) return mesh.cap(mesh.ring(centre, at[2], y, radius), true).close();
  for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, 1]])
    mesh.points.push(along3(along3(centre, a * size[0], at[2]), b * size[1], y));
  return mesh.face([0, 1, 2, 3]).close();
}

// Returns a helix between two points: a spring.
function helix(from, to, radius, turns = 14) {
  const way = minus3(to, from), axis = unit3(way), [x, y] = acrossOf(axis), count = 14 * turns;
  const points = [from];
  for (let j = 0; j <= count; ++j) {
    const angle = 2 * Math.PI * turns * j / count, part = 0.1 + 0.8 * j / count;
    const centre = along3(from, part, way);
    points.push(along3(along3(centre, radius * Math.cos(angle), x), radius * Math.sin(angle), y));
  }
  return [...points, to];
}
