'use strict';
// The WebAssembly module of a bench: calls by number, and frames as arrays of doubles (moreau/playground/module.hpp).

// Returns the bytes of a gzip file.
async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Machine {
  // data: variables, statuses and causes of the page.
  static async of(packed, data) {
    const module = await WebAssembly.compile(await unpacked(packed));
    return new Machine(module, data);
  }
  constructor(module, data) {
    this.module = module;
    this.data = data;
    this.begin();
  }
  // Creates a new instance, with default settings.
  begin() {
    this.calls = new WebAssembly.Instance(this.module, {}).exports;
    this.calls._initialize();
    this.steps = 0;
  }
  // Returns null or the sentence of a rejected value. Nothing is set then.
  set(i, value) {
    const answer = this.calls.set(i, value);
    return answer === 0 ? null : this.data.statuses[answer][1];
  }
  get(i) { return this.calls.get(i); }
  frame() { return new Float64Array(this.calls.memory.buffer, this.calls.frame(), this.calls.frame_size()); }
  restart() {
    this.steps = 0;
    const answer = this.calls.restart();
    return answer === 0 ? null : this.data.statuses[answer][1];
  }
  reset() {
    this.steps = 0;
    this.calls.reset();
  }
  // Performs n steps at most. Returns null or the reason of a step that did not advance.
  advance(n, dt) {
    const done = this.calls.advance(n, dt);
    this.steps += done;
    if (done === n) return null;
    const [name, sentence] = this.data.statuses[this.calls.status()], cause = this.data.causes[this.calls.failed_cause()];
    const where = this.calls.failed_index() >= 0 ? `, index ${this.calls.failed_index()}` : '';
    return `step ${grouped(this.steps + 1)}: ${name} (cause: ${cause}${where}). ${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
  }
}
