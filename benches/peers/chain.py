"""Compliant chains with SciPy's integrators, to be compared with the project's own.

    python3 chain.py FILE [RTOL]...

FILE holds one chain document per line (with stiffnesses; models "michalczyk" and
"elastic"), each with two more keys: "name", and "until", the time at which to stop.
SciPy comes as pinned in requirements.txt. Printed is one JSON object per line.

    vode_adams, vode_bdf   scipy.integrate.ode("vode"), the paper's, with its defaults
    lsoda                  scipy.integrate.odeint
    lsoda_smooth           tanh(w / width) for sgn(w), as narrow as seldom fails
    dop853                 scipy.integrate.DOP853, which solve_ivp(method="DOP853") calls
    dop853_events          halts at every kink it sees at the end of a step, starts anew

All but the last integrate the paper's equations as they stand, across kinks. The shortest
of up to five runs in a third of a second counts; solver_only_nanoseconds leaves out the
right-hand side, vectorised but interpreted: its evaluations times what one takes alone, but
not the search for kinks. A run that fails or takes MAX_STEPS has null for velocities.
"""

import json
import sys
import warnings
from itertools import product
from timeit import timeit

import numpy as np
from scipy.integrate import DOP853, ode, odeint
from scipy.optimize import brentq

MAX_STEPS = 50_000
DEFAULTS = [10.0**-k for k in range(4, 13)]
OPEN, COMPRESSION, RESTITUTION, HOLD = "open", "compression", "restitution", "hold"
STICK, FORWARD, BACKWARD = 0, 1, -1


class Chain:
    """A chain's matrices. The state is (q, v): displacements x, y, phi of all bodies, then
    velocities. `relative` times it gives the indentations xi, their rates u and the sliding
    speeds w; `response` turns the contacts' forces (S, T) into accelerations of bodies."""

    def __init__(self, document):
        bodies, contacts = document["bodies"], document["contacts"]
        elastic = {"michalczyk": False, "elastic": True}[document["model"]]
        self.count, self.size = len(contacts), 3 * len(bodies)
        rows = np.zeros((2, self.count, len(bodies), 3))
        for j, contact in enumerate(contacts):
            cos, sin = np.cos(contact["angle"]), np.sin(contact["angle"])
            for body, sign, (x, y) in zip((j, j + 1), (1, -1), contact["arms"]):
                rows[0, j, body] = sign * cos, sign * sin, sign * (sin * x - cos * y)
                rows[1, j, body] = -sign * sin, sign * cos, sign * (cos * x + sin * y)
        rows, c = rows.reshape(2 * self.count, self.size), self.count
        masses = np.ravel([[b["mass"], b["mass"], b["inertia"]] for b in bodies])
        self.response = -(rows / masses).T
        self.coupling = rows @ self.response  # contact accelerations per force
        self.relative = np.block([[rows[:c], 0 * rows[:c]], [0 * rows, rows]])
        self.stiffness = np.array([c["stiffness"] for c in contacts])
        self.squared = np.array([1.0 if elastic else c["restitution"] ** 2 for c in contacts])
        friction = [c.get("friction", 0.0) for c in contacts]
        pairs = [(f["static"], f["kinetic"]) if isinstance(f, dict) else (f, f) for f in friction]
        self.static, self.kinetic = np.transpose(pairs)
        self.start = np.append(np.zeros(self.size), [b["velocity"] for b in bodies])
        self.speed = np.abs(self.relative @ self.start).max()
        self.length = (masses[::3].min() * self.speed**2 / self.stiffness.max()) ** 0.4
        # Absolute tolerances are rtol times these.
        arm = max(np.hypot(*a) for c in contacts for a in c["arms"]) or 1.0
        unit = np.tile([1.0, 1.0, 1 / arm], len(bodies))
        self.scale = np.concatenate([unit * self.length, unit * self.speed])

    def equations(self, width):
        """The paper's equations 3 to 16; with a width, friction is smooth."""
        c, size, relative, stiffness = self.count, self.size, self.relative, self.stiffness
        mean, half, kinetic = (1 + self.squared) / 2, (1 - self.squared) / 2, self.kinetic
        rough, response = kinetic.any(), self.response[:, : 2 * c if kinetic.any() else c].copy()

        def derivative(_, state):
            contact = relative @ state
            xi, u, w = np.maximum(contact[:c], 0.0), contact[c : 2 * c], contact[2 * c :]
            forces = stiffness * xi * np.sqrt(xi) * (mean + half * np.sign(u))
            if rough:
                direction = np.tanh(w / width) if width else np.sign(w)
                forces = np.concatenate([forces, kinetic * forces * direction])
            return np.concatenate([state[size:], response @ forces])

        return derivative


