"""heyoka: Taylor series compiled for one case, with its own events. Compression and
restitution are integrators of their own, so that each looks only for what may end it. Both
forms of the equations: over the impulse ("in p"), and with dp = |v| dtau ("in τ")."""

import heyoka as hy
import numpy as np

from course import COMPRESSION, Course

LONG = 1e6
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


class Impact:
    """One impact after the other."""

    def __init__(self, case, regular, tolerance):
        self.case, form = case, Form(case, regular, True)
        self.regular, start = regular, [*case.velocity[1:], 0.0, 0.0][: form.size()]
        if not regular:
            start = [*case.velocity[1:], 0.0]
        slowest = (tolerance**2) * (start[0] ** 2 + start[1] ** 2)
        parameters = [0.0, 1.0, slowest]
        self.start = np.array(start)

        def make(events):
            return hy.taylor_adaptive(
                form.system, start, pars=parameters, t_events=events, tol=tolerance
            )

        self.phases = {
            COMPRESSION: make(compressing(form, hy.t_event)),
            "restitution": make(restoring(form, case, hy.t_event)),
        }
        self.outcomes, self.steps = [], 0

    def point(self, ta):
        if self.regular:
            x, y, p, w = ta.state
        else:
            (x, y, w), p = ta.state, ta.time
        n0, n1, n2, n3 = self.case.normal
        return x, y, p, w, n0 + n1 * p + n2 * x + n3 * y

    def run(self, propagate):
        course, time, state = Course(self.case), 0.0, self.start
        while True:
            ta = self.phases[course.stage]
            ta.time = time
            ta.state[:] = state
            ta.reset_cooldowns()
            if course.stage != COMPRESSION:
                ta.pars[0] = course.target()
            event = propagate(ta)
            x, y, p, w, normal = self.point(ta)
            if event == 1:
                return course.halt(x, y, p, w, normal)
            if course.stage != COMPRESSION and event == 0:
                return course.end(x, y, p, w, normal)
            if event is None:
                return None
            course.turn(p, w)
            time, state = ta.time, ta.state

    def solve(self):
        """The outcome; remembers what ended each phase."""
        self.outcomes, self.steps = [], 0

        def propagate(ta):
            outcome, _, _, steps, *_ = ta.propagate_until(LONG, max_steps=20_000)
            index = -int(outcome) - 1
            self.outcomes.append(index if 0 <= index < 3 else None)
            self.steps += steps
            return self.outcomes[-1]

        return self.run(propagate)

    def __call__(self):
        def propagate(ta):
            outcome = int(ta.propagate_until(LONG)[0])
            return -outcome - 1

        return self.run(propagate)

    def idle(self):
        """The same calls with nothing to integrate."""
        events = iter(self.outcomes)

        def propagate(ta):
            int(ta.propagate_until(ta.time)[0])
            return next(events)

        return self.run(propagate)


class Slip:
    """The velocity at the case's impulses: over the impulse by heyoka's grid, over tau by a
    terminal event at each impulse; a halt is a terminal event of both."""

    def __init__(self, case, regular, tolerance):
        self.case, self.regular, form = case, regular, Form(case, regular, False)
        start = [*case.velocity[1:], 0.0][: form.size()]
        slowest = (tolerance**2) * (start[0] ** 2 + start[1] ** 2)
        events = [halting(form, hy.t_event)]
        if regular:
            events.append(hy.t_event(form.p - hy.par[0], direction=DIRECTION.positive))
        self.start, self.grid = np.array(start), np.array([0.0, *case.impulses])
        self.ta = hy.taylor_adaptive(
            form.system, start, pars=[0.0, 1.0, slowest], t_events=events, tol=tolerance
        )
        self.steps = 0

    def reset(self):
        self.ta.time = 0.0
        self.ta.state[:] = self.start
        self.ta.reset_cooldowns()

    def after(self, halted, found):
        (dx, dy), left = self.case.rate_from_rest, self.case.impulses[len(found) :]
        return found + [[dx * (p - halted), dy * (p - halted)] for p in left]

    def solve(self):
        self.steps = 0
        found = self(max_steps=20_000)
        return found

    def __call__(self, **options):
        self.reset()
        ta, found = self.ta, []
        if not self.regular:
            _, _, _, self.steps, _, rows = ta.propagate_grid(self.grid, **options)
            return self.after(ta.time, rows[1:].tolist())
        for p in self.case.impulses:
            ta.pars[0] = p
            outcome, _, _, steps, *_ = ta.propagate_until(LONG, **options)
            self.steps += steps
            if int(outcome) != -2:
                return self.after(ta.state[2], found)
            found.append(ta.state[:2].tolist())
        return found

    def idle(self):
        self.reset()
        ta, found = self.ta, []
        if not self.regular:
            ta.propagate_grid(self.grid[:1])
            return found
        for p in self.case.impulses:
            ta.pars[0] = p
            int(ta.propagate_until(ta.time)[0])
            found.append(ta.state[:2].tolist())
        return found


