// answers.mjs ROUTH KEPT FRESH: both modules must give the same answers, to the last
// bit, and those of `routh solve`, to rounding.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Solver, random, solve } from "./solver.mjs";

const MANY = 2000;
const CLOSE = 1e-12;

const [routh, kept, fresh] = process.argv.slice(2);
const numbers = random();
const number = (from = -1, to = 1) => from + (to - from) * numbers.next().value;

/** An impact at a contact whose inertia is a sum of squares. */
function problem(dimensions) {
  const rows = Array.from({ length: dimensions }, () => Array.from({ length: dimensions }, () => number()));
  const D = rows.map((a, i) => rows.map((b, j) => a.reduce((sum, x, k) => sum + x * b[k], i === j ? 0.05 : 0)));
  const kinetic = number(0, 1);
  return {
    D, velocity: [number(-2, -0.1), ...rows.slice(1).map(() => number(-2, 2))],
    friction: { static: kinetic * number(1, 1.5), kinetic },
    restitution: { law: Solver.LAWS[Math.floor(number(0, 3))], e: number(0, 1) },
  };
}

const problems = Array.from({ length: MANY }, (_, i) => problem(2 + (i % 2)));
const [old, made] = await Promise.all([kept, fresh].map((path) => Solver.load(readFileSync(path))));
let worst = 0;
solve(routh, problems).forEach((native, i) => {
  const [one, other] = [old, made].map((solver) => solver.impact(problems[i]));
  assert.deepEqual(one, other, "the module that is kept is not what the sources give: run cli/web/module --keep");
  assert.equal(one.mode, native.mode);
  assert.deepEqual(one.events.map(({ kind }) => kind), native.events.map(({ kind }) => kind));
  const scale = Math.max(...problems[i].velocity.map(Math.abs), ...native.velocity.map(Math.abs));
  const last = one.course.at(-1);
  for (const velocity of [one.velocity, last.velocity]) {
    velocity.forEach((v, j) => { worst = Math.max(worst, Math.abs(v - native.velocity[j]) / scale); });
  }
  assert(worst < CLOSE, `${JSON.stringify(problems[i])}: off by ${worst}`);
});
for (const robot of [0, 1]) {
  const positions = [number(), number(), number()];
  assert.deepEqual(old.inertia(robot, positions), made.inertia(robot, positions));
}
const same = readFileSync(kept).equals(readFileSync(fresh)) ? "the same bytes" : "other bytes, the same answers";
console.log(`web: ${MANY} impacts as routh solve has them to ${worst.toExponential(1)}; the kept module and a fresh one: ${same}`);
