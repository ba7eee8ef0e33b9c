#!/usr/bin/env python3
"""Compliant chains with SciPy's integrators, to be compared with the project's own.

    python3 chain.py FILE [RTOL]...

FILE holds one chain document per line (with stiffnesses; models "michalczyk" and
"elastic"), each with two more keys: "name", and "until", the time at which to stop.
SciPy comes as pinned in chain-requirements.txt. Printed is one JSON object per line:
name, method, rtol, steps, evaluations, nanoseconds, solver_only_nanoseconds, velocities.

    vode_adams, vode_bdf   scipy.integrate.ode("vode"), the paper's integrator
    lsoda                  scipy.integrate.odeint
    dop853                 scipy.integrate.DOP853, which solve_ivp(method="DOP853") calls
    *_smooth               the same, with sgn(w) replaced by tanh(w / width), where
                           width = max(rtol, 1e-8) times the largest initial speed
    dop853_events          DOP853 that halts at every kink (opening, closing, end of
                           compression, hold, stick, slip) and starts anew behind it

All but the last integrate the paper's equations as they stand, across kinks. The
right-hand side is vectorised, but interpreted: solver_only_nanoseconds leaves it out,
that is, subtracts its evaluations times what one takes alone. Of up to five runs in a
third of a second, the shortest counts. A run that takes more than MAX_STEPS steps or
fails has null for velocities; its time and counts are those until it gave up.
"""

import json
import sys
import time
import warnings
from itertools import product

import numpy as np
from scipy.integrate import DOP853, ode, odeint
from scipy.optimize import brentq

MAX_STEPS = 200_000
TOLERANCES = [10.0**-k for k in range(4, 13)]
OPEN, COMPRESSION, RESTITUTION, HOLD = "open", "compression", "restitution", "hold"
STICK, FORWARD, BACKWARD = 0, 1, -1


class Chain:
    """A chain's matrices. The state is (q, v): displacements x, y, phi of all bodies, then
    velocities. `relative` times it gives the indentations xi, their rates u and the sliding
    speeds w; `response` turns the contacts' forces (S, T) into accelerations of bodies."""

    def __init__(self, document):
        bodies, contacts = document["bodies"], document["contacts"]
        model = document.get("model", "michalczyk")
        if model not in ("michalczyk", "elastic"):
            sys.exit(f"chain.py: the model {model} is not one of michalczyk, elastic")
        self.count, self.size = len(contacts), 3 * len(bodies)
        rows = np.zeros((2, self.count, len(bodies), 3))
        for j, contact in enumerate(contacts):
            cos, sin = np.cos(contact["angle"]), np.sin(contact["angle"])
            for body, sign, (x, y) in zip((j, j + 1), (1, -1), contact["arms"]):
                rows[0, j, body] = sign * cos, sign * sin, sign * (sin * x - cos * y)
                rows[1, j, body] = -sign * sin, sign * cos, sign * (cos * x + sin * y)
        rows = rows.reshape(2 * self.count, self.size)
        masses = np.array([[b["mass"], b["mass"], b["inertia"]] for b in bodies]).ravel()
        self.response = -(rows / masses).T
        self.coupling = rows @ self.response  # contact accelerations per force
        self.relative = np.zeros((3 * self.count, 2 * self.size))
        self.relative[: self.count, : self.size] = rows[: self.count]
        self.relative[self.count :, self.size :] = rows

        self.stiffness = np.array([c["stiffness"] for c in contacts])
        restitution = [c.get("restitution", 1.0) if model == "michalczyk" else 1.0 for c in contacts]
        self.squared = np.array(restitution) ** 2
        friction = [c.get("friction", 0.0) for c in contacts]
        friction = [f if isinstance(f, dict) else {"static": f, "kinetic": f} for f in friction]
        self.static = np.array([f["static"] for f in friction])
        self.kinetic = np.array([f["kinetic"] for f in friction])

        self.start = np.zeros(2 * self.size)
        self.start[self.size :] = np.ravel([b["velocity"] for b in bodies])
        self.speed = np.abs(self.relative @ self.start).max()
        self.length = (masses[::3].min() * self.speed**2 / self.stiffness.max()) ** 0.4
        self.force = self.stiffness.max() * self.length**1.5
        # Absolute tolerances are rtol times these.
        arm = max(np.hypot(*a) for c in contacts for a in c["arms"]) or 1.0
        unit = np.tile([1.0, 1.0, 1 / arm], len(bodies))
        self.scale = np.concatenate([unit * self.length, unit * self.speed])

    def equations(self, width=None):
        """The paper's equations 3 to 16; with a width, friction is smooth."""
        c, size, relative, response = self.count, self.size, self.relative, self.response
        stiffness, kinetic, frictionless = self.stiffness, self.kinetic, not self.kinetic.any()
        mean, half, push = (1 + self.squared) / 2, (1 - self.squared) / 2, response[:, :c].copy()

        def derivative(_, state):
            contact = relative @ state
            xi, u, w = np.maximum(contact[:c], 0.0), contact[c : 2 * c], contact[2 * c :]
            normal = stiffness * xi * np.sqrt(xi) * (mean + half * np.sign(u))
            out = np.empty(2 * size)
            out[:size] = state[size:]
            if frictionless:
                out[size:] = push @ normal
            else:
                direction = np.sign(w) if width is None else np.tanh(w / width)
                out[size:] = response @ np.concatenate([normal, kinetic * normal * direction])
            return out

        return derivative


