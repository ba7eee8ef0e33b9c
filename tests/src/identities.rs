//! What holds for every impact.

use routh::{Contact, EventKind, Impact, Law, Mode};

use crate::reference::{Input, largest};

/// More steps than this would be a defect of the step rule.
pub const MOST_STEPS: usize = 100;

/// Units of velocity, impulse and work of an impact.
fn scales<const N: usize>(input: &Input<N>, impact: &Impact<N>) -> [f64; 3] {
    let velocity = largest(input.velocity.iter().chain(&impact.velocity).copied());
    let impulse = largest(impact.impulse);
    let works = [impact.normal_work, impact.friction_work, impact.energy_change];
    [velocity, impulse, largest(works).max(1e-3 * velocity * impulse)]
}

/// How closely identities must hold: relative to scale, and what of an impulse
/// may be lost besides.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    /// As a part of scale.
    pub relative: f64,
    /// Of tangential impulse.
    pub impulse: f64,
}

/// What the series are held to.
pub const CLOSE: Slack = Slack { relative: 1e-12, impulse: 0.0 };

/// By how much an impact misses an identity.
#[derive(Clone, Copy, Debug)]
pub struct Miss {
    /// What it is called.
    pub identity: &'static str,
    /// Relative to scale.
    pub error: f64,
    /// How much more it may miss this one than others.
    pub allowance: f64,
}

impl Miss {
    /// Whether it is too much, or not a number.
    pub fn exceeds(&self, relative: f64) -> bool {
        self.error.is_nan() || self.error >= self.allowance * relative
    }
}

/// Works are sums of terms larger than they are.
const OF_WORKS: f64 = 1e2;

/// By how much an impact misses what the equations of motion, friction and
/// restitution demand, once so much tangential impulse is forgiven.
pub fn misses<const N: usize>(
    input: &Input<N>,
    contact: &Contact<N>,
    impact: &Impact<N>,
    lost: f64,
) -> [Miss; 7] {
    let [velocity, impulse, work] = scales(input, impact);
    let momentum = contact.inertia().iter().enumerate().map(|(i, row)| {
        let change: f64 = row.iter().zip(&impact.impulse).map(|(d, p)| d * p).sum();
        let scale = velocity.max(largest(*row) * impulse);
        ((impact.velocity[i] - input.velocity[i] - change) / scale).abs()
    });
    let energy = (impact.energy_change - impact.normal_work - impact.friction_work) / work;
    let tangential = impact.impulse[1..].iter().fold(0.0_f64, |sum, p| sum.hypot(*p));
    let cone = input.friction.static_friction() * impact.normal_impulse();
    let beyond = (tangential - cone - lost) / cone.max(1e-3 * impulse);
    let gain = |works: f64| (works - lost * velocity) / work;
    let e = input.restitution.e();
    let (restitution, gained) = match input.restitution.law() {
        Law::Newton => ((impact.velocity[0] + e * input.velocity[0]) / velocity, 0.0),
        Law::Poisson => {
            let total = (1.0 + e) * impact.compression_impulse;
            ((impact.normal_impulse() - total) / impulse, 0.0)
        }
        Law::Energetic => (0.0, worst([gain(impact.energy_change), gain(impact.normal_work)])),
    };
    [
        ("momentum", worst(momentum), 1.0),
        ("energy", energy.abs(), OF_WORKS),
        ("cone", worst([beyond]), 1.0),
        ("friction's work", worst([gain(impact.friction_work)]), 1.0),
        ("restitution", restitution.abs(), 1.0),
        ("gain", gained, OF_WORKS),
        ("parting", worst([-impact.velocity[0] / velocity]), 1.0),
    ]
    .map(|(identity, error, allowance)| Miss { identity, error, allowance })
}

/// The largest above zero, or what is not a number.
fn worst(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |worst, x| if x <= worst { worst } else { x })
}

/// Checks what the equations of motion, friction and restitution demand.
///
/// # Panics
/// If something else is found.
pub fn check<const N: usize>(
    input: &Input<N>,
    contact: &Contact<N>,
    impact: &Impact<N>,
    Slack { relative, impulse }: Slack,
) {
    let describe = || format!("{input:?}\n{impact:?}");
    for miss in misses(input, contact, impact, impulse) {
        assert!(!miss.exceeds(relative), "{miss:?}\n{}", describe());
    }
    assert!(impact.steps <= MOST_STEPS, "{} steps\n{}", impact.steps, describe());
    check_events(impact).unwrap_or_else(|wrong| panic!("{wrong}\n{}", describe()));
}

/// Checks that events follow each other as they must and make up the mode.
///
/// # Errors
/// What is wrong.
pub fn check_events<const N: usize>(impact: &Impact<N>) -> Result<(), &'static str> {
    let slack = 1e-12 * impact.normal_impulse();
    let mut last = 0.0;
    let mut compressing = true;
    for event in impact.events.iter() {
        holds(event.impulse >= last - slack, "events are out of order")?;
        last = event.impulse;
        let turns = match event.kind {
            EventKind::CompressionEnd => std::mem::replace(&mut compressing, false),
            EventKind::Recompression => !std::mem::replace(&mut compressing, true),
            _ => true,
        };
        holds(turns, "compression ends or resumes twice")?;
    }
    holds(!compressing, "compression does not end")?;
    holds(last <= impact.normal_impulse() + slack, "an event follows the end")?;
    let has = |kind| impact.events.iter().any(|e| e.kind == kind);
    let (halts, sticks, slips) =
        (has(EventKind::Halt), has(EventKind::Stick), has(EventKind::SlipRestart));
    let expected = match impact.mode {
        Mode::PermanentSliding => (false, false, false),
        Mode::StickingInCompression | Mode::StickingInRestitution => (true, true, false),
        Mode::ReverseInCompression | Mode::ReverseInRestitution => (true, false, true),
        Mode::Sticking => (false, true, false),
        Mode::SlipFromRest => (false, false, true),
    };
    holds((halts, sticks, slips) == expected, "the events are of another mode")?;
    holds(!sticks || impact.velocity[1..].iter().all(|v| *v == 0.0), "what sticks slides")
}

fn holds(it: bool, otherwise: &'static str) -> Result<(), &'static str> {
    if it { Ok(()) } else { Err(otherwise) }
}
