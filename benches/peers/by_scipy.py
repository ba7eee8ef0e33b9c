"""SciPy: solve_ivp with DOP853 and LSODA and its events, and VODE by `ode`, which has none and
so is asked for slips only. Right-hand sides are plain Python on floats, as its users write
them; both forms of the equations."""

import warnings
from functools import partial
from math import sqrt

from scipy.integrate import ode, solve_ivp

from course import RESTITUTION, Course

PACKAGES = ["scipy", "numpy"]
LONG = 1e6
MOST_STEPS = 20_000
warnings.simplefilter("ignore")  # failures are told by results


def system(case, regular, works):
    """The right-hand side, and what makes p and v_n of a state."""
    (h1, h2), (m11, m12, m22) = case.h, case.m
    n0, n1, n2, n3 = case.normal

    def over_impulse(t, state):
        x, y = state[0], state[1]
        speed = sqrt(x * x + y * y) or 1.0
        c, d = x / speed, y / speed
        rate = [h1 - m11 * c - m12 * d, h2 - m12 * c - m22 * d]
        return rate + [n0 + n1 * t + n2 * x + n3 * y] if works else rate

    def over_tau(_, state):
        x, y, p = state[0], state[1], state[2]
        speed = sqrt(x * x + y * y)
        rate = [h1 * speed - m11 * x - m12 * y, h2 * speed - m12 * x - m22 * y, speed]
        return rate + [speed * (n0 + n1 * p + n2 * x + n3 * y)] if works else rate

    def impulse(t, state):
        return state[2] if regular else t

    def normal(t, state):
        return n0 + n1 * impulse(t, state) + n2 * state[0] + n3 * state[1]

    return over_tau if regular else over_impulse, impulse, normal


def event(function, direction):
    function.terminal, function.direction = True, direction
    return function


def options(case, method, tolerance):
    absolute = tolerance * max(abs(v) for v in case.velocity[1:])
    return {"method": method, "rtol": max(tolerance, 2.3e-14), "atol": absolute}


class Impact:
    """One impact after the other: compression, then restitution if it does not halt before."""

    def __init__(self, case, regular, tolerance, method):
        self.case, self.options = case, options(case, method, tolerance)
        self.rate, self.impulse, self.normal = system(case, regular, True)
        x, y = case.velocity[1:]
        self.start = [x, y, 0.0, 0.0] if regular else [x, y, 0.0]
        slowest = tolerance**2 * (x * x + y * y)
        self.halt = event(lambda _, s: s[0] * s[0] + s[1] * s[1] - slowest, -1)
        self.turn = event(lambda t, s: self.normal(t, s), 1)
        self.return_ = event(lambda t, s: self.normal(t, s), -1)
        self.steps = 0

    def solve(self):
        course, t, state, self.steps = Course(self.case), 0.0, self.start, 0
        while True:
            events = [self.turn, self.halt]
            if course.stage == RESTITUTION:
                target, impulse, normal = course.target(), self.impulse, self.normal
                measure = {
                    "newton": normal,
                    "poisson": impulse,
                    "energetic": lambda _, s: s[-1],
                }[self.case.law]
                events = [event(lambda t, s: measure(t, s) - target, 1), self.halt, self.return_]
            found = solve_ivp(self.rate, (t, LONG), state, events=events, **self.options)
            self.steps += len(found.t) - 1
            if found.status != 1:
                return None
            which = next(i for i, times in enumerate(found.t_events) if len(times))
            t, state = float(found.t_events[which][0]), found.y_events[which][0]
            x, y, *_, w = map(float, state)
            point = x, y, float(self.impulse(t, state)), w, float(self.normal(t, state))
            if which == 1:
                return course.halt(*point)
            if course.stage == RESTITUTION and which == 0:
                return course.end(*point)
            course.turn(point[2], w)

    __call__ = solve

    def idle(self):
        """A call with nothing to integrate."""
        return solve_ivp(
            self.rate, (0.0, 0.0), self.start, events=[self.turn, self.halt], **self.options
        )


class Slip:
    """The velocity at the case's impulses, over the impulse, up to a halt."""

    def __init__(self, case, tolerance, method):
        self.case, self.options = case, options(case, method, tolerance)
        self.rate, _, _ = system(case, False, False)
        self.start, self.steps = case.velocity[1:], 0  # SciPy does not count steps
        slowest = tolerance**2 * sum(v * v for v in self.start)
        self.halt = event(lambda _, s: s[0] * s[0] + s[1] * s[1] - slowest, -1)

    def integrate(self, impulses):
        return solve_ivp(
            self.rate, (0.0, impulses[-1]), self.start, t_eval=impulses, events=[self.halt],
            **self.options,
        )

    def solve(self):
        impulses = self.case.impulses
        found = self.integrate(impulses)
        velocities = [list(map(float, v)) for v in zip(*found.y)]
        if found.status == 1:
            (x, y), p = map(float, found.y_events[0][0]), float(found.t_events[0][0])
            velocities += self.case.after_halt(x, y, p, impulses[len(velocities) :])
        return velocities

    __call__ = solve

    def idle(self):
        return self.integrate([0.0])


class Vode:
    """The same by VODE, without events."""

    def __init__(self, case, tolerance):
        self.case, self.steps = case, 0
        rate, _, _ = system(case, False, False)
        absolute = tolerance * max(abs(v) for v in case.velocity[1:])
        self.vode = ode(rate).set_integrator(
            "vode", rtol=tolerance, atol=absolute, nsteps=MOST_STEPS
        )

    def solve(self):
        vode = self.vode.set_initial_value(self.case.velocity[1:], 0.0)
        found = [vode.integrate(p).tolist() for p in self.case.impulses]
        return found if vode.successful() else None

    __call__ = solve

    def idle(self):
        return self.vode.set_initial_value(self.case.velocity[1:], 0.0)


def entries(case, tolerance):
    """Everything to be timed: kind, group, method, how many at a time, and a maker."""
    for method in ("DOP853", "LSODA"):
        for regular, form in ((False, "in p"), (True, "in τ")):
            name = f"SciPy {method} {form}"
            yield "impact", "scipy", name, 1, partial(Impact, case, regular, tolerance, method)
        yield "slip", "scipy", f"SciPy {method} in p", 1, partial(Slip, case, tolerance, method)
    yield "slip", "scipy", "SciPy VODE in p", 1, partial(Vode, case, tolerance)
