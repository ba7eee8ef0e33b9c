"use strict";

/** The solver's module, called with objects in the form of `routh solve`. */
class Solver {
  static LAWS = ["newton", "poisson", "energetic"];

  /** Numbers that describe each point of a course. */
  static POINT = 5;

  static async load(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Solver(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
  }

  /** Contact inertia of a robot in the module, by rows. */
  inertia(robot, positions) {
    this.#write(positions);
    const numbers = this.#output(this.exports.inertia(robot));
    const size = Math.sqrt(numbers.length);
    return Array.from({ length: size }, (_, i) => numbers.slice(i * size, (i + 1) * size));
  }

  /** What an impact does, and its course; throws where it is refused. */
  impact(problem) {
    this.#write(Solver.#numbers(problem));
    const numbers = this.#output(this.exports.impact());
    const text = this.#text();
    if (numbers.length === 0) throw new Error(text);
    return Solver.#answer(numbers, text.split(" "), problem.D.length);
  }

  /** Time of one impact here, in microseconds: the shortest of some. */
  time(problem, many = 200, rounds = 5) {
    this.#write(Solver.#numbers(problem));
    let least = Infinity;
    for (let i = 0; i < rounds; i++) {
      const start = performance.now();
      this.exports.repeat(many);
      least = Math.min(least, (performance.now() - start) / many);
    }
    return 1e3 * least;
  }

  static #numbers({ D, velocity, friction, restitution }) {
    // In the plane nothing is coupled to the second tangent.
    const inertia = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => D[i]?.[j] ?? (i === j ? D[1][1] : 0)));
    return [
      D.length, ...inertia.flat(), velocity[0], velocity[1], velocity[2] ?? 0,
      friction.static, friction.kinetic, Solver.LAWS.indexOf(restitution.law), restitution.e,
    ];
  }

  static #answer(numbers, [mode, ...kinds], dimensions) {
    let read = 0;
    const take = (count) => numbers.slice(read, (read += count));
    const velocity = take(3).slice(0, dimensions);
    const impulse = take(3).slice(0, dimensions);
    const [compression, normalWork, frictionWork, energy, critical, steps, count] = take(7);
    const events = take(count).map((at, i) => ({ kind: kinds[i], impulse: at }));
    const course = [];
    while (read < numbers.length) {
      const [at, normal, x, y, begins] = take(Solver.POINT);
      course.push({ impulse: at, velocity: [normal, x, y].slice(0, dimensions), beginsStep: begins === 1 });
    }
    return {
      velocity, impulse, compression_impulse: compression, normal_work: normalWork,
      friction_work: frictionWork, energy_change: energy, critical_friction: critical,
      steps, mode, events, course,
    };
  }

  #write(numbers) {
    new Float64Array(this.exports.memory.buffer, this.exports.input(), numbers.length).set(numbers);
  }

  #output(length) {
    return [...new Float64Array(this.exports.memory.buffer, this.exports.output(), length)];
  }

  #text() {
    const { memory, text, text_length: length } = this.exports;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length()));
  }
}
