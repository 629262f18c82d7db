'use strict';
// Canvas of the mechanism: bodies, joints with their clearance, contacts, forces, and the outline without clearance.

const palette = 8;
const margins = {side: 34, top: 34, foot: 40};  // pixels around the mechanism
const insetWidth = 130;  // pixels of the column of insets, left free by the mechanism
const toothHalf = 9;  // pixels, half the width of the tooth in an inset
let ink = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  ink = name => style.getPropertyValue('--' + name).trim();
}
function contactColour(index) { return ink('c-' + index % palette); }

class Stage {
  constructor(run, figure) {
    this.run = run;
    this.canvas = element('canvas', {role: 'img', 'aria-label': 'Mechanism: ' + run.title});
    figure.append(this.canvas);
    this.travels = run.shapes.map(shape => shape.kind === 'guide' ? this.travelOf(shape) : null);
    this.teeth = this.teethOf();
    const lasting = contact => contact.P_N.filter((_, i) => contact.mode[i] & 1 && i - contact.began[i] > 2);
    const loads = run.contacts.map(contact => largest(lasting(contact)));
    this.typicalForce = Math.max(0, ...loads.map(percussion => percussion / (frameTime(run, 1) || 1)));  // N
    this.pan = [0, 0];
    this.zoom = 1;
    this.boxes = new Map();  // bounding boxes by magnification
    this.insets = this.insetColumn();  // pixels left free for insets; negative: at the left edge
    this.listen();
  }

  // Returns the signed width of the column of insets. The column is at the side of the first mesh.
  insetColumn() {
    const mesh = this.run.frames > 0 && this.run.shapes.find(shape => shape.kind === 'mesh');
    if (!mesh) return 0;
    const [left, , right] = this.box(1);
    return meshPlace(this.run, mesh, 0).p[0] < (left + right) / 2 ? -insetWidth : insetWidth;
  }

  // Meshing gears have teeth of one size; a tooth of one gear faces a gap of the other.
  teethOf() {
    const teeth = new Map();
    if (!this.run.frames) return teeth;
    for (const mesh of this.run.shapes.filter(shape => shape.kind === 'mesh')) {
      const {e} = meshPlace(this.run, mesh, 0);
      const angle = Math.atan2(e[1], e[0]);
      const [rA, rB] = mesh.numbers.map(Math.abs);
      const size = 2 * Math.PI * Math.min(rA, rB) / 16;
      const turned = body => body < 0 ? 0 : this.run.bodies[body].nominal[2][0];
      const count = radius => Math.max(6, Math.round(2 * Math.PI * radius / size));
      teeth.set(mesh.body, {count: count(rA), from: angle - turned(mesh.body)});
      teeth.set(mesh.other, {count: count(rB), from: angle + Math.PI + Math.PI / count(rB) - turned(mesh.other)});
    }
    return teeth;
  }

  // Returns the ends of the visible part of a guide: the travel of its slider plus the slider's length.
  travelOf(shape) {
    if (shape.numbers[0] > 0) return [-shape.numbers[0], shape.numbers[0]];
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < this.run.frames; ++i) {
      const guide = similarity(this.run, shape.body, i, 1);
      const middle = place(guide, shape.at[0], 1), along = direction(guide, shape.at[1]);
      const slider = place(similarity(this.run, shape.other, i, 1), shape.at[2], 1);
      const x = (slider[0] - middle[0]) * along[0] + (slider[1] - middle[1]) * along[1];
      if (!Number.isFinite(x)) continue;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    const margin = 1.4 * shape.numbers[1] + 0.02 * (high - low);
    return low <= high ? [low - margin, high + margin] : [-margin, margin];
  }

