//! Finishes an impact solved from pieces: the rates for its last correction, the
//! motion after a halt, and the result.

use routh_runtime::double::inertia::Contact;
use routh_runtime::double::number::scale;
use routh_runtime::double::sectors;
use routh_runtime::double::straight::ConstantRates;

use crate::contact::Restitution;
use crate::elementary::sqrt;
use crate::impact::{EventKind, Events, Impact, Law, Mode};

/// The contact in its own axes and in units of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    a: f64,
    h: [f64; 2],
    /// `μ b`: first, mixed and second.
    mu_b: [f64; 3],
    /// The tangential impulse per unit of each velocity change and of the normal
    /// impulse.
    reaction: [[f64; 2]; 4],
    mu: f64,
    rate: f64,
    critical_friction: f64,
    /// The unit of impulse, in the units of results.
    impulse: f64,
    /// Whether the contact sticks at rest, and the rates of the normal and the
    /// tangential velocity that follow.
    sticks: bool,
    rest_rate: f64,
    restart: [f64; 2],
    /// The tangential impulse per normal impulse then.
    rest_friction: [f64; 2],
}

/// The tangential impulse of a slip per unit of each velocity change, in the contact's
/// own axes, and of the normal impulse.
fn reaction(contact: &Contact) -> [[f64; 2]; 4] {
    let of = |[n, x, y]: [f64; 3], impulse| {
        let [x, y] = contact.inward([x, y]);
        contact.outward(sectors::reaction(contact, &[n, x, y], impulse))
    };
    let none = [0.0; 3];
    [of([1.0, 0.0, 0.0], 0.0), of([0.0, 1.0, 0.0], 0.0), of([0.0, 0.0, 1.0], 0.0), of(none, 1.0)]
}

/// The end of compression: impulse and work so far.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) impulse: f64,
    pub(crate) work: f64,
}

/// The state at the end of a slip or of the impact.
pub(crate) struct End {
    pub(crate) impulse: f64,
    pub(crate) tangential: [f64; 2],
    pub(crate) normal: f64,
    pub(crate) work: f64,
}

impl End {
    /// The further impulse that does `work` if the normal velocity rises at a constant
    /// `rate`.
    #[inline(always)]
    pub(crate) fn impulse_for(&self, work: f64, rate: f64) -> f64 {
        let square = self.normal * self.normal + 2.0 * rate * work;
        2.0 * work / (self.normal + sqrt(square.max(0.0)))
    }
}

/// The first and second derivatives of the velocities by the normal impulse.
pub(crate) struct Rates {
    tangential: [f64; 2],
    tangential_change: [f64; 2],
    pub(crate) normal: f64,
    pub(crate) normal_change: f64,
    /// A bound on how fast directions and speeds change.
    pub(crate) pace: f64,
}

impl Rates {
    /// The state a small impulse later.
    #[inline(always)]
    pub(crate) fn advance(&self, end: &End, more: f64) -> End {
        let half = 0.5 * more;
        let change = |i: usize| (self.tangential[i] + half * self.tangential_change[i]) * more;
        let rise = (self.normal + half * self.normal_change) * more;
        let work = (self.normal + self.normal_change * more * (1.0 / 3.0)) * half * more;
        End {
            impulse: end.impulse + more,
            tangential: [end.tangential[0] + change(0), end.tangential[1] + change(1)],
            normal: end.normal + rise,
            work: end.work + end.normal * more + work,
        }
    }
}

impl Inertia {
    pub(crate) fn new(contact: &Contact) -> Self {
        let Contact { a, h, b: [b1, b2], mu, critical_friction, .. } = *contact;
        let [c, d] = contact.outward([1.0, 0.0]);
        let [m1, m2] = [mu * b1, mu * b2];
        let rest: ConstantRates<()> = contact.from_rest();
        Self {
            a,
            h: contact.outward(h),
            reaction: reaction(contact),
            mu_b: [c * c * m1 + d * d * m2, c * d * (m1 - m2), d * d * m1 + c * c * m2],
            mu,
            rate: contact.rate,
            critical_friction,
            impulse: scale(1.0, -contact.unit),
            sticks: contact.sticks,
            rest_rate: rest.normal_rate,
            restart: contact.outward(rest.tangential_rate),
            rest_friction: contact.outward(rest.friction),
        }
    }

    /// The derivatives at a tangential velocity.
    #[inline(always)]
    pub(crate) fn rates(&self, [v1, v2]: [f64; 2]) -> Rates {
        let ([h1, h2], [xx, xy, yy]) = (self.h, self.mu_b);
        let inverse = 1.0 / sqrt(v1 * v1 + v2 * v2);
        let [c, d] = [v1 * inverse, v2 * inverse];
        let [f1, f2] = [h1 - (xx * c + xy * d), h2 - (xy * c + yy * d)];
        let turn = (c * f2 - d * f1) * inverse;
        Rates {
            tangential: [f1, f2],
            tangential_change: [turn * (xx * d - xy * c), turn * (xy * d - yy * c)],
            normal: self.a - self.mu * (h1 * c + h2 * d),
            normal_change: self.mu * (h1 * d - h2 * c) * turn,
            pace: self.rate * inverse,
        }
    }