# Integrators: from a chain, its equations (through `wrap`, which counts), the end time and
# the tolerance to the number of steps and the last state, if it was reached.


def vode(kind):
    def solve(chain, equations, wrap, until, rtol):
        solver = ode(wrap(equations))
        options = dict(method=kind, rtol=rtol, atol=rtol * chain.scale, nsteps=MAX_STEPS)
        end = solver.set_integrator("vode", **options).set_initial_value(chain.start).integrate(until)
        return int(solver._integrator.iwork[10]), end if solver.successful() else None

    return solve


def lsoda(chain, equations, wrap, until, rtol):
    options = dict(rtol=rtol, atol=rtol * chain.scale, mxstep=MAX_STEPS, full_output=True)
    states, report = odeint(wrap(equations), chain.start, [0.0, until], tfirst=True, **options)
    success = report["message"].startswith("Integration successful")
    return int(report["nst"][-1]), states[-1] if success else None


def dop853(chain, equations, wrap, until, rtol):
    solver = DOP853(wrap(equations), 0.0, chain.start, until, rtol=rtol, atol=rtol * chain.scale)
    steps = 0
    while solver.status == "running" and steps < MAX_STEPS:
        solver.step()
        steps += 1
    return steps, solver.y if solver.status == "finished" else None


def dop853_events(chain, equations, wrap, until, rtol):
    # What contacts at rest do first is read off a short preview.
    counted, ahead, h = wrap(equations), chain.start, 1e-3 * chain.length / chain.speed
    for _ in range(2 * chain.count + 2):
        ahead = ahead + h * counted(0.0, ahead + h / 2 * counted(0.0, ahead))
    xi, _, w = (chain.relative @ ahead).reshape(3, -1)
    slip = np.where(abs(w) < 1e-13 * chain.speed, STICK, np.sign(w))
    modes = choose(chain, ahead, [(COMPRESSION if x > 0 else OPEN, s) for x, s in zip(xi, slip)])
    t, state, steps = 0.0, chain.start, 0
    while steps < MAX_STEPS:
        solver = DOP853(wrap(modes.derivative), t, state, until, rtol=rtol, atol=rtol * chain.scale)
        crossed = []
        while solver.status == "running" and not crossed and steps < MAX_STEPS:
            before = modes.guards(solver.y)
            solver.step()
            steps += 1
            crossed = [key for key, value in modes.guards(solver.y).items() if value < -1e-15]
        if not crossed:
            return steps, solver.y if solver.status == "finished" else None
        curve, span, roots = solver.dense_output(), (solver.t_old, solver.t), []
        for key in crossed:
            inside = before[key] > 0
            root = brentq(lambda s: modes.guards(curve(s))[key], *span, xtol=1e-300) if inside else span[0]
            roots.append((root, crossed.index(key)))
        t, first = min(roots)
        state = curve(t)
        modes = choose(chain, state, modes.modes, crossed[first])
    return steps, None


