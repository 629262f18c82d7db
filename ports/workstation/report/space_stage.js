'use strict';
// Canvas of a mechanism in space: shaded solids with hidden surfaces, hollow solids from inside, contacts, forces.
//
// The viewer is in the direction c, at azimuth and elevation about `up`. A point p has the screen coordinates right . p
// and top . p, and the depth c . p, relative to the centre of the scene.

const views = {  // azimuth and elevation, degrees
  oblique: [-60, 24], front: [-90, 0], side: [0, 0], top: [-90, 90]
};
const nearness = 4.2;  // distance of the viewer in perspective, in radii of the scene
const light = unit3([-0.45, 0.7, 0.75]);  // right, up, towards the viewer

class SpaceStage extends Stage {
  constructor(run, figure) {
    super(run, figure);
    this.raster = new Raster();
    this.meshes = new Map();  // by shape and magnification
    this.perspective = true;
    this.clouds = new Map();  // corners of all frames, by magnification
    const up = unit3(run.up), east = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1];
    this.east = unit3(along3(east, -dot3(east, up), up));
    this.north = cross3(up, this.east);
    this.up = up;
    this.canvas.tabIndex = 0;
    this.canvas.classList.add('space');
    this.canvas.setAttribute('aria-label', `Mechanism: ${run.title}. Arrow keys turn it.`);
    run.shapes.forEach((shape, index) => this.fitWalls(shape, index));
    this.addViews(figure);
    this.see('oblique');
  }
  addViews(figure) {
    const bar = element('div', {class: 'views', role: 'group', 'aria-label': 'views'});
    this.buttons = new Map();
    const add = (name, title, act) => {
      const button = element('button', {type: 'button', title}, name);
      button.onclick = () => {
        act();
        this.changed && this.changed();
      };
      this.buttons.set(name, button);
      bar.append(button);
    };
    for (const name of Object.keys(views)) add(name, `view: ${name}`, () => this.see(name));
    add('perspective', 'perspective or parallel projection', () => { this.perspective = !this.perspective; });
    figure.append(bar);
  }

  // A channel or face without a size covers the travel of its contacts.
  fitWalls(shape, index) {
    const hasSize = shape.size[0] > 0 || (shape.kind !== 'channel' && shape.kind !== 'face');
    if (hasSize) return;
    const {run} = this, samples = Math.min(run.frames, 60), contacts = run.contacts.filter(other => other.shape === index);
    const axes = shape.kind === 'channel' ? [shape.at[1]] : [shape.at[2], cross3(shape.at[1], shape.at[2])];
    for (let j = 0; j < samples; ++j) {
      const i = samples > 1 ? Math.round(j * (run.frames - 1) / (samples - 1)) : 0, map = mapInSpace(run, shape.body, i, 1);
      for (const {body, at, radius} of contacts) {
        const s = minus3(placed(mapInSpace(run, body, i, 1), at), placed(map, shape.at[0]));
        axes.forEach((axis, n) => {
          shape.size[n] = Math.max(shape.size[n], 1.1 * Math.abs(dot3(s, turned(map, axis))) + 2 * radius || 0);
        });
      }
    }
    if (shape.kind === 'face') shape.size.fill(Math.max(1e-3, ...shape.size));
  }

  // Selects a view and fits the mechanism into it.
  see(name) {
    [this.azimuth, this.elevation] = views[name].map(degrees => degrees * Math.PI / 180);
    this.fit();
  }
  fit() {
    this.pan = [0, 0];
    this.zoom = 1;
    this.fitting = null;
  }
  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + elevation));
  }

  // Returns a mesh with the points of its solid, or null.
  mesh(shape, index, k) {
    const give = shape.kind === 'face' ? giveInSpace(this.run, this.touching(index), shape, this.i || 0) : 0;
    const key = isHollow(shape) || shape.kind === 'face' ? `${index} ${k} ${shape.play < 0 ? this.i : ''}` : `${index}`;
    if (!this.meshes.has(key)) {
      if (this.meshes.size > 500) this.meshes.clear();
      this.meshes.set(key, meshOf(shape, k, give));
    }
    return this.meshes.get(key);
  }
  touching(index) { return this.run.contacts.find(contact => contact.shape === index); }

  // Returns the corners of the scene over all frames, relative to the followed body.
  cloud(k) {
    if (this.clouds.has(k)) return this.clouds.get(k);
    const {run} = this, points = [], samples = Math.min(run.frames, 60);
    for (let j = 0; j < samples; ++j) {
      const i = samples > 1 ? Math.round(j * (run.frames - 1) / (samples - 1)) : 0, origin = this.followed(i);
      run.shapes.forEach((shape, index) => {
        if (shape.kind === 'text' || (shape.body < 0 && (run.follow >= 0 || j > 0))) return;
        const map = mapInSpace(run, shape.body, i, k), mesh = this.mesh(shape, index, k);
        const all = mesh ? mesh.points : shape.kind === 'spring' ? shape.at.slice(0, 1) : shape.at;
        const every = Math.max(1, Math.floor(all.length / 60));
        for (let n = 0; n < all.length; n += every) {
          const p = minus3(placed(map, all[n]), origin);
          if (p.every(Number.isFinite)) points.push(p);
        }
      });
    }
    if (!points.length) points.push([-1, -1, -1], [1, 1, 1]);
    const ends = [0, 1, 2].map(n => {
      let low = Infinity, high = -Infinity;
      for (const p of points) low = Math.min(low, p[n]), high = Math.max(high, p[n]);
      return [low, high];
    });
    const centre = ends.map(([low, high]) => (low + high) / 2);
    let radius = 1e-9;
    for (const p of points) radius = Math.max(radius, Math.hypot(...minus3(p, centre)));
    const cloud = {points, centre, radius};
    this.clouds.set(k, cloud);
    return cloud;
  }
  // Sets the directions of the viewer.
  aim() {
    const [sinA, cosA] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
    const [sinE, cosE] = [Math.sin(this.elevation), Math.cos(this.elevation)];
    const level = along3(this.east.map(x => cosA * x), sinA, this.north);
    this.c = along3(level.map(x => cosE * x), sinE, this.up);
    this.right = along3(this.east.map(x => -sinA * x), cosA, this.north);
    this.top = cross3(this.c, this.right);
  }
  // Returns screen coordinates and depth of a point relative to the centre, in m.
  seen(q) {
    const x = dot3(this.right, q), y = dot3(this.top, q), z = dot3(this.c, q);
    if (!this.perspective) return [x, y, z];
    const distance = nearness * this.radius, near = distance / Math.max(0.05 * distance, distance - z);
    return [x * near, y * near, distance * near];
  }
  // Returns the bounding box of all frames on the screen.
  box(k) {
    const {points, centre, radius} = this.cloud(k), box = [Infinity, Infinity, -Infinity, -Infinity];
    this.radius = radius;
    this.aim();
    for (const p of points) {
      const [x, y] = this.seen(minus3(p, centre));
      box[0] = Math.min(box[0], x), box[1] = Math.min(box[1], y), box[2] = Math.max(box[2], x), box[3] = Math.max(box[3], y);
    }
    return box;
  }
  // The scale grows only when the view is fitted, and shrinks when the mechanism turns out of the picture.
  look(k) {
    const {centre} = this.cloud(k), box = this.box(k), {side, top, foot} = margins;
    const scale = Math.min((this.width - 2 * side) / Math.max(1e-9, box[2] - box[0]),
      (this.height - top - foot) / Math.max(1e-9, box[3] - box[1]));
    const size = `${this.width} ${this.height} ${k} ${this.perspective}`;
    if (!this.fitting || this.fitting.size !== size)
      this.fitting = {size, scale};
    const fits = this.fitting;
    if (scale < fits.scale) fits.scale = scale;
    fits.middle = [0, 1].map(n => (box[n] + box[n + 2]) / 2);
    this.scale = this.zoom * fits.scale;
    this.centre = centre;
  }
  followed(i) {
    const {follow, bodies} = this.run;
    if (!(follow >= 0)) return [0, 0, 0];
    return [0, 1, 2].map(n => bodies[follow].nominal[n][i]).map(x => Number.isFinite(x) ? x : 0);
  }
  // Returns the pixel of a point and its depth.
  px(p) {
    const [x, y, z] = this.seen(minus3(minus3(p, this.origin), this.centre)), {middle} = this.fitting;
    return [this.width / 2 + this.pan[0] + (x - middle[0]) * this.scale,
      (this.height - 18) / 2 + this.pan[1] - (y - middle[1]) * this.scale, z];
  }
  fine() { return Math.min(2, this.ratio); }  // pixels of the surfaces per pixel of the page

  draw(i, k) {
    this.i = i;
    this.k = k;
    this.resize(k);
    this.look(k);
    this.origin = this.followed(i);
    this.buttons.get('perspective').textContent = this.perspective ? 'perspective' : 'parallel';
    const context = this.context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.run.frames === 0 || this.run.shapes.length === 0) return;
    const solids = this.project(k);
    this.paint(solids);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.lineJoin = context.lineCap = 'round';
    for (const solid of solids) this.drawEdges(solid);
    this.run.shapes.forEach(shape => this.drawThread(shape));
    if (this.run.moves && k > 0) this.drawOutline();
    for (const shape of this.run.shapes) if (shape.kind === 'text') this.drawText(shape);
    for (const closed of [0, 1])
      this.run.contacts.forEach((contact, index) => (contact.mode[i] & 1) === closed && this.drawContact(contact, index));
    this.drawBars();
    this.drawAxes();
  }

  // Returns the surfaces at magnification k with pixels and shades of their points, and their visible faces.
  project(k) {
    const all = [];
    this.run.shapes.forEach((shape, index) => {
      const mesh = this.mesh(shape, index, k);
      if (!mesh) return;
      const map = mapInSpace(this.run, shape.body, this.i, k), points = mesh.points.map(p => placed(map, p));
      if (!points.every(p => Number.isFinite(p[0] + p[1] + p[2]))) return;
      const at = points.map(p => this.px(p)), normals = points.map(() => [0, 0, 0]), facing = [];
      const faceNormals = mesh.faces.map(({at: corners, smooth}, f) => {
        const [a, b, c] = [corners[0], corners[1], corners[2]];
        const n = unit3(cross3(minus3(points[b], points[a]), minus3(points[c], points[a])));
        facing[f] = (at[b][0] - at[a][0]) * (at[c][1] - at[a][1]) - (at[c][0] - at[a][0]) * (at[b][1] - at[a][1]) < 0;
        if (smooth) for (const corner of corners) normals[corner] = along3(normals[corner], 1, n);
        return n;
      });
      all.push({shape, mesh, at, facing, shade: {point: normals.map(n => this.shadeOf(unit3(n))), face: faceNormals.map(n => this.shadeOf(n))}});
    });
    return all;
  }
  shadeOf(n) {
    const seen = [dot3(this.right, n), dot3(this.top, n), dot3(this.c, n)];
    return 0.5 + 0.5 * dot3(light, seen);
  }
  toneOf(shape) {
    if (isHollow(shape)) return ink('gap');
    const tone = shape.tone >= 0 ? shape.tone : shape.body;
    return tone < 0 ? ink('edge') : ink('body-' + tone % 2);
  }
  // Fills the visible faces: first opaque solids, then hollow ones.
  paint(solids) {
    const fine = this.fine(), {raster} = this, colours = new Map();
    raster.clear(Math.round(this.width * fine), Math.round(this.height * fine));
    for (const hollow of [false, true])
      for (const {shape, mesh, at, facing, shade} of solids) {
        if (isHollow(shape) !== hollow) continue;
        const tone = this.toneOf(shape);
        if (!colours.has(tone)) colours.set(tone, shadesOf(tone));
        mesh.faces.forEach(({at: corners, smooth}, f) => {
          if (!facing[f]) return;
          const [a, ...rest] = corners.map(j => [at[j][0] * fine, at[j][1] * fine, at[j][2], smooth ? shade.point[j] : shade.face[f]]);
          for (let j = 1; j < rest.length; ++j) raster.triangle(a, rest[j - 1], rest[j], colours.get(tone), hollow ? 0.6 : 1);
        });
      }
    const {context} = this;
    context.save();
    context.scale(this.ratio / fine, this.ratio / fine);
    raster.sheet.getContext('2d').putImageData(raster.image, 0, 0);
    context.drawImage(raster.sheet, 0, 0);
    context.restore();
  }

  // Returns the edges of a surface that are drawn: borders, creases and silhouettes.
  drawn({mesh, facing}) {
    return mesh.edges.filter(({faces: [f, g]}) => g === undefined || facing[f] !== facing[g] ||
      (facing[f] && !(mesh.faces[f].smooth && mesh.faces[g].smooth)));
  }
  drawEdges(solid) {
    this.context.beginPath();
    for (const {a, b} of this.drawn(solid)) this.addVisible(solid.at[a], solid.at[b]);
    this.stroke(ink(solid.shape.body < 0 || isHollow(solid.shape) ? 'wall' : 'outline'), 1.1);
  }
  // Adds the visible parts of a line between two pixels to the path.
  addVisible(a, b) {
    const {context, raster} = this, fine = this.fine();
    const slack = this.depthSlack(), count = Math.max(1, Math.min(200, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / 3)));
    let down = false;
    for (let j = 0; j <= count; ++j) {
      const p = [0, 1, 2].map(n => a[n] + (b[n] - a[n]) * j / count);
      if (!raster.shows(p[0] * fine, p[1] * fine, p[2] + slack)) {
        down = false;
        continue;
      }
      if (down) context.lineTo(p[0], p[1]);
      else context.moveTo(p[0], p[1]);
      down = true;
    }
  }
  depthSlack() { return 0.004 * this.radius; }

  // Draws lines and springs.
  drawThread(shape) {
    if (shape.kind !== 'line' && shape.kind !== 'spring') return;
    const map = mapInSpace(this.run, shape.body, this.i, this.k), from = placed(map, shape.at[0]);
    const points = shape.kind === 'line' ? shape.at.map(p => placed(map, p)) :
      helix(from, placed(mapInSpace(this.run, shape.other, this.i, this.k), shape.at[1]), 0.022 * this.radius);
    const at = points.map(p => this.px(p)), onGround = shape.kind === 'line' && shape.body < 0;
    this.context.beginPath();
    for (let j = 1; j < at.length; ++j) this.addVisible(at[j - 1], at[j]);
    this.stroke(ink(onGround ? 'hatch' : 'outline'), onGround ? 1 : 1.3, onGround ? [14, 4, 3, 4] : []);
  }
  // Draws the bodies without clearance.
  drawOutline() {
    this.context.beginPath();
    for (const solid of this.project(0)) {
      if (solid.shape.body < 0 || isHollow(solid.shape) || solid.shape.kind === 'face') continue;
      for (const {a, b} of this.drawn(solid)) {
        this.context.moveTo(solid.at[a][0], solid.at[a][1]);
        this.context.lineTo(solid.at[b][0], solid.at[b][1]);
      }
    }
    this.context.globalAlpha = 0.7;
    this.stroke(ink('soft'), 0.9, [4, 3]);
    this.context.globalAlpha = 1;
  }
  drawText(shape) {
    const [x, y] = this.px(placed(mapInSpace(this.run, shape.body, this.i, this.k), shape.at[0]));
    this.words(shape.words, x, y, 'center');
  }

  // A contact behind a surface is pale.
  drawContact(contact, index) {
    const {i, context} = this, where = touchInSpace(this.run, contact, i, this.k);
    if (!where || !where.p.every(Number.isFinite)) return;
    const [x, y, z] = this.px(where.p), isClosed = contact.mode[i] & 1, colour = contactColour(index), fine = this.fine();
    const isHidden = !this.raster.shows(x * fine, y * fine, z + 3 * this.depthSlack());
    this.drawImpact(contact, x, y);
    if (isClosed) this.drawForce(contact, where.n, x, y, colour);
    if (this.run.contacts.length > 12 && !isClosed) return;
    if (isHidden) context.globalAlpha = 0.55;
    context.beginPath();
    context.arc(x, y, isClosed ? 4.5 : 3.2, 0, 2 * Math.PI);
    this.fill(isClosed ? ink('now') : ink('card'));
    this.stroke(isClosed ? ink('now') : colour, 1.8);
    context.globalAlpha = 1;
  }
  // Returns the contact force on the screen, right and up, and its size in space, N.
  forceOnScreen(contact, n) {
    const dt = frameTime(this.run, this.i), normal = n ? contact.P_N[this.i] / dt : 0;
    const friction = contact.P_T.length === 3 ? contact.P_T.map(percussion => percussion[this.i] / dt) : [0, 0, 0];
    const force = along3(friction, normal, n || [0, 0, 0]);
    return {force: [dot3(this.right, force), dot3(this.top, force)], size: Math.hypot(...force)};
  }
  // Draws the axes of the world.
  drawAxes() {
    const {context} = this, x = 40, y = this.width < 500 ? 64 : 40, length = 24;
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, n) => ({n, depth: dot3(this.c, axis), to: [x + length * dot3(this.right, axis), y - length * dot3(this.top, axis)]}))
      .sort((a, b) => a.depth - b.depth).forEach(({n, to}) => {
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(...to);
        this.stroke(ink(['c-1', 'c-2', 'c-0'][n]), 1.8);
        const away = [to[0] - x, to[1] - y], size = Math.hypot(...away) || 1;
        if (size > 5) this.words('xyz'[n], to[0] + 8 * away[0] / size, to[1] + 4 + 8 * away[1] / size, 'center');
      });
  }

  // One finger or the mouse turns; two fingers, the middle button or shift move, two fingers also zoom.
  listen() {
    const again = () => this.changed && this.changed(), {canvas} = this;
    this.touches = new Map();
    const zoomAt = (x, y, factor) => {
      const from = [x - this.width / 2, y - (this.height - 18) / 2];
      this.pan = this.pan.map((p, n) => from[n] - (from[n] - p) * factor);
      this.zoom *= factor;
    };
    const inside = event => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener('wheel', event => {
      if (!event.ctrlKey && !event.shiftKey) return;  // the page scrolls
      event.preventDefault();
      zoomAt(...inside(event), Math.exp(-event.deltaY * 0.0015));
      again();
    }, {passive: false});
    canvas.addEventListener('pointerdown', event => {
      if (event.button === 1) event.preventDefault();
      this.touches.set(event.pointerId, inside(event));
      this.held = event.shiftKey || event.button > 0 ? 'move' : 'turn';
    });
    addEventListener('pointermove', event => {
      const before = this.touches.get(event.pointerId);
      if (!before) return;
      const now = inside(event), way = [now[0] - before[0], now[1] - before[1]];
      const others = [...this.touches].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      if (others.length) {
        const apart = at => Math.hypot(at[0] - others[0][0], at[1] - others[0][1]) || 1;
        this.pan = this.pan.map((p, n) => p + way[n] / 2);
        zoomAt((now[0] + others[0][0]) / 2, (now[1] + others[0][1]) / 2, apart(now) / apart(before));
      } else if (this.held === 'move') {
        this.pan = this.pan.map((p, n) => p + way[n]);
      } else {
        this.turn(-0.008 * way[0], 0.008 * way[1]);
      }
      this.touches.set(event.pointerId, now);
      again();
    });
    const release = event => {
      this.touches.delete(event.pointerId);
      if (!this.touches.size) this.held = null;
    };
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('dblclick', () => {
      this.fit();
      again();
    });
    canvas.addEventListener('keydown', event => {
      const by = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      const step = (event.shiftKey ? 15 : 5) * Math.PI / 180;
      this.turn(-step * by[0], -step * by[1]);
      again();
    });
  }
}