class Batch:
    """Many impacts, as many at a time as the machine has lanes."""

    def __init__(self, case, regular, tolerance):
        self.case, self.regular, form = case, regular, Form(case, regular, True)
        lanes, size = WIDTH, form.size()
        x, y = case.velocity[1:]
        self.start = np.zeros((size, lanes))
        self.start[:2] = [[x], [y]]
        scales = np.array(case.scales).reshape(-1, lanes)
        self.groups = [(s, self.start * s, self.parameters(s, tolerance)) for s in scales]

        def make(events):
            parameters = np.ones((3, lanes))
            return hy.taylor_adaptive_batch(
                form.system, self.start, pars=parameters, t_events=events, tol=tolerance
            )

        self.phases = {
            COMPRESSION: make(compressing(form, hy.t_event_batch)),
            "restitution": make(restoring(form, case, hy.t_event_batch)),
        }
        self.far, self.script, self.steps = np.full(lanes, LONG), [], 0

    def parameters(self, scale, tolerance):
        x, y = self.case.velocity[1:]
        return np.array([0 * scale, scale, (tolerance * scale) ** 2 * (x * x + y * y)])

    def points(self, ta, scale):
        if self.regular:
            x, y, p, w = ta.state
        else:
            (x, y, w), p = ta.state, ta.time
        n0, n1, n2, n3 = self.case.normal
        normal = n0 * scale + n1 * p + n2 * x + n3 * y
        return np.array([x, y, p, w, normal]).T.tolist()

    def group(self, scale, start, parameters, propagate):
        """The lanes of one group go through each phase together; those that have ended wait."""
        courses = [Course(self.case, s) for s in scale.tolist()]
        found, stage, time, state = [None] * len(courses), COMPRESSION, 0.0 * scale, start
        waiting = set(range(len(courses)))
        while waiting:
            ta = self.phases[stage]
            ta.set_time(time)
            ta.state[:] = state
            ta.pars[:] = parameters
            ta.reset_cooldowns()
            if stage != COMPRESSION:
                ta.pars[0] = [course.target() for course in courses]
            running = set(waiting)
            goal = self.far.copy()
            while running:
                for lane in range(len(courses)):
                    if lane not in running:
                        goal[lane] = ta.time[lane]
                ended = propagate(ta, goal)
                if not any(lane in running for lane in ended):
                    return None
                points = self.points(ta, scale)
                for lane, event in ended.items():
                    if lane not in running:
                        continue
                    running.discard(lane)
                    x, y, p, w, normal = points[lane]
                    if event == 1:
                        found[lane] = courses[lane].halt(x, y, p, w, normal)
                        waiting.discard(lane)
                    elif stage != COMPRESSION and event == 0:
                        found[lane] = courses[lane].end(x, y, p, w, normal)
                        waiting.discard(lane)
                    else:
                        courses[lane].turn(p, w)
            if len({courses[lane].stage for lane in waiting}) > 1:
                return None
            stage = courses[min(waiting)].stage if waiting else stage
            time, state = ta.time, ta.state
        return found

    def run(self, propagate):
        found = []
        for scale, start, parameters in self.groups:
            outcomes = self.group(scale, start, parameters, propagate)
            if outcomes is None:
                return None
            found += outcomes
        return found

    def propagate(self, ta, goal):
        ta.propagate_until(goal)
        return {
            lane: -int(result[0]) - 1
            for lane, result in enumerate(ta.propagate_res)
            if -4 < int(result[0]) < 0
        }

    def solve(self):
        self.script, self.steps = [], 0

        def propagate(ta, goal):
            self.script.append(self.propagate(ta, goal))
            self.steps += max(result[3] for result in ta.propagate_res)
            return self.script[-1]

        found = self.run(propagate)
        self.steps = round(self.steps / len(self.groups))
        return found

    def __call__(self):
        return self.run(self.propagate)

    def idle(self):
        script = iter(self.script)

        def propagate(ta, goal):
            ta.propagate_until(ta.time)
            {lane: -int(result[0]) - 1 for lane, result in enumerate(ta.propagate_res)}
            return next(script)

        return self.run(propagate)


def entries(case, tolerance):
    """Everything to be timed: kind, method, how many at a time, and a maker."""
    for regular, form in ((False, "in p"), (True, "in τ")):
        yield "impact", f"heyoka {form}", 1, lambda r=regular: Impact(case, r, tolerance)
        yield "impact", f"heyoka batch {form}", len(case.scales), lambda r=regular: Batch(case, r, tolerance)
        yield "slip", f"heyoka {form}", 1, lambda r=regular: Slip(case, r, tolerance)