  // Returns the bounding box of all frames at this magnification: [x_min, y_min, x_max, y_max].
  box(k) {
    if (this.boxes.has(k)) return this.boxes.get(k);
    const run = this.run, box = [Infinity, Infinity, -Infinity, -Infinity];
    let origin = [0, 0];
    const cover = ([x, y], radius = 0) => {
      const p = [x - origin[0], y - origin[1]];
      if (!Number.isFinite(p[0] + p[1])) return;
      box[0] = Math.min(box[0], p[0] - radius);
      box[1] = Math.min(box[1], p[1] - radius);
      box[2] = Math.max(box[2], p[0] + radius);
      box[3] = Math.max(box[3], p[1] + radius);
    };
    const samples = Math.min(run.frames, Math.max(2, Math.ceil(20000 / (run.shapes.length + 1))), 120);
    for (let j = 0; j < samples; ++j) {
      const i = samples > 1 ? Math.round(j * (run.frames - 1) / (samples - 1)) : 0;
      origin = this.followed(i);
      run.shapes.forEach((shape, index) => {
        if (shape.body < 0 && run.follow >= 0) return;  // the ground moves past the view
        const s = similarity(run, shape.body, i, k);
        const radius = shape.radius + (shape.play > 0 ? k * shape.play : 0);
        if (shape.kind === 'guide') {
          for (const side of [1, -1])
            for (const end of this.wallEnds(shape, index, side, i, k).slice(0, 2)) cover(end);
        } else if (shape.kind !== 'text') {
          const points = shape.kind === 'spring' || shape.kind === 'mesh' ? shape.at.slice(0, 1) : shape.at;
          for (const p of points) cover(place(s, p, k), shape.kind === 'support' ? 1.4 * shape.radius : radius);
        }
      });
    }
    if (!(box[0] <= box[2])) box.splice(0, 4, -1, -1, 1, 1);
    this.boxes.set(k, box);
    return box;
  }

  // Sets the height of the canvas such that the mechanism fills it, between 240 pixels and 60 % of the window. The
  // magnifier does not change the height.
  resize(k) {
    const {canvas} = this;
    this.ratio = devicePixelRatio || 1;
    this.width = canvas.clientWidth || 800;
    if (this.fitted !== `${this.width} ${innerHeight}`) {
      this.fitted = `${this.width} ${innerHeight}`;
      const [left, low, right, high] = this.box(k), {side, top, foot} = margins;
      const scale = (this.width - 2 * side - Math.abs(this.insets)) / Math.max(1e-9, right - left);
      const wanted = (high - low) * scale + top + foot, most = Math.max(300, 0.6 * innerHeight);
      canvas.style.height = Math.round(Math.min(most, Math.max(this.insets || this.run.space ? 300 : 240, wanted))) + 'px';
    }
    this.height = canvas.clientHeight || 400;
    const width = Math.round(this.width * this.ratio), height = Math.round(this.height * this.ratio);
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width;
    canvas.height = height;
  }

  // Sets scale and centre of the view.
  look(k) {
    const box = this.box(k), {side, top, foot} = margins;
    const width = Math.max(1e-9, box[2] - box[0]), height = Math.max(1e-9, box[3] - box[1]);
    this.scale = this.zoom *
      Math.min((this.width - 2 * side - Math.abs(this.insets)) / width, (this.height - top - foot) / height);
    this.centre = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  }
  // Returns the pixel of a point.
  px(p) {
    return [(this.width - this.insets) / 2 + this.pan[0] + (p[0] - this.origin[0] - this.centre[0]) * this.scale,
      (this.height - 18) / 2 + this.pan[1] - (p[1] - this.origin[1] - this.centre[1]) * this.scale];
  }
  // Returns the position, without clearance, of the body that the view follows.
  followed(i) {
    const {follow, bodies} = this.run;
    if (!(follow >= 0)) return [0, 0];
    return [bodies[follow].nominal[0][i], bodies[follow].nominal[1][i]].map(x => Number.isFinite(x) ? x : 0);
  }

