//! Against quadrature, against the derived polynomials, and against the
//! convergence of power series.

use super::*;
use routh_runtime::double::number::{length, scale};

use crate::contact::{Contact, Friction};

/// Uniform numbers in `[-1, 1)`, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn pair(&mut self) -> [f64; 2] {
        [self.next(), self.next()]
    }

    fn direction(&mut self) -> [f64; 2] {
        direction(core::f64::consts::PI * self.next())
    }
}

fn direction(angle: f64) -> [f64; 2] {
    [angle.cos(), angle.sin()]
}

/// `f` and `g`
fn rates([h1, h2]: [f64; 2], [m1, m2]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    let (x, y) = (h1 - m1 * c, h2 - m2 * d);
    [h2 * c - h1 * d + (m1 - m2) * c * d, c * x + d * y]
}

/// The directions at two angles with none invariant between them, well inside
/// an arc, and the angles.
fn inside_an_arc(integral: &FirstIntegral, random: &mut Random) -> Option<[f64; 2]> {
    let mut ends: Vec<f64> = integral.invariant_directions().map(|[c, d]| d.atan2(c)).collect();
    ends.sort_by(f64::total_cmp);
    let i = ((random.next() + 1.0) * 0.5 * ends.len() as f64) as usize;
    let start = ends[i];
    let end = if i + 1 < ends.len() { ends[i + 1] } else { ends[0] + core::f64::consts::TAU };
    let place = |x: f64| start + (end - start) * (0.5 + 0.48 * x);
    let angles = [place(random.next()), place(random.next())];
    (end - start > 0.02).then_some(angles)
}

/// Adaptive quadrature by Gauss's rule of ten points.
fn integrate(f: &dyn Fn(f64) -> f64, from: f64, to: f64, whole: f64, depth: usize) -> f64 {
    let middle = 0.5 * (from + to);
    let [left, right] = [gauss(f, from, middle), gauss(f, middle, to)];
    let sum = left + right;
    if depth == 0 || (sum - whole).abs() <= 1e-13 * sum.abs() {
        return sum;
    }
    integrate(f, from, middle, left, depth - 1) + integrate(f, middle, to, right, depth - 1)
}

