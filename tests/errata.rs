//! Where equations of the papers are misprinted: the printed form is computed as well,
//! and shown to be wrong. `docs/errata.md` lists them; tables are in `tables.rs` here
//! and in `codegen/tests/sliding_coefficients.rs`.

use routh::compliant::hertz_stiffness;
use routh::{Accuracy, Contact, Friction, Impact, Law, Mode, Restitution, Trajectory};
use routh_tests::reference::{SeedTable, Sliding};

/// The planar paper's rod, with a sign for `c`.
fn planar(c: f64, velocity: [f64; 2], mu: f64, law: Law, e: f64) -> Impact<2> {
    let contact = Contact::new([[2.5, c], [c, 2.5]]).unwrap();
    let (friction, restitution) = (Friction::uniform(mu), Restitution::new(law, e));
    contact.solve(velocity, friction.unwrap(), restitution.unwrap()).unwrap()
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-12
}

/// With `c > 0` the printed `μ_c = −c/b` is negative, so that any friction would hold.
#[test]
fn planar_14_critical_friction_has_no_sign() {
    for (c, vt) in [(1.5, -0.1), (-1.5, 0.1)] {
        let contact = Contact::new([[2.5, c], [c, 2.5]]).unwrap();
        assert!(close(contact.critical_friction(), 0.6));
        let mode = |mu| planar(c, [-1.0, vt], mu, Law::Newton, 0.5).mode;
        assert_eq!(mode(0.59), Mode::ReverseInCompression);
        assert_eq!(mode(0.61), Mode::StickingInCompression);
    }
}

/// `a − μ c σ < 0`: the printed `I_np` and `I_nf` are negative, which would be permanent
/// sliding; it is jammed until it halts, in compression.
#[test]
fn planar_33_jamming_halts_before_compression_ends() {
    let (a, b, c, mu, vt) = (1.0, 1.0, 0.9, 2.0, 0.5);
    let zeta = 1.0 / (a - mu * c);
    let (printed, halt) = (-zeta * -1.0, -vt / (c - mu * b));
    assert!(zeta < 0.0 && printed < 0.0 && halt > printed);
    let contact = Contact::new([[a, c], [c, b]]).unwrap();
    let friction = Friction::uniform(mu).unwrap();
    let restitution = Restitution::new(Law::Energetic, 0.5).unwrap();
    let impact = contact.solve([-1.0, vt], friction, restitution).unwrap();
    assert_eq!(impact.mode, Mode::StickingInCompression);
    assert!(close(impact.events[0].impulse, halt));
    assert!(impact.compression_impulse > halt);
}

/// The work of friction by the printed form, with the sign of its second term, and by the form
/// for permanent sliding; `W_n + W_t = ΔT` shows which is right.
#[test]
fn planar_44_friction_never_does_positive_work() {
    let (b, c, mu, vt) = (2.5, -1.5, 0.5, 0.6);
    let impact = planar(c, [-1.0, vt], mu, Law::Energetic, 0.82);
    assert_eq!(impact.mode, Mode::ReverseInCompression);
    let [first, last] = [1.0, -1.0].map(|sigma| 0.5 * mu * sigma / (c - mu * b * sigma));
    let after = impact.velocity[1];
    let form = |sign: f64| first * vt * vt + sign * last * after * after;
    assert!(close(impact.friction_work, form(-1.0)) && impact.friction_work < 0.0);
    assert!(!close(impact.friction_work, form(1.0)));

    let sliding = planar(c, [-1.0, 5.0], mu, Law::Energetic, 0.82);
    assert_eq!(sliding.mode, Mode::PermanentSliding);
    let lost = first * (25.0 - sliding.velocity[1] * sliding.velocity[1]);
    assert!(close(sliding.friction_work, lost));
    for impact in [impact, sliding] {
        assert!(close(impact.normal_work + impact.friction_work, impact.energy_change));
    }
}