  draw(i, k) {
    this.resize(k);
    this.look(k);
    this.i = i;
    this.k = k;
    this.origin = this.followed(i);
    const context = this.context = this.canvas.getContext('2d');
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineJoin = context.lineCap = 'round';
    if (this.run.frames === 0 || this.run.shapes.length === 0) return;
    const each = (kinds, f) =>
      this.run.shapes.forEach((shape, index) => kinds.includes(shape.kind) && f.call(this, shape, index));
    each(['guide', 'slot', 'face'], this.drawRoom);
    each(['guide', 'face'], this.drawWalls);
    each(['line'], this.drawLine);
    each(['support'], this.drawSupport);
    each(['bearing', 'slot'], this.drawBearing);
    each(['capsule', 'polygon', 'disk', 'gear'], shape => this.drawBody(shape, this.k, false));
    each(['spring'], this.drawSpring);
    if (this.run.moves && k > 0)
      each(['capsule', 'polygon', 'disk'], shape => shape.body >= 0 && this.drawBody(shape, 0, true));
    each(['pin'], this.drawPin);
    each(['mesh'], this.drawMesh);
    each(['text'], this.drawText);
    for (const closed of [0, 1])
      this.run.contacts.forEach((contact, index) =>
        (contact.mode[i] & 1) === closed && this.drawContact(contact, index));
    this.drawBars();
  }

  path(points, closed) {
    this.context.beginPath();
    points.forEach((p, j) => this.context[j ? 'lineTo' : 'moveTo'](...this.px(p)));
    if (closed) this.context.closePath();
  }
  stroke(colour, width = 1.4, dash = []) {
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.setLineDash(dash);
    this.context.stroke();
    this.context.setLineDash([]);
  }
  fill(colour) {
    this.context.fillStyle = colour;
    this.context.fill();
  }
  motion(body, k = this.k) { return similarity(this.run, body, this.i, k); }
  at(shape, index = 0, k = this.k) { return place(this.motion(shape.body, k), shape.at[index], k); }

  drawBody(shape, k, outline) {
    const {context} = this, s = this.motion(shape.body, shape.kind === 'gear' ? 1 : k);
    const points = shape.at.map(p => place(s, p, k));
    const size = Math.hypot(s.a, s.b) * shape.radius * this.scale;
    context.beginPath();
    if (shape.kind === 'polygon') {
      this.path(points, true);
    } else if (shape.kind === 'capsule') {
      this.capsulePath(this.px(points[0]), this.px(points[1]), size);
    } else if (shape.kind === 'gear') {
      const teeth = this.teeth.get(shape.body) || {count: 24, from: 0};
      this.gearPath(points[0], Math.atan2(s.b, s.a), shape.radius, teeth);
    } else {
      context.arc(...this.px(points[0]), Math.max(0, size), 0, 2 * Math.PI);
    }
    if (outline) return this.stroke(ink('soft'), 1, [4, 3]);
    const tone = shape.numbers.length ? shape.numbers[0] : shape.body;
    this.fill(tone < 0 ? ink('grid') : ink('body-' + tone % 2));
    this.stroke(ink('outline'), shape.radius * this.scale < 3 && shape.kind === 'disk' ? 0.6 : 1.4);
    const centred = shape.at[0][0] === 0 && shape.at[0][1] === 0;
    if (shape.kind === 'disk' && size > 3 && centred && this.run.bodies.length > 20) {  // a radius shows the rotation
      this.path([points[0], place(s, [shape.radius, 0], k)]);
      this.stroke(ink('outline'), 0.8);
    }
  }

  capsulePath(a, b, radius) {
    const {context} = this, angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    context.arc(a[0], a[1], radius, angle + Math.PI / 2, angle - Math.PI / 2);
    context.arc(b[0], b[1], radius, angle - Math.PI / 2, angle + Math.PI / 2);
    context.closePath();
  }
  gearPath(centre, phi, radius, {count, from}) {
    const high = 2.6 * radius / count, points = [];
    for (let j = 0; j < count; ++j)
      for (const [part, height] of [[-0.3, -high], [-0.17, high], [0.17, high], [0.3, -high]]) {
        const angle = phi + from + (j + part) * 2 * Math.PI / count;
        points.push([centre[0] + (radius + height) * Math.cos(angle), centre[1] + (radius + height) * Math.sin(angle)]);
      }
    this.path(points, true);
  }

