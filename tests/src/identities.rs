//! What holds for every impact.

use routh_solver::{Contact, EventKind, Impact, Law, Mode};

use crate::reference::{Input, largest};

/// More steps than this would be a defect of the step rule.
const MOST_STEPS: usize = 100;

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

/// Checks what the equations of motion, friction and restitution demand.
///
/// # Panics
/// If something else is found.
pub fn check<const N: usize>(
    input: &Input<N>,
    contact: &Contact<N>,
    impact: &Impact<N>,
    Slack { relative, impulse: lost }: Slack,
) {
    let [velocity, impulse, work] = scales(input, impact);
    let describe = || format!("{input:?}\n{impact:?}");
    for (i, row) in contact.inertia().iter().enumerate() {
        let change: f64 = row.iter().zip(&impact.impulse).map(|(d, p)| d * p).sum();
        let scale = velocity.max(largest(*row) * impulse);
        let error = (impact.velocity[i] - input.velocity[i] - change) / scale;
        assert!(error.abs() < relative, "momentum {i}: {error:e}\n{}", describe());
    }
    let error = (impact.energy_change - impact.normal_work - impact.friction_work) / work;
    assert!(error.abs() < 1e2 * relative, "energy: {error:e}\n{}", describe());
    let tangential = impact.impulse[1..].iter().map(|p| p * p).sum::<f64>().sqrt();
    let cone = input.friction.fixed() * impact.normal_impulse();
    assert!(tangential <= cone * (1.0 + relative) + 1e-15 * impulse + lost, "cone\n{}", describe());
    assert!(
        impact.friction_work <= relative * work + lost * velocity,
        "friction works\n{}",
        describe()
    );
    let e = input.restitution.e();
    match input.restitution.law() {
        Law::Newton => {
            let error = (impact.velocity[0] + e * input.velocity[0]) / velocity;
            assert!(error.abs() < relative, "Newton: {error:e}\n{}", describe());
        }
        Law::Poisson => {
            let total = (1.0 + e) * impact.compression_impulse;
            let error = (impact.normal_impulse() - total) / impulse;
            assert!(error.abs() < relative, "Poisson: {error:e}\n{}", describe());
        }
        Law::Energetic => {
            assert!(
                impact.energy_change <= relative * work + lost * velocity,
                "gains energy\n{}",
                describe()
            );
            assert!(
                impact.normal_work <= relative * work + lost * velocity,
                "gains energy\n{}",
                describe()
            );
        }
    }
    assert!(impact.velocity[0] >= -relative * velocity, "still approaching\n{}", describe());
    assert!(impact.steps <= MOST_STEPS, "{} steps\n{}", impact.steps, describe());
    check_events(impact, &describe);
}

fn check_events<const N: usize>(impact: &Impact<N>, describe: &dyn Fn() -> String) {
    let slack = 1e-12 * impact.normal_impulse();
    let mut last = 0.0;
    let mut compressing = true;
    for event in impact.events.iter() {
        assert!(event.impulse >= last - slack, "order\n{}", describe());
        last = event.impulse;
        match event.kind {
            EventKind::CompressionEnd => assert!(std::mem::replace(&mut compressing, false)),
            EventKind::Recompression => assert!(!std::mem::replace(&mut compressing, true)),
            _ => {}
        }
    }
    assert!(!compressing && last <= impact.normal_impulse() + slack, "end\n{}", describe());
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
    assert_eq!((halts, sticks, slips), expected, "mode\n{}", describe());
    if sticks {
        assert!(impact.velocity[1..].iter().all(|v| *v == 0.0), "sticks\n{}", describe());
    }
}