    /// The result of an impact that slides to its end.
    #[inline(always)]
    pub(crate) fn slid(
        &self,
        before: [f64; 3],
        restitution: Restitution,
        end: &End,
        compression: f64,
    ) -> Option<Impact<3>> {
        let normal = match restitution.law() {
            Law::Newton => -restitution.e() * before[0],
            _ if restitution.e() == 0.0 => 0.0,
            _ => end.normal,
        };
        let mut events = Events::NONE;
        events.note(EventKind::CompressionEnd, compression * self.impulse);
        let end = End { normal, ..*end };
        let reaction = self.slip_impulse(before, &end);
        self.impact(before, &end, reaction, compression, Mode::PermanentSliding, events)
    }

    /// The result of an impact whose slip halts, before or after compression ends.
    #[inline(always)]
    pub(crate) fn halted(
        &self,
        before: [f64; 3],
        restitution: Restitution,
        at: End,
        turn: Option<Turn>,
    ) -> Option<Impact<3>> {
        let (e, rate) = (restitution.e(), self.rest_rate);
        let mut events = Events::NONE;
        if let Some(turn) = &turn {
            events.note(EventKind::CompressionEnd, turn.impulse * self.impulse);
        }
        events.note(EventKind::Halt, at.impulse * self.impulse);
        let next = if self.sticks { EventKind::Stick } else { EventKind::SlipRestart };
        events.note(next, at.impulse * self.impulse);
        let mode = match (turn.is_some(), self.sticks) {
            (false, true) => Mode::StickingInCompression,
            (false, false) => Mode::ReverseInCompression,
            (true, true) => Mode::StickingInRestitution,
            (true, false) => Mode::ReverseInRestitution,
        };
        // From the halt, or from the end of compression after it, at constant rates.
        let (more, compression) = match turn {
            None => {
                let more = -at.normal / rate;
                let compression = at.impulse + more;
                events.note(EventKind::CompressionEnd, compression * self.impulse);
                let restored = match restitution.law() {
                    Law::Newton => -e * before[0] / rate,
                    Law::Poisson => e * compression,
                    Law::Energetic => e * sqrt((-2.0 * at.work - at.normal * more).max(0.0) / rate),
                };
                (more + restored, compression)
            }
            Some(Turn { impulse, work }) => {
                let more = match restitution.law() {
                    Law::Newton => (-e * before[0] - at.normal) / rate,
                    Law::Poisson => impulse * (1.0 + e) - at.impulse,
                    Law::Energetic => {
                        let missing = (1.0 - e * e) * work - at.work;
                        let square = at.normal * at.normal + 2.0 * rate * missing;
                        2.0 * missing / (at.normal + sqrt(square.max(0.0)))
                    }
                };
                (more, impulse)
            }
        };
        let end = End {
            impulse: at.impulse + more,
            tangential: self.restart.map(|rate| rate * more),
            normal: if e == 0.0 { 0.0 } else { at.normal + rate * more },
            work: at.work + (at.normal + 0.5 * rate * more) * more,
        };
        let [slip, rest] = [self.slip_impulse(before, &at), self.rest_friction.map(|x| x * more)];
        let reaction = [slip[0] + rest[0], slip[1] + rest[1]];
        self.impact(before, &end, reaction, compression, mode, events)
    }

    /// The tangential impulse of a slip from a velocity to an end.
    #[inline(always)]
    fn slip_impulse(&self, [n, v1, v2]: [f64; 3], end: &End) -> [f64; 2] {
        let [w1, w2] = end.tangential;
        let [normal, first, second, impulse] = self.reaction;
        let changes = [end.normal - n, w1 - v1, w2 - v2];
        core::array::from_fn(|i| {
            (changes[0] * normal[i] + end.impulse * impulse[i])
                + (changes[1] * first[i] + changes[2] * second[i])
        })
    }

    /// The result of an impact with this end; `None` if a number overflows.
    #[inline(always)]
    fn impact(
        &self,
        before: [f64; 3],
        end: &End,
        [i1, i2]: [f64; 2],
        compression: f64,
        mode: Mode,
        events: Events,
    ) -> Option<Impact<3>> {
        let [n, v1, v2] = before;
        let [w1, w2] = end.tangential;
        let energy = 0.5 * (end.impulse * (n + end.normal) + i1 * (v1 + w1) + i2 * (v2 + w2));
        // Friction never adds energy, even after rounding.
        let work = end.work.max(energy);
        let sizes = (end.impulse + i1 + i2 + energy + end.work) * self.impulse;
        if !(w1 + w2 + sizes).is_finite() {
            return None;
        }
        Some(Impact {
            velocity: [end.normal, w1, w2],
            impulse: [end.impulse, i1, i2].map(|p| p * self.impulse),
            compression_impulse: compression * self.impulse,
            normal_work: work * self.impulse,
            friction_work: (energy - work) * self.impulse,
            energy_change: energy * self.impulse,
            critical_friction: self.critical_friction,
            mode,
            events,
            steps: 0,
        })
    }
}