  // Draws the clearance as a band along the walls.
  drawRoom(shape, index) {
    if (!(shape.play > 0) || shape.kind === 'slot') return;
    const width = this.k * shape.play;
    for (const side of shape.kind === 'guide' ? [1, -1] : [0]) {
      const [from, to, n] = this.wallEnds(shape, index, side, this.i, this.k);
      const inside = p => [p[0] + width * n[0], p[1] + width * n[1]];
      this.path([from, to, inside(to), inside(from)], true);
      this.fill(ink('gap'));
    }
  }
  // Returns both ends of a wall and the normal towards its free side.
  wallEnds(shape, index, side, i, k) {
    const contact = this.run.contacts.find(other => other.shape === index);
    const give = shape.kind === 'face' ? giveOf(this.run, contact, shape, i) : 0;
    const {p, n, along} = wallOf(this.run, shape, side, i, k, give);
    const length = () => Math.hypot(shape.at[1][0] - shape.at[0][0], shape.at[1][1] - shape.at[0][1]);
    const [low, high] = shape.kind === 'guide' ? this.travels[index] : [0, length()];
    const at = x => [p[0] + x * along[0], p[1] + x * along[1]];
    return [at(low), at(high), n];
  }
  drawWalls(shape, index) {
    for (const side of shape.kind === 'guide' ? [1, -1] : [0]) {
      const [from, to, n] = this.wallEnds(shape, index, side, this.i, this.k);
      const a = this.px(from), b = this.px(to);
      const steps = Math.min(300, Math.floor(Math.hypot(b[0] - a[0], b[1] - a[1]) / 9));
      this.context.beginPath();
      for (let j = 0; j <= steps; ++j) {
        const x = a[0] + (b[0] - a[0]) * j / steps, y = a[1] + (b[1] - a[1]) * j / steps;
        this.context.moveTo(x, y);
        this.context.lineTo(x - 8 * n[0] - 4 * n[1], y + 8 * n[1] - 4 * n[0]);
      }
      this.stroke(ink('hatch'), 1);
      this.path([from, to]);
      this.stroke(ink('wall'), 3);
    }
    if (shape.kind !== 'guide') return;
    const [left, right] = this.wallEnds(shape, index, 1, this.i, this.k);
    const [otherLeft, otherRight] = this.wallEnds(shape, index, -1, this.i, this.k);
    const centre = (p, q) => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    this.path([centre(left, otherLeft), centre(right, otherRight)]);
    this.stroke(ink('hatch'), 1, [14, 4, 3, 4]);
  }

