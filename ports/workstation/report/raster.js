'use strict';
// Hidden surfaces: triangles with a depth per pixel. A larger depth is nearer; depth and shade are linear on the screen.

const shades = 64;

// Returns the colours of a surface from dark to bright, as pixels.
function shadesOf(hex) {
  const rgb = [1, 3, 5].map(j => parseInt(hex.slice(j, j + 2), 16));
  return Uint32Array.from({length: shades}, (_, j) => {
    const bright = 0.62 + 0.46 * j / (shades - 1);
    const [r, g, b] = rgb.map(value => Math.min(255, Math.round(value * bright)));
    return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
  });
}
// Returns a mixture of two pixels.
function mixed(under, over, share) {
  if (under >>> 24 === 0) return (over & 0xffffff | Math.round(255 * share) << 24) >>> 0;
  const part = shift => Math.round((under >>> shift & 255) * (1 - share) + (over >>> shift & 255) * share) << shift;
  return (part(0) | part(8) | part(16) | 255 << 24) >>> 0;
}

class Raster {
  constructor() { this.sheet = document.createElement('canvas'); }

  clear(width, height) {
    if (this.sheet.width !== width || this.sheet.height !== height || !this.depth) {
      this.sheet.width = width;
      this.sheet.height = height;
      this.image = this.sheet.getContext('2d').createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.depth = new Float32Array(width * height);
    }
    this.width = width;
    this.height = height;
    this.pixels.fill(0);
    this.depth.fill(-Infinity);
  }
  // Fills a triangle. Corners: [x, y, depth, shade], shade from 0 to 1. share < 1: transparent, without its own depth.
  triangle(a, b, c, colours, share = 1) {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (!(Math.abs(area) > 1e-9) || !Number.isFinite(area)) return;
    const slopes = j => [
      ((b[j] - a[j]) * (c[1] - a[1]) - (c[j] - a[j]) * (b[1] - a[1])) / area,
      ((c[j] - a[j]) * (b[0] - a[0]) - (b[j] - a[j]) * (c[0] - a[0])) / area];
    const [zx, zy] = slopes(2), [sx, sy] = slopes(3), {width, pixels, depth} = this;
    const corners = [a, b, c].sort((p, q) => p[1] - q[1]);
    const edge = (p, q, y) => p[0] + (q[0] - p[0]) * (y - p[1]) / (q[1] - p[1]);
    const first = Math.max(0, Math.ceil(corners[0][1] - 0.5)), last = Math.min(this.height, Math.ceil(corners[2][1] - 0.5));
    for (let row = first; row < last; ++row) {
      const y = row + 0.5, upper = y < corners[1][1];
      const one = edge(corners[0], corners[2], y);
      const other = upper ? edge(corners[0], corners[1], y) : edge(corners[1], corners[2], y);
      const from = Math.max(0, Math.ceil(Math.min(one, other) - 0.5)), to = Math.min(width, Math.ceil(Math.max(one, other) - 0.5));
      let z = a[2] + zx * (from + 0.5 - a[0]) + zy * (y - a[1]);
      let shade = a[3] + sx * (from + 0.5 - a[0]) + sy * (y - a[1]);
      for (let at = row * width + from; at < row * width + to; ++at, z += zx, shade += sx) {
        if (!(z > depth[at])) continue;
        const colour = colours[Math.max(0, Math.min(shades - 1, shade * shades | 0))];
        if (share < 1) {
          pixels[at] = mixed(pixels[at], colour, share);
        } else {
          pixels[at] = colour;
          depth[at] = z;
        }
      }
    }
  }
  // Returns true if a point is not behind all surfaces next to its pixel.
  shows(x, y, z) {
    const column = Math.floor(x), row = Math.floor(y);
    for (const [dx, dy] of [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const c = column + dx, r = row + dy;
      if (c < 0 || r < 0 || c >= this.width || r >= this.height || z >= this.depth[r * this.width + c]) return true;
    }
    return false;
  }
  show(context) {
    this.sheet.getContext('2d').putImageData(this.image, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.sheet, 0, 0);
    context.restore();
  }
}
