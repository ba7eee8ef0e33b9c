"""Peers in Python, on the cases that `side_by_side.rs` exports.

    python3 contest.py MODULE CASES

MODULE (by_heyoka, by_scipy) yields what is to be timed. Says "ready" once everything is
prepared, answers "round" with "done" after timing everything once more, and "end" with all
rows as one line of JSON: README.md has their schema.
"""

import importlib
import json
import sys
from importlib.metadata import version
from platform import python_version
from time import perf_counter_ns

from course import Case

SAMPLE = 300_000  # nanoseconds that a sample lasts, if one run does not last longer
LONG = 5_000_000  # a run this long takes part in the first rounds only
FIRST_ROUNDS = 3


class Timed:
    """The shortest time of a call, in nanoseconds."""

    def __init__(self, call):
        self.call, self.runs, self.least = call, 1, float("inf")
        self.sample()
        self.sample()
        self.runs = max(1, min(10_000, int(SAMPLE / self.least)))

    def sample(self):
        call = self.call
        start = perf_counter_ns()
        for _ in range(self.runs):
            call()
        self.least = min(self.least, (perf_counter_ns() - start) / self.runs)


def prepare(module, cases, tolerances):
    """Rows with what they time; those that fail are left out."""
    found = []
    for case in cases:
        for tolerance in tolerances:
            for kind, group, method, many, make in module.entries(case, tolerance):
                try:
                    solver = make()
                    result = solver.solve()
                    times = (Timed(solver), Timed(solver.idle)) if result else ()
                except Exception as error:
                    print(f"{method}, {case.name}, {tolerance:g}: {error}", file=sys.stderr)
                    continue
                if not result:
                    continue
                row = {
                    "case": case.name,
                    "kind": kind,
                    "group": group,
                    "method": method,
                    "tolerance": tolerance,
                    "error": None,
                    "steps": solver.steps,
                }
                if kind == "slip":
                    row["velocity"] = result
                else:
                    row["outcomes"] = result if many > 1 else [result]
                found.append((row, *times, many))
    return found


def main():
    module = importlib.import_module(sys.argv[1])
    with open(sys.argv[2]) as file:
        document = json.load(file)
    cases = [Case(case) for case in document["cases"]]
    found = prepare(module, cases, document["tolerances"])
    print("ready", flush=True)
    rounds = 0
    for line in sys.stdin:
        if line.strip() == "end":
            break
        for _, timed, idle, _ in found:
            if rounds < FIRST_ROUNDS or timed.least < LONG:
                timed.sample()
                idle.sample()
        rounds += 1
        print("done", flush=True)
    rows = [
        row | {"nanoseconds": timed.least / many, "overhead": idle.least / many}
        for row, timed, idle, many in found
    ]
    versions = {name: version(name) for name in module.PACKAGES} | {"python": python_version()}
    print(json.dumps({"versions": versions, "rows": rows}), flush=True)


main()
