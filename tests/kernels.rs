//! Generated kernels: loops round exactly as straight lines do, and `f32` is
//! good for five digits.

use routh::kernels::{self, Real};
use routh_tests::reference::{Sliding, Trajectory, largest};

/// `a`, `h1`, `h2`, `b1`, `b2`, `mu` of the reference's contacts in their
/// principal axes, in units in which they slide at a rate of one: in others the
/// high coefficients leave the range of `f32`.
fn contacts() -> Vec<[f64; 6]> {
    let contact = |case| {
        let principal = Principal::new(case);
        let unit = principal.rate();
        let [inertia @ .., mu] = principal.contact;
        let [a, h1, h2, b1, b2] = inertia.map(|x| x / unit);
        [a, h1, h2, b1, b2, mu]
    };
    Sliding::load().trajectories.iter().map(contact).collect()
}

/// Starts all around the circle, with velocities and impulses on the way.
fn starts() -> impl Iterator<Item = [f64; 8]> {
    (0..100).map(|i| {
        let (sin, cos) = (0.0628 * f64::from(i)).sin_cos();
        let speed = 0.1 + 0.05 * f64::from(i);
        [speed * cos, speed * sin, 3.0, 0.5, -0.5, -10.0, -2.0, -1.0]
    })
}

/// Series of every unknown in `f32` and `f64`, at 0.7 of their radius of
/// convergence, beyond all steps of that accuracy: the error of each coefficient there,
/// relative to the largest term of its series.
fn assert_close<const S: usize>(wide: &[[f64; S]], narrow: &[[f32; S]], what: &str) {
    let order = wide.len() - 1;
    let size = |k: usize| largest(wide[k][..2].iter().copied());
    let radius = |k: usize| (size(0) / size(k)).powf(1.0 / k as f64);
    let reach = 0.7 * (order / 2..=order).map(radius).fold(f64::INFINITY, f64::min);
    for unknown in 0..S {
        let term = |k: usize, x: f64| x * reach.powi(k as i32);
        let beside = [1, 0, 2, 4, 3, 5, 6, 7][unknown];
        let vector = |k: usize| wide[k][unknown].hypot(wide[k][beside]);
        let scale = largest((0..=order).map(|k| term(k, vector(k))));
        for k in 0..=order {
            let error = term(k, wide[k][unknown] - f64::from(narrow[k][unknown])).abs();
            assert!(error <= 1e-5 * scale, "{what}, {unknown}, {k}: {:e}", error / scale);
        }
    }
}

/// Straight lines of some orders against loops of the same, bit for bit, in
/// both number types; and `f32` against `f64`.
macro_rules! check {
    ($any:ident, $constants:expr, $start:expr, $($straight:ident $order:literal)*) => {$({
        let (constants, start) = ($constants, $start);
        let wide = agree!($any, $straight, $order, f64, constants, start);
        let narrow = agree!($any, $straight, $order, f32, constants, start);
        assert_close(&wide, &narrow, stringify!($straight));
    })*};
}

macro_rules! agree {
    ($any:ident, $straight:ident, $order:literal, $real:ty, $constants:ident, $start:ident) => {{
        let constants = $constants.map(<$real>::real);
        let start = $start.map(<$real>::real);
        let mut straight = [start; $order + 1];
        let (mut exact, mut longer) = (straight, [start.map(|_| <$real>::NAN); 65]);
        kernels::$straight(&constants, &start, &mut straight);
        kernels::$any(&constants, &start, $order, &mut exact);
        kernels::$any(&constants, &start, $order, &mut longer);
        assert_eq!(straight, exact, "{}", stringify!($straight));
        assert_eq!(straight, longer[..=$order], "{}", stringify!($straight));
        assert!(longer[$order + 1..].iter().flatten().all(|x| x.is_nan()));
        straight
    }};
}

fn velocity([vt1, vt2, p, ..]: [f64; 8]) -> [f64; 3] {
    [vt1, vt2, p]
}

#[test]
fn velocity_kernels_agree() {
    for [_, h1, h2, b1, b2, mu] in contacts() {
        let constants = kernels::velocity_constants(h1, h2, b1, b2, mu);
        for start in starts().map(velocity) {
            check!(velocity_any, constants, start,
                velocity_12 12 velocity_16 16 velocity_20 20 velocity_24 24);
        }
    }
}

#[test]
fn works_kernels_agree() {
    for [a, h1, h2, b1, b2, mu] in contacts() {
        let constants = kernels::works_constants(a, h1, h2, b1, b2, mu);
        for start in starts() {
            check!(works_any, constants, start, works_12 12 works_16 16 works_20 20 works_24 24);
        }
    }
}

/// `c1` and `c2` of a stretch at a sliding rate of one.
const STRETCH: [f64; 2] = [-0.8, 0.3];

#[test]
fn stretched_velocity_kernels_agree() {
    for [_, h1, h2, b1, b2, mu] in contacts() {
        let [c1, c2] = STRETCH;
        let constants = kernels::stretched_velocity_constants(h1, h2, b1, b2, mu, c1, c2);
        for start in starts().map(velocity) {
            check!(stretched_velocity_any, constants, start,
                stretched_velocity_12 12 stretched_velocity_16 16
                stretched_velocity_20 20 stretched_velocity_24 24);
        }
    }
}