class Modes:
    """What every contact does between two kinks, as (phase, slip): there, forces are smooth."""

    def __init__(self, chain, modes):
        self.chain, self.modes, c = chain, modes, chain.count
        # (S, T) = gain (k xi^1.5), with the forces that keep u = 0 or w = 0, all at once.
        self.gain, wanted, rows = np.zeros((2 * c, c)), [], []
        for j, (phase, slip) in enumerate(modes):
            across, along = np.eye(2 * c)[[j, c + j]]
            column = across + slip * chain.kinetic[j] * along
            if phase == HOLD:
                wanted, rows = wanted + [column], rows + [j]
            elif phase != OPEN:
                self.gain[:, j] = column * (chain.squared[j] if phase == RESTITUTION else 1.0)
            if phase != OPEN and slip == STICK and chain.static[j] > 0:
                wanted, rows = wanted + [along], rows + [c + j]
        if rows:
            columns, kept = np.transpose(wanted), chain.coupling[rows]
            self.gain -= columns @ np.linalg.solve(kept @ columns, kept @ self.gain)
        self.response = chain.response @ self.gain * chain.stiffness
        self.normal = chain.relative[:c, : chain.size].copy()

    def derivative(self, _, state):
        q, v = state.reshape(2, -1)
        xi = np.maximum(self.normal @ q, 0.0)
        return np.concatenate([v, self.response @ (xi * np.sqrt(xi))])

    def guards(self, state):
        """What stays positive as long as the modes last, by contact and what ends them."""
        chain, found = self.chain, {}
        xi, u, w = (chain.relative @ state).reshape(3, -1)
        elastic = chain.stiffness / chain.stiffness.max() * np.maximum(xi / chain.length, 0) ** 1.5
        S, T = (self.gain @ elastic).reshape(2, -1)
        for j, (phase, slip) in enumerate(self.modes):
            found[j, "xi"] = (-xi[j] if phase == OPEN else xi[j]) / chain.length
            if phase == HOLD:
                found[j, RESTITUTION] = S[j] - chain.squared[j] * elastic[j]
                found[j, COMPRESSION] = elastic[j] - S[j]
            elif phase != OPEN and chain.squared[j] < 1:
                found[j, "u"] = (u[j] if phase == COMPRESSION else -u[j]) / chain.speed
            if slip != STICK:
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
        if kind == "xi":
            phase, slip = COMPRESSION if phase == OPEN else OPEN, np.sign(w[j])
        phases = [HOLD, COMPRESSION, RESTITUTION] if kind == "u" or phase == HOLD else [phase]
        slips = [STICK, FORWARD, BACKWARD] if kind == "w" or slip == STICK else [slip]
        phases = [kind] if kind in (COMPRESSION, RESTITUTION) else phases
        slips = [kind] if kind in (FORWARD, BACKWARD) else slips
        options.append((phases, [STICK] if phase == OPEN or chain.static[j] == 0 else slips))
    for modes in product(*(product(*option) for option in options)):
        found = Modes(chain, modes)
        S, T = (found.gain @ elastic).reshape(2, -1)
        du, dw = (chain.coupling @ np.concatenate([S, T])).reshape(2, -1)

        def confirmed(j):
            (phase, slip), (phases, slips) = modes[j], options[j]
            held = chain.squared[j] * elastic[j] <= S[j] <= elastic[j]
            stuck = abs(T[j]) <= chain.static[j] * S[j] * (1 + 1e-12)
            normal = held if phase == HOLD else (du[j] > 0) == (phase == COMPRESSION)
            tangential = stuck if slip == STICK else slip * dw[j] > 0
            return (len(phases) == 1 or normal) and (len(slips) == 1 or tangential)

        if all(map(confirmed, range(chain.count))):
            return found
    raise ArithmeticError("no modes are confirmed by their accelerations")


# Integrators return the number of steps and the last state, or None.
def vode(chain, equations, counted, until, rtol, kind):
    options = dict(method=kind, rtol=rtol, atol=rtol * chain.scale, nsteps=MAX_STEPS)
    solver = ode(counted(equations)).set_integrator("vode", **options)
    end = solver.set_initial_value(chain.start).integrate(until)
    return int(solver._integrator.iwork[10]), end if solver.successful() else None


