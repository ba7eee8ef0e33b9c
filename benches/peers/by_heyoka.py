"""heyoka: Taylor series compiled for one case, with its own events. Compression and
restitution are integrators of their own, so that each looks only for what may end it. Both
forms of the equations: over the impulse ("in p"), and with dp = |v| dtau ("in τ")."""

from functools import partial

import heyoka as hy
import numpy as np

from course import COMPRESSION, RESTITUTION, Course

PACKAGES = ["heyoka", "numpy"]
LONG = 1e6
MOST_STEPS = 20_000
hy.set_logger_level_error()
EVENTS = 3  # of an integrator, at most
DIRECTION = hy.event_direction
WIDTH = hy.recommended_simd_size()


class Form:
    """The equations of a case in one of the two forms."""

    def __init__(self, case, regular, works):
        x, y, p, w = hy.make_vars("x", "y", "p", "w")
        (h1, h2), (m11, m12, m22) = case.h, case.m
        speed = hy.sqrt(x * x + y * y)
        if regular:
            self.system = [(x, h1 * speed - m11 * x - m12 * y), (y, h2 * speed - m12 * x - m22 * y)]
            self.system.append((p, speed))
        else:
            c, d = x / speed, y / speed
            self.system = [(x, h1 - m11 * c - m12 * d), (y, h2 - m12 * c - m22 * d)]
            p = hy.time
        n0, n1, n2, n3 = case.normal
        # The constant belongs to the case's own velocities, so that it scales with them.
        self.normal = n0 * hy.par[1] + n1 * p + n2 * x + n3 * y
        if works:
            self.system.append((w, self.normal * speed if regular else self.normal))
        self.square, self.p, self.w, self.regular = x * x + y * y, p, w, regular

    def size(self):
        return len(self.system)


def compressing(form, event):
    return [event(form.normal, direction=DIRECTION.positive), halting(form, event)]


def restoring(form, case, event):
    measure = {"newton": form.normal, "poisson": form.p, "energetic": form.w}[case.law]
    return [
        event(measure - hy.par[0], direction=DIRECTION.positive),
        halting(form, event),
        event(form.normal, direction=DIRECTION.negative),
    ]


def halting(form, event):
    return event(form.square - hy.par[2], direction=DIRECTION.negative)


class Phases:
    """The two integrators of an impact, and its beginning."""

    def __init__(self, case, regular, tolerance, make, event, shape=()):
        self.case, self.regular, form = case, regular, Form(case, regular, True)
        self.events = {
            COMPRESSION: compressing(form, event),
            RESTITUTION: restoring(form, case, event),
        }
        x, y = case.velocity[1:]
        self.start = np.zeros((form.size(), *shape))
        self.start[0], self.start[1] = x, y
        self.pars = np.ones((3, *shape))
        self.pars[2] = tolerance**2 * (x * x + y * y)
        self.phases = {
            stage: make(form.system, self.start, pars=self.pars, t_events=events, tol=tolerance)
            for stage, events in self.events.items()
        }
        self.steps = 0

    def target(self, state, time, scale):
        """What ends a restitution that begins here, if it is the first."""
        e, law = self.case.e, self.case.law
        if law == "newton":
            return -e * scale * self.case.velocity[0]
        if law == "poisson":
            return (1 + e) * (state[2] if self.regular else time)
        return (1 - e * e) * state[-1]

    def finish(self, scale, record):
        """The outcome of an impact from what ends its phases and where, or none if it was not
        followed."""
        course = Course(self.case, scale)
        n0, n1, n2, n3 = self.case.normal
        for event, state, time in record:
            x, y, *p, w = map(float, state)
            p = p[0] if self.regular else float(time)
            normal = n0 * scale + n1 * p + n2 * x + n3 * y
            if event == 1:
                return course.halt(x, y, p, w, normal)
            if event != 0:
                return None
            if course.stage == RESTITUTION:
                return course.end(x, y, p, w, normal)
            course.turn(p, w)
        return None