/// Poisson's velocity where the slip halts in restitution, from `I_ne = (1 + e) I_nc`
/// alone, by the printed form and by the right one.
#[test]
fn planar_49_has_a_sign_reversed() {
    let (e, mu, c, vt) = (0.82, 0.7, -1.5, 1.1);
    let impact = planar(c, [-1.0, vt], mu, Law::Poisson, e);
    assert_eq!(impact.mode, Mode::StickingInRestitution);
    let (initial, last) = (1.0 / (2.5 - mu * c), 1.0 / (2.5 - c * c / 2.5));
    let halt = -vt / (c - mu * 2.5);
    let at_halt = -1.0 + halt / initial;
    let by_definition = at_halt + ((1.0 + e) * initial - halt) / last;
    let ratio = initial / last;
    let right = e * ratio + at_halt * (1.0 - ratio);
    let printed = e * ratio - at_halt * (1.0 - ratio);
    assert!(close(impact.velocity[0], by_definition) && close(right, by_definition));
    assert!((printed - by_definition).abs() > 0.2);

    // Where it halts in compression, the printed form is right.
    let impact = planar(c, [-1.0, 0.6], mu, Law::Poisson, e);
    assert_eq!(impact.mode, Mode::StickingInCompression);
    let at_halt = -1.0 + 0.6 / 3.25 / initial;
    assert!(close(impact.velocity[0], -e * (-ratio + at_halt * (1.0 - ratio))));
}

/// Numbers of the planar paper's example outside its tables.
#[test]
fn planar_59_to_64_name_other_quantities() {
    let (mu, c) = (0.7, -1.5);
    // Eq. 59: `b` is 2.5 with 0.353553, not with 0.353533.
    let inertia = |arm: f64| 1.0 + 12.0 * arm * arm;
    assert!((inertia(0.353553) - 2.5).abs() < 1e-5 && (inertia(0.353533) - 2.5).abs() > 1e-4);
    // Eq. 61: `I_nf` is printed for e = 0.5 where e = 0.82.
    let sliding_end = |e: f64| planar(c, [-1.0, 5.0], mu, Law::Newton, e).impulse[0];
    assert!((sliding_end(0.5) - 0.422535).abs() < 5e-7);
    assert!((sliding_end(0.82) - 0.512676).abs() < 5e-7);
    // Eq. 63: 0.625 is that of sticking, not of reverse sliding.
    let contact = Contact::new([[2.5, c], [c, 2.5]]).unwrap();
    assert!(close(1.0 / contact.sticking_rate(), 0.625));
    assert!((1.0 / (2.5 + mu * c) - 0.689655).abs() < 5e-7);
    // Eq. 64: so is the rate of the third velocity.
    let spin = |friction: f64| 12.0 * 0.5 * 0.5_f64.sqrt() * (friction - 1.0);
    assert!((spin(0.6) + 1.69706).abs() < 5e-6 && (spin(mu) + 1.27279).abs() < 5e-6);
    assert!((spin(-mu) + 7.21249).abs() < 5e-6);
}