  drawLine(shape) {
    const onGround = shape.body < 0;
    this.path(shape.at.map((_, j) => this.at(shape, j)));
    this.stroke(onGround ? ink('hatch') : ink('outline'), onGround ? 1 : 1.6, onGround ? [14, 4, 3, 4] : []);
  }
  drawSupport(shape) {
    const {context} = this, [x, y] = this.px(this.at(shape));
    const height = Math.max(10, Math.min(34, shape.radius * this.scale));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 0.62 * height, y + height);
    context.lineTo(x + 0.62 * height, y + height);
    context.closePath();
    this.fill(ink('card'));
    this.stroke(ink('wall'), 1.4);
    context.beginPath();
    for (let j = -0.6; j <= 0.61; j += 0.3) {
      context.moveTo(x + (j + 0.1) * height, y + height);
      context.lineTo(x + (j - 0.2) * height, y + 1.3 * height);
    }
    this.stroke(ink('hatch'), 1);
  }
  drawBearing(shape) {
    const {context} = this, radius = Math.max(0, (shape.radius + this.k * shape.play) * this.scale);
    const centre = this.px(this.at(shape));
    context.beginPath();
    if (shape.kind === 'slot') this.capsulePath(centre, this.px(this.at(shape, 1)), radius);
    else context.arc(centre[0], centre[1], radius, 0, 2 * Math.PI);
    this.fill(ink('gap'));
    this.stroke(ink('wall'), 2.4);
  }
  drawPin(shape) {
    const radius = Math.max(2.5, shape.radius * this.scale), centre = this.px(this.at(shape));
    const [x, y] = shape.at[0];
    const joins = other => this.run.contacts.some(contact => this.run.shapes[contact.shape] === other &&
      contact.body === shape.body && contact.at[0] === x && contact.at[1] === y);
    const bearing = this.run.shapes.find(other => (other.kind === 'bearing' || other.kind === 'slot') &&
      other.radius === shape.radius && joins(other));
    if (bearing) {  // transparent: pin and bearing overlap
      this.context.globalAlpha = 0.55;
      this.drawBearing(bearing);
      this.context.globalAlpha = 1;
    }
    this.context.beginPath();
    this.context.arc(centre[0], centre[1], radius, 0, 2 * Math.PI);
    this.fill(bearing ? ink('body-1') : ink('card'));
    this.stroke(ink('outline'), 1.4);
  }
  drawSpring(shape) {
    const a = this.px(this.at(shape)), b = this.px(place(this.motion(shape.other), shape.at[1], this.k));
    const way = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(way[0], way[1]) || 1;
    const n = [-way[1] / length, way[0] / length], coils = 9;
    this.context.beginPath();
    this.context.moveTo(...a);
    for (let j = 0; j <= 2 * coils; ++j) {
      const along = 0.12 + 0.76 * j / (2 * coils);
      const off = j === 0 || j === 2 * coils ? 0 : j % 2 ? 7 : -7;
      this.context.lineTo(a[0] + along * way[0] + off * n[0], a[1] + along * way[1] + off * n[1]);
    }
    this.context.lineTo(...b);
    this.stroke(ink('outline'), 1.3);
  }
  // Draws a tooth of B between two flanks of A in an inset, with the backlash magnified by k. A line leads from the inset
  // to the pitch point.
  drawMesh(shape, index) {
    const {p, t, e} = meshPlace(this.run, shape, this.i), {context} = this;
    const {x, y, width, height} = this.inset(index), centre = [x + width / 2, y + height / 2], pitch = this.px(p);
    const thick = toothHalf, high = 20;
    context.beginPath();
    context.arc(...pitch, 12, 0, 2 * Math.PI);
    this.stroke(ink('ink'), 1.2);
    const away = [centre[0] - pitch[0], centre[1] - pitch[1]], length = Math.hypot(...away) || 1;
    context.beginPath();
    context.moveTo(pitch[0] + 12 * away[0] / length, pitch[1] + 12 * away[1] / length);
    context.lineTo(...centre);
    this.stroke(ink('ink'), 1);
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    this.fill(ink('card'));
    this.stroke(ink('edge'), 1);
    context.clip();
    const corner = (u, v) => [centre[0] + u * t[0] + v * e[0], centre[1] - u * t[1] - v * e[1]];
    const bar = (u, half, from, to, colour) => {
      context.beginPath();
      for (const [a, b] of [[u - half, from], [u + half, from], [u + half, to], [u - half, to]])
        context.lineTo(...corner(a, b));
      context.closePath();
      this.fill(colour);
      this.stroke(ink('outline'), 1.2);
    };
    const half = this.halfMesh(shape);
    bar(0, half, -0.8 * high, 0.8 * high, ink('gap'));
    for (const side of [1, -1]) bar(side * (half + 0.5 * thick), 0.5 * thick, -high, 0.5 * high, ink('body-0'));
    bar(this.k * lead(this.run, shape, this.i) * this.scale, thick, -0.5 * high, high, ink('body-1'));
    context.restore();
  }
  // Returns half the distance of the flanks, in pixels.
  halfMesh(shape) { return toothHalf + this.k * shape.play * this.scale; }
  // Returns the rectangle of the inset of a mesh, in pixels: in a column beside the mechanism, top down.
  inset(index) {
    const meshes = this.run.shapes.filter((shape, i) => shape.kind === 'mesh' && i <= index);
    const heights = meshes.map(shape => 2 * Math.max(46, this.halfMesh(shape) + 2 * toothHalf));
    const y = heights.slice(0, -1).reduce((sum, height) => sum + height + 10, 10);
    return {x: this.insets < 0 ? 10 : this.width - insetWidth + 6, y, width: insetWidth - 16, height: heights.pop()};
  }
  // Returns the pixel of the side of the tooth that a contact of a mesh concerns.
  flankInInset(contact, shape) {
    const {x, y, width, height} = this.inset(contact.shape), {t} = meshPlace(this.run, shape, this.i);
    const along = this.k * lead(this.run, shape, this.i) * this.scale + contact.side * toothHalf;
    return [x + width / 2 + along * t[0], y + height / 2 - along * t[1]];
  }
  drawText(shape) {
    this.words(shape.words, ...this.px(this.at(shape)), 'center');
  }
  words(text, x, y, align = 'left') {
    const {context} = this;
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    context.textAlign = align;
    context.fillStyle = ink('soft');
    context.strokeStyle = ink('card');
    context.lineWidth = 3;
    context.strokeText(text, x, y);  // a margin around the letters
    context.fillText(text, x, y);
  }

  drawContact(contact, index) {
    const {i, context} = this, where = contactPlace(this.run, contact, i, this.k);
    if (!where || !Number.isFinite(where.p[0] + where.p[1])) return;
    const shape = this.run.shapes[contact.shape], inMesh = shape && shape.kind === 'mesh';
    const [x, y] = inMesh ? this.flankInInset(contact, shape) : this.px(where.p), isClosed = contact.mode[i] & 1, colour = contactColour(index);
    this.drawImpact(contact, x, y);
    const crowded = this.run.contacts.length > 12;
    if (isClosed) this.drawForce(contact, where.n, x, y, colour);
    if (crowded && !isClosed) return;
    context.beginPath();
    context.arc(x, y, isClosed ? 4.5 : 3.2, 0, 2 * Math.PI);
    this.fill(isClosed ? ink('now') : ink('card'));
    this.stroke(isClosed ? ink('now') : colour, 1.8);
  }
  // Draws a star at a contact that has just closed, for a fiftieth of the visible window.
  drawImpact(contact, x, y) {
    const began = contact.began[this.i];
    if (began < 0 || !this.shown) return;
    const age = (this.run.t[this.i] - this.run.t[began]) / (0.02 * (this.shown[1] - this.shown[0]) || 1);
    if (age > 1) return;
    const {context} = this;
    context.globalAlpha = 1 - 0.8 * age;
    context.beginPath();
    context.arc(x, y, 11, 0, 2 * Math.PI);
    for (let j = 0; j < 8; ++j) {
      const angle = j * Math.PI / 4;
      context.moveTo(x + 14 * Math.cos(angle), y + 14 * Math.sin(angle));
      context.lineTo(x + 22 * Math.cos(angle), y + 22 * Math.sin(angle));
    }
    this.stroke(ink('now'), 2);
    context.globalAlpha = 1;
  }
  // Returns the contact force on the screen, right and up, and its size, N. Without a normal in the picture: friction in
  // the plane of view.
  forceOnScreen(contact, n) {
    const dt = frameTime(this.run, this.i), normal = contact.P_N[this.i] / dt;
    const [tangential, across] = contact.P_T.map(percussion => percussion[this.i] / dt);
    const planar = across === undefined, along = contact.tangent * (planar ? tangential || 0 : 0);
    const inPlane = planar ? [0, 0] : [tangential, across];
    const force = n ? [normal * n[0] + along * n[1], normal * n[1] - along * n[0]] : inPlane;
    return {force, size: Math.hypot(force[0], force[1])};
  }
  drawForce(contact, n, x, y, colour) {
    const {force, size} = this.forceOnScreen(contact, n), seen = Math.hypot(force[0], force[1]);
    if (!(seen > 0) || !(this.typicalForce > 0)) return;
    const length = Math.min(70, 16 + 26 * Math.log10(1 + 9 * size / this.typicalForce)) * seen / size;
    const d = [force[0] / seen, -force[1] / seen];
    const tail = [x - (length + 7) * d[0], y - (length + 7) * d[1]], tip = [x - 7 * d[0], y - 7 * d[1]];
    const {context} = this;
    context.beginPath();
    context.moveTo(...tail);
    context.lineTo(...tip);
    this.stroke(colour, 2.4);
    context.beginPath();
    context.moveTo(...tip);
    context.lineTo(tip[0] - 8 * d[0] + 4.5 * d[1], tip[1] - 8 * d[1] - 4.5 * d[0]);
    context.lineTo(tip[0] - 8 * d[0] - 4.5 * d[1], tip[1] - 8 * d[1] + 4.5 * d[0]);
    context.closePath();
    this.fill(colour);
  }

  // Draws two scale bars: magnified gaps and parts.
  drawBars() {
    const bar = (y, factor, name, colour, note) => {
      const raw = 70 / (this.scale * factor), ten = 10 ** Math.floor(Math.log10(raw));
      const nice = [5, 2, 1].find(multiple => multiple * ten <= raw) * ten;
      const [unitFactor, unit] = unitFor(nice, 'm'), width = nice * this.scale * factor, {context} = this;
      context.beginPath();
      context.moveTo(14, y - 4);
      context.lineTo(14, y + 4);
      context.moveTo(14, y);
      context.lineTo(14 + width, y);
      context.moveTo(14 + width, y - 4);
      context.lineTo(14 + width, y + 4);
      this.stroke(colour, 2);
      this.words(`${+short(nice * unitFactor, 1)} ${unit} (${name}${note})`, 22 + width, y + 4);
    };
    if (this.run.moves && this.k > 0) {
      bar(this.height - 34, this.k, 'gap', ink('gap-ink'), this.k === 1 ? '' : `, magnified ${this.k}×`);
      this.words('- - -  without clearance', this.width - 14, this.height - 12, 'right');
    }
    bar(this.height - 15, 1, 'parts', ink('soft'), '');
  }

  listen() {
    const again = () => this.changed && this.changed();
    this.canvas.addEventListener('wheel', event => {
      if (!event.ctrlKey && !event.shiftKey) return;  // the page scrolls
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * 0.0015), box = this.canvas.getBoundingClientRect();
      const x = event.clientX - box.left - (this.width - this.insets) / 2, y = event.clientY - box.top - (this.height - 18) / 2;
      this.pan = [x - (x - this.pan[0]) * factor, y - (y - this.pan[1]) * factor];
      this.zoom *= factor;
      again();
    }, {passive: false});
    this.canvas.addEventListener('pointerdown', event => {
      if (event.pointerType !== 'touch') this.held = [event.clientX - this.pan[0], event.clientY - this.pan[1]];
    });
    addEventListener('pointermove', event => {
      if (!this.held) return;
      this.pan = [event.clientX - this.held[0], event.clientY - this.held[1]];
      again();
    });
    addEventListener('pointerup', () => { this.held = null; });
    this.canvas.addEventListener('dblclick', () => {
      this.pan = [0, 0];
      this.zoom = 1;
      again();
    });
  }
}
