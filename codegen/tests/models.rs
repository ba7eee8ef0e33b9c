//! The models say what the theory says: their rates at random states are those
//! of the equations written out by hand.
#![cfg(feature = "symbolica")]

use routh_codegen::model::{self, Phase, System};
use routh_codegen::program::SeriesProgram;
use routh_codegen::{derive, symbolic};

/// `a`, `h1`, `h2`, `b11`, `b12`, `b22`, `mu`.
const CONTACTS: [[f64; 7]; 3] = [
    [9.009e-3, -0.342e-3, 1.845e-3, 9.307e-3, 2.26e-3, 3.922e-3, 0.3],
    [1.3, 0.4, -0.2, 2.1, 0.5, 0.9, 0.15],
    [2.0, -1.1, 0.7, 1.5, -0.4, 3.0, 1.2],
];

const VELOCITIES: [[f64; 3]; 3] = [[-10.0, 4.0, 0.0], [-1.0, 0.7, -1.1], [0.5, -0.01, 2.5]];

fn program(system: fn() -> System) -> SeriesProgram {
    symbolic::run(move || derive::taylor(&system())).unwrap().unwrap()
}

/// A contact's parameter by its name; in the principal axes of `b`, `b1` and
/// `b2` are its diagonal.
fn parameter(contact: &[f64; 7], name: &str) -> f64 {
    let name = match name {
        "b1" => "b11",
        "b2" => "b22",
        _ => name,
    };
    contact[model::CONTACT.iter().position(|n| *n == name).unwrap()]
}

/// Rates by name at a state given by name.
fn rates(program: &SeriesProgram, contact: &[f64; 7], at: &[(&str, f64)]) -> Vec<(String, f64)> {
    let value = |name: &str| at.iter().find(|(n, _)| *n == name).map_or(0.0, |(_, x)| *x);
    let start: Vec<f64> = program.states.iter().map(|s| value(&s.name)).collect();
    let parameters = program.scalars.inputs.iter().map(|name| parameter(contact, name));
    let coefficients = program.coefficients(&parameters.collect::<Vec<_>>(), &start, 1);
    program.states.iter().map(|s| s.name.clone()).zip(coefficients.iter().map(|c| c[1])).collect()
}

/// What the theory says of each rate in the normal impulse.
fn by_hand(contact: &[f64; 7], [vn, x, y]: [f64; 3]) -> [(&'static str, f64); 7] {
    let [a, h1, h2, b11, b12, b22, mu] = *contact;
    let speed = x.hypot(y);
    let (c, d) = (x / speed, y / speed);
    [
        ("vt1", h1 - mu * (b11 * c + b12 * d)),
        ("vt2", h2 - mu * (b12 * c + b22 * d)),
        ("vn", a - mu * (h1 * c + h2 * d)),
        ("it1", -mu * c),
        ("it2", -mu * d),
        ("wn", vn),
        ("wt", -mu * speed),
    ]
}

fn assert_rates(found: &[(String, f64)], expected: &[(&str, f64)]) {
    for (name, expected) in expected {
        let (_, found) = found.iter().find(|(n, _)| n == name).unwrap();
        let error = (found - expected).abs();
        assert!(error <= 1e-14 * (1.0 + expected.abs()), "{name}: {found} for {expected}");
    }
}

#[test]
fn sliding_in_the_normal_impulse() {
    let program = program(model::sliding);
    assert_eq!(program.scalars.inputs, model::CONTACT);
    for contact in &CONTACTS {
        for [vn, x, y] in VELOCITIES {
            let found = rates(&program, contact, &[("vn", vn), ("vt1", x), ("vt2", y)]);
            assert_rates(&found, &by_hand(contact, [vn, x, y]));
        }
    }
}

/// In `τ` every rate is `s` times as large; `b` is diagonal there.
#[test]
fn sliding_in_the_regularising_variable() {
    let program = program(model::regularised);
    assert_eq!(program.scalars.inputs, model::PRINCIPAL);
    for [a, h1, h2, b1, _, b2, mu] in CONTACTS {
        let contact = [a, h1, h2, b1, 0.0, b2, mu];
        for [vn, x, y] in VELOCITIES {
            let s = x.hypot(y);
            let found = rates(&program, &contact, &[("vt1", x), ("vt2", y), ("vn", vn)]);
            assert_eq!(found.len(), 8);
            let in_p = by_hand(&contact, [vn, x, y]);
            assert_rates(&found, &in_p.map(|(name, rate)| (name, rate * s)));
            assert_rates(&found, &[("p", s)]);
        }
    }
}

/// A smaller velocity slides the same way, to the last bit where it is smaller
/// by a power of two.
#[test]
fn the_regularised_system_is_homogeneous() {
    let program = program(model::regularised);
    let degree = |name: &str| if matches!(name, "wn" | "wt") { 2 } else { 1 };
    let start = [0.7, -1.1, 0.2, 0.3, -0.4, -1.0, 0.5, -0.6];
    let parameters = [1.3, 0.4, -0.2, 2.1, 0.9, 0.15];
    let scaled: Vec<f64> = program
        .states
        .iter()
        .zip(start)
        .map(|(state, x)| x * 0.25_f64.powi(degree(&state.name)))
        .collect();
    let [plain, small] =
        [&start[..], &scaled].map(|start| program.coefficients(&parameters, start, 30));
    for (state, (x, y)) in program.states.iter().zip(plain.iter().zip(&small)) {
        let unit = 0.25_f64.powi(degree(&state.name));
        assert!(x.iter().zip(y).all(|(x, y)| x * unit == *y), "{}", state.name);
    }
}

#[test]
fn planar_phases() {
    let phases = symbolic::run(|| {
        [Phase::Slip, Phase::Reverse, Phase::Stick].map(|phase| {
            let rates = model::planar_phase(phase).unwrap();
            [rates.normal_rate, rates.tangential_rate, rates.friction].map(|rate| rate.to_string())
        })
    });
    let expected = [
        ["a-c*mu*sigma", "-b*mu*sigma+c", "-mu*sigma"],
        ["a+c*mu*sigma", "b*mu*sigma+c", "mu*sigma"],
        ["a-c^2/b", "0", "-c/b"],
    ];
    assert_eq!(phases.unwrap(), expected);
}