fn gauss(f: &dyn Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let rule = [
        (0.148_874_338_981_631_2, 0.295_524_224_714_752_9),
        (0.433_395_394_129_247_2, 0.269_266_719_309_996_4),
        (0.679_409_568_299_024_4, 0.219_086_362_515_982),
        (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
        (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
    ];
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    rule.map(|(x, w)| w * (f(middle - half * x) + f(middle + half * x))).iter().sum::<f64>() * half
}

/// The largest error of a passage, relative to the integral of its size.
fn error(h: [f64; 2], m: [f64; 2], random: &mut Random) -> Option<f64> {
    let integral = FirstIntegral::new(h, m);
    let [from, to] = inside_an_arc(&integral, random)?;
    let found = integral.passage(direction(from), direction(to));
    let [growth, time, size, time_size] = [
        &(|f: f64, g: f64| g / f) as &dyn Fn(f64, f64) -> f64,
        &|f, _| 1.0 / f,
        &|f, g| (g / f).abs(),
        &|f, _| (1.0 / f).abs(),
    ]
    .map(|integrand| {
        let f = |angle: f64| {
            let [f, g] = rates(h, m, direction(angle));
            integrand(f, g)
        };
        integrate(&f, from, to, gauss(&f, from, to), 12)
    });
    let errors = [(found.growth - growth) / size, (found.time - time) / time_size];
    Some(errors[0].abs().max(errors[1].abs()))
}

#[test]
fn chords_multiply_to_the_derived_quartic() {
    let mut random = Random(1);
    for case in 0..10_000 {
        let ([h1, h2], delta) = match case % 5 {
            0 => ([0.0, random.next()], random.next()),
            1 => ([random.next(), 0.0], random.next() * 1e-9),
            2 => ([1e-9 * random.next(), 1e-12 * random.next()], random.next()),
            3 => ([random.next(); 2], random.next()),
            _ => (random.pair(), random.next()),
        };
        let [first, second] = chords([h1, h2], delta);
        let ([p0, p1, p2], [q0, q1, q2]) = (quadratic(&first), quadratic(&second));
        let product =
            [p0 * q0, p0 * q1 + p1 * q0, p0 * q2 + p1 * q1 + p2 * q0, p1 * q2 + p2 * q1, p2 * q2];
        let wanted = half_angle(h1, h2, delta, 0.0).turning;
        let size = h1.abs().max(h2.abs()).max(delta.abs());
        for (x, y) in product.iter().zip(wanted) {
            assert!((x - y).abs() <= 4e-15 * size, "{h1} {h2} {delta}: {product:?} {wanted:?}");
        }
        assert!(first.ends().is_some());
    }
}

#[test]
fn derivative_is_the_integrand() {
    let mut random = Random(2);
    for _ in 0..1000 {
        let (h, m) = (random.pair(), random.pair().map(|x| 1.5 + x));
        let integral = FirstIntegral::new(h, m);
        let Some([angle, _]) = inside_an_arc(&integral, &mut random) else { continue };
        let [f, g] = rates(h, m, direction(angle));
        let step = 1e-4 * f.abs();
        let around = |k: f64| {
            let ends = [angle - k * step, angle + k * step].map(direction);
            integral.passage(ends[0], ends[1]).growth / (2.0 * k * step)
        };
        let slope = (4.0 * around(1.0) - around(2.0)) / 3.0;
        assert!((slope * f - g).abs() < 1e-7 * (1.0 + g.abs()), "{h:?} {m:?} {angle}");
    }
}

#[test]
fn equals_quadrature_over_random_arcs() {
    let mut random = Random(3);
    let mut worst = 0.0_f64;
    for _ in 0..2000 {
        let (h, m) = (random.pair(), random.pair().map(|x| 1.01 + x));
        worst = worst.max(error(h, m, &mut random).unwrap_or(0.0));
    }
    println!("{worst:.1e}");
    assert!(worst < 1e-10);
}

#[test]
fn equals_quadrature_where_invariant_directions_meet() {
    let mut random = Random(4);
    let mut worst = 0.0_f64;
    for k in 0..300 {
        // |h1|^(2/3) + |h2|^(2/3) = |δ|^(2/3) is where two directions meet.
        let [c, d] = random.direction();
        let near = 1.0 + 10_f64.powi(-(k % 15) - 1).copysign(random.next());
        let h = [c.powi(3), d.powi(3)].map(|x| x * near);
        if c.abs().min(d.abs()) < 0.2 {
            continue;
        }
        let error = error(h, [1.5, 0.5], &mut random).unwrap_or(0.0);
        // A pair about to vanish leaves a gap of f that is itself a difference.
        let gap = if near > 1.0 { near - 1.0 } else { 1.0 };
        worst = worst.max(error * gap);
    }
    println!("{worst:.1e}");
    assert!(worst < 1e-10);
}

#[test]
fn degenerate_contacts_equal_quadrature() {
    let mut random = Random(5);
    let tiny = 1e-12;
    for (h, m) in [
        ([0.0, 0.0], [2.0, 1.0]),
        ([0.0, 0.0], [1.0, 2.0]),
        ([0.3, -0.2], [1.0, 1.0]),
        ([0.3, 0.0], [1.0, 1.0]),
        ([0.0, 0.3], [1.0, 1.0]),
        ([0.0, 0.3], [2.0, 1.0]),
        ([0.3, 0.0], [2.0, 1.0]),
        ([0.0, -3.0], [2.0, 1.0]),
        ([-3.0, 0.0], [1.0, 2.0]),
        ([0.5, 0.5], [2.0, 1.0]),
        ([0.5, -0.5], [1.0, 2.0]),
        ([0.3, tiny], [2.0, 1.0]),
        ([tiny, 0.3], [1.0 + tiny, 1.0]),
        ([tiny, tiny], [2.0, 1.0]),
        ([3.0, 4.0], [tiny, 2.0 * tiny]),
        ([1.0, 0.0], [2.0, 1.0]),
        ([0.0, 1.0], [2.0, 1.0]),
    ] {
        for _ in 0..20 {
            let error = error(h, m, &mut random).unwrap_or(0.0);
            let meet = h[0].abs() + h[1].abs() == (m[0] - m[1]).abs() && h[0] * h[1] == 0.0;
            assert!(error < if meet { 1e-5 } else { 1e-10 }, "{h:?} {m:?}: {error:e}");
        }
    }
}

#[test]
fn finite_at_every_scale() {
    let mut random = Random(6);
    for _ in 0..3000 {
        let mut scaled = || random.next() * 10_f64.powf(12.0 * random.next());
        let (h, m) = ([scaled(), scaled()], [scaled().abs(), scaled().abs()]);
        let integral = FirstIntegral::new(h, m);
        let sigma = random.direction();
        let [f, _] = rates(h, m, sigma);
        let unit = h[0].abs().max(h[1].abs()).max((m[0] - m[1]).abs());
        let near = [sigma[0] - 1e-7 * sigma[1], sigma[1] + 1e-7 * sigma[0]];
        let passage = integral.passage(sigma, near);
        assert!(passage.growth.is_finite() && passage.time.is_finite(), "{h:?} {m:?}");
        if f.abs() > 1e-2 * unit {
            assert!((passage.time * f / 1e-7 - 1.0).abs() < 1e-4, "{h:?} {m:?} {sigma:?}");
        }
        let [x, y] = integral.branch_point(sigma).unwrap();
        assert!(x.is_finite() && y.is_finite() && y > 0.0, "{h:?} {m:?} {sigma:?}");
    }
    let still = FirstIntegral::new([0.0; 2], [1.0; 2]);
    assert_eq!(still.branch_point([1.0, 0.0]), None);
}

/// How fast the coefficients of `s` grow per order, in units of the radius;
/// none where the first drown the others in rounding.
fn growth_of_coefficients(
    [h1, h2]: [f64; 2],
    [m1, m2]: [f64; 2],
    v: [f64; 2],
    radius: f64,
) -> Option<f64> {
    const ORDER: usize = 300;
    let (mut x, mut y, mut s) = (vec![v[0]], vec![v[1]], vec![v[0].hypot(v[1])]);
    for k in 1..ORDER {
        let scale = radius / k as f64;
        let (next_x, next_y) = (h1 * s[k - 1] - m1 * x[k - 1], h2 * s[k - 1] - m2 * y[k - 1]);
        x.push(scale * next_x);
        y.push(scale * next_y);
        let squares: f64 = (0..=k).map(|j| x[j] * x[k - j] + y[j] * y[k - j]).sum();
        let cross: f64 = (1..k).map(|j| s[j] * s[k - j]).sum();
        s.push((squares - cross) / (2.0 * s[0]));
    }
    let size = |from: usize| {
        let sizes = (from..from + 50).map(|k| s[k].abs() * (k as f64).powf(1.5));
        sizes.fold(0.0, f64::max).ln()
    };
    let largest = s.iter().fold(0.0, |x: f64, y| x.max(y.abs()));
    (largest < 1e3).then(|| (size(250) - size(100)) / 150.0)
}

#[test]
fn branch_point_bounds_convergence() {
    let mut random = Random(7);
    let (mut worst, mut zeros) = (0.0_f64, [0; 2]);
    for _ in 0..1000 {
        // Only δ matters for τ; without a common part of m no entire factor
        // masks the singularity.
        let (h, delta, sigma) = (random.pair(), random.next(), random.direction());
        let m = [0.5 * delta, -0.5 * delta];
        let integral = FirstIntegral::new(h, m);
        let [x, y] = integral.branch_point(sigma).unwrap();
        let Some(rate) = growth_of_coefficients(h, m, sigma, length(x, y)) else { continue };
        assert!(rate.abs() < 0.01, "{h:?} {delta} {sigma:?}: {x} {y} {rate}");
        worst = worst.max(rate.abs());
        zeros[integral.invariant_directions().count() / 2 - 1] += 1;
    }
    println!("{worst:.1e} over {zeros:?}");
    assert!(zeros[0] > 800 && zeros[1] > 50);
}

#[test]
fn branch_points_of_the_seed_robot() {
    let robot = Contact::new([
        [9.009e-3, -0.342e-3, 1.845e-3],
        [-0.342e-3, 9.307e-3, 2.26e-3],
        [1.845e-3, 2.26e-3, 3.922e-3],
    ]);
    let contact = robot.unwrap().prepared(Friction::uniform(0.3).unwrap()).unwrap();
    let integral = FirstIntegral::new(contact.h, contact.b.map(|b| contact.mu * b));
    for (v, x, y) in [
        ([4.0, 0.0], 499.229, 419.243),
        ([-4.0, -4.0], 633.344, 375.565),
        ([1.0, -4.0], -786.0, 1785.0),
    ] {
        let speed = length(v[0], v[1]);
        let found = integral.branch_point(contact.inward(v.map(|v| v / speed))).unwrap();
        let found = found.map(|tau| scale(tau, -contact.unit));
        let tolerance = if y > 1000.0 { 0.06 * y } else { 1e-3 };
        assert!((found[0] - x).abs() < tolerance && (found[1] - y).abs() < tolerance, "{found:?}");
    }
}
