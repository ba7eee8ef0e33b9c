//! Impacts against Runge-Kutta on the equations as the paper writes them, in
//! the normal impulse and with a square root: another route to the same end.

use routh_solver::{Contact, Law, Mode};
use routh_tests::random::{Kind, Random};
use routh_tests::reference::{Input, largest};

/// `v_t`, `v_n`, `W_n`, `W_t`.
type State = [f64; 5];

fn rate(input: &Input<3>, [x, y, vn, ..]: State) -> State {
    let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = input.inertia;
    let mu = input.friction.kinetic();
    let speed = (x * x + y * y).sqrt();
    let (c, d) = (x / speed, y / speed);
    [
        h1 - mu * (b11 * c + b12 * d),
        h2 - mu * (b12 * c + b22 * d),
        a - mu * (h1 * c + h2 * d),
        vn,
        -mu * speed,
    ]
}

fn step(input: &Input<3>, state: State, h: f64) -> State {
    let shifted = |k: State, h: f64| std::array::from_fn(|i| state[i] + h * k[i]);
    let k1 = rate(input, state);
    let k2 = rate(input, shifted(k1, 0.5 * h));
    let k3 = rate(input, shifted(k2, 0.5 * h));
    let k4 = rate(input, shifted(k3, h));
    std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// Steps until a quantity that is negative becomes positive, and shortens the
/// last step to where it does.
fn until(
    input: &Input<3>,
    mut state: State,
    p: &mut f64,
    h: f64,
    quantity: impl Fn(&State, f64) -> f64,
) -> State {
    loop {
        let next = step(input, state, h);
        if quantity(&next, *p + h) < 0.0 {
            state = next;
            *p += h;
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match quantity(&step(input, state, middle), *p + middle) < 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        *p += high;
        return step(input, state, high);
    }
}

/// Velocity, normal impulse and friction work after an impact that slides
/// throughout, by steps of the given length.
fn by_runge_kutta(input: &Input<3>, h: f64) -> ([f64; 3], f64, f64) {
    let [vn, x, y] = input.velocity;
    let mut p = 0.0;
    let compressed = until(input, [x, y, vn, 0.0, 0.0], &mut p, h, |s, _| s[2]);
    let (e, at, work) = (input.restitution.e(), p, compressed[3]);
    let end = until(input, compressed, &mut p, h, |s, p| match input.restitution.law() {
        Law::Newton => s[2] + e * vn,
        Law::Poisson => p - (1.0 + e) * at,
        Law::Energetic => s[3] - (1.0 - e * e) * work,
    });
    ([end[2], end[0], end[1]], p, end[4])
}

/// Whether fixed steps can follow a slip: the direction turns by little in each.
fn is_smooth(input: &Input<3>, impulse: f64, h: f64) -> bool {
    let [_, x, y] = input.velocity;
    let [_, row1, row2] = input.inertia;
    let turning = largest(row1.into_iter().chain(row2)) * (1.0 + input.friction.kinetic());
    let mut state = [x, y, 0.0, 0.0, 0.0];
    (0..(impulse / h) as usize).all(|_| {
        state = step(input, state, h);
        turning * h < 0.01 * state[0].hypot(state[1])
    })
}

fn compare(kind: Kind) {
    let mut random = Random::seeded(600 + kind as u64);
    let mut compared = 0;
    for _ in 0..2_000 {
        let input = random.spatial(kind);
        let contact = Contact::new(input.inertia).unwrap();
        let impact = contact.solve(input.velocity, input.friction, input.restitution).unwrap();
        let total = impact.normal_impulse();
        let h = total / 4000.0;
        let once = impact.mode == Mode::PermanentSliding && impact.events.len() == 1;
        if !once || input.restitution.e() < 0.05 || !is_smooth(&input, total, h) {
            continue;
        }
        let (velocity, impulse, friction_work) = by_runge_kutta(&input, h);
        let scale = largest(input.velocity.iter().chain(&impact.velocity).copied());
        let error = largest([
            (velocity[0] - impact.velocity[0]) / scale,
            (velocity[1] - impact.velocity[1]) / scale,
            (velocity[2] - impact.velocity[2]) / scale,
            impulse / total - 1.0,
            (friction_work - impact.friction_work) / (scale * impulse),
        ]);
        assert!(error < 1e-9, "{error:e}\n{input:?}\n{impact:?}\n{velocity:?}");
        compared += 1;
    }
    println!("{kind:?}: {compared} compared");
    assert!(compared > 300, "only {compared} to compare");
}

#[test]
fn plain_impacts_that_slide_throughout() {
    compare(Kind::Plain);
}

#[test]
fn coupled_impacts_that_slide_throughout() {
    compare(Kind::Coupled);
}

#[test]
fn isotropic_impacts_that_slide_throughout() {
    compare(Kind::Isotropic);
}
