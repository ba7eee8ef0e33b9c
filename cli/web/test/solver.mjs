// The page's own caller of the module, for tests.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const text = readFileSync(new URL("../../page/solver.js", import.meta.url), "utf8");
export const Solver = runInThisContext(`${text}; Solver`);

/** What `routh solve` answers to impacts. */
export function solve(routh, problems) {
  const input = problems.map((problem) => JSON.stringify(problem)).join("\n");
  const output = execFileSync(routh, ["solve", "-"], { input, maxBuffer: 1 << 28 });
  return output.toString().trim().split("\n").map((line) => JSON.parse(line));
}

/** Numbers in [0, 1), everywhere the same. */
export function* random(seed = 1) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