/// `a_1, d_1, a_2, d_2, a_3, d_3` of Eqs. 10 and 11, as printed or corrected.
fn coefficients(table: &SeedTable, [a0, d0]: [f64; 2], printed: bool) -> [f64; 6] {
    let [[_, h1, h2], [_, b1, b2], [_, b3, b4]] = table.inertia;
    let (mu, r) = (table.mu, a0.hypot(d0));
    let (s, v) = (mu * (a0 * b1 + b2 * d0) / r, mu * (a0 * b3 + b4 * d0) / r);
    let (a1, d1) = (h1 - s, if printed { h1 - v } else { h2 - v });
    let (other, first) = if printed { (h2 - s, d1) } else { (h2 - v, a1) };
    let half = |b: f64, c: f64, rate: f64| {
        let turned = (b * d0 - a0 * c) * d0 * rate + other * a0 * (a0 * c - b * d0);
        mu * turned / r.powi(3)
    };
    let (k, l) = (half(b1, b2, a1), half(b3, b4, first));
    let power = if printed { 3 } else { 2 };
    let third = |b: f64, c: f64| {
        let (x, y) = (h1 - s, h2 - v);
        let squares = x * x * (2.0 * a0 * a0 * c * d0 - 3.0 * a0 * b * d0 * d0 - c * d0.powi(3))
            + y * y * (2.0 * a0 * b * d0 * d0 - 3.0 * a0 * a0 * c * d0 - b * a0.powi(3));
        let mixed = 4.0 * a0 * d0 * (a0 * b + c * d0) - 2.0 * (c * a0.powi(3) + b * d0.powi(3));
        let of_k = a0.powi(3) * c * d0 - a0 * a0 * b * d0.powi(power) + a0 * c * d0.powi(3)
            - b * d0.powi(4);
        let of_r =
            a0.powi(3) * b * d0 - a0.powi(4) * c - a0 * a0 * c * d0 * d0 + a0 * b * d0.powi(3);
        -mu / (6.0 * r.powi(5)) * (squares + mixed * x * y + of_k * k + of_r * l)
    };
    [a1, d1, -0.5 * k, -0.5 * l, third(b1, b2), third(b3, b4)]
}

#[test]
fn spatial_10_and_11_take_h_2_v_and_d_0_squared() {
    let table = Sliding::load().seed_table_coefficients;
    for row in &table.rows {
        let truth = [row.a[1], row.d[1], row.a[2], row.d[2], row.a[3], row.d[3]];
        let right = coefficients(&table, row.v0, false);
        let printed = coefficients(&table, row.v0, true);
        for (x, y) in right.iter().zip(truth) {
            assert!((x - y).abs() < 1e-11 * y.abs(), "{:?}: {x:e} is not {y:e}", row.v0);
        }
        let wrong = |i: usize| (printed[i] - truth[i]).abs() > 1e-3 * truth[i].abs();
        assert!((1..5).all(wrong) && !wrong(0), "{:?}: {printed:?}", row.v0);
    }
}

/// The intervals' start values in Tables I and II against the motion itself.
#[test]
fn spatial_tables_drift_from_the_motion() {
    let table = Sliding::load().seed_table_coefficients;
    let contact = Contact::new(table.inertia).unwrap();
    let friction = Friction::uniform(table.mu).unwrap();
    let start = [4.0, 0.0];
    let mut motion = Trajectory::new(&contact, friction, start, Accuracy::default()).unwrap();
    let impulses = [784.0, 1265.0, 1665.0, 2000.0, 2450.0];
    let apart: Vec<f64> = impulses
        .iter()
        .zip(&table.rows[1..])
        .map(|(&impulse, row)| {
            let [x, y] = motion.advance(impulse).unwrap();
            (x - row.v0[0]).hypot(y - row.v0[1])
        })
        .collect();
    assert!(apart.iter().all(|x| (0.005..0.3).contains(x)), "{apart:?}");
    assert!((apart[4] - 0.289).abs() < 5e-4, "{apart:?}");
}

/// A rigid second body does not affect the stiffness; as printed, its Poisson ratio does.
#[test]
fn chain_16_has_its_moduli_swapped() {
    let (young, radius) = ([1e9, 1e30], 0.1_f64);
    let ratio = [0.0, 0.5];
    let found = hertz_stiffness(young, ratio, [radius; 2]).unwrap();
    let right = 4.0 / 3.0 * 1e9 * (radius / 2.0).sqrt();
    assert!((found / right - 1.0).abs() < 1e-12);
    let below: f64 = (0..2).map(|i| young[i] * (1.0 - ratio[i] * ratio[i])).sum();
    let printed = 4.0 / 3.0 * young[0] * young[1] / below * (radius / 2.0).sqrt();
    assert!((printed / right - 4.0 / 3.0).abs() < 1e-12);
}