class Modes:
    """What every contact does between two kinks, as (phase, slip): there, forces are smooth."""

    def __init__(self, chain, modes):
        self.chain, self.modes, c = chain, modes, chain.count
        # (S, T) = gain (k xi^1.5): given forces, and those that keep u = 0 in a hold and
        # w = 0 at a contact that sticks, all at once.
        given, wanted, rows = np.zeros((2 * c, c)), [], []
        for j, (phase, slip) in enumerate(modes):
            column = np.zeros(2 * c)
            column[[j, c + j]] = 1.0, slip * chain.kinetic[j]
            if phase == HOLD:
                wanted.append(column)
                rows.append(j)
            elif phase != OPEN:
                given[:, j] = column * (chain.squared[j] if phase == RESTITUTION else 1.0)
            if phase != OPEN and slip == STICK and chain.static[j] > 0:
                wanted.append(np.eye(2 * c)[c + j])
                rows.append(c + j)
        self.gain = given
        if rows:
            columns, kept = np.transpose(wanted), chain.coupling[rows]
            self.gain = given - columns @ np.linalg.solve(kept @ columns, kept @ given)
        self.acceleration = chain.response @ self.gain
        self.indentation = chain.relative[:c, : chain.size]

    def derivative(self, _, state):
        size = self.chain.size
        xi = np.maximum(self.indentation @ state[:size], 0.0)
        return np.concatenate([state[size:], self.acceleration @ (self.chain.stiffness * xi * np.sqrt(xi))])

    def guards(self, state):
        """What stays positive as long as the modes last, by contact and what ends them."""
        chain, found = self.chain, {}
        xi, u, w = (chain.relative @ state).reshape(3, -1)
        elastic = chain.stiffness * np.maximum(xi, 0.0) ** 1.5 / chain.force
        S, T = (self.gain @ elastic).reshape(2, -1)
        for j, (phase, slip) in enumerate(self.modes):
            found[j, "xi"] = (-xi[j] if phase == OPEN else xi[j]) / chain.length
            if phase == HOLD:
                found[j, RESTITUTION] = S[j] - chain.squared[j] * elastic[j]
                found[j, COMPRESSION] = elastic[j] - S[j]
            elif phase != OPEN and chain.squared[j] < 1:
                found[j, "u"] = (u[j] if phase == COMPRESSION else -u[j]) / chain.speed
            if phase != OPEN and slip != STICK:
                found[j, "w"] = slip * w[j] / chain.speed
            elif phase != OPEN and chain.static[j] > 0:
                found[j, FORWARD] = chain.static[j] * S[j] - T[j]
                found[j, BACKWARD] = chain.static[j] * S[j] + T[j]
        return found


def choose(chain, state, old, event=(None, None)):
    """The modes behind a kink: the first ones that their own accelerations confirm."""
    xi, _, w = (chain.relative @ state).reshape(3, -1)
    elastic, options = chain.stiffness * np.maximum(xi, 0.0) ** 1.5, []
    for j, (phase, slip) in enumerate(old):
        kind = event[1] if event[0] == j else None
        phases, slips = [phase], [slip]
        if kind == "xi":
            phases, slips = [COMPRESSION if phase == OPEN else OPEN], [np.sign(w[j])]
        elif kind in (COMPRESSION, RESTITUTION):
            phases = [kind]
        elif kind == "u" or phase == HOLD:
            phases = [HOLD, COMPRESSION, RESTITUTION]
        if kind in (FORWARD, BACKWARD):
            slips = [kind]
        elif kind == "w" or slips == [STICK]:
            slips = [STICK, FORWARD, BACKWARD]
        if phases == [OPEN] or chain.static[j] == 0:
            slips = [STICK]
        options.append((phases, slips))
    for modes in product(*(product(*option) for option in options)):
        found = Modes(chain, modes)
        S, T = (found.gain @ elastic).reshape(2, -1)
        du, dw = (chain.coupling @ np.concatenate([S, T])).reshape(2, -1)

        def confirmed(j):
            (phase, slip), (phases, slips) = modes[j], options[j]
            low, high, limit = chain.squared[j] * elastic[j], elastic[j], chain.static[j] * S[j]
            held = low <= S[j] <= high if phase == HOLD else (du[j] > 0) == (phase == COMPRESSION)
            stuck = abs(T[j]) <= limit * (1 + 1e-12) if slip == STICK else slip * dw[j] > 0
            return (len(phases) == 1 or held) and (len(slips) == 1 or stuck)

        if all(map(confirmed, range(chain.count))):
            return found
    raise ArithmeticError("no modes are confirmed by their accelerations")
