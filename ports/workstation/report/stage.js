'use strict';
// The mechanism on a canvas: bodies, joints with their play, contacts and what they carry, the outline without play.

const palette = 8;
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
    this.ways = run.shapes.map(shape => shape.kind === 'guide' ? this.wayOf(shape) : null);
    this.teeth = this.teethOf();
    this.loads = run.contacts.map(c => largest(c.P_N.filter((_, i) => c.mode[i] & 1 && i - c.began[i] > 2)));
    this.usual = Math.max(0, ...this.loads.map(p => p / (frameTime(run, 1) || 1)));  // N
    this.pan = [0, 0], this.zoom = 1, this.fitted = new Map();
    this.listen();
  }

  // Gears that mesh have teeth of one size, and a tooth of one looks into a gap of the other.
  teethOf() {
    const teeth = new Map();
    if (!this.run.frames) return teeth;
    for (const mesh of this.run.shapes.filter(s => s.kind === 'mesh')) {
      const {e} = meshPlace(this.run, mesh, 0), angle = Math.atan2(e[1], e[0]), [rA, rB] = mesh.numbers.map(Math.abs);
      const size = 2 * Math.PI * Math.min(rA, rB) / 16;
      const turned = body => body < 0 ? 0 : this.run.bodies[body].nominal[2][0];
      const count = r => Math.max(6, Math.round(2 * Math.PI * r / size));
      teeth.set(mesh.body, {count: count(rA), from: angle - turned(mesh.body)});
      teeth.set(mesh.other, {count: count(rB), from: angle + Math.PI + Math.PI / count(rB) - turned(mesh.other)});
    }
    return teeth;
  }

  // Which part of a guide's line its slider uses, with the slider's own length: from, to.
  wayOf(shape) {
    if (shape.numbers[0] > 0) return [-shape.numbers[0], shape.numbers[0]];
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < this.run.frames; ++i) {
      const m = place(similarity(this.run, shape.body, i, 1), shape.at[0], 1), along = direction(similarity(this.run, shape.body, i, 1), shape.at[1]);
      const p = place(similarity(this.run, shape.other, i, 1), shape.at[2], 1);
      const x = (p[0] - m[0]) * along[0] + (p[1] - m[1]) * along[1];
      if (Number.isFinite(x)) least = Math.min(least, x), most = Math.max(most, x);
    }
    const room = 1.4 * shape.numbers[1] + 0.02 * (most - least);
    return least <= most ? [least - room, most + room] : [-room, room];
  }

  // All that ever shows at this magnification.
  box(k) {
    if (this.fitted.has(k)) return this.fitted.get(k);
    const run = this.run, box = [Infinity, Infinity, -Infinity, -Infinity];
    let away = [0, 0];
    const cover = ([x, y], r = 0) => {
      const p = [x - away[0], y - away[1]];
      if (!Number.isFinite(p[0] + p[1])) return;
      box[0] = Math.min(box[0], p[0] - r), box[1] = Math.min(box[1], p[1] - r);
      box[2] = Math.max(box[2], p[0] + r), box[3] = Math.max(box[3], p[1] + r);
    };
    const samples = Math.min(run.frames, Math.max(2, Math.ceil(20000 / (run.shapes.length + 1))), 120);
    for (let j = 0; j < samples; ++j) {
      const i = samples > 1 ? Math.round(j * (run.frames - 1) / (samples - 1)) : 0;
      away = this.followed(i);
      run.shapes.forEach((shape, index) => {
        if (shape.body < 0 && run.follow >= 0) return;  // it goes by
        const s = similarity(run, shape.body, i, k), r = shape.radius + (shape.play > 0 ? k * shape.play : 0);
        if (shape.kind === 'guide') {
          for (const side of [1, -1]) for (const p of this.wallEnds(shape, index, side, i, k).slice(0, 2)) cover(p);
        } else if (shape.kind !== 'text') {
          const points = shape.kind === 'spring' || shape.kind === 'mesh' ? shape.at.slice(0, 1) : shape.at;
          for (const p of points) cover(place(s, p, k), shape.kind === 'support' ? 1.4 * shape.radius : r);
        }
      });
    }
    if (!(box[0] <= box[2])) box.splice(0, 4, -1, -1, 1, 1);
    this.fitted.set(k, box);
    return box;
  }

  resize() {
    const {canvas} = this, ratio = devicePixelRatio || 1;
    this.width = canvas.clientWidth || 800, this.height = canvas.clientHeight || 400;
    if (canvas.width !== Math.round(this.width * ratio) || canvas.height !== Math.round(this.height * ratio))
      canvas.width = Math.round(this.width * ratio), canvas.height = Math.round(this.height * ratio);
    this.ratio = ratio;
  }

  look(k) {
    const box = this.box(k), room = 34, foot = 40;
    const w = Math.max(1e-9, box[2] - box[0]), h = Math.max(1e-9, box[3] - box[1]);
    this.scale = Math.min((this.width - 2 * room) / w, (this.height - room - foot) / h) * this.zoom;
    this.centre = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  }
  px(p) {
    return [this.width / 2 + this.pan[0] + (p[0] - this.away[0] - this.centre[0]) * this.scale,
      (this.height - 18) / 2 + this.pan[1] - (p[1] - this.away[1] - this.centre[1]) * this.scale];
  }
  // Where the body is, without play, that the view goes with.
  followed(i) {
    const {follow, bodies} = this.run;
    return follow >= 0 ? [bodies[follow].nominal[0][i], bodies[follow].nominal[1][i]].map(x => Number.isFinite(x) ? x : 0) : [0, 0];
  }

  draw(i, k) {
    this.resize(), this.look(k), this.i = i, this.k = k, this.away = this.followed(i);
    const c = this.c = this.canvas.getContext('2d');
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    c.lineJoin = c.lineCap = 'round';
    if (this.run.frames === 0 || this.run.shapes.length === 0) return;
    const each = (kinds, f) => this.run.shapes.forEach((s, index) => kinds.includes(s.kind) && f.call(this, s, index));
    each(['guide', 'slot', 'face'], this.drawRoom);
    each(['guide', 'face'], this.drawWalls);
    each(['line'], this.drawLine);
    each(['support'], this.drawSupport);
    each(['bearing', 'slot'], this.drawBearing);
    each(['capsule', 'polygon', 'disk', 'gear'], s => this.drawBody(s, this.k, false));
    each(['spring'], this.drawSpring);
    if (this.run.moves && k > 0) each(['capsule', 'polygon', 'disk'], s => s.body >= 0 && this.drawBody(s, 0, true));
    each(['pin'], this.drawPin);
    each(['mesh'], this.drawMesh);
    each(['text'], this.drawText);
    for (const closed of [0, 1])
      this.run.contacts.forEach((contact, index) => (contact.mode[i] & 1) === closed && this.drawContact(contact, index));
    this.drawBars();
  }

  path(points, closed) {
    this.c.beginPath();
    points.forEach((p, j) => this.c[j ? 'lineTo' : 'moveTo'](...this.px(p)));
    if (closed) this.c.closePath();
  }
  stroke(colour, width = 1.4, dash = []) {
    this.c.strokeStyle = colour, this.c.lineWidth = width, this.c.setLineDash(dash);
    this.c.stroke();
    this.c.setLineDash([]);
  }
  fill(colour) {
    this.c.fillStyle = colour;
    this.c.fill();
  }
  sim(body, k = this.k) { return similarity(this.run, body, this.i, k); }
  at(shape, index = 0, k = this.k) { return place(this.sim(shape.body, k), shape.at[index], k); }

  drawBody(shape, k, outline) {
    const {c} = this, s = this.sim(shape.body, shape.kind === 'gear' ? 1 : k), p = shape.at.map(q => place(s, q, k));
    const size = Math.hypot(s.a, s.b) * shape.radius * this.scale;
    c.beginPath();
    if (shape.kind === 'polygon') {
      this.path(p, true);
    } else if (shape.kind === 'capsule') {
      const [a, b] = p.map(q => this.px(q)), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
      c.arc(a[0], a[1], size, angle + Math.PI / 2, angle - Math.PI / 2);
      c.arc(b[0], b[1], size, angle - Math.PI / 2, angle + Math.PI / 2);
      c.closePath();
    } else if (shape.kind === 'gear') {
      this.gearPath(p[0], Math.atan2(s.b, s.a), shape.radius, this.teeth.get(shape.body) || {count: 24, from: 0});
    } else {
      c.arc(...this.px(p[0]), Math.max(0, size), 0, 2 * Math.PI);
    }
    if (outline) return this.stroke(ink('soft'), 1, [4, 3]);
    const tone = shape.numbers.length ? shape.numbers[0] : shape.body;
    this.fill(tone < 0 ? ink('grid') : ink('body-' + tone % 2));
    this.stroke(ink('outline'), shape.radius * this.scale < 3 && shape.kind === 'disk' ? 0.6 : 1.4);
    if (shape.kind === 'disk' && size > 3 && shape.at[0][0] === 0 && shape.at[0][1] === 0 && this.run.bodies.length > 20)
      this.path([p[0], place(s, [shape.radius, 0], k)]), this.stroke(ink('outline'), 0.8);  // one sees it turn
  }

  gearPath(centre, phi, radius, {count, from}) {
    const high = 2.6 * radius / count, points = [];
    for (let j = 0; j < count; ++j)
      for (const [part, r] of [[-0.3, -high], [-0.17, high], [0.17, high], [0.3, -high]]) {
        const angle = phi + from + (j + part) * 2 * Math.PI / count;
        points.push([centre[0] + (radius + r) * Math.cos(angle), centre[1] + (radius + r) * Math.sin(angle)]);
      }
    this.path(points, true);
  }

  // The room that play gives, as a band along walls.
  drawRoom(shape, index) {
    if (!(shape.play > 0)) return;
    const band = (from, to, n, wide) => {
      this.path([from, to, [to[0] + wide * n[0], to[1] + wide * n[1]], [from[0] + wide * n[0], from[1] + wide * n[1]]], true);
      this.fill(ink('gap'));
    };
    if (shape.kind === 'slot') return;
    for (const side of shape.kind === 'guide' ? [1, -1] : [0]) {
      const [from, to, n] = this.wallEnds(shape, index, side, this.i, this.k);
      band(from, to, n, this.k * shape.play);
    }
  }
  wallEnds(shape, index, side, i, k) {
    const contact = this.run.contacts.find(c => c.shape === index);
    const wall = wallOf(this.run, shape, side, i, k, shape.kind === 'face' ? giveOf(this.run, contact, shape, i) : 0);
    const {p, n, along} = wall;
    const [low, high] = shape.kind === 'guide' ? this.ways[index] : [0, Math.hypot(shape.at[1][0] - shape.at[0][0], shape.at[1][1] - shape.at[0][1])];
    return [[p[0] + low * along[0], p[1] + low * along[1]], [p[0] + high * along[0], p[1] + high * along[1]], n];
  }
  drawWalls(shape, index) {
    for (const side of shape.kind === 'guide' ? [1, -1] : [0]) {
      const [from, to, n] = this.wallEnds(shape, index, side, this.i, this.k);
      const a = this.px(from), b = this.px(to), length = Math.hypot(b[0] - a[0], b[1] - a[1]), steps = Math.min(300, Math.floor(length / 9));
      this.c.beginPath();
      for (let j = 0; j <= steps; ++j) {
        const x = a[0] + (b[0] - a[0]) * j / steps, y = a[1] + (b[1] - a[1]) * j / steps;
        this.c.moveTo(x, y);
        this.c.lineTo(x - 8 * n[0] - 4 * n[1], y + 8 * n[1] - 4 * n[0]);
      }
      this.stroke(ink('hatch'), 1);
      this.path([from, to]);
      this.stroke(ink('wall'), 3);
    }
    if (shape.kind !== 'guide') return;
    const [from] = this.wallEnds(shape, index, 1, this.i, this.k), [other] = this.wallEnds(shape, index, -1, this.i, this.k);
    const to = this.wallEnds(shape, index, 1, this.i, this.k)[1], low = this.wallEnds(shape, index, -1, this.i, this.k)[1];
    this.path([[(from[0] + other[0]) / 2, (from[1] + other[1]) / 2], [(to[0] + low[0]) / 2, (to[1] + low[1]) / 2]]);
    this.stroke(ink('hatch'), 1, [14, 4, 3, 4]);
  }

  drawLine(shape) {
    this.path(shape.at.map((_, j) => this.at(shape, j)));
    this.stroke(shape.body < 0 ? ink('hatch') : ink('outline'), shape.body < 0 ? 1 : 1.6, shape.body < 0 ? [14, 4, 3, 4] : []);
  }
  drawSupport(shape) {
    const [x, y] = this.px(this.at(shape)), h = Math.max(10, Math.min(34, shape.radius * this.scale)), {c} = this;
    c.beginPath();
    c.moveTo(x, y), c.lineTo(x - 0.62 * h, y + h), c.lineTo(x + 0.62 * h, y + h), c.closePath();
    this.fill(ink('card'));
    this.stroke(ink('wall'), 1.4);
    c.beginPath();
    for (let j = -0.6; j <= 0.61; j += 0.3) c.moveTo(x + (j + 0.1) * h, y + h), c.lineTo(x + (j - 0.2) * h, y + 1.3 * h);
    this.stroke(ink('hatch'), 1);
  }
  drawBearing(shape) {
    const r = (shape.radius + this.k * shape.play) * this.scale, a = this.px(this.at(shape)), {c} = this;
    c.beginPath();
    if (shape.kind === 'slot') {
      const b = this.px(this.at(shape, 1)), angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
      c.arc(a[0], a[1], r, angle + Math.PI / 2, angle - Math.PI / 2);
      c.arc(b[0], b[1], r, angle - Math.PI / 2, angle + Math.PI / 2);
      c.closePath();
    } else {
      c.arc(a[0], a[1], r, 0, 2 * Math.PI);
    }
    this.fill(ink('gap'));
    this.stroke(ink('wall'), 2.4);
  }
  drawPin(shape) {
    const r = Math.max(2.5, shape.radius * this.scale), at = this.px(this.at(shape));
    const bearing = this.run.shapes.find(s => (s.kind === 'bearing' || s.kind === 'slot') && s.radius === shape.radius &&
      this.run.contacts.some(c => this.run.shapes[c.shape] === s && c.body === shape.body && c.at[0] === shape.at[0][0] && c.at[1] === shape.at[0][1]));
    if (bearing) {  // seen through both parts
      this.c.globalAlpha = 0.55, this.drawBearing(bearing), this.c.globalAlpha = 1;
    }
    this.c.beginPath();
    this.c.arc(at[0], at[1], r, 0, 2 * Math.PI);
    this.fill(bearing ? ink('body-1') : ink('card'));
    this.stroke(ink('outline'), 1.4);
  }
  drawSpring(shape) {
    const a = this.px(this.at(shape)), b = this.px(place(this.sim(shape.other), shape.at[1], this.k));
    const d = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(d[0], d[1]) || 1, n = [-d[1] / length, d[0] / length], coils = 9;
    this.c.beginPath();
    this.c.moveTo(...a);
    for (let j = 0; j <= 2 * coils; ++j) {
      const along = 0.12 + 0.76 * j / (2 * coils), off = j === 0 || j === 2 * coils ? 0 : j % 2 ? 7 : -7;
      this.c.lineTo(a[0] + along * d[0] + off * n[0], a[1] + along * d[1] + off * n[1]);
    }
    this.c.lineTo(...b);
    this.stroke(ink('outline'), 1.3);
  }
  // A tooth of B between two flanks of A, about where the pitch circles meet: k times as far apart as they are.
  drawMesh(shape) {
    const {p, t, e} = meshPlace(this.run, shape, this.i), thick = 9 / this.scale, high = 20 / this.scale;
    const bar = (x, half, from, to, colour) => {
      const corner = (u, v) => [p[0] + u * t[0] + v * e[0], p[1] + u * t[1] + v * e[1]];
      this.path([corner(x - half, from), corner(x + half, from), corner(x + half, to), corner(x - half, to)], true);
      this.fill(colour), this.stroke(ink('outline'), 1.2);
    };
    const free = this.k * shape.play, room = thick + free;
    this.path([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => [p[0] + u * (room + 2 * thick) * t[0] + 1.25 * v * high * e[0], p[1] + u * (room + 2 * thick) * t[1] + 1.25 * v * high * e[1]]), true);
    this.fill(ink('card')), this.stroke(ink('edge'), 1);
    bar(0, room, -0.8 * high, 0.8 * high, ink('gap'));
    for (const side of [1, -1]) bar(side * (room + 0.5 * thick), 0.5 * thick, -high, 0.5 * high, ink('body-0'));
    bar(this.k * lead(this.run, shape, this.i), thick, -0.5 * high, high, ink('body-1'));
  }
  drawText(shape) {
    this.words(shape.words, ...this.px(this.at(shape)), 'center');
  }
  words(text, x, y, align = 'left') {
    this.c.font = '12px system-ui, "DejaVu Sans", sans-serif', this.c.textAlign = align, this.c.fillStyle = ink('soft');
    this.c.strokeStyle = ink('card'), this.c.lineWidth = 3, this.c.strokeText(text, x, y);  // what is behind stays off
    this.c.fillText(text, x, y);
  }

  drawContact(contact, index) {
    const {i, c} = this, where = contactPlace(this.run, contact, i, this.k);
    if (!where || !Number.isFinite(where.p[0] + where.p[1])) return;
    const [x, y] = this.px(where.p), isClosed = contact.mode[i] & 1, colour = contactColour(index);
    this.drawImpact(contact, x, y);
    const crowded = this.run.contacts.length > 12;
    if (isClosed) this.drawForce(contact, where.n, x, y, colour);
    if (crowded && !isClosed) return;
    c.beginPath();
    c.arc(x, y, isClosed ? 4.5 : 3.2, 0, 2 * Math.PI);
    this.fill(isClosed ? ink('now') : ink('card'));
    this.stroke(isClosed ? ink('now') : colour, 1.8);
  }
  // A star where the contact has closed just now: for a fiftieth of what the plots show.
  drawImpact(contact, x, y) {
    const began = contact.began[this.i];
    if (began < 0 || !this.shown) return;
    const age = (this.run.t[this.i] - this.run.t[began]) / (0.02 * (this.shown[1] - this.shown[0]) || 1);
    if (age > 1) return;
    const {c} = this;
    c.globalAlpha = 1 - 0.8 * age;
    c.beginPath();
    c.arc(x, y, 11, 0, 2 * Math.PI);
    for (let j = 0; j < 8; ++j) {
      const a = j * Math.PI / 4;
      c.moveTo(x + 14 * Math.cos(a), y + 14 * Math.sin(a)), c.lineTo(x + 22 * Math.cos(a), y + 22 * Math.sin(a));
    }
    this.stroke(ink('now'), 2);
    c.globalAlpha = 1;
  }
  // Without a normal that is in the picture: friction in the plane that is looked at.
  drawForce(contact, n, x, y, colour) {
    const dt = frameTime(this.run, this.i), N = contact.P_N[this.i] / dt, [T, across] = contact.P_T.map(p => p[this.i] / dt);
    const along = contact.tangent * (across === undefined ? T || 0 : 0);
    const f = n ? [N * n[0] + along * n[1], N * n[1] - along * n[0]] : across === undefined ? [0, 0] : [T, across];
    const size = Math.hypot(f[0], f[1]);
    if (!(size > 0) || !(this.usual > 0)) return;
    const length = Math.min(70, 16 + 26 * Math.log10(1 + 9 * size / this.usual)), d = [f[0] / size, -f[1] / size];
    const {c} = this, tail = [x - (length + 7) * d[0], y - (length + 7) * d[1]], tip = [x - 7 * d[0], y - 7 * d[1]];
    c.beginPath();
    c.moveTo(...tail), c.lineTo(...tip);
    this.stroke(colour, 2.4);
    c.beginPath();
    c.moveTo(...tip), c.lineTo(tip[0] - 8 * d[0] + 4.5 * d[1], tip[1] - 8 * d[1] - 4.5 * d[0]);
    c.lineTo(tip[0] - 8 * d[0] - 4.5 * d[1], tip[1] - 8 * d[1] + 4.5 * d[0]), c.closePath();
    this.fill(colour);
  }

  // Two scales: of what is magnified, and of the parts.
  drawBars() {
    const bar = (y, factor, words, colour, extra) => {
      const raw = 70 / (this.scale * factor), ten = 10 ** Math.floor(Math.log10(raw)), nice = [5, 2, 1].find(m => m * ten <= raw) * ten;
      const [f, unit] = unitFor(nice, 'm'), wide = nice * this.scale * factor, {c} = this;
      c.beginPath();
      c.moveTo(14, y - 4), c.lineTo(14, y + 4), c.moveTo(14, y), c.lineTo(14 + wide, y), c.moveTo(14 + wide, y - 4), c.lineTo(14 + wide, y + 4);
      this.stroke(colour, 2);
      this.words(short(nice * f, 1).replace(/\.0$/, '') * 1 + ' ' + unit + ' of ' + words + extra, 22 + wide, y + 4);
    };
    if (this.run.moves && this.k > 0) {
      bar(this.height - 34, this.k, 'gap', ink('gap-ink'), this.k === 1 ? '' : `  (drawn ${this.k}×)`);
      this.words('- - -  without play', this.width - 14, this.height - 12, 'right');
    }
    bar(this.height - 15, 1, 'parts', ink('soft'), '');
  }

  listen() {
    const again = () => this.changed && this.changed();
    this.canvas.addEventListener('wheel', e => {
      if (!e.ctrlKey && !e.shiftKey) return;  // the page scrolls
      e.preventDefault();
      const factor = Math.exp(-e.deltaY * 0.0015), box = this.canvas.getBoundingClientRect();
      const x = e.clientX - box.left - this.width / 2, y = e.clientY - box.top - (this.height - 18) / 2;
      this.pan = [x - (x - this.pan[0]) * factor, y - (y - this.pan[1]) * factor];
      this.zoom *= factor;
      again();
    }, {passive: false});
    this.canvas.addEventListener('pointerdown', e => { if (e.pointerType !== 'touch') this.held = [e.clientX - this.pan[0], e.clientY - this.pan[1]]; });
    addEventListener('pointermove', e => { if (this.held) this.pan = [e.clientX - this.held[0], e.clientY - this.held[1]], again(); });
    addEventListener('pointerup', () => { this.held = null; });
    this.canvas.addEventListener('dblclick', () => { this.pan = [0, 0], this.zoom = 1, again(); });
  }
}