class Impact(Phases):
    """One impact after the other: compression, then restitution if it does not halt before.
    Only this is timed; the rest of the outcome follows from where each phase ends."""

    def __init__(self, case, regular, tolerance):
        super().__init__(case, regular, tolerance, hy.taylor_adaptive, hy.t_event)
        self.record = []

    def run(self, propagate):
        ta = self.phases[COMPRESSION]
        ta.time = 0.0
        ta.state[:] = self.start
        ta.reset_cooldowns()
        event, state, time = propagate(ta), ta.state, ta.time
        if event != 0:
            return [(event, state.copy(), time)]
        first, ta = (0, state.copy(), time), self.phases[RESTITUTION]
        ta.time = time
        ta.state[:] = state
        ta.reset_cooldowns()
        ta.pars[0] = self.target(state, time, 1.0)
        return [first, (propagate(ta), ta.state.copy(), ta.time)]

    def propagate(self, ta):
        result = ta.propagate_until(LONG, max_steps=MOST_STEPS)
        self.steps += result[3]
        return -int(result[0]) - 1

    def solve(self):
        """The outcome; remembers what ended each phase."""
        self.steps = 0
        self.record = self.run(self.propagate)
        return self.finish(1.0, self.record)

    def __call__(self):
        return self.run(lambda ta: -int(ta.propagate_until(LONG, max_steps=MOST_STEPS)[0]) - 1)

    def idle(self):
        """The same calls with nothing to integrate."""
        events = iter(self.record)

        def propagate(ta):
            int(ta.propagate_until(ta.time, max_steps=MOST_STEPS)[0])
            return next(events)[0]

        return self.run(propagate)


class Slip:
    """The velocity at the case's impulses: over the impulse by heyoka's grid, over tau by a
    terminal event at each impulse; a halt is a terminal event of both."""

    def __init__(self, case, regular, tolerance):
        self.case, self.regular, form = case, regular, Form(case, regular, False)
        start = [*case.velocity[1:], 0.0][: form.size()]
        slowest = tolerance**2 * (start[0] ** 2 + start[1] ** 2)
        events = [halting(form, hy.t_event)]
        if regular:
            events.append(hy.t_event(form.p - hy.par[0], direction=DIRECTION.positive))
        self.start, self.grid = np.array(start), np.array([0.0, *case.impulses])
        self.ta = hy.taylor_adaptive(
            form.system, start, pars=[0.0, 1.0, slowest], t_events=events, tol=tolerance
        )
        self.steps, self.calls = 0, 0

    def reset(self):
        self.ta.time = 0.0
        self.ta.state[:] = self.start
        self.ta.reset_cooldowns()

    def solve(self):
        found, p = self()
        left = self.case.impulses[len(found) :]
        self.calls = len(found) + bool(left)
        found = [list(map(float, v)) for v in found]
        if not left:
            return found
        x, y = map(float, self.ta.state[:2])
        return found + self.case.after_halt(x, y, float(p), left)

    def __call__(self):
        """The velocities up to a halt, and the impulse where it ends."""
        self.reset()
        ta, found, self.steps = self.ta, [], 0
        if not self.regular:
            result = ta.propagate_grid(self.grid, max_steps=MOST_STEPS)
            self.steps = result[3]
            return result[5][1:], ta.time
        for p in self.case.impulses:
            ta.pars[0] = p
            result = ta.propagate_until(LONG, max_steps=MOST_STEPS)
            self.steps += result[3]
            if int(result[0]) != -2:
                break
            found.append(ta.state[:2].copy())
        return found, ta.state[2]

    def idle(self):
        """The same calls with nothing to integrate."""
        self.reset()
        ta, found = self.ta, []
        if not self.regular:
            return ta.propagate_grid(self.grid[:1], max_steps=MOST_STEPS), ta.time
        for p in self.case.impulses[: self.calls]:
            ta.pars[0] = p
            result = ta.propagate_until(ta.time, max_steps=MOST_STEPS)
            int(result[0])
            found.append(ta.state[:2].copy())
        return found, ta.state[2]