#[test]
fn stretched_works_kernels_agree() {
    for [a, h1, h2, b1, b2, mu] in contacts() {
        let [c1, c2] = STRETCH;
        let constants = kernels::stretched_works_constants(a, h1, h2, b1, b2, mu, c1, c2);
        for start in starts() {
            check!(stretched_works_any, constants, start,
                stretched_works_12 12 stretched_works_16 16
                stretched_works_20 20 stretched_works_24 24);
        }
    }
}

/// `velocity` is `works` without the rest, stretched or not, and the stretched
/// kernels without a stretch are the others.
#[test]
fn kernels_of_one_motion_agree() {
    for [a, h1, h2, b1, b2, mu] in contacts() {
        let works = kernels::works_constants(a, h1, h2, b1, b2, mu);
        let plain = kernels::velocity_constants(h1, h2, b1, b2, mu);
        for start in starts() {
            let (mut all, mut some) = ([[0.0; 8]; 21], [[0.0; 3]; 21]);
            kernels::works_20(&works, &start, &mut all);
            kernels::velocity_20(&plain, &velocity(start), &mut some);
            assert_eq!(all.map(velocity), some);
            for [c1, c2] in [[0.0; 2], STRETCH] {
                let works = kernels::stretched_works_constants(a, h1, h2, b1, b2, mu, c1, c2);
                let plain = kernels::stretched_velocity_constants(h1, h2, b1, b2, mu, c1, c2);
                let (mut stretched, mut fewer) = ([[0.0; 8]; 21], [[0.0; 3]; 21]);
                kernels::stretched_works_20(&works, &start, &mut stretched);
                kernels::stretched_velocity_20(&plain, &velocity(start), &mut fewer);
                assert_eq!(stretched.map(velocity), fewer);
                if [c1, c2] == [0.0; 2] {
                    assert_eq!(fewer, some);
                    let rows = all.iter().flatten().zip(stretched.iter().flatten());
                    let scale = |x: &f64| 1e-14 * x.abs();
                    rows.for_each(|(x, y)| assert!((x - y).abs() <= scale(x), "{x:e}, {y:e}"));
                }
            }
        }
    }
}

/// A slip of the reference in the principal axes of `b`.
struct Principal {
    axis: [f64; 2],
    contact: [f64; 6],
}

impl Principal {
    fn new(case: &Trajectory) -> Self {
        let [[a, h1, h2], [_, b11, b12], [_, _, b22]] = case.inertia;
        let (s, c) = (0.5 * (2.0 * b12).atan2(b11 - b22)).sin_cos();
        let b1 = c * c * b11 + 2.0 * c * s * b12 + s * s * b22;
        let b2 = s * s * b11 - 2.0 * c * s * b12 + c * c * b22;
        let [h1, h2] = [c * h1 + s * h2, c * h2 - s * h1];
        Self { axis: [c, s], contact: [a, h1, h2, b1, b2, case.mu] }
    }

    /// A bound on how fast sliding turns and slows, in `1/τ`.
    fn rate(&self) -> f64 {
        let [_, h1, h2, b1, b2, mu] = self.contact;
        h1.hypot(h2) + mu * (b1 + b2)
    }

    fn inward(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.axis;
        [c * x + s * y, c * y - s * x]
    }
}

fn value(rows: &[[f32; 3]; 13], unknown: usize, t: f64) -> f64 {
    rows.iter().rev().fold(0.0, |sum, row| sum * t + f64::from(row[unknown]))
}

/// The `τ` at which the impulse is `p`, by bisection; `p` rises with `τ`.
fn reaching(rows: &[[f32; 3]; 13], p: f64, width: f64) -> f64 {
    let (mut low, mut high) = (0.0, width);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if value(rows, 2, middle) < p { low = middle } else { high = middle }
    }
    low
}

/// Each step begins in `f32` where the last one ended and is short relative to
/// the time in which sliding turns.
#[test]
fn slips_in_f32_follow_the_reference() {
    for case in Sliding::load().trajectories {
        let principal = Principal::new(&case);
        let [_, h1, h2, b1, b2, mu] = principal.contact;
        let constants = kernels::velocity_constants(h1, h2, b1, b2, mu).map(|x| x as f32);
        let width = 0.25 / principal.rate();
        let [x, y] = principal.inward(case.v0);
        let mut state = [x as f32, y as f32, 0.0];
        let mut wanted = case.impulse.iter().zip(&case.velocity).peekable();
        let speed = x.hypot(y);
        for _ in 0..10_000 {
            let mut rows = [[0.0_f32; 3]; 13];
            kernels::velocity_12(&constants, &state, &mut rows);
            let end = [0, 1, 2].map(|unknown| value(&rows, unknown, width));
            while let Some((&p, &velocity)) = wanted.next_if(|(p, _)| **p <= end[2]) {
                let t = reaching(&rows, p, width);
                let [x, y] = principal.inward(velocity);
                let error = (value(&rows, 0, t) - x).hypot(value(&rows, 1, t) - y) / speed;
                assert!(error < 1e-5, "{} at {p}: {error:e}", case.name);
            }
            state = end.map(|x| x as f32);
        }
        assert!(wanted.next().is_none(), "{} ends at {}", case.name, state[2]);
    }
}
