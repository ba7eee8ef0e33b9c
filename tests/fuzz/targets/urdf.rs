//! Any text as a URDF, struck at its last link.
#![no_main]

use routh_codegen::Error;
use routh_codegen::mechanism::{Base, ContactFrame, Mechanism};

/// Programs of more velocities than this take long to make.
const MOST_VELOCITIES: usize = 8;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for base in [Base::Fixed, Base::Floating] {
        if let Err(error) = strike(text, base) {
            assert!(!error.to_string().is_empty());
        }
    }
});

fn strike(text: &str, base: Base) -> Result<(), Error> {
    let mechanism = Mechanism::from_urdf(text, base)?;
    let Some(frame) = mechanism.link_names().last().map(str::to_owned) else { return Ok(()) };
    if mechanism.velocities() > MOST_VELOCITIES {
        return Ok(());
    }
    let tangents = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let contact = ContactFrame { frame, normal: [0.0, 0.0, 1.0], tangents };
    let program = mechanism.dynamics(&contact)?;
    let positions = vec![0.3_f64; mechanism.positions()];
    let values: Vec<f64> = program.evaluate(&positions);
    assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
    Ok(())
}
