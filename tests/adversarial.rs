//! Impacts at the edges of the theory and of the numbers, against 77 digits.

use std::fmt::Display;

use routh::{Contact, EventKind, Flow, Impact, Mode};
use routh_tests::generated::{any, any_planar};
use routh_tests::reference::{Case, Impacts, error};

/// Fails with all cases that are off by more than they may, or refused.
fn all_within<const N: usize, E: Display>(
    cases: &[Case<N>],
    solve: impl Fn(&Case<N>) -> Result<Impact<N>, E>,
) {
    let missed = cases.iter().filter_map(|case| match solve(case) {
        Err(error) => Some(format!("{}: {error}", case.name)),
        Ok(impact) => {
            let error = error(case, &impact);
            let (most, mode) = (case.tolerance, impact.mode.name());
            (error.is_nan() || error > most || !case.has_mode_of(&impact))
                .then(|| format!("{}: {error:.1e} of {most:.1e}, {mode}", case.name))
        }
    });
    let missed: Vec<_> = missed.collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn series_meet_all() {
    all_within(&Impacts::adversarial().spatial, |case| case.input.solve());
}

#[test]
fn closed_forms_meet_all() {
    all_within(&Impacts::adversarial().planar, |case| case.input.solve());
}

#[test]
fn tables_meet_all() {
    for make in [Flow::new, Flow::compact] {
        all_within(&Impacts::adversarial().spatial, |case| {
            let contact = Contact::new(case.input.inertia)?;
            make(&contact, case.input.friction).solve(case.input.velocity, case.input.restitution)
        });
    }
}

/// What a generated solver makes of an impact, as the library's type.
macro_rules! generated {
    ($module:ident, $case:expr) => {
        $module::of_row(&$case.input.row()).map(|made| {
            let mut impact = Impact {
                velocity: made.velocity,
                impulse: made.impulse,
                compression_impulse: made.compression_impulse,
                normal_work: made.normal_work,
                friction_work: made.friction_work,
                energy_change: made.energy_change,
                critical_friction: made.critical_friction,
                mode: match made.mode {
                    $module::Mode::PermanentSliding => Mode::PermanentSliding,
                    $module::Mode::StickingInCompression => Mode::StickingInCompression,
                    $module::Mode::ReverseInCompression => Mode::ReverseInCompression,
                    $module::Mode::StickingInRestitution => Mode::StickingInRestitution,
                    $module::Mode::ReverseInRestitution => Mode::ReverseInRestitution,
                    $module::Mode::Sticking => Mode::Sticking,
                    $module::Mode::SlipFromRest => Mode::SlipFromRest,
                },
                ..Impact::NONE
            };
            for event in &made.events.list[..made.events.count] {
                let kind = match event.kind {
                    $module::EventKind::CompressionEnd => EventKind::CompressionEnd,
                    $module::EventKind::Recompression => EventKind::Recompression,
                    $module::EventKind::Halt => EventKind::Halt,
                    $module::EventKind::Stick => EventKind::Stick,
                    $module::EventKind::SlipRestart => EventKind::SlipRestart,
                };
                assert!(impact.events.note(kind, event.impulse));
            }
            impact
        })
    };
}

/// Generated C is equal to it, bit by bit (see `equality`).
#[test]
fn generated_series_meet_all() {
    all_within(&Impacts::adversarial().spatial, |case| generated!(any, case));
}

#[test]
fn generated_closed_forms_meet_all() {
    all_within(&Impacts::adversarial().planar, |case| generated!(any_planar, case));
}