class Batch(Phases):
    """Many impacts, as many at a time as the machine has lanes, phase by phase: a lane that
    has ended its phase waits for the others."""

    def __init__(self, case, regular, tolerance):
        make = hy.taylor_adaptive_batch
        super().__init__(case, regular, tolerance, make, hy.t_event_batch, (WIDTH,))
        scales = np.array(case.scales).reshape(-1, WIDTH)
        factors = np.ones((3, 1)) * np.array([[0.0], [1.0], [2.0]])
        self.groups = [(s, self.start * s, self.pars * s**factors) for s in scales]
        self.far, self.record = np.full(WIDTH, LONG), []

    def phase(self, stage, time, state, pars, target, propagate):
        ta = self.phases[stage]
        ta.set_time(time)
        ta.state[:] = state
        ta.pars[:] = pars
        ta.pars[0] = target
        ta.reset_cooldowns()
        events = propagate(ta, self.far)
        while (events < 0).any():
            ended = propagate(ta, np.where(events < 0, self.far, ta.time))
            waiting = events < 0
            events = np.where(waiting, ended, events)
            if not (waiting & (events >= 0)).any():
                break
        return ta, events

    def run(self, propagate):
        record = []
        for scale, start, pars in self.groups:
            ta, events = self.phase(COMPRESSION, 0.0 * scale, start, pars, 0.0, propagate)
            state, time = ta.state.copy(), ta.time.copy()
            phases = [(events, state, time)]
            if not events.all():
                target = self.target(state, time, scale)
                ta, events = self.phase(RESTITUTION, time, state, pars, target, propagate)
                phases.append((events, ta.state.copy(), ta.time.copy()))
            record.append(phases)
        return record

    def propagate(self, ta, goal):
        ta.propagate_until(goal, max_steps=MOST_STEPS)
        events = np.array([-int(result[0]) - 1 for result in ta.propagate_res])
        # Near rest a lane may step over its threshold by less than its error, unseen.
        x, y = ta.state[:2]
        unseen = np.where(x * x + y * y <= ta.pars[2], 1, -1)
        return np.where((events >= 0) & (events < EVENTS), events, unseen)

    def solve(self):
        self.script, self.steps = [], 0

        def propagate(ta, goal):
            self.script.append(self.propagate(ta, goal))
            self.steps += max(result[3] for result in ta.propagate_res)
            return self.script[-1]

        self.record = self.run(propagate)
        self.steps = round(self.steps / len(self.groups))
        outcomes = []
        for (scale, _, _), phases in zip(self.groups, self.record):
            for lane in range(WIDTH):
                alone = [(int(e[lane]), state[:, lane], t[lane]) for e, state, t in phases]
                outcomes.append(self.finish(float(scale[lane]), alone))
        return None if None in outcomes else outcomes

    def __call__(self):
        return self.run(self.propagate)

    def idle(self):
        """The same calls with nothing to integrate."""
        script = iter(self.script)

        def propagate(ta, _):
            self.propagate(ta, ta.time)
            return next(script)

        return self.run(propagate)


def entries(case, tolerance):
    """Everything to be timed: kind, group, method, how many at a time, and a maker."""
    for regular, form in ((False, "in p"), (True, "in τ")):
        arguments = (case, regular, tolerance)
        yield "impact", "heyoka", f"heyoka {form}", 1, partial(Impact, *arguments)
        yield "slip", "heyoka", f"heyoka {form}", 1, partial(Slip, *arguments)
        many = len(case.scales)
        yield "impact", "heyoka_batch", f"heyoka {form}", many, partial(Batch, *arguments)