def lsoda(chain, equations, counted, until, rtol):
    options = dict(rtol=rtol, atol=rtol * chain.scale, mxstep=MAX_STEPS, full_output=True)
    states, report = odeint(counted(equations), chain.start, [0.0, until], tfirst=True, **options)
    return int(report["nst"][-1]), states[-1] if "successful" in report["message"] else None


def dop853(chain, equations, counted, until, rtol, modes=None):
    t, state, steps, options = 0.0, chain.start, 0, dict(rtol=rtol, atol=rtol * chain.scale)
    while True:
        derivative = counted(modes.derivative if modes else equations)
        guards = modes.guards if modes else lambda state: {}
        solver, crossed = DOP853(derivative, t, state, until, **options), []
        while not crossed:
            if solver.status != "running" or steps >= MAX_STEPS:
                return steps, solver.y if solver.status == "finished" else None
            before = guards(solver.y)
            solver.step()
            steps += 1
            crossed = [k for k, g in guards(solver.y).items() if g < min(before[k], -1e-15)]
        curve, a, times = solver.dense_output(), solver.t_old, []
        for key in crossed:
            guard, tries = lambda t: guards(curve(t))[key], a + (solver.t - a) * 0.5 ** np.r_[1:50]
            inside = next((s for s in tries if guard(s) > 0), a)
            times.append(brentq(guard, inside, solver.t, xtol=1e-300) if inside > a else a)
        t = min(times)  # the state there takes a step of its own, as the curve is less accurate
        solver = DOP853(derivative, a, solver.y_old, t, first_step=t - a or None, **options)
        while solver.status == "running":
            solver.step()
            steps += 1
        state, modes = solver.y, choose(chain, solver.y, modes.modes, crossed[times.index(t)])


def dop853_events(chain, equations, counted, until, rtol):
    # What contacts at rest do first is read off a short preview.
    f, ahead, h = counted(equations), chain.start, 1e-3 * chain.length / chain.speed
    for _ in range(2 * chain.count + 2):
        ahead = ahead + h * f(0.0, ahead + h / 2 * f(0.0, ahead))
    xi, _, w = (chain.relative @ ahead).reshape(3, -1)
    slips = np.where(abs(w) < 1e-13 * chain.speed, STICK, np.sign(w))
    modes = [(COMPRESSION if x > 0 else OPEN, slip) for x, slip in zip(xi, slips)]
    return dop853(chain, equations, counted, until, rtol, choose(chain, ahead, modes))


def measure(chain, solve, width, until, rtol):
    equations, seen, runs, alone = chain.equations(width), {"calls": 0}, [], []

    def counted(f):
        return lambda t, state: seen.update(calls=seen["calls"] + 1, last=(f, state)) or f(t, state)

    steps, end = solve(chain, equations, counted, until, rtol)
    calls, (f, state) = seen["calls"], seen["last"]
    while len(runs) < 5 and sum(runs) < 1 / 3:
        runs.append(timeit(lambda: solve(chain, equations, lambda f: f, until, rtol), number=1))
        alone += [timeit(lambda: f(0.0, state), number=50) / 50 for _ in range(10)]
    row = {"steps": steps, "evaluations": calls, "nanoseconds": round(1e9 * min(runs))}
    row["solver_only_nanoseconds"] = round(1e9 * (min(runs) - calls * min(alone)))
    return row | {"velocities": end if end is None else end[chain.size :].reshape(-1, 3).tolist()}


def main(path, *tolerances):
    warnings.simplefilter("ignore")  # of runs that give up
    adams, bdf = (lambda *rest, kind=kind: vode(*rest, kind) for kind in ("adams", "bdf"))
    methods = {"vode_adams": adams, "vode_bdf": bdf, "lsoda": lsoda, "lsoda_smooth": lsoda}
    methods |= {"dop853": dop853, "dop853_events": dop853_events}
    for document in map(json.loads, open(path, encoding="utf-8")):
        chain = Chain(document)
        for (method, solve), rtol in product(methods.items(), map(float, tolerances or DEFAULTS)):
            width = min(1e3 * rtol, 1e-4) * chain.speed if method == "lsoda_smooth" else None
            if chain.kinetic.any() or not width:
                row = {"name": document["name"], "method": method, "rtol": rtol}
                print(json.dumps(row | measure(chain, solve, width, document["until"], rtol)))


if __name__ == "__main__":
    main(*sys.argv[1:])
