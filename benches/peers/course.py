"""An impact apart from the integrator that follows its sliding: what is to be found on the
way, and what follows a halt. The same as benches/integrators/src/impact/state.rs."""

from math import hypot, sqrt

COMPRESSION, RESTITUTION = "compression", "restitution"


class Case:
    """A case as Rust exports it, with the constants that integrators need: `h`, `m` = mu b
    (11, 12, 22), and `normal`, v_n as a sum over 1, p, x, y."""

    def __init__(self, document):
        self.name = document["name"]
        (a, h1, h2), (_, b11, b12), (_, _, b22) = document["inertia"]
        self.velocity = document["velocity"]
        self.mu, static = document["friction"], document["static_friction"]
        self.law, self.e = document["law"], document["e"]
        self.impulses, self.scales = document["impulses"], document["scales"]
        self.h, self.m = (h1, h2), tuple(self.mu * b for b in (b11, b12, b22))
        determinant = b11 * b22 - b12 * b12
        self.holding = ((b22 * h1 - b12 * h2) / determinant, (b11 * h2 - b12 * h1) / determinant)
        self.sticking_rate = a - h1 * self.holding[0] - h2 * self.holding[1]
        n, x, y = self.velocity
        constant = n - self.holding[0] * x - self.holding[1] * y
        self.normal = (constant, self.sticking_rate, *self.holding)
        self.without_friction = -(1 + self.e) * n / a
        self.sticks = hypot(*self.holding) <= static
        self.rate_from_rest = (0.0, 0.0) if self.sticks else self.restart_rate()

    def restart_rate(self):
        """dv_t/dp of a slip out of rest: lambda u with (mu b + lambda) u = h, |u| = 1."""
        (h1, h2), (m11, m12, m22) = self.h, self.m

        def direction(shift):
            a, d = m11 + shift, m22 + shift
            determinant = a * d - m12 * m12
            return (d * h1 - m12 * h2) / determinant, (a * h2 - m12 * h1) / determinant

        low, high = 0.0, hypot(h1, h2)
        for _ in range(64):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if hypot(*direction(middle)) > 1 else (low, middle)
        return tuple(high * u for u in direction(high))


    def left_to_halt(self, x, y):
        """The little impulse that is left of a slip that all but halts, along its direction."""
        (h1, h2), (m11, m12, m22) = self.h, self.m
        speed = sqrt(x * x + y * y)
        c, d = x / speed, y / speed
        return -speed / (c * (h1 - m11 * c - m12 * d) + d * (h2 - m12 * c - m22 * d))

    def after_halt(self, x, y, p, impulses):
        """The velocities at impulses after a slip has all but halted."""
        halt, (dx, dy) = p + self.left_to_halt(x, y), self.rate_from_rest
        return [[dx * max(0.0, p - halt), dy * max(0.0, p - halt)] for p in impulses]


class Course:
    """The phases of one impact, at a multiple of its case's velocities."""

    def __init__(self, case, scale=1.0):
        self.case, self.approach = case, -scale * case.velocity[0]
        self.stage, self.since = COMPRESSION, (0.0, 0.0)
        self.compressed, self.restored = [0.0, 0.0], [0.0, 0.0]
        self.events = []

    def turn(self, p, work):
        """Compression ends or resumes."""
        compressing = self.stage == COMPRESSION
        total = self.compressed if compressing else self.restored
        total[0] += p - self.since[0]
        total[1] += work - self.since[1]
        self.since = (p, work)
        self.stage = RESTITUTION if compressing else COMPRESSION
        self.events.append(("compression_end" if compressing else "recompression", p))

    def target(self):
        """The v_n, p or W at which restitution ends, by the law."""
        e = self.case.e
        if self.case.law == "newton":
            return e * self.approach
        if self.case.law == "poisson":
            return e * self.compressed[0] - self.restored[0] + self.since[0]
        return -e * e * self.compressed[1] - self.restored[1] + self.since[1]

    def end(self, x, y, p, work, normal):
        """The outcome of an impact that ends here."""
        return {
            "velocity": [normal, x, y],
            "impulse": p,
            "compression_impulse": self.compressed[0],
            "normal_work": work,
            "events": self.events,
        }

    def halt(self, x, y, p, work, normal):
        """The outcome of an impact whose sliding all but halts here."""
        case, left = self.case, self.case.left_to_halt(x, y)
        rate = case.sticking_rate - case.holding[0] * x / left - case.holding[1] * y / left
        normal, work, p = self.straight(normal, work, p, rate, left)
        self.events += [("halt", p), ("stick" if case.sticks else "slip_restart", p)]
        dx, dy = case.rate_from_rest
        rate, halted = case.sticking_rate + case.holding[0] * dx + case.holding[1] * dy, p
        if self.stage == COMPRESSION:
            normal, work, p = self.straight(normal, work, p, rate, -normal / rate)
            self.turn(p, work)
            normal = 0.0
        normal, work, p = self.straight(normal, work, p, rate, self.left(normal, work, p, rate))
        return self.end(dx * (p - halted), dy * (p - halted), p, work, normal)

    @staticmethod
    def straight(normal, work, p, rate, q):
        after = normal + rate * q
        return after, work + 0.5 * (normal + after) * q, p + q

    def left(self, normal, work, p, rate):
        """The impulse to the end of restitution at a constant rate of v_n."""
        target = self.target()
        if self.case.law == "newton":
            return max(0.0, target - normal) / rate
        if self.case.law == "poisson":
            return max(0.0, target - p)
        missing = max(0.0, target - work)
        return 2 * missing / (normal + sqrt(normal * normal + 2 * rate * missing))
